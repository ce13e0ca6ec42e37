// RequestWatch: tells when Arrow has given up a request to S3.
#pragma once

#include <arrow/filesystem/s3fs.h>

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

  bool ShouldRetry(const AWSErrorDetail& error, std::int64_t attempted) override;
  std::int64_t CalculateDelayBeforeNextRetry(const AWSErrorDetail& error,
                                             std::int64_t attempted) override;

 private:
  const std::shared_ptr<S3RetryStrategy> usual_;
  std::mutex mutex_;
  std::function<void()> call_;
};

}  // namespace sluice::object
