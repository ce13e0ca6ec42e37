#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

// A client makes so many connections, and sends a question through each.
Profile with_connections(std::size_t count) {
  Profile profile = one_second();
  profile.processes[0].system_s = 0.5;
  profile.processes[0].time.system_s = 0.2;
  profile.processes[0].ended = true;
  profile.processes[0].connections = count;
  for (std::size_t i = 0; i < count; ++i) {
    profile.files.push_back({.name = "socket:[" + std::to_string(i) + "]", .kind = S_IFSOCK});
    for (const Call call : {Call::write, Call::read, Call::close}) {
      add_calls(profile, call, 1, call == Call::close ? 0 : 20, 5e-5).file = i;
    }
  }
  return profile;
}

TEST(ConnectionRules, SeeAConnectionForEachQuestion) {
  const Advice advice = advice_with(with_connections(1'000), "connection-for-each");
  EXPECT_EQ(advice.seen, "1,000 sockets were closed, each after a few reads and writes");
  EXPECT_NEAR(advice.least_s(), 0.05, 1e-6) << "their closings";
  EXPECT_NEAR(advice.saved_s, 0.35, 1e-6) << "and the kernel's work outside of the calls";
  EXPECT_FALSE(has_advice(with_connections(999), "connection-for-each"));
}

// A program of Python is its user's own.
TEST(ConnectionRules, AreForUsersOfALanguage) {
  Profile profile = with_connections(1'000);
  EXPECT_TRUE(advice_for(profile).at(0).fix.starts_with("For the authors of program: "));
  profile.sites[0].frames[0].module = "/usr/bin/python3.11";
  EXPECT_TRUE(advice_for(profile).at(0).fix.starts_with("Keep one connection"));
}

TEST(ConnectionRules, TakeOtherSocketsForNoConnections) {
  Profile used = with_connections(1'000);
  for (Use& use : used.uses) {
    if (use.call == Call::read) use.amount.system_calls = 8;
  }
  EXPECT_FALSE(has_advice(used, "connection-for-each")) << "many questions go through each";
  Profile pipes = with_connections(1'000);
  for (File& file : pipes.files) file.kind = S_IFIFO;
  EXPECT_FALSE(has_advice(pipes, "connection-for-each"));
  Profile unused = with_connections(1'000);
  std::erase_if(unused.uses, [](const Use& use) { return use.call != Call::close; });
  EXPECT_FALSE(has_advice(unused, "connection-for-each")) << "they may be listening ones";
}

TEST(ConnectionRules, LeaveAServerToItsClients) {
  Profile profile = with_connections(1'000);
  profile.processes[0].connections = 0;
  EXPECT_FALSE(has_advice(profile, "connection-for-each"));
}

// The closings of a server beside its client do not count.
TEST(ConnectionRules, LeaveAServerBesideItsClientOut) {
  Profile profile = with_connections(1'000);
  profile.files.push_back({.name = "socket:[9999]", .kind = S_IFSOCK});
  add_process(profile);
  profile.processes[1].connections = 0;
  for (const Call call : {Call::read, Call::close}) {
    Use& use = add_calls(profile, call, 10'000, 0, 0);
    use.file = 1'000;
    use.threads = {{2, 0}};
  }
  EXPECT_NEAR(advice_with(profile, "connection-for-each").least_s(), 0.05, 1e-6);
}

// A server may itself open a connection to another server for each of its clients.
TEST(ConnectionRules, CountOnlyWhatTheProcessHasConnected) {
  Profile profile = with_connections(2'000);
  profile.processes[0].connections = 1'000;
  const Advice advice = advice_with(profile, "connection-for-each");
  EXPECT_TRUE(advice.seen.starts_with("1,000 sockets")) << advice.seen;
  EXPECT_NEAR(advice.least_s(), 0.05, 1e-6) << "half of the closings";
  profile.processes[0].connections = 999;
  EXPECT_FALSE(has_advice(profile, "connection-for-each"));
}

TEST(ConnectionRules, CountTheConnectionsOfEachProcess) {
  Profile many = with_connections(1'000);
  for (std::size_t i = 0; i < many.uses.size(); ++i) {
    many.uses[i].threads = {{static_cast<int>(i % 6 / 3) + 1, 0}};
  }
  add_process(many);
  EXPECT_FALSE(has_advice(many, "connection-for-each")) << "500 of each process";
}

}  // namespace
}  // namespace sluice::trace
