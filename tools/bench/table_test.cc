#include "bench/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "bench/fakes.h"

namespace sluice::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

ExperimentResult experiment() {
  GroupResult group{"write, visible at the end",
                    "",
                    {fake_row("raw write", Kind::limit, 1'000'000, {0.5}),
                     fake_row("fwrite", Kind::baseline, 1'000'000, {8.0}),
                     fake_row("write", Kind::peer, 2048, {4.0}),
                     fake_row("sluice put", Kind::sluice, 1'000'000, {1.0})}};
  group.rows[3].buffer_bytes = 256 * 1024;
  compute_figures(group);
  return {"bytes", "one byte a call", 1'000'000, {group}, ""};
}

// Returns the words of the first line that starts with `start`.
std::vector<std::string> words_of_line(const std::string& text, const std::string& start) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  " + start)) continue;
    std::istringstream stream(line);
    return {std::istream_iterator<std::string>(stream), {}};
  }
  return {};
}

TEST(Table, ShowsEveryFigureOfARowUnderItsHead) {
  const std::string table = table_of(experiment());
  EXPECT_THAT(
      words_of_line(table, "strategy"),
      ElementsAre("strategy", "kind", "buffer", "MB/s", "ns/op", "wall", "s", "user", "s", "sys",
                  "s", "sleep", "s", "calls", "switches", "peak", "time/limit", "speed/baseline"));
  EXPECT_THAT(words_of_line(table, "sluice put"),
              ElementsAre("sluice", "put", "sluice", "256K", "1.0", "100000000", "1.000", "0.5000",
                          "0.0000", "0.0000", "7", "5", "1M", "2.00", "8.00"));
  EXPECT_THAT(words_of_line(table, "raw write"),
              ElementsAre("raw", "write", "limit", "-", "2.0", "50000000", "0.5000", "0.2500",
                          "0.0000", "0.0000", "7", "5", "1M", "1.00", "16.0"));
}

TEST(Table, ShowsHowLongSingleOperationsTook) {
  ExperimentResult result = experiment();
  EXPECT_THAT(table_of(result), Not(HasSubstr("one operation takes")));
  Row& row = result.groups[0].rows[3];
  for (Measurement& round : row.rounds) round.latency = Latency{1e-6, 2e-6, 3e-6, 4e-3, 5, 1001};
  row.operations = 20;
  compute_figures(result.groups[0]);
  row.strategy = "each one";  // the first line that starts so
  const std::string table = table_of(result);
  const std::size_t heading = table.find("one operation takes");
  ASSERT_NE(heading, std::string::npos);
  EXPECT_THAT(words_of_line(table.substr(heading), "each one"),
              ElementsAre("each", "one", "20", "1001", "1.0", "2.0", "3.0", "4000", "5000000"));
  EXPECT_THAT(table.substr(heading), Not(HasSubstr("fwrite")));
}

TEST(Table, ShowsNoPercentileOfTooFewOperations) {
  ExperimentResult result = experiment();
  Row& row = result.groups[0].rows[3];
  for (Measurement& round : row.rounds) round.latency = Latency{1e-6, 2e-6, 3e-6, 4e-3, 5, 100};
  compute_figures(result.groups[0]);
  const std::string table = table_of(result);
  EXPECT_THAT(words_of_line(table.substr(table.find("one operation takes")), "sluice put"),
              ElementsAre("sluice", "put", "10", "100", "1.0", "2.0", "3.0", "-", "5000000"));
}

TEST(Table, ShowsNoSpeedOfARowWithTheOperationsOfAnotherProgram) {
  ExperimentResult result = experiment();
  Row& row = result.groups[0].rows[3];
  for (Measurement& round : row.rounds) round.latency = Latency{1e-6, 2e-6, 3e-6, 4e-3, 5, 9};
  compute_figures(result.groups[0]);
  result.groups[0].operations_of = "the program beside";
  const std::string table = table_of(result);
  EXPECT_THAT(table, Not(HasSubstr("ops/s")));
  EXPECT_THAT(words_of_line(table.substr(table.find("the program beside takes")), "sluice put"),
              ElementsAre("sluice", "put", "9", "1.0", "-", "-", "-", "5000000"));
}

TEST(Table, SuspectsTheLimitUnlessTheFasterRowWroteLess) {
  ExperimentResult result = experiment();
  result.groups[0].rows[3] = fake_row("sluice put", Kind::sluice, 1'000'000, {0.1});
  compute_figures(result.groups[0]);
  EXPECT_THAT(table_of(result), HasSubstr("something slowed the limit down"));
  result.groups[0].rows[3].rounds[0].stored_bytes = 999'999;
  compute_figures(result.groups[0]);
  EXPECT_THAT(table_of(result), Not(HasSubstr("slowed the limit down")));
  result.groups[0].rows[3].rounds[0].stored_bytes = 1'000'000;
  compute_figures(result.groups[0]);
  EXPECT_THAT(table_of(result), HasSubstr("something slowed the limit down"));
}

