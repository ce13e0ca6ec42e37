#include "bench/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "command_line/quantity.h"

namespace sluice::bench {
namespace {

// Strategies that differ by less than this count as equally fast, because other programs may
// disturb the machine.
constexpr double level_within = 1.03;

// In a shorter time, one interrupt or one page fault may decide which strategy is the fastest.
constexpr double min_winner_s = 0.001;

double seconds_per_byte(const Row& row, std::size_t round) {
  return row.rounds[round].wall_s / std::max(1.0, static_cast<double>(row.bytes));
}

// The time of `slower` / the time of `faster`, per byte: the median over the rounds.
double times_as_long(const Row& slower, const Row& faster) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(slower.rounds.size(), faster.rounds.size()); ++i) {
    ratios.push_back(seconds_per_byte(slower, i) / std::max(1e-18, seconds_per_byte(faster, i)));
  }
  return median_of(std::move(ratios));
}

template <typename Accept>
const Row* fastest(const GroupResult& group, Accept accept) {
  const Row* best = nullptr;
  for (const Row& row : group.rows) {
    if (!row.verified() || !accept(row)) continue;
    if (best == nullptr || times_as_long(*best, row) > 1) best = &row;
  }
  return best;
}

// "12.3 ms", "4.56 s".
std::string duration(double seconds) {
  return seconds < 1 ? fmt::format("{:.1f} ms", seconds * 1000) : fmt::format("{:.2f} s", seconds);
}

