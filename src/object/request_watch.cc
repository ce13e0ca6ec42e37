#include "object/request_watch.h"

#include <utility>

namespace sluice::object {
namespace {

// The pauses between the attempts double from 25 ms on: 6.4 s in all.
constexpr std::int64_t max_attempts = 8;

}  // namespace

RequestWatch::RequestWatch(std::chrono::milliseconds last_repetitions)
    : usual_(GetAwsDefaultRetryStrategy(max_attempts)), last_repetitions_(last_repetitions) {}

void RequestWatch::set(std::function<void()> call) {
  const std::lock_guard lock(mutex_);
  if (call) has_repeated_ = false;
  call_ = std::move(call);
}

void RequestWatch::end_repeating_soon() {
  last_moment_ = (Clock::now() + last_repetitions_).time_since_epoch().count();
}

bool RequestWatch::ShouldRetry(const AWSErrorDetail& error, std::int64_t attempted) {
  if (may_repeat() && usual_->ShouldRetry(error, attempted)) {
    has_repeated_ = true;
    return true;
  }
  std::function<void()> call;
  {
    const std::lock_guard lock(mutex_);
    call = call_;
  }
  if (call) call();
  return false;
}

std::int64_t RequestWatch::CalculateDelayBeforeNextRetry(const AWSErrorDetail& error,
                                                         std::int64_t attempted) {
  return usual_->CalculateDelayBeforeNextRetry(error, attempted);
}

}  // namespace sluice::object
