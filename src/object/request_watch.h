// RequestWatch: tells when Arrow has repeated a request to S3, and when it has given one up.
#pragma once

#include <arrow/filesystem/s3fs.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

namespace sluice::object {

// The library of S3 asks a strategy whether to repeat a failed request. This one is the library's
// own, and calls `call` when the answer is no. The strategy belongs to the connections of one
// object.
// Threads: any.
class RequestWatch final : public arrow::fs::S3RetryStrategy {
 public:
  RequestWatch();

  // The thread that made the request calls `call`, before the request returns. An empty function
  // ends the watch.
  void set(std::function<void()> call);

  // Whether a request was repeated since the latest set() with a function.
  bool has_repeated() const { return has_repeated_; }

  bool ShouldRetry(const AWSErrorDetail& error, std::int64_t attempted) override;
  std::int64_t CalculateDelayBeforeNextRetry(const AWSErrorDetail& error,
                                             std::int64_t attempted) override;

 private:
  const std::shared_ptr<S3RetryStrategy> usual_;
  std::mutex mutex_;
  std::function<void()> call_;
  std::atomic<bool> has_repeated_ = false;
};

}  // namespace sluice::object
