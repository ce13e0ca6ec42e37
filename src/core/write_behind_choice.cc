#include "core/write_behind_choice.h"

#include <algorithm>
#include <numeric>

namespace sluice {
namespace {

// The slowest of the timed blocks does not count, because the system stops every program now and
// then. More than one block must not be left out: with write-behind most blocks cost little, and
// the few that wait for room count.
constexpr std::size_t outliers = 1;

// The other way has to save more time than two trials of the same way differ by: 3 % of all the
// time. If writing is a small part of the time, this gain is impossible. Then a quarter of the
// writing time is enough. Without this second rule, blocks whose values take long to compute would
// never be handed over.
constexpr int min_gain_percent = 3;
constexpr int min_gain_of_writing = 4;

// Writing here clearly loses if a few blocks took this much longer than as many of the kept way.
constexpr int clear_loss_percent = 12;

WriteBehindChoice::Way other(WriteBehindChoice::Way way) {
  using Way = WriteBehindChoice::Way;
  return way == Way::here ? Way::behind : Way::here;
}

}  // namespace

void WriteBehindChoice::block_left(Duration filling, Duration leaving) {
  ++blocks_;
  switch (phase_) {
    case Phase::settling:
      if (blocks_ == settling_blocks) begin(Phase::timing_kept, kept_);
      break;
    case Phase::timing_kept:
      take_time(filling, leaving);
      if (blocks_ < timed_blocks) break;
      kept_time_ = usual_time();
      wanted_gain_ = min_gain();
      if (may_gain()) {
        begin(Phase::settling_other, other(kept_));
      } else {
        rest();
      }
      break;
    case Phase::settling_other:
      if (blocks_ == settling_blocks) begin(Phase::timing_other, way_);
      break;
    case Phase::timing_other:
      take_time(filling, leaving);
      if (blocks_ == timed_blocks || is_clearly_slower()) judge();
      break;
    case Phase::resting:
      if (blocks_ == rest_blocks_) begin(Phase::timing_kept, kept_);
      break;
  }
}

void WriteBehindChoice::begin_behind() {
  kept_ = Way::behind;
  rest_blocks_ = rest_behind;
  rest();
}

void WriteBehindChoice::write_here() {
  kept_ = Way::here;
  rest_blocks_ = shortest_rest;
  begin(Phase::settling, Way::here);
}

void WriteBehindChoice::begin(Phase phase, Way way) {
  phase_ = phase;
  way_ = way;
  blocks_ = 0;
  filling_ = Duration{0};
  leaving_ = Duration{0};
}

void WriteBehindChoice::take_time(Duration filling, Duration leaving) {
  times_[blocks_ - 1] = filling + leaving;
  filling_ += filling;
  leaving_ += leaving;
}

// Handing over can hide no more time than the filling takes.
bool WriteBehindChoice::may_gain() const {
  if (kept_ == Way::behind) return true;
  const Duration all = std::accumulate(times_.begin(), times_.end(), Duration{0});
  return filling_ * 100 > all * min_gain_percent;
}

WriteBehindChoice::Duration WriteBehindChoice::min_gain() const {
  const Duration gain = kept_time_ * min_gain_percent / 100;
  return kept_ == Way::here ? std::min(gain, leaving_ / min_gain_of_writing) : gain;
}

// The time of the timed blocks but the slowest, if all of them took as long as those timed so far.
WriteBehindChoice::Duration WriteBehindChoice::usual_time() const {
  auto times = times_;
  const auto end = times.begin() + static_cast<std::ptrdiff_t>(blocks_);
  std::sort(times.begin(), end);
  const Duration sum = std::accumulate(times.begin(), end - outliers, Duration{0});
  return sum * (timed_blocks - outliers) / (blocks_ - outliers);
}

// A block that is written here takes its own time, so a few blocks tell. A block that is handed
// over may wait for those before it, so only all of the timed blocks tell.
bool WriteBehindChoice::is_clearly_slower() const {
  return way_ == Way::here && blocks_ >= min_timed_blocks &&
         usual_time() * 100 > kept_time_ * (100 + clear_loss_percent);
}

void WriteBehindChoice::judge() {
  const bool other_is_faster = usual_time() < kept_time_ - wanted_gain_;
  if (other_is_faster) {
    kept_ = other(kept_);
    rest_blocks_ = shortest_rest;
  } else {
    rest_blocks_ = std::min(rest_blocks_ * 2, longest_rest);
  }
  rest();
}

void WriteBehindChoice::rest() { begin(Phase::resting, kept_); }

}  // namespace sluice
