// Profiles of programs that another program starts, for tests.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "trace/advice/advice.h"

namespace sluice::trace {

// A program of one second, as process 1. On this machine the smallest program takes 0.5 ms.
inline Profile program(const std::string& name) {
  Profile profile;
  profile.command = {name};
  profile.wall_s = 1;
  profile.start_cost = {.plain_s = 0.5e-3, .begun_s = 1e-3};
  profile.processes.push_back(
      {.number = 1, .program = name, .wall_s = 1, .user_s = 0.2, .threads = 1, .ended = true});
  profile.moments.push_back({.moment_ns = 10'000'000});
  return profile;
}

struct Work {
  double begun_s = 1.2e-3;  // until its log begins
  double user_s = 2e-3;     // in all
  double wall_s = 1e-3;     // since its log began
};

// Processes that run `name`, whose parents are these processes. Returns their numbers.
inline std::vector<int> add(Profile& profile, const std::string& name,
                            const std::vector<int>& parents, const Work& work = {}) {
  std::vector<int> numbers;
  for (const int parent : parents) {
    numbers.push_back(static_cast<int>(profile.processes.size()) + 1);
    profile.processes.push_back({.number = numbers.back(),
                                 .parent = parent,
                                 .program = name,
                                 .wall_s = work.wall_s,
                                 .user_s = work.user_s,
                                 .begun_s = work.begun_s,
                                 .threads = 1,
                                 .ended = true});
    profile.moments.push_back({.moment_ns = 10'000'000});
  }
  return numbers;
}

inline std::vector<int> by_the_first(std::size_t times) { return std::vector<int>(times, 1); }

inline Advice the_advice(const Profile& profile) {
  const std::vector<Advice> all = advice_by_rules(profile);
  if (all.size() == 1 && all[0].kind.id == "started-programs") return all[0];
  ADD_FAILURE() << all.size() << " pieces of advice";
  return {};
}

inline bool is_silent(const Profile& profile) { return advice_by_rules(profile).empty(); }

inline constexpr Work of_a_copy{.begun_s = 0.4e-3, .user_s = 1e-3, .wall_s = 2e-3};

}  // namespace sluice::trace