TEST(Table, NamesTheExperimentAndItsGroups) {
  const std::string table = table_of(experiment());
  EXPECT_THAT(table, HasSubstr("\nbytes: one byte a call (976.6 KiB)\n"));
  EXPECT_THAT(table, HasSubstr("\n  write, visible at the end\n"));
}

TEST(Table, MarksRowsThatAreScaledDown) {
  const std::string table = table_of(experiment());
  EXPECT_THAT(table, HasSubstr("\n  write * "));
  EXPECT_THAT(table, HasSubstr("* moved only 2 KiB, compared per byte: write\n"));
  EXPECT_THAT(table, Not(HasSubstr("fwrite *")));
}

TEST(Table, ShowsTheErrorInsteadOfTheFiguresOfAFailedRow) {
  ExperimentResult failed = experiment();
  failed.groups[0].rows[3].error = "the bytes differ";
  EXPECT_THAT(words_of_line(table_of(failed), "sluice put"),
              ElementsAre("sluice", "put", "sluice", "FAILED:", "the", "bytes", "differ"));
  failed.error = "no input";
  EXPECT_THAT(table_of(failed), HasSubstr("  FAILED: no input\n"));
}

TEST(Table, KeepsDigitsOfShortTimes) {
  ExperimentResult brief = experiment();
  brief.groups[0].rows[3].wall_s.median = 0.000123;
  brief.groups[0].rows[3].user_s.median = 0.0512;
  brief.groups[0].rows[3].sys_s.median = 123.45;
  const std::string table = table_of(brief);
  EXPECT_THAT(table, HasSubstr(" 0.000123   0.0512    123.5   0.0000 "));
}

TEST(Table, SaysThatOthersUsedTheProcessors) {
  ExperimentResult disturbed = experiment();
  EXPECT_THAT(table_of(disturbed), Not(HasSubstr("processors' time")));
  disturbed.groups[0].disturbance = {.others = 0.26, .host = 0};
  EXPECT_THAT(table_of(disturbed), HasSubstr("the kernel's threads used 26 % of the processors'"));
  EXPECT_THAT(table_of(disturbed), Not(HasSubstr("virtual machine took")));
  disturbed.groups[0].disturbance = {.others = 0, .host = 0.04};
  EXPECT_THAT(table_of(disturbed), Not(HasSubstr("Other programs")));
  EXPECT_THAT(table_of(disturbed), HasSubstr("took 4 % of the processors' time away"));
}

TEST(Table, ShowsADashForUnknownFigures) {
  ExperimentResult unknown = experiment();
  Row& row = unknown.groups[0].rows[3];
  row.syscalls.reset();
  row.ratio_to_limit.reset();
  row.operations = 0;
  EXPECT_THAT(words_of_line(table_of(unknown), "sluice put"),
              ElementsAre("sluice", "put", "sluice", "256K", "1.0", "-", "1.000", "0.5000",
                          "0.0000", "0.0000", "-", "5", "1M", "-", "8.00"));
}

TEST(Table, HeadingNamesTheMachineAndDefinesTheRatios) {
  Report report;
  report.machine.cpu = "a processor";
  report.directory = "/scratch";
  report.filesystem = "tmpfs";
  report.rounds = 5;
  const std::string heading = table_heading(report);
  EXPECT_THAT(heading, HasSubstr("a processor, "));
  EXPECT_THAT(heading, HasSubstr("/scratch (tmpfs); one warm-up round and 5 counted"));
  EXPECT_THAT(heading, HasSubstr(ratio_definitions()));
  EXPECT_THAT(heading, HasSubstr("\nns/op: the time of one operation. An operation is "));
  EXPECT_THAT(ratio_definitions(), HasSubstr("time/limit "));
  EXPECT_THAT(ratio_definitions(), HasSubstr("speed/baseline "));
  EXPECT_THAT(heading, Not(HasSubstr("built without")));
}

TEST(Table, HeadingNamesTheLibrariesThatAreLeftOut) {
  Report report;
  report.libraries_left_out = {"one library", "another one"};
  EXPECT_THAT(table_heading(report), HasSubstr("no rows of them: one library, another one\n"));
}

}  // namespace
}  // namespace sluice::bench
