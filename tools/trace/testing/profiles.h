// Profiles of small programs, and the advice for them, for tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "trace/advice/advice.h"

namespace sluice::trace {

// A process of one second with one thread. Its one call site is in this code. It has no files and
// makes no calls so far.
inline Profile one_second(const std::string& module = "/usr/bin/program") {
  Profile profile;
  profile.command = {"program"};
  profile.wall_s = 1;
  profile.processes.push_back({.number = 1, .program = "program", .wall_s = 1, .threads = 1});
  profile.moments.push_back({.moment_ns = 10'000'000});
  profile.sites.push_back({.frames = {{"function", "", module}}});
  return profile;
}

// Adds a process like the first one, which lives at the same time.
inline void add_process(Profile& profile) {
  profile.processes.push_back(Process(profile.processes[0]));
  profile.moments.push_back(ProcessMoments(profile.moments[0]));
}

// Adds system calls of the first process on the first file.
inline Use& add_calls(Profile& profile, preload::Call call, std::uint64_t calls,
                      std::uint64_t bytes, double system_s) {
  Use& use = profile.uses.emplace_back(Use{.call = call, .threads = {{1, 0}}});
  use.amount.calls = use.amount.system_calls = calls;
  use.amount.bytes = use.amount.system_bytes = bytes;
  use.amount.time.system_s = system_s;
  return use;
}

inline std::vector<std::string> ids_of(const Profile& profile) {
  std::vector<std::string> ids;
  for (const Advice& advice : advice_by_rules(profile)) ids.emplace_back(advice.kind.id);
  return ids;
}

inline bool has_advice(const Profile& profile, const std::string& id) {
  for (const std::string& each : ids_of(profile)) {
    if (each == id) return true;
  }
  return false;
}

inline Advice advice_with(const Profile& profile, const std::string& id) {
  for (const Advice& advice : advice_by_rules(profile)) {
    if (advice.kind.id == id) return advice;
  }
  ADD_FAILURE() << "no advice " << id;
  return {};
}

inline Advice only_advice(const Profile& profile) {
  const std::vector<Advice> all = advice_by_rules(profile);
  EXPECT_EQ(all.size(), 1U);
  return all.empty() ? Advice{} : all.front();
}

}  // namespace sluice::trace
