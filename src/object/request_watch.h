// RequestWatch: tells when Arrow has repeated a request to S3, and when it has given one up. It
// also ends the repetitions when an upload is given up.
#pragma once

#include <arrow/filesystem/s3fs.h>

#include <atomic>
#include <chrono>
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
  // A request is repeated for `longest_repetitions` after it has failed first. A store that takes
  // bytes and answers nothing lets an upload of a part wait for a minute, and then fail, at each
  // attempt.
  explicit RequestWatch(std::chrono::milliseconds last_repetitions = std::chrono::seconds(10),
                        std::chrono::milliseconds longest_repetitions = std::chrono::seconds(210));

  // The thread that made the request calls `call`, before the request returns. An empty function
  // ends the watch.
  void set(std::function<void()> call);

  // From now on requests are repeated for `last_repetitions` only.
  void end_repeating_soon();

  // Whether a request was repeated since the latest set() with a function.
  bool has_repeated() const { return has_repeated_; }

  bool ShouldRetry(const AWSErrorDetail& error, std::int64_t attempted) override;
  std::int64_t CalculateDelayBeforeNextRetry(const AWSErrorDetail& error,
                                             std::int64_t attempted) override;

 private:
  using Clock = std::chrono::steady_clock;

  bool may_repeat(std::int64_t attempted) const;

  const std::shared_ptr<S3RetryStrategy> usual_;
  const std::chrono::milliseconds last_repetitions_;
  const std::chrono::milliseconds longest_repetitions_;
  std::atomic<Clock::rep> last_moment_ = Clock::duration::max().count();  // of repetitions
  std::mutex mutex_;
  std::function<void()> call_;
  std::atomic<bool> has_repeated_ = false;
};

}  // namespace sluice::object
