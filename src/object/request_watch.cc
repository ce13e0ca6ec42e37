#include "object/request_watch.h"

#include <utility>

namespace sluice::object {
namespace {

// The pauses between the attempts double from 25 ms on: 6.4 s in all.
constexpr std::int64_t max_attempts = 8;

}  // namespace

RequestWatch::RequestWatch(std::chrono::milliseconds last_repetitions,
                           std::chrono::milliseconds longest_repetitions)
    : usual_(GetAwsDefaultRetryStrategy(max_attempts)),
      last_repetitions_(last_repetitions),
      longest_repetitions_(longest_repetitions) {}

void RequestWatch::set(std::function<void()> call) {
  const std::lock_guard lock(mutex_);
  if (call) has_repeated_ = false;
  call_ = std::move(call);
}

void RequestWatch::end_repeating_soon() {
  last_moment_ = (Clock::now() + last_repetitions_).time_since_epoch().count();
}

// One thread makes all attempts of a request.
bool RequestWatch::may_repeat(std::int64_t attempted) const {
  thread_local Clock::time_point first_failure;
  const Clock::time_point now = Clock::now();
  if (attempted == 0 || first_failure == Clock::time_point()) first_failure = now;
  return now.time_since_epoch().count() < last_moment_ &&
         now - first_failure < longest_repetitions_;
}

bool RequestWatch::ShouldRetry(const AWSErrorDetail& error, std::int64_t attempted) {
  if (may_repeat(attempted) && usual_->ShouldRetry(error, attempted)) {
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
