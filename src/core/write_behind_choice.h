// WriteBehindChoice: decides whether a Writer hands its next full block to the engine or writes the
// block itself.
//
// Handing over has a price: another processor has to fetch the block from this processor's cache,
// which costs about a third of writing it. In return, handing over hides the time in which the next
// block is filled. Which of the two is larger depends on the program, the target and the machine.
// So both ways are tried for a few blocks, and the faster way is kept. From time to time the other
// way is tried again. The pauses become longer each time it loses. A trial costs what the other way
// loses, so a trial of writing here ends early if this way clearly loses. A Sink that works for
// long on each block begins with write-behind: there handing over costs little against the work,
// and a trial is long. Not thread-safe.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace sluice {

class WriteBehindChoice {
 public:
  using Duration = std::chrono::nanoseconds;
  enum class Way : std::uint8_t { here, behind };

  // The number of blocks that are timed for each way. Before them `settling_blocks` blocks are not
  // timed, because blocks of the other way may still be in flight.
  static constexpr std::size_t timed_blocks = 16;
  static constexpr std::size_t settling_blocks = 4;
  // A trial of writing here may end after so many blocks: see is_clearly_slower().
  static constexpr std::size_t min_timed_blocks = 4;
  // The number of blocks between two trials, at first and at most.
  static constexpr std::size_t shortest_rest = 32;
  static constexpr std::size_t longest_rest = 1024;
  // The number of blocks before the first trial after begin_behind(). Compressed blocks are
  // large: by then half a GiB has left.
  static constexpr std::size_t rest_behind = 256;

  // The way in which the present full block should leave.
  Way way() const { return way_; }

  // A block has left this way. It took `filling` to fill it, and `leaving` to write it, or to hand
  // it over and wait for room.
  void block_left(Duration filling, Duration leaving);

  // Called before the first block if the Sink is compute-bound: blocks are handed over from the
  // beginning.
  void begin_behind();

  // Called while all processors are busy: blocks are written here, and trials wait until a
  // processor is free.
  void write_here();

 private:
  enum class Phase : std::uint8_t { settling, timing_kept, settling_other, timing_other, resting };

  void begin(Phase phase, Way way);
  void take_time(Duration filling, Duration leaving);
  bool may_gain() const;
  Duration min_gain() const;
  Duration usual_time() const;
  bool is_clearly_slower() const;
  void judge();
  void rest();

  Way kept_ = Way::here;
  Way way_ = Way::here;
  Phase phase_ = Phase::settling;
  std::size_t blocks_ = 0;  // in this phase
  std::size_t rest_blocks_ = shortest_rest;
  std::array<Duration, timed_blocks> times_{};  // of the way that is being timed
  Duration filling_{0};                         // the filling in all of times_
  Duration leaving_{0};                         // the leaving in all of times_
  Duration kept_time_{0};                       // the time of the way that is kept
  Duration wanted_gain_{0};                     // the gain that the other way needs
};

}  // namespace sluice
