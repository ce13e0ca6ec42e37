#include "bench/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "bench/fakes.h"

namespace sluice::bench {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string on_one_line(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    const char next = letter == '\n' ? ' ' : letter;
    if (next != ' ' || !result.ends_with(' ')) result += next;
  }
  return result;
}

// Returns the summary of one group on one line.
std::string summary(std::vector<Row> rows, std::string why = "", Disturbance disturbance = {}) {
  GroupResult group{"write", std::move(why), std::move(rows), disturbance};
  compute_figures(group);
  Report report;
  report.experiments.push_back({"bytes", "one byte a call", 1000, {group}, ""});
  return on_one_line(summary_of(report));
}

const Row limit = fake_row("raw write", Kind::limit, 1000, {1.0});
const Row baseline = fake_row("fwrite", Kind::baseline, 1000, {20.0});

TEST(Summary, NamesTheFastestAndByHowMuch) {
  const std::string text = summary({limit, baseline, fake_row("putc", Kind::peer, 1000, {4.0}),
                                    fake_row("sluice put", Kind::sluice, 1000, {2.0})});
  EXPECT_THAT(text,
              HasSubstr("sluice put was the fastest (10.0 times as fast as fwrite; 2.00 times "
                        "the limit's time (raw write))."));
  EXPECT_THAT(
      text,
      HasSubstr(
          "The fastest without sluice was putc, which took 2.00 times as long as sluice put (5.00 "
          "times as fast "));
}

TEST(Summary, SaysPlainlyThatSluiceWasNotTheFastest) {
  const std::string text = summary({limit, baseline, fake_row("putc", Kind::peer, 1000, {2.0}),
                                    fake_row("sluice put", Kind::sluice, 1000, {4.0})});
  EXPECT_THAT(text, HasSubstr("putc was the fastest (10.0 times as fast as fwrite"));
  EXPECT_THAT(text, HasSubstr("sluice was slower: sluice put took 2.00 times as long as putc"));
}

TEST(Summary, SaysThatTheBaselineWasTheFastest) {
  const std::string text = summary({limit, fake_row("fwrite", Kind::baseline, 1000, {2.0}),
                                    fake_row("sluice put", Kind::sluice, 1000, {4.0})});
  EXPECT_THAT(text, HasSubstr("fwrite was the fastest (the baseline; 2.00 times the limit's time"));
  EXPECT_THAT(text, HasSubstr("sluice put took 2.00 times as long as fwrite (4.00 times the "
                              "limit's time (raw write))."));
}

TEST(Summary, TakesABaselineOfSluicesOwnForSluice) {
  Row own = fake_row("sluice, plain", Kind::baseline, 1000, {4.0});
  own.is_by_sluice = true;
  const Row peer = fake_row("| zstd", Kind::peer, 1000, {8.0});
  std::string text =
      summary({limit, own, peer, fake_row("sluice zstd", Kind::sluice, 1000, {2.0})});
  EXPECT_THAT(text, HasSubstr("sluice zstd was the fastest (2.00 times as fast as sluice, plain"));
  EXPECT_THAT(text, HasSubstr("The fastest without sluice was | zstd, which took 4.00 times"));
  text = summary({limit, own, peer, fake_row("sluice zstd", Kind::sluice, 1000, {6.0})});
  EXPECT_THAT(text, HasSubstr("sluice, plain was the fastest (the baseline; 4.00 times"));
  EXPECT_THAT(text, HasSubstr("The fastest other row of sluice was sluice zstd, which took 1.50 "
                              "times as long as sluice, plain (6.00 times the limit's time"));
  EXPECT_THAT(text, HasSubstr("The fastest without sluice was | zstd, which took 2.00 times"));
  text = summary({limit, own, fake_row("sluice zstd", Kind::sluice, 1000, {2.0})});
  EXPECT_THAT(text, Not(HasSubstr("without sluice")));
  const Row sluiced = fake_row("sluiced by another program", Kind::peer, 1000, {3.0});
  text = summary({limit, own, sluiced, fake_row("sluice zstd", Kind::sluice, 1000, {2.0})});
  EXPECT_THAT(text, HasSubstr("The fastest without sluice was sluiced by another program, which"));
}

TEST(Summary, SaysHowMuchSmallerTheFileBecame) {
  Row ours = fake_row("sluice zstd", Kind::sluice, 1000, {2.0});
  EXPECT_THAT(summary({limit, baseline, ours}), Not(HasSubstr("made the file")));
  ours.rounds[0].stored_bytes = 500;
  EXPECT_THAT(summary({limit, baseline, ours}),
              HasSubstr("sluice zstd made the file 2.00 times smaller."));
  ours.rounds[0].stored_bytes = 1001;
  EXPECT_THAT(summary({limit, baseline, ours}),
              HasSubstr("sluice zstd did not make the file smaller."));
}

TEST(Summary, NamesTheRowsThatWereBestAndWorstForAnotherProgram) {
  GroupResult group{"write",
                    "",
                    {limit, baseline, fake_row("sluice", Kind::sluice, 1000, {2.0}),
                     fake_row("sluice drop", Kind::sluice, 1000, {3.0})}};
  for (std::size_t i = 0; i < group.rows.size(); ++i) {
    const double most_s = 0.040 - 0.010 * static_cast<double>(i);
    group.rows[i].rounds[0].latency = Latency{.max_s = most_s, .count = 3};
  }
  compute_figures(group);
  Report report;
  report.experiments.push_back({"cache", "beside", 1000, {group}, ""});
  EXPECT_THAT(summary_of(report), Not(HasSubstr("slowest operation")));
  report.experiments[0].groups[0].operations_of = "the program beside";
  EXPECT_THAT(on_one_line(summary_of(report)),
              HasSubstr("The slowest operation of the program beside took 10.0 ms in the row "
                        "sluice drop, which is the least of all rows, and 40.0 ms in the row "
                        "raw write, which is the most."));
}

