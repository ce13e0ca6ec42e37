#include "bench/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>

#include "command_line/quantity.h"

namespace sluice::bench {
namespace {

// Seconds, with at least two significant digits for every time above a tenth of a millisecond.
std::string seconds(double value) {
  if (value >= 100) return fmt::format("{:.1f}", value);
  return fmt::format("{:.{}f}", value, value >= 1 ? 3 : value >= 0.01 || value <= 0 ? 4 : 6);
}

std::string times(std::optional<double> ratio) {
  if (!ratio) return "-";
  return fmt::format("{:.{}f}", *ratio, *ratio >= 100 ? 0 : *ratio >= 10 ? 1 : 2);
}

std::string per_second(const Row& row) {
  if (row.bytes == 0 || row.wall_s.median <= 0) return "-";
  const double rate = static_cast<double>(row.bytes) / 1e6 / row.wall_s.median;
  return fmt::format("{:.{}f}", rate, rate >= 100 ? 0 : rate >= 1 ? 1 : 3);
}

std::string per_operation(const Row& row) {
  if (row.operations == 0) return "-";
  const double ns = row.wall_s.median * 1e9 / static_cast<double>(row.operations);
  return fmt::format("{:.{}f}", ns, ns >= 100 ? 0 : 2);
}

using Output = std::back_insert_iterator<std::string>;

constexpr auto time_to_limit = "time/limit";
constexpr auto speed_to_baseline = "speed/baseline";

constexpr double disturbed_below = 0.8;
constexpr auto columns =
    "{:>9} {:>9} {:>10} {:>8} {:>8} {:>8} {:>8} {:>11} {:>8} {:>7} {:>11} {:>15}\n";

void add_head(Output out, std::size_t name_width) {
  fmt::format_to(out, "  {:<{}} {:<8}", "strategy", name_width, "kind");
  fmt::format_to(out, fmt::runtime(columns), "buffer", "MB/s", "ns/op", "wall s", "user s", "sys s",
                 "sleep s", "calls", "switches", "peak", time_to_limit, speed_to_baseline);
}

void add_row(Output out, std::size_t name_width, const Row& row) {
  const std::string name = row.strategy + (row.scaled ? " *" : "");
  fmt::format_to(out, "  {:<{}} {:<8}", name, name_width, to_string(row.kind));
  if (!row.error.empty()) {
    fmt::format_to(out, "  FAILED: {}\n", row.error);
    return;
  }
  fmt::format_to(out, fmt::runtime(columns),
                 row.buffer_bytes == 0 ? "-" : format_bytes_short(row.buffer_bytes),
                 per_second(row), per_operation(row), seconds(row.wall_s.median),
                 seconds(row.user_s.median), seconds(row.sys_s.median), seconds(row.sleep_s.median),
                 row.syscalls ? fmt::format("{}", *row.syscalls) : "-",
                 row.voluntary_switches + row.involuntary_switches,
                 format_bytes_short(row.peak_rss_bytes), times(row.ratio_to_limit),
                 times(row.ratio_to_baseline));
}

std::string microseconds(double seconds) {
  const double us = seconds * 1e6;
  return fmt::format("{:.{}f}", us, us >= 100 ? 0 : 1);
}

std::string percentile(const Latency& latency, double share, double Latency::*value) {
  return latency.has_percentile(share) ? microseconds(latency.*value) : "-";
}

// A separate table for the rows that have noted the times of single operations. Operations that are
// not the row's own have no part in its speed.
void add_latencies(Output out, std::size_t name_width, const GroupResult& group) {
  constexpr auto widths = "{:>11} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9}\n";
  if (std::ranges::none_of(group.rows, [](const Row& row) { return row.latency.has_value(); })) {
    return;
  }
  const bool are_own = group.operations_of.empty();
  const std::string head = are_own ? "one operation takes" : group.operations_of + " takes";
  name_width = std::max(name_width, head.size());
  fmt::format_to(out, "\n  {:<{}} ", head, name_width);
  fmt::format_to(out, widths, are_own ? "ops/s" : "", "count", "p50 us", "p90 us", "p99 us",
                 "p99.9 us", "max us");
  for (const Row& row : group.rows) {
    if (!row.latency) continue;
    const Latency& latency = *row.latency;
    const double rate = static_cast<double>(row.operations) / row.wall_s.median;
    fmt::format_to(out, "  {:<{}} ", row.strategy, name_width);
    fmt::format_to(out, widths, are_own ? fmt::format("{:.0f}", rate) : "", latency.count,
                   microseconds(latency.p50_s), percentile(latency, 0.9, &Latency::p90_s),
                   percentile(latency, 0.99, &Latency::p99_s),
                   percentile(latency, 0.999, &Latency::p999_s), microseconds(latency.max_s));
  }
}

// A separate table for the rows that have noted the size of their file.
void add_stored_bytes(Output out, std::size_t name_width, const GroupResult& group) {
  constexpr auto widths = "{:>14} {:>13}\n";
  const auto has_noted = [](const Row& row) { return row.stored_bytes.value_or(0) != 0; };
  if (std::ranges::none_of(group.rows, has_noted)) return;
  fmt::format_to(out, "\n  {:<{}} ", "the file has", name_width);
  fmt::format_to(out, widths, "bytes", "times smaller");
  for (const Row& row : group.rows) {
    if (!has_noted(row)) continue;
    fmt::format_to(out, "  {:<{}} ", row.strategy, name_width);
    fmt::format_to(out, widths, *row.stored_bytes,
                   times(static_cast<double>(row.bytes) / static_cast<double>(*row.stored_bytes)));
  }
}

// Writes one line for all rows that moved the same number of bytes.
void add_scaled(Output out, const GroupResult& group) {
  std::map<std::uint64_t, std::string> names;
  for (const Row& row : group.rows) {
    if (!row.scaled) continue;
    std::string& line = names[row.bytes];
    line += fmt::format("{}{}", line.empty() ? "" : ", ", row.strategy);
  }
  for (const auto& [bytes, line] : names) {
    fmt::format_to(out, "  * moved only {}, compared per byte: {}\n", format_bytes(bytes), line);
  }
}

// The limit makes the cheapest possible calls, so no row can be much faster than an undisturbed
// limit, except a row that writes fewer bytes because it compresses them.
bool limit_was_disturbed(const GroupResult& group) {
  return std::ranges::any_of(group.rows, [](const Row& row) {
    const bool writes_less = row.stored_bytes && *row.stored_bytes < row.bytes;
    return row.kind != Kind::limit && !writes_less && row.ratio_to_limit &&
           *row.ratio_to_limit < disturbed_below;
  });
}

void add_group(Output out, const GroupResult& group) {
  std::size_t name_width = std::string("one operation takes").size();
  for (const Row& row : group.rows) {
    name_width = std::max(name_width, row.strategy.size() + (row.scaled ? 2 : 0));
  }
  fmt::format_to(out, "\n  {}\n", group.title);
  add_head(out, name_width);
  for (const Row& row : group.rows) add_row(out, name_width, row);
  add_scaled(out, group);
  add_latencies(out, name_width, group);
  add_stored_bytes(out, name_width, group);
  if (limit_was_disturbed(group)) {
    fmt::format_to(
        out,
        "  Some rows took less than {} of the limit's time. If such a row does the same work as "
        "the limit,\n  something slowed the limit down: measure again with more --rounds, and on a "
        "virtual machine\n  also with --touch-memory.\n",
        disturbed_below);
  }
  fmt::format_to(out, "{}", note_of_disturbance(group.disturbance, "  "));
}

}  // namespace

std::string note_of_disturbance(const Disturbance& disturbance, const std::string& indent) {
  std::string text;
  if (disturbance.others > others_above) {
    text += fmt::format(
        "{0}Other programs and the kernel's threads used {1:.0f} % of the processors' time: "
        "measure again\n{0}when the machine is idle.\n",
        indent, disturbance.others * 100);
  }
  if (disturbance.host > host_above) {
    text += fmt::format(
        "{0}The host of this virtual machine took {1:.0f} % of the processors' time away: measure "
        "again in a\n{0}calmer hour.\n",
        indent, disturbance.host * 100);
  }
  return text;
}

std::string ratio_definitions() {
  return "time/limit      the row's time, divided by the limit's time. 1.00 is the limit, larger\n"
         "                is slower. The limit moves the same bytes by the cheapest possible\n"
         "                calls. With several limits in a group, the slowest of them counts.\n"
         "speed/baseline  the baseline's time, divided by the row's time. Larger is faster. Below\n"
         "                1 the row is slower than the baseline.\n"
         "Both ratios compare times per byte in the same round, and are medians of the rounds.\n";
}

std::string note_of_libraries_left_out(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  return fmt::format("This program was built without some libraries and has no rows of them: {}\n",
                     fmt::join(names, ", "));
}

std::string table_heading(const Report& report) {
  const Machine& machine = report.machine;
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{}, {} cores, {}; {}, {}, {}; transparent huge pages: {}\n", machine.cpu,
                 machine.cores, format_bytes(machine.memory_bytes), machine.kernel, machine.libc,
                 machine.compiler, machine.transparent_huge_pages);
  fmt::format_to(out, "{} ({}); one warm-up round and {} counted, strategies in turn; {}\n\n",
                 report.directory, report.filesystem, report.rounds, machine.date);
  text += ratio_definitions();
  text +=
      "Times are medians. user and sys: processor time of all threads. sleep: time in which the\n"
      "calling thread did not run. calls: system calls of the read and write family; io_uring and\n"
      "mmap make others. switches: how often a thread gave up or lost its processor. peak: the "
      "most\n"
      "memory of the process.\n"
      "ns/op: the time of one operation. An operation is the piece of work that a row does at a\n"
      "time: one number, line, record, file or call. For raw reads and writes it is one block "
      "(see\n"
      "buffer), so compare their MB/s.\n"
      "1 MB is 1,000,000 bytes; K and M are multiples of 1024.\n";
  text += note_of_libraries_left_out(report.libraries_left_out);
  return text;
}

std::string table_of(const ExperimentResult& experiment) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "\n{}: {} ({})\n", experiment.id, experiment.title,
                 format_bytes(experiment.bytes));
  if (!experiment.error.empty()) fmt::format_to(out, "  FAILED: {}\n", experiment.error);
  for (const GroupResult& group : experiment.groups) add_group(out, group);
  return text;
}

}  // namespace sluice::bench
