// The work of C++ streams and of languages around their calls.
#include "trace/advice/own_terms.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <vector>

#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Advice first_advice(const Profile& profile) {
  const std::vector<Advice> advice = advice_by_rules(profile);
  return advice.empty() ? Advice{} : advice.front();
}

// std::cin, which takes 200,000 bytes by getc and puts half of them back.
Profile read_by_istream(bool by_istream) {
  Profile profile = one_second();
  profile.files.push_back({.name = "/f/file", .opens = 1, .size_bytes = 1 << 20, .kind = S_IFREG});
  profile.sites[0].by_iostream = true;
  profile.sites[0].by_istream = by_istream;
  Amount& read = add_calls(profile, Call::fgetc, 200'000, 200'000, 0).amount;
  read.copies = 199'951;
  read.system_calls = 49;
  read.time = {.copying_s = 0.1};
  Amount& put_back = add_calls(profile, Call::ungetc, 100'000, 0, 0).amount;
  put_back.time = {.copying_s = 0.2};
  return profile;
}

TEST(OwnTerms, CountTheBytesThatAStreamPutsBack) {
  const Advice without = first_advice(read_by_istream(false));
  const Advice advice = first_advice(read_by_istream(true));
  ASSERT_EQ(advice.kind.id, "char-at-a-time");
  EXPECT_TRUE(has(advice.fix, "`std::ios::sync_with_stdio(false)`"));
  EXPECT_TRUE(has(advice.seen,
                  "200,000 bytes read one by one, 500.1 ns each; 100,000 of these bytes put back"))
      << advice.seen;
  EXPECT_NEAR(advice.saved_s, without.saved_s + 0.2, 1e-9);
  EXPECT_NEAR(*advice.least_saved_s, *without.least_saved_s + 0.1, 1e-9);
}

// The stream works up to 10 ns for each of the 100,000 bytes that it took and did not put back.
TEST(OwnTerms, CountTheWorkOfAStreamForEachByte) {
  Profile profile = read_by_istream(true);
  const Advice without = first_advice(profile);
  profile.processes[0].user_s = 0.9;
  const Advice advice = first_advice(profile);
  EXPECT_NEAR(advice.saved_s, without.saved_s + 1e-3, 1e-9);
  EXPECT_NEAR(*advice.least_saved_s, *without.least_saved_s, 1e-9);
  EXPECT_NEAR(advice.by_runtime_s, 1e-3, 1e-9);
  EXPECT_TRUE(has(advice.why, "includes 10 ns for each")) << advice.why;
}

TEST(OwnTerms, KnowAStreamWithoutABufferByTheWordsOfItsFile) {
  Profile profile = read_by_istream(true);
  profile.sites[0].by_extraction = true;
  profile.extraction_costs[0].without_buffer = {.least_s = 2e-6, .most_s = 3e-6};
  const Advice advice = first_advice(profile);
  EXPECT_NEAR(advice.saved_s, 0.3, 1e-9) << "for the 100,000 bytes that are taken";
  EXPECT_NEAR(*advice.least_saved_s, 0.2, 1e-9);
  EXPECT_TRUE(advice.has_measured_costs);
  EXPECT_TRUE(has(advice.why, "comes from words of this file")) << advice.why;
  profile.sites[0].by_extraction = false;
  EXPECT_FALSE(has(first_advice(profile).why, "words of this file")) << "lines, maybe";
}

TEST(OwnTerms, CountHalfOfTheFlushesOfATiedStreamAsSurelySaved) {
  Profile profile = read_by_istream(true);
  const Advice without = first_advice(profile);
  add_calls(profile, Call::fflush, 1'000, 0, 0).amount.time = {.copying_s = 0.04};
  const Advice advice = first_advice(profile);
  EXPECT_NEAR(advice.saved_s, without.saved_s + 0.04, 1e-9);
  EXPECT_NEAR(advice.least_s(), without.least_s() + 0.02, 1e-9);
}

TEST(OwnTerms, CountNoBytesThatAreOfAnotherFile) {
  Profile profile = read_by_istream(true);
  profile.files.push_back(profile.files[0]);
  profile.uses[1].file = 1;
  EXPECT_FALSE(has(first_advice(profile).seen, "put back"));
}

// A program in Python that opens a file for each of 100,000 lines.
Profile appended_by_python() {
  Profile profile = one_second("/usr/bin/python3.11");
  profile.files.push_back({.name = "/f/file", .opens = 1, .size_bytes = 1 << 20, .kind = S_IFREG});
  add_calls(profile, Call::open, 100'000, 0, 0.1).amount.work_before_s = 0.1;
  add_calls(profile, Call::write, 100'000, 100'000, 0.1).amount.work_before_s = 0.3;
  return profile;
}

TEST(OwnTerms, CountTheWorkOfALanguageForEachOpening) {
  Profile profile = appended_by_python();
  const auto range = [&] {
    const Advice advice = advice_with(profile, "reopened");
    return advice.saved_s - advice.least_s();
  };
  EXPECT_NEAR(range(), 0.4, 1e-9) << "all of it";
  EXPECT_NEAR(advice_with(profile, "reopened").least_s(), 0.2, 1e-3) << "each causes a write";
  EXPECT_TRUE(has(advice_with(profile, "reopened").why, "includes up to 7.0 us for each opening"));
  profile.uses[1].amount.work_before_s = 0.9;
  EXPECT_NEAR(range(), 0.7, 1e-9) << "the rest is the program's own";
  profile.files[0].name = "/f/file.gz";
  EXPECT_NEAR(range(), 1, 1e-9) << "the tables of a compression";
  profile.files[0].name = "/f/file.zip";
  EXPECT_NEAR(range(), 1, 1e-9) << "the list of the members";
  profile.files[0].name = "/f/file";
  add_calls(profile, Call::read, 200'000, 200'000, 0);
  EXPECT_NEAR(range(), 1, 1e-9) << "what is read is taken apart";
  profile.uses.pop_back();
  profile.uses[1].amount.calls = profile.uses[1].amount.system_calls = 300'000;
  EXPECT_NEAR(advice_with(profile, "reopened").least_s(), 0.1, 1e-3);
}

}  // namespace
}  // namespace sluice::trace
