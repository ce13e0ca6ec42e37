// WriteBehindChoice: whether a Writer hands its next full block to the engine or writes it itself.
//
// Another processor has to fetch the block from this one's cache, which costs about a third of
// writing it; what it can hide is the time in which the next block is filled. Which of the two is
// more depends on the program, the target and the machine, so both ways are tried for a few blocks,
// and the faster one is kept. From time to time the other one is tried again, the more rarely the
// more often it has lost. Not thread-safe.
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

  // So many blocks of each way are timed, and so many before them pass untimed, until the blocks
  // in flight are those of this way.
  static constexpr std::size_t timed_blocks = 16;
  static constexpr std::size_t settling_blocks = 4;
  // Blocks between two trials, at first and at most.
  static constexpr std::size_t shortest_rest = 32;
  static constexpr std::size_t longest_rest = 1024;

  // How the block that is full now is to leave.
  Way way() const { return way_; }

  // A block has left this way. It took `filling` to fill it and `leaving` to get rid of it: to
  // write it, or to hand it over and wait for room.
  void block_left(Duration filling, Duration leaving);

  // The processors are all busy: blocks are written here, and trials wait until they are not.
  void write_here();

 private:
  enum class Phase : std::uint8_t { settling, timing_kept, settling_other, timing_other, resting };

  void begin(Phase phase, Way way);
  void take_time(Duration filling, Duration leaving);
  bool may_gain() const;
  Duration min_gain() const;
  void judge();
  void rest();

  Way kept_ = Way::here;
  Way way_ = Way::here;
  Phase phase_ = Phase::settling;
  std::size_t blocks_ = 0;  // in this phase
  std::size_t rest_blocks_ = shortest_rest;
  std::array<Duration, timed_blocks> times_{};  // of the way that is being timed
  Duration filling_{0};                         // all of it, in times_
  Duration leaving_{0};                         // all of it, in times_
  Duration kept_time_{0};                       // of the blocks of the way that is kept
  Duration wanted_gain_{0};                     // by which the other way has to be faster
};

}  // namespace sluice
