// Advice about calls of C++ streams that stay in the stream's buffer.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

// 100 MB through the buffer of a std::fstream, and a second of work between the calls.
Profile through_a_cplusplus_buffer(Call call) {
  Profile profile = one_second();
  profile.files.push_back(
      {.name = "/f/file", .opens = 1, .size_bytes = 100'000'000, .kind = S_IFREG});
  profile.sites[0].by_iostream = true;
  add_calls(profile, call, 12'500, 100'000'000, 0).amount.work_before_s = 1;
  return profile;
}

TEST(StreamRules, HaveARangeForSingleBytes) {
  for (const Call call : {Call::read, Call::write}) {
    Profile profile = through_a_cplusplus_buffer(call);
    EXPECT_TRUE(advice_by_rules(profile).empty()) << "who knows what the work is";
    profile.sites[0].by_bytes = true;
    const Advice advice = advice_with(profile, "stream-bytes");
    EXPECT_NEAR(advice.saved_s, 0.9, 1e-9) << "nine tenths of the work";
    EXPECT_NEAR(*advice.least_saved_s, 0.2, 1e-9);
    profile.uses[0].amount.work_before_s = 0.5;
    EXPECT_NEAR(advice_with(profile, "stream-bytes").saved_s, 0.45, 1e-9);
    profile.sites[0].by_peek = true;
    EXPECT_NEAR(*advice_with(profile, "stream-bytes").least_saved_s, 0.4, 1e-9) << "two calls";
    profile.uses[0].amount.work_before_s = 10;
    EXPECT_NEAR(advice_with(profile, "stream-bytes").saved_s, 3, 1e-9) << "at most three calls";
  }
}

TEST(StreamRules, KnowAStringOfIteratorsByTheMemoryThatItTakes) {
  Profile profile = through_a_cplusplus_buffer(Call::read);
  profile.sites[0].by_refills = true;
  profile.processes.resize(1);
  profile.processes[0].minor_faults = 100'000'000 / 4096;
  profile.uses[0].threads = {{1, 0}};
  EXPECT_FALSE(has_advice(profile, "stream-bytes")) << "a loop that keeps nothing";
  profile.processes[0].minor_faults += 1;
  EXPECT_TRUE(has_advice(profile, "stream-bytes"));
  profile.sites[0].by_refills = false;
  EXPECT_FALSE(has_advice(profile, "stream-bytes"));
}

TEST(StreamRules, KnowAFileThatGoesThroughAStringStream) {
  Profile profile = through_a_cplusplus_buffer(Call::read);
  EXPECT_TRUE(advice_by_rules(profile).empty());
  profile.sites[0].by_rdbuf = true;
  EXPECT_NEAR(advice_with(profile, "string-stream").saved_s, 0.3, 1e-9) << "3 ns for each byte";
  EXPECT_NEAR(*advice_with(profile, "string-stream").least_saved_s, 0.05, 1e-9);
  profile.uses[0].amount.work_before_s = 0.12;
  EXPECT_NEAR(advice_with(profile, "string-stream").saved_s, 0.12, 1e-9) << "all of the work";
  add_calls(profile, Call::write, 12'500, 100'000'000, 0.01);
  EXPECT_TRUE(advice_by_rules(profile).empty()) << "the file is copied to another one";
}

TEST(StreamRules, EstimateTheNumberOfPiecesByTheOnesThatNoLongerFit) {
  Profile profile = through_a_cplusplus_buffer(Call::writev);
  Amount& amount = profile.uses[0].amount;
  EXPECT_TRUE(advice_by_rules(profile).empty()) << "who knows the sizes of the pieces";
  amount.paired_calls = 12'500;
  amount.last_piece_bytes = 5 * amount.paired_calls;
  const Advice advice = advice_with(profile, "stream-pieces");
  EXPECT_NEAR(advice.saved_s, 0.5, 1e-9) << "20 million pieces";
  EXPECT_NEAR(*advice.least_saved_s, 0.08, 1e-9);
  amount.last_piece_bytes = 200 * amount.paired_calls;
  EXPECT_TRUE(advice_by_rules(profile).empty()) << "these pieces are not small";
}

// Such a call takes up to 430 ns longer than std::to_chars.
TEST(StreamRules, KnowThatFractionsTakeLonger) {
  Profile profile = through_a_cplusplus_buffer(Call::writev);
  Amount& amount = profile.uses[0].amount;
  amount.paired_calls = 12'500;
  amount.last_piece_bytes = 50 * amount.paired_calls;
  EXPECT_NEAR(advice_with(profile, "stream-pieces").saved_s, 0.05, 1e-9) << "2 million pieces";
  profile.sites[0].by_fractions = true;
  const Advice advice = advice_with(profile, "stream-pieces");
  EXPECT_NEAR(advice.saved_s, 0.86, 1e-9);
  EXPECT_NEAR(*advice.least_saved_s, 0.2, 1e-9);
}

// The costs of the calls, each of its own.
constexpr StreamCosts measured{.byte_read = {1e-9, 2e-9},
                               .byte_written = {3e-9, 4e-9},
                               .piece_read = {5e-9, 6e-9},
                               .piece_written = {7e-9, 8e-9},
                               .integer_written = {9e-9, 10e-9},
                               .fraction_written = {11e-9, 12e-9}};

void expect_cost(const Profile& profile, const char* id, double calls, const CostRange& cost) {
  const Advice advice = advice_with(profile, id);
  EXPECT_NEAR(advice.saved_s, calls * cost.most_s, 1e-9);
  EXPECT_NEAR(advice.least_s(), calls * cost.least_s, 1e-9);
  EXPECT_TRUE(advice.has_measured_costs);
  EXPECT_NE(advice.why.find("measured on this machine after the run"), std::string::npos);
}

TEST(StreamRules, TakeTheMeasuredCostOfTheCall) {
  Profile profile = through_a_cplusplus_buffer(Call::writev);
  Amount& amount = profile.uses[0].amount;
  amount.paired_calls = 12'500;
  amount.last_piece_bytes = 5 * amount.paired_calls;
  profile.stream_costs = measured;
  Site& site = profile.sites[0];
  EXPECT_FALSE(advice_with(profile, "stream-pieces").has_measured_costs) << "which call is it?";
  site.by_texts = true;
  expect_cost(profile, "stream-pieces", 20e6, {7e-9, 12e-9});  // with a comma beside each
  site.by_integers = true;
  expect_cost(profile, "stream-pieces", 20e6, {9e-9, 14e-9});
  site.by_fractions = true;
  expect_cost(profile, "stream-pieces", 20e6, {11e-9, 16e-9});
}

TEST(StreamRules, CountThePiecesOfAStreamOfNode) {
  Profile profile = one_second("/usr/bin/node");
  profile.files.push_back(
      {.name = "/f/file", .opens = 1, .size_bytes = 4'000'000, .kind = S_IFREG});
  Amount& amount = add_calls(profile, Call::writev, 200, 4'000'000, 0.001).amount;
  EXPECT_TRUE(ids_of(profile).empty()) << "who knows the sizes of the pieces";
  amount.paired_calls = 200;
  amount.last_piece_bytes = 20 * 200;
  const Advice advice = only_advice(profile);
  EXPECT_EQ(advice.kind.id, "stream-pieces");
  EXPECT_NEAR(advice.saved_s, 0.13, 1e-9) << "200,000 pieces";
  EXPECT_NEAR(advice.least_s(), 0.05, 1e-9);
  EXPECT_NE(advice.fix.find("join many lines into one string"), std::string::npos) << advice.fix;
  profile.uses[0].threads = {{1, 1}, {1, 2}, {1, 3}, {1, 4}};  // of the pool
  profile.processes[0].threads = 5;
  profile.processes[0].user_s = 4;
  amount.work_before_s = 0.1;
  EXPECT_NEAR(only_advice(profile).saved_s, 0.13, 1e-9) << "one thread makes the pieces";
  EXPECT_NEAR(only_advice(profile).least_s(), 0.05, 1e-9);
  amount.last_piece_bytes = 600 * 200;
  amount.bytes = 100'000'000;
  EXPECT_TRUE(ids_of(profile).empty()) << "these pieces are not small";
  amount.last_piece_bytes = 20 * 200;
  profile.sites[0].frames[0].module = "/usr/bin/program";
  EXPECT_TRUE(ids_of(profile).empty()) << "who knows what it costs there";
}

TEST(StreamRules, HaveOneCureForSmallPiecesAndASmallBuffer) {
  Profile profile = through_a_cplusplus_buffer(Call::writev);
  Amount& amount = profile.uses[0].amount;
  amount.time.system_s = 0.3;
  amount.paired_calls = 12'500;
  amount.last_piece_bytes = 50 * amount.paired_calls;
  amount.work_before_s = 0.02;
  EXPECT_TRUE(has_advice(profile, "small-buffer")) << "the pieces are a small part";
  amount.paired_calls = 0;
  amount.work_before_s = 1;
  EXPECT_EQ(only_advice(profile).kind.id, "small-buffer");
  const double of_buffer_s = only_advice(profile).saved_s;
  amount.paired_calls = 12'500;
  amount.last_piece_bytes = 5 * amount.paired_calls;
  const Advice advice = only_advice(profile);
  EXPECT_EQ(advice.kind.id, "stream-pieces");
  EXPECT_NEAR(advice.saved_s, 0.5 + of_buffer_s, 1e-9);
  EXPECT_NEAR(advice.least_s(), 0.08, 1e-9);
  EXPECT_NE(advice.why.find("also needs fewer system calls"), std::string::npos);
}

// Whichever call finds the buffer full, all of them have filled it.
TEST(StreamRules, ShareTheWorkBeforeTheWritesByTheCosts) {
  Profile profile = through_a_cplusplus_buffer(Call::writev);
  profile.uses[0].amount.paired_calls = 12'500;
  profile.uses[0].amount.last_piece_bytes = 5 * 12'500;
  profile.uses[0].amount.work_before_s = 0.1;
  profile.sites[0].by_fractions = true;
  profile.sites.push_back(profile.sites[0]);
  profile.sites[1].by_fractions = false;
  profile.uses.push_back(profile.uses[0]);
  profile.uses[1].site = 1;
  profile.uses[1].amount.work_before_s = 0.3;
  const std::vector<Advice> all = advice_by_rules(profile);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NEAR(all[0].saved_s, 0.9 * 0.4, 1e-9);
  EXPECT_NEAR(all[0].least_s(), 0.9 * 0.4 * 430 / 455 + 0.9 * 0.4 * 25 / 455, 1e-9);
  profile.sites[1].by_iostream = false;
  EXPECT_NEAR(advice_with(profile, "stream-pieces").saved_s, 0.09, 1e-9);
  profile.stream_costs = StreamCosts{};
  EXPECT_TRUE(ids_of(profile).empty()) << "and not NaN";
}

TEST(StreamRules, TakeTheMeasuredCostOfReading) {
  Profile profile = through_a_cplusplus_buffer(Call::read);
  profile.stream_costs = measured;
  profile.sites[0].piece_bytes = 4;
  expect_cost(profile, "stream-pieces", 25e6, measured.piece_read);
  profile.sites[0].piece_bytes = 0;
  profile.sites[0].by_bytes = true;
  expect_cost(profile, "stream-bytes", 100e6, measured.byte_read);
  profile.sites[0].by_refills = true;
  EXPECT_FALSE(advice_with(profile, "stream-bytes").has_measured_costs) << "iterators call nothing";
}

TEST(StreamRules, TakeTheMeasuredCostOfWritingBytes) {
  Profile profile = through_a_cplusplus_buffer(Call::write);
  profile.stream_costs = measured;
  profile.sites[0].by_bytes = true;
  expect_cost(profile, "stream-bytes", 100e6, measured.byte_written);
}

TEST(StreamRules, CountThePiecesThatAConstantTells) {
  Profile profile = through_a_cplusplus_buffer(Call::read);
  EXPECT_TRUE(advice_by_rules(profile).empty()) << "who knows the sizes of the pieces";
  profile.sites[0].piece_bytes = 4;
  const Advice advice = advice_with(profile, "stream-pieces");
  EXPECT_EQ(advice.seen, "95.4 MiB read from the C++ stream in pieces of 4 bytes");
  EXPECT_NEAR(advice.saved_s, 0.625, 1e-9) << "25 million pieces";
  EXPECT_NEAR(*advice.least_saved_s, 0.1, 1e-9);
  profile.uses[0].amount.work_before_s = 0.5;
  EXPECT_NEAR(advice_with(profile, "stream-pieces").saved_s, 0.45, 1e-9);
  profile.sites[0].piece_bytes = 65;
  EXPECT_TRUE(advice_by_rules(profile).empty()) << "these pieces are not small";
  profile.sites[0].piece_bytes = 4;
  Profile seeking = profile;
  add_calls(seeking, Call::lseek, 7'000, 0, 0.001).site = 0;
  EXPECT_FALSE(has_advice(seeking, "stream-pieces")) << "most of each buffer is not used";
  profile.uses[0].call = Call::writev;
  EXPECT_TRUE(advice_by_rules(profile).empty());
}

// A program that looks at the first byte of each line, and reads the line by std::getline.
TEST(StreamRules, AskForNearlyAllBytesOfTheFile) {
  Profile profile = through_a_cplusplus_buffer(Call::read);
  profile.sites.push_back(profile.sites[0]);
  Use& lines = add_calls(profile, Call::read, 4'166, 33'333'333, 0.01);
  lines.site = 1;
  lines.amount.work_before_s = 1;
  profile.sites[0].by_bytes = true;
  EXPECT_TRUE(has_advice(profile, "stream-bytes"));
  profile.sites[1].piece_bytes = 65;
  EXPECT_FALSE(has_advice(profile, "stream-pieces")) << "large pieces";
  lines.amount.bytes += 1;
  EXPECT_FALSE(has_advice(profile, "stream-bytes"));
  profile.sites[1].piece_bytes = 8;
  EXPECT_TRUE(has_advice(profile, "stream-bytes")) << "the rest are small pieces";
  profile.sites[0].by_bytes = false;
  EXPECT_FALSE(has_advice(profile, "stream-pieces")) << "a quarter of the bytes";
}

}  // namespace
}  // namespace sluice::trace
