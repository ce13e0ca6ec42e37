// The words of the report, of findings that a test makes up.
#include "recommend/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sluice::recommend {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The text about the last setting, the block size.
std::string text_with(double gain_share, bool is_sure, std::size_t value) {
  Report report;
  report.found.choice.assign(settings().size(), 0);
  report.found.findings.push_back({.setting = settings().size() - 1,
                                   .value = value,
                                   .best_other = 1,
                                   .seconds = 0.5,
                                   .gain_seconds = gain_share * 0.5,
                                   .gain_share = gain_share,
                                   .error_share = 0.02,
                                   .rounds = 6,
                                   .rounds_faster = 4,
                                   .is_sure = is_sure});
  return text_of(report);
}

TEST(RecommendReport, SaysTheSecondsOfEachValueAndWhyItIsNotRecommended) {
  EXPECT_THAT(text_with(0.4, true, 1),
              HasSubstr("\n  block size   1M          saves 0.200 s of 0.500 s (40 ± 2 %), faster "
                        "in 4 of 6 rounds\n"));
  EXPECT_THAT(
      text_with(0.4, false, 0),
      HasSubstr("\n  block size   leave the default (256K): 1M saves 0.200 s of 0.500 s (40 "
                "± 2 %), faster in 4 of 6 rounds: maybe by chance\n"));
  EXPECT_THAT(text_with(0.04, false, 0), HasSubstr("in 4 of 6 rounds: too little\n"));
  EXPECT_THAT(text_with(0.07, false, 0),
              HasSubstr("in 4 of 6 rounds: a small gain, which another run may not find\n"));
  EXPECT_THAT(
      text_with(-0.4, false, 0),
      HasSubstr(
          ": 1M adds 0.200 s to the default's 0.500 s (40 ± 2 %), faster in 4 of 6 rounds\n"));
  EXPECT_THAT(text_with(0.04, false, 1), HasSubstr("faster in 4 of 6 rounds\n"));
  EXPECT_THAT(text_with(0.4, true, 1), HasSubstr("\n± is the standard error. A value is "
                                                 "recommended if it saves at least 8 % of "
                                                 "the time, and surely 5 %:"));
}

TEST(RecommendReport, SaysWhichValuesAreEnoughOnlyTogether) {
  Report report;
  report.found.choice.assign(settings().size(), 0);
  for (const std::size_t setting : {settings().size() - 2, settings().size() - 1}) {
    report.found.findings.push_back({.setting = setting,
                                     .value = 1,
                                     .best_other = 1,
                                     .seconds = 0.5,
                                     .gain_share = 0.04,
                                     .rounds = 6,
                                     .rounds_faster = 4});
  }
  const std::string words = "faster in 4 of 6 rounds: enough together with the other values\n";
  const std::string text = text_of(report);
  EXPECT_THAT(text, HasSubstr(words));
  EXPECT_NE(text.find(words), text.rfind(words)) << text;
}

TEST(RecommendReport, NamesTheCodecThatWasTried) {
  if (!compression_setting()) GTEST_SKIP() << "built without zstd";
  Report report;
  report.codec = "series:double";
  report.found.choice.assign(settings().size(), 0);
  report.found.choice[*compression_setting()] = 1;
  report.found.findings.push_back(
      {.setting = *compression_setting(), .value = 1, .best_other = 1, .rounds = 6});
  report.sweep = {{{report.found.choice, {1.0}}}, {{report.found.choice, {1.0}}}};
  EXPECT_THAT(text_of(report), HasSubstr("\n  compression  series:double"));
  EXPECT_THAT(text_of(report), HasSubstr("the best  compression series:double  (recommended)"));
  EXPECT_THAT(text_of(report), HasSubstr("sluice::series<double>()"));
  EXPECT_THAT(json_of(report), HasSubstr(R"("best_other": "series:double")"));
  EXPECT_THAT(json_of(report), HasSubstr(R"("default": "none")"));
  EXPECT_THAT(json_of(report), Not(HasSubstr("zstd")));
}

TEST(RecommendReport, TheJSONHasEveryTrialOfTheSearch) {
  Report report;
  report.found.choice.assign(settings().size(), 0);
  report.found.stages = {{{report.found.choice, {0.25, 0.75}}}};
  EXPECT_THAT(json_of(report), HasSubstr(R"("median_s": 0.5,)"));
  EXPECT_THAT(json_of(report), HasSubstr("0.25,\n"));
}

TEST(RecommendReport, BlamesOtherProgramsBeforeTheDisk) {
  Report report;
  report.found.choice.assign(settings().size(), 0);
  EXPECT_THAT(text_of(report), Not(HasSubstr("slower")));
  EXPECT_THAT(json_of(report), HasSubstr(R"("is_busy": false)"));
  report.found.thirds = {0.02, 0.03};
  EXPECT_THAT(text_of(report), HasSubstr("they took 0.020 s in the first third and 0.030 s in"));
  EXPECT_THAT(text_of(report), HasSubstr("burst credit"));
  report.disturbance.others = 0.86;
  EXPECT_THAT(json_of(report), HasSubstr(R"("is_busy": true)"));
  EXPECT_THAT(text_of(report), HasSubstr("\nOther programs and the kernel's threads used 86 % of"));
  EXPECT_THAT(text_of(report), HasSubstr("they took 0.020 s in the first third and 0.030 s in"));
  EXPECT_THAT(text_of(report), Not(HasSubstr("burst credit")));
  report.found.thirds = {};
  EXPECT_THAT(text_of(report), HasSubstr("\nOther programs"));
}

}  // namespace
}  // namespace sluice::recommend
