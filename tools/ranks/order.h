// The order in which the ways of an experiment run in each round.
#pragma once

#include <cstddef>

namespace sluice::ranks {

// The way that has this turn. The files and the memory of the way before may still be cleared away,
// so each way comes as often after each other way: the ways take turns from both ends of their
// list, each round begins with another way, and a list with an odd number of ways goes backwards in
// every second pass.
constexpr std::size_t way_at(std::size_t turn, std::size_t round, std::size_t ways) {
  const bool is_backwards = ways % 2 == 1 && round / ways % 2 == 1;
  const std::size_t place = is_backwards ? ways - 1 - turn : turn;
  const std::size_t from_an_end = place % 2 == 1 ? place / 2 + 1 : ways - place / 2;
  return (from_an_end + round) % ways;
}

// How often `way` comes right after `other`, in as many rounds as make the order fair.
constexpr int times_after(std::size_t way, std::size_t other, std::size_t ways) {
  int times = 0;
  const std::size_t rounds = ways % 2 == 1 ? 2 * ways : ways;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t turn = 1; turn < ways; ++turn) {
      if (way_at(turn - 1, round, ways) == other && way_at(turn, round, ways) == way) ++times;
    }
  }
  return times;
}

constexpr bool is_fair(std::size_t ways) {
  for (std::size_t way = 0; way < ways; ++way) {
    for (std::size_t other = 0; other < ways; ++other) {
      const int expected = way == other ? 0 : (ways % 2 == 1 ? 2 : 1);
      if (times_after(way, other, ways) != expected) return false;
    }
  }
  return true;
}
static_assert(is_fair(2) && is_fair(3) && is_fair(4) && is_fair(5) && is_fair(6));

}  // namespace sluice::ranks