std::string number(double value) {
  return fmt::format("{:.{}f}", value, value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

std::string names_of(const GroupResult& group, Kind kind) {
  std::string names;
  for (const Row& row : group.rows) {
    if (row.kind != kind) continue;
    if (!names.empty()) names += " and ";
    names += row.strategy;
  }
  return names;
}

// " (12.1 times as fast as fwrite; 1.10 times the limit's time (raw write))". Says nothing of the
// baseline to a reader who has just been told.
std::string standing(const GroupResult& group, const Row& row, bool knows_baseline = false) {
  std::string text;
  if (row.kind == Kind::baseline) {
    text = "the baseline";
  } else if (knows_baseline) {
    text = "";
  } else if (row.ratio_to_baseline && *row.ratio_to_baseline >= 1) {
    text = fmt::format("{} times as fast as {}", number(*row.ratio_to_baseline),
                       names_of(group, Kind::baseline));
  } else if (row.ratio_to_baseline) {
    text = fmt::format("{1} times as long as {0}", names_of(group, Kind::baseline),
                       number(1 / *row.ratio_to_baseline));
  }
  if (row.ratio_to_limit) {
    text += fmt::format("{}{} times the limit's time ({})", text.empty() ? "" : "; ",
                        number(*row.ratio_to_limit), names_of(group, Kind::limit));
  }
  return text.empty() ? "" : " (" + text + ")";
}

bool is_too_short(const Row& row) { return row.wall_s.median < min_winner_s; }

// How many times as much work takes long enough. A time of 0 counts as a microsecond.
double times_to_long(const Row& row) {
  return std::ceil(min_winner_s / std::max(row.wall_s.median, 1e-6));
}

// " sluice was slower: sluice put took 2.00 times as long as putc (...)."
std::string compared(const GroupResult& group, const std::string& who, const Row& other,
                     const Row& best) {
  const double ratio = times_as_long(other, best);
  if (ratio <= level_within) {
    return fmt::format(" {} was as fast (within {:.0f} %).", other.strategy,
                       (level_within - 1) * 100);
  }
  return fmt::format(" {} took {} times as long as {}{}.", who, number(ratio), best.strategy,
                     standing(group, other, best.kind == Kind::baseline));
}

// Names the fastest row, and compares sluice's fastest row with it. If sluice is the fastest, the
// fastest other row is compared with it.
std::string verdict(const GroupResult& group) {
  const auto competes = [](const Row& row) { return row.kind != Kind::limit; };
  const auto is_theirs = [&](const Row& row) { return competes(row) && !row.is_by_sluice; };
  const auto is_ours = [&](const Row& row) { return competes(row) && row.is_by_sluice; };
  const auto is_no_baseline = [](const Row& row) { return row.kind == Kind::sluice; };
  const Row* const best = fastest(group, competes);
  const Row* const ours = fastest(group, is_ours);
  const Row* const theirs = fastest(group, is_theirs);
  const Row* const no_baseline = fastest(group, is_no_baseline);
  if (best == nullptr) return "Nothing could be measured.";
  if (is_too_short(*best)) {
    return fmt::format(
        "Too short to name a winner: {} took {}. Measure at least {:.0f} ms, with a --size at "
        "least {:.0f} times as large.",
        best->strategy, duration(best->wall_s.median), min_winner_s * 1000, times_to_long(*best));
  }
  std::string text = fmt::format("{} was the fastest{}.", best->strategy, standing(group, *best));
  if (ours == nullptr) return text + " sluice has no row here.";
  if (best != ours) {
    return text + compared(group, "sluice was slower: " + ours->strategy, *ours, *best);
  }
  if (best->kind == Kind::baseline && no_baseline != nullptr) {
    text +=
        compared(group, "The fastest other row of sluice was " + no_baseline->strategy + ", which",
                 *no_baseline, *best);
  }
  if (theirs == nullptr) return text;
  return text + compared(group, "The fastest without sluice was " + theirs->strategy + ", which",
                         *theirs, *best);
}

// "sluice zstd made the file 3.10 times smaller.", of the fastest row of sluice. Empty if it noted
// no size.
std::string size_of_file(const GroupResult& group) {
  constexpr double least = 1.01;
  const Row* const ours = fastest(group, [](const Row& row) { return row.kind == Kind::sluice; });
  if (ours == nullptr || ours->stored_bytes.value_or(0) == 0) return "";
  const double times = static_cast<double>(ours->bytes) / static_cast<double>(*ours->stored_bytes);
  if (times < least) return ours->strategy + " did not make the file smaller.";
  return fmt::format("{} made the file {} times smaller.", ours->strategy, number(times));
}

// Which rows were the best and the worst for the program whose operations they noted.
std::string effect_on_others(const GroupResult& group) {
  if (group.operations_of.empty()) return "";
  std::vector<const Row*> rows;
  for (const Row& row : group.rows) {
    if (row.verified() && row.latency) rows.push_back(&row);
  }
  if (rows.size() < 2) return "";
  const auto [least, most] =
      std::ranges::minmax_element(rows, {}, [](const Row* row) { return row->latency->max_s; });
  return fmt::format(
      "The slowest operation of {} took {} in the row {}, which is the least of all rows, and {} "
      "in the row {}, which is the most.",
      group.operations_of, duration((*least)->latency->max_s), (*least)->strategy,
      duration((*most)->latency->max_s), (*most)->strategy);
}

// The savings of the fastest row compared with the baseline. Empty if the two moved different
// numbers of bytes.
std::string savings(const GroupResult& group) {
  const auto is_baseline = [](const Row& row) { return row.kind == Kind::baseline; };
  const Row* const best = fastest(group, [](const Row& row) { return row.kind != Kind::limit; });
  const Row* const baseline = fastest(group, is_baseline);
  if (best == nullptr || baseline == nullptr || best == baseline) return "";
  if (best->bytes != baseline->bytes || is_too_short(*best)) return "";
  std::string text =
      fmt::format("{} against {}: {} of processor time instead of {}", best->strategy,
                  baseline->strategy, duration(best->cpu_s), duration(baseline->cpu_s));
  // A row without such calls makes others, which are not counted: those of io_uring or mmap.
  const auto calls = best->syscalls.value_or(0);
  const auto calls_of_baseline = baseline->syscalls.value_or(0);
  if (calls != 0 && calls_of_baseline != 0 && calls != calls_of_baseline) {
    text += fmt::format(", {} calls of the read and write family instead of {}",
                        format_count(calls), format_count(calls_of_baseline));
  }
  const std::uint64_t most = std::max(best->peak_rss_bytes, baseline->peak_rss_bytes);
  if (most > 2 * std::min(best->peak_rss_bytes, baseline->peak_rss_bytes)) {
    text += fmt::format(", {} of memory at the most instead of {}",
                        format_bytes(best->peak_rss_bytes), format_bytes(baseline->peak_rss_bytes));
  }
  return text + ".";
}

// Measurements on a busy machine may name another winner the next time.
std::string doubt(const Disturbance& disturbance) {
  if (!is_busy(disturbance)) return "";
  return "The machine was busy: see below the table. On an idle machine the order may be another "
         "one. ";
}

// Breaks before column 100, every line indented alike.
std::string wrapped(std::string_view text, std::string_view indent) {
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (column != 0 && column + 1 + word.size() < 100) {
      result += ' ';
      column += 1 + word.size();
    } else {
      result += fmt::format("{}{}", result.empty() ? "" : "\n", indent);
      column = indent.size() + word.size();
    }
    result += word;
  }
  return result + "\n";
}

}  // namespace

std::string summary_of(const Report& report) {
  std::string text = "\nSummary\n";
  for (const ExperimentResult& experiment : report.experiments) {
    text += fmt::format("\n{}: {}\n", experiment.id, experiment.title);
    if (!experiment.error.empty()) text += wrapped("failed: " + experiment.error, "  ");
    for (const GroupResult& group : experiment.groups) {
      text += fmt::format("  {}\n{}", group.title,
                          wrapped(doubt(group.disturbance) + verdict(group), "    "));
      for (const std::string& more :
           {savings(group), size_of_file(group), effect_on_others(group), group.why}) {
        if (!more.empty()) text += wrapped(more, "    ");
      }
    }
  }
  return text;
}

}  // namespace sluice::bench