TEST(Summary, DoubtsTheOrderOfRowsOnABusyMachine) {
  const std::vector<Row> rows{limit, baseline, fake_row("sluice put", Kind::sluice, 1000, {2.0})};
  EXPECT_THAT(summary(rows), Not(HasSubstr("busy")));
  EXPECT_THAT(summary(rows, "", {.others = 0.26, .host = 0}),
              HasSubstr("The machine was busy: see below the table."));
  EXPECT_THAT(summary(rows, "", {.others = 0, .host = 0.04}), HasSubstr("The machine was busy"));
}

TEST(Summary, CallsTwoCloseRowsEquallyFast) {
  const std::string text = summary({limit, baseline, fake_row("putc", Kind::peer, 1000, {2.0}),
                                    fake_row("sluice put", Kind::sluice, 1000, {2.05})});
  EXPECT_THAT(text, HasSubstr("putc was the fastest"));
  EXPECT_THAT(text, HasSubstr("sluice put was as fast (within 3 %)."));
}

TEST(Summary, NamesNoWinnerOfATimeThatIsTooShort) {
  const Row slow = fake_row("fwrite", Kind::baseline, 1000, {0.0011});
  const std::string text = summary({limit, slow, fake_row("putc", Kind::peer, 1000, {0.0009}),
                                    fake_row("sluice put", Kind::sluice, 1000, {0.0010})});
  EXPECT_THAT(text,
              HasSubstr("Too short to name a winner: putc took 0.9 ms. Measure at least 1 ms, "
                        "with a --size at least 2 times as large."));
  EXPECT_THAT(text, Not(HasSubstr("fastest")));
  EXPECT_THAT(text, Not(HasSubstr("processor time")));
  EXPECT_THAT(summary({limit, slow, fake_row("sluice put", Kind::sluice, 1000, {0.0010})}),
              HasSubstr("sluice put was the fastest"));
}

TEST(Summary, ComparesScaledRowsByTheByte) {
  const std::string text = summary({limit, baseline, fake_row("write", Kind::peer, 10, {1.0}),
                                    fake_row("sluice put", Kind::sluice, 1000, {2.0})});
  EXPECT_THAT(text, HasSubstr("sluice put was the fastest"));
}

TEST(Summary, LeavesFailedRowsAndLimitsOut) {
  Row failed = fake_row("putc", Kind::peer, 1000, {0.1});
  failed.error = "the bytes differ";
  const std::string text =
      summary({limit, baseline, failed, fake_row("sluice put", Kind::sluice, 1000, {2.0})});
  EXPECT_THAT(text, HasSubstr("sluice put was the fastest"));
  EXPECT_THAT(text, Not(HasSubstr("putc")));
}

TEST(Summary, SaysThatSluiceHasNoRowOrThatNothingWasMeasured) {
  EXPECT_THAT(summary({limit, baseline}), HasSubstr("sluice has no row here."));
  EXPECT_THAT(summary({limit}), HasSubstr("Nothing could be measured."));
}

TEST(Summary, NamesTheSavingsInFiguresOfTheRun) {
  Row slow = baseline;
  slow.rounds[0].syscalls = 1'234'567;
  const std::string text =
      summary({limit, slow, fake_row("sluice put", Kind::sluice, 1000, {2.0})});
  EXPECT_THAT(text, HasSubstr("sluice put against fwrite: 1.00 s of processor time instead of "
                              "10.00 s, 7 calls of the read and write family instead of "
                              "1,234,567."));
  Row uncounted = fake_row("io_uring", Kind::peer, 1000, {2.0});
  uncounted.rounds[0].syscalls = 0;
  EXPECT_THAT(summary({limit, slow, uncounted}), Not(HasSubstr("read and write family")));
  EXPECT_THAT(summary({limit, baseline, fake_row("sluice put", Kind::sluice, 1000, {2.0})}),
              Not(HasSubstr("7 calls")))
      << "nothing was saved";
  const std::string scaled = summary({limit, fake_row("fwrite", Kind::baseline, 10, {20.0}),
                                      fake_row("sluice put", Kind::sluice, 1000, {2.0})});
  EXPECT_THAT(scaled, Not(HasSubstr("processor time"))) << "different amounts of work";
}

TEST(Summary, AddsTheReasonOfTheExperiment) {
  EXPECT_THAT(summary({limit, baseline}, "A lock costs more than the copy."),
              HasSubstr("A lock costs more than the copy."));
}

TEST(Summary, NamesTheExperimentThatFailed) {
  Report report;
  report.experiments.push_back({"sync", "what a flush costs", 0, {}, "open /x: Permission denied"});
  EXPECT_THAT(summary_of(report), HasSubstr("sync: what a flush costs\n  failed: open /x"));
}

TEST(Summary, WrapsItsLines) {
  GroupResult group{"write", std::string(30, 'w'), {limit, baseline}};
  for (int i = 0; i < 10; ++i) group.why += " and more words";
  compute_figures(group);
  Report report;
  report.experiments.push_back({"bytes", "one byte a call", 1000, {group}, ""});
  std::size_t column = 0;
  for (const char letter : summary_of(report)) {
    column = letter == '\n' ? 0 : column + 1;
    ASSERT_LT(column, 100u);
  }
  EXPECT_THAT(summary_of(report), Not(HasSubstr(" \n")));
}

}  // namespace
}  // namespace sluice::bench
