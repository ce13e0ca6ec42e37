// Advice about small pieces that go through pipes and sockets.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cstdint>
#include <string>

#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

// A process of one second, with two channels.
Profile with_channels(std::uint32_t kind) {
  Profile profile = one_second();
  profile.processes[0].ended = true;
  for (const char* const name : {"a", "b"}) {
    profile.files.push_back({.name = name, .opens = 1, .kind = kind});
    if (S_ISSOCK(kind)) profile.files.back().first_bytes = SOCK_STREAM;
  }
  return profile;
}

// 100,000 lines through a pipe, and so many answers of the reader through another one.
Profile lines_through_a_pipe(std::uint64_t answers) {
  Profile profile = with_channels(S_IFIFO);
  add_calls(profile, Call::write, 100'000, 2'500'000, 0.1);
  Use& reader = add_calls(profile, Call::read, 90'000, 2'500'000, 0.08);
  reader.threads = {{2, 0}};
  Use& answer = add_calls(profile, Call::read, answers, 10 * answers, 0.05);
  answer.file = 1;
  answer.amount.time.sleep_s = 0.3;
  if (answers == 0) return profile;
  Use& answered = add_calls(profile, Call::write, answers / 100, 10 * answers, 0);
  answered.threads = {{2, 0}};
  answered.file = 1;
  return profile;
}

// A program that reads lines from one program and writes them for another one.
Profile filter() {
  Profile profile = lines_through_a_pipe(100'000);
  profile.uses[3].threads = {{3, 0}};
  return profile;
}

TEST(PipeRules, CountTheReaderOfAPipeThatNobodyAnswers) {
  const Advice advice = advice_with(lines_through_a_pipe(0), "pipe-pieces");
  EXPECT_NEAR(*advice.least_saved_s, 0.1, 0.002);
  EXPECT_NEAR(advice.saved_s, 0.4, 0.002) << "4 microseconds for each piece";
  EXPECT_FALSE(has_advice(lines_through_a_pipe(100'000), "pipe-pieces")) << "it waits for answers";
}

TEST(PipeRules, CountNoReaderThatTakesManyPiecesAtOnce) {
  Profile profile = lines_through_a_pipe(0);
  profile.uses[1].amount.calls = profile.uses[1].amount.system_calls = 100;
  const Advice advice = advice_with(profile, "pipe-pieces");
  EXPECT_LT(advice.saved_s, 0.101);
  EXPECT_GT(*advice.least_saved_s, 0.05);
  EXPECT_NE(advice.why.find("reads many of them at once"), std::string::npos) << advice.why;
  profile.uses[0].amount.time.sleep_s = 0.2;
  EXPECT_EQ(advice_with(profile, "pipe-pieces").least_saved_s, 0) << "it waits for the reader";
}

// `program | gzip`: gzip works all the time.
TEST(PipeRules, PromiseNothingIfTheReaderIsSlower) {
  Profile profile = lines_through_a_pipe(0);
  add_process(profile);
  profile.processes[1].user_s = 0.86;
  profile.uses[1].amount.time.sleep_s = 0.03;
  EXPECT_FALSE(has_advice(profile, "pipe-pieces"));
  profile.uses[1].amount.time.sleep_s = 0.04;
  EXPECT_TRUE(has_advice(profile, "pipe-pieces")) << "the reader waits";
  profile.uses[1].amount.time.sleep_s = 0;
  profile.processes[1].user_s = 0.84;
  EXPECT_TRUE(has_advice(profile, "pipe-pieces")) << "the reader does not work all the time";
  profile.processes[1].queued_s = 0.02;
  EXPECT_FALSE(has_advice(profile, "pipe-pieces")) << "it is ready to work, on a busy machine";
  profile.processes[0].user_s = 0.9;
  profile.uses[1].threads = {{1, 1}};
  EXPECT_TRUE(has_advice(profile, "pipe-pieces")) << "a program writes to itself";
}

// Adds a second call site that writes as many lines.
Profile with_second_writer(Profile profile) {
  profile.sites.push_back({.frames = {{"another", "", "/usr/bin/program"}}});
  add_calls(profile, Call::write, 100'000, 2'500'000, 0.2).site = 1;
  return profile;
}

TEST(PipeRules, CompareTheReaderWithAllWriters) {
  Profile profile = lines_through_a_pipe(0);
  profile.uses[1].amount.calls = profile.uses[1].amount.system_calls = 30'000;
  const auto takes_many = [](const Profile& seen) {
    const std::string why = advice_with(seen, "pipe-pieces").why;
    return why.find("reads many of them at once") != std::string::npos;
  };
  EXPECT_FALSE(takes_many(profile));
  EXPECT_TRUE(takes_many(with_second_writer(profile)));
}

TEST(PipeRules, CountTheReadsOfTheirOwnPieces) {
  Profile profile = lines_through_a_pipe(0);
  profile.uses[1].amount.time.system_s = 0.9;
  EXPECT_NEAR(advice_with(profile, "pipe-pieces").saved_s, 0.1 + 0.9, 0.02);
  double saved_s = 0;
  for (const Advice& advice : advice_by_rules(with_second_writer(profile))) {
    if (advice.kind.id == "pipe-pieces") saved_s += advice.saved_s;
  }
  EXPECT_NEAR(saved_s, 0.1 + 0.2 + 0.9, 0.02);
}

TEST(PipeRules, CountPiecesThroughASocket) {
  Profile profile = with_channels(S_IFSOCK);
  add_calls(profile, Call::write, 200'000, 1'600'000, 0.1);
  const Advice advice = advice_with(profile, "pipe-pieces");
  EXPECT_EQ(advice.seen, "200,000 pieces of 8.0 bytes through a socket");
  EXPECT_EQ((advice.why + advice.fix).find("pipe"), std::string::npos) << advice.why;
  add_calls(profile, Call::read, 100, 1'600'000, 0.1);
  EXPECT_EQ(advice_with(profile, "pipe-pieces").why.find("reads many"), std::string::npos)
      << "these bytes go in the other direction";
  profile.files[0].first_bytes = SOCK_DGRAM;
  EXPECT_FALSE(has_advice(profile, "pipe-pieces"));
  EXPECT_EQ(advice_with(lines_through_a_pipe(0), "pipe-pieces").seen,
            "100,000 pieces of 25.0 bytes through a pipe");
}

TEST(PipeRules, KnowAPipeThatHasMoreThanIsTaken) {
  Profile profile = with_channels(S_IFIFO);
  add_calls(profile, Call::read, 1'000'000, 1'000'000, 0.3);
  EXPECT_NEAR(advice_with(profile, "tiny-reads").saved_s, 0.3, 0.01);
  profile.uses[0].amount.time.sleep_s = 0.4;
  EXPECT_TRUE(advice_by_rules(profile).empty()) << "it waits for each byte";
  add_calls(profile, Call::write, 250, 1'000'000, 0).threads = {{2, 0}};
  EXPECT_NEAR(advice_with(profile, "tiny-reads").saved_s, 0.3, 0.01) << "not the waits";
  profile.uses[1].amount.calls = profile.uses[1].amount.system_calls = 1'000'000;
  for (const Advice& advice : advice_by_rules(profile)) EXPECT_NE(advice.kind.id, "tiny-reads");
}

// A server reads the lines of its client byte by byte, and waits once for each line.
TEST(PipeRules, KnowASocketThatHasMoreThanIsTaken) {
  Profile profile = with_channels(S_IFSOCK);
  add_calls(profile, Call::read, 1'000'000, 1'000'000, 0.3).amount.time.sleep_s = 0.4;
  profile.processes[0].voluntary_switches = 250'000;
  EXPECT_NEAR(advice_with(profile, "tiny-reads").saved_s, 0.3, 0.01) << "not the waits";
  profile.processes[0].voluntary_switches = 250'001;
  EXPECT_FALSE(has_advice(profile, "tiny-reads")) << "it waits for every fourth byte";
  profile.processes[0].voluntary_switches = 0;
  profile.processes[0].ended = false;
  EXPECT_FALSE(has_advice(profile, "tiny-reads")) << "it still runs, and nobody knows";
  profile.processes[0].ended = true;
  EXPECT_TRUE(has_advice(profile, "tiny-reads"));
  profile.files[0].first_bytes = SOCK_DGRAM;
  EXPECT_FALSE(has_advice(profile, "tiny-reads")) << "each read takes one message";
  profile.files[0].first_bytes = SOCK_STREAM;
  profile.processes[0].voluntary_switches = 0;
  profile.uses[0].amount.bytes = profile.uses[0].amount.system_bytes = 600'000'000;
  EXPECT_FALSE(has_advice(profile, "tiny-reads")) << "large pieces";
}

TEST(PipeRules, SeeAnAnswerToEachPiece) {
  const Advice advice = advice_with(lines_through_a_pipe(100'000), "round-trips");
  EXPECT_NEAR(*advice.least_saved_s, 0.15, 1e-9) << "the kernel's work for both calls";
  EXPECT_NEAR(advice.saved_s, 0.45, 1e-9) << "and the waits";
  EXPECT_FALSE(has_advice(lines_through_a_pipe(50'000), "round-trips"))
      << "half of them are answered";
  Profile stream = lines_through_a_pipe(100'000);
  stream.uses[0].call = Call::fputs;
  EXPECT_TRUE(has_advice(stream, "round-trips")) << "through a stream, as those of a shell";
  stream.uses[0].amount.system_calls = 999;
  EXPECT_FALSE(has_advice(stream, "round-trips")) << "many questions in each piece";
}

// A pool of processes hands each piece from thread to thread.
TEST(PipeRules, CountHalfOfTheWorkOfALanguageForEachPiece) {
  Profile profile = lines_through_a_pipe(100'000);
  const double plain_s = advice_with(profile, "round-trips").saved_s;
  profile.sites[0].frames = {{"", "", "/usr/bin/python3.11"}};
  profile.uses[0].amount.work_before_s = 0.4;
  const Advice advice = advice_with(profile, "round-trips");
  EXPECT_NEAR(advice.saved_s, plain_s + 0.2, 1e-9);
  EXPECT_NEAR(*advice.least_saved_s, 0.15, 1e-9);
  EXPECT_NE(advice.why.find("includes half of it"), std::string::npos) << advice.why;
}

TEST(PipeRules, DoNotTakeTheInputOfAFilterForAnswers) {
  EXPECT_FALSE(has_advice(filter(), "round-trips"));
  EXPECT_TRUE(has_advice(filter(), "pipe-pieces"));
  Profile alone = filter();  // the other programs are not traced
  alone.uses.erase(alone.uses.begin() + 3);
  alone.uses.erase(alone.uses.begin() + 1);
  EXPECT_TRUE(has_advice(alone, "round-trips")) << "a program that it has started";
  alone.uses[1].amount.standard = true;
  EXPECT_FALSE(has_advice(alone, "round-trips")) << "its standard input";
}

// A shell reads 10,000 texts of 20 bytes, each through a pipe of its own.
Profile with_here_strings(const std::string& module) {
  Profile profile = one_second(module);
  profile.processes[0].user_s = 0.6;
  for (std::size_t text = 0; text < 1'000; ++text) {
    profile.files.push_back({.name = std::to_string(text), .opens = 1, .kind = S_IFIFO});
    for (const Call call : {Call::write, Call::dup, Call::close, Call::read}) {
      const bool reads = call == Call::read;
      Use& use = add_calls(profile, call, reads ? 200 : 10, 0, reads ? 1e-4 : 1e-5);
      use.file = text;
      if (reads || call == Call::write) use.amount.bytes = use.amount.system_bytes = 200;
    }
  }
  return profile;
}

TEST(PipeRules, SeeTheHereStringsOfAShell) {
  const Advice advice = only_advice(with_here_strings("/usr/bin/bash"));
  EXPECT_EQ(advice.kind.id, "here-strings");
  EXPECT_EQ(advice.files, 1'000U);
  EXPECT_NEAR(advice.least_s(), 1'000 * 1.3e-4, 1e-9);
  EXPECT_NE(advice.fix.find("${line%%,*}"), std::string::npos) << advice.fix;
  EXPECT_TRUE(advice_by_rules(with_here_strings("/usr/bin/program")).empty());
  Profile piped = with_here_strings("/usr/bin/bash");
  for (Use& use : piped.uses) {
    if (use.call == Call::write) use.threads = {{2, 0}};
  }
  EXPECT_FALSE(has_advice(piped, "here-strings")) << "another process writes";
}

TEST(PipeRules, SeeAnswersThroughTheSameSocket) {
  for (const bool is_socket : {true, false}) {
    Profile profile = with_channels(is_socket ? S_IFSOCK : S_IFIFO);
    add_calls(profile, Call::write, 20'000, 80'000, 0.1);
    add_calls(profile, Call::read, 20'000, 80'000, 0.1);
    EXPECT_EQ(has_advice(profile, "round-trips"), is_socket) << "a pipe has one direction";
  }
}

// The program that answers has as many small pieces as the program that asks.
TEST(PipeRules, GiveBothEndsOneAdvice) {
  Profile profile = with_channels(S_IFIFO);
  profile.processes.push_back({.number = 2, .program = "other", .wall_s = 1, .threads = 1});
  profile.moments.push_back({.moment_ns = 10'000'000});
  profile.sites.push_back({.frames = {{"answer", "", "/usr/bin/other"}}});
  for (const int process : {1, 2}) {
    for (const std::size_t file : {0U, 1U}) {
      const bool asks = process == 1 && file == 0;
      const bool answers = process == 2 && file == 1;
      const Call call = asks || answers ? Call::write : Call::read;
      Use& use = add_calls(profile, call, 20'000, 80'000, 0.1);
      use.threads = {{process, 0}};
      use.file = file;
      use.site = static_cast<std::size_t>(process - 1);
    }
  }
  const Advice advice = advice_with(profile, "round-trips");
  EXPECT_EQ(advice_by_rules(profile).size(), 1U);
  EXPECT_EQ(advice.places, 2U);
}

// Frames with headers are taken out of a pipe.
TEST(PipeRules, TakeMoreOutOfAPipeThatHasMore) {
  const auto is_told = [](double sleep_s, std::uint64_t written_by_call) {
    Profile profile = with_channels(S_IFIFO);
    Use& reads = add_calls(profile, Call::read, 300'000, 39 * 300'000, 0.1);
    reads.amount.time.sleep_s = sleep_s;
    if (written_by_call > 0) {
      add_calls(profile, Call::write, 39 * 300'000 / written_by_call, 39 * 300'000, 0.01)
          .threads = {{2, 0}};
    }
    return has_advice(profile, "tiny-reads");
  };
  EXPECT_TRUE(is_told(0.01, 0));
  EXPECT_FALSE(is_told(0.05, 0)) << "it may wait for each piece";
  EXPECT_TRUE(is_told(0.05, 4096));
  EXPECT_FALSE(is_told(0.05, 39)) << "no more is there";
}

}  // namespace
}  // namespace sluice::trace
