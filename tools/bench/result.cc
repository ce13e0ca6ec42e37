#include "bench/result.h"

#include <algorithm>
#include <cstddef>

namespace sluice::bench {
namespace {

double wall_of(const Measurement& measurement) { return measurement.wall_s; }
double cpu_of(const Measurement& measurement) { return measurement.user_s + measurement.sys_s; }

// Seconds per byte, so that scaled-down rows can be compared. For rows that move no bytes: seconds.
template <typename Time>
double cost(const Row& row, std::size_t round, Time time) {
  const double bytes = row.bytes == 0 ? 1.0 : static_cast<double>(row.bytes);
  return time(row.rounds[round]) / bytes;
}

// The cost of the slowest row of `kind` in one round. Empty if one of these rows failed, because it
// might have been the slowest.
template <typename Time>
std::optional<double> slowest(const GroupResult& group, Kind kind, std::size_t round, Time time) {
  std::optional<double> result;
  for (const Row& row : group.rows) {
    if (row.kind != kind) continue;
    if (!row.verified()) return std::nullopt;
    result = std::max(result.value_or(0), cost(row, round, time));
  }
  return result;
}

// The median over the rounds of this ratio: the row's cost / the cost of the slowest row of `kind`.
template <typename Time>
std::optional<double> ratio_to(const GroupResult& group, Kind kind, const Row& row, Time time) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < row.rounds.size(); ++round) {
    const auto other = slowest(group, kind, round, time);
    const double own = cost(row, round, time);
    if (!other || *other <= 0 || own <= 0) return std::nullopt;  // too short to be timed
    ratios.push_back(own / *other);
  }
  return median_of(std::move(ratios));
}

std::optional<double> inverse(std::optional<double> ratio) {
  return ratio ? std::optional(1 / *ratio) : std::nullopt;
}

template <typename Figure>
std::vector<double> over_rounds(const Row& row, Figure figure) {
  std::vector<double> values;
  values.reserve(row.rounds.size());
  for (const Measurement& round : row.rounds) values.push_back(figure(round));
  return values;
}

std::uint64_t median_count(const Row& row, std::uint64_t Measurement::*count) {
  return static_cast<std::uint64_t>(median_of(
      over_rounds(row, [&](const Measurement& m) { return static_cast<double>(m.*count); })));
}

std::optional<std::uint64_t> median_calls(const Row& row) {
  std::vector<double> calls;
  for (const Measurement& round : row.rounds) {
    if (!round.syscalls) return std::nullopt;
    calls.push_back(static_cast<double>(*round.syscalls));
  }
  return static_cast<std::uint64_t>(median_of(std::move(calls)));
}

std::optional<Latency> median_latency(const Row& row) {
  for (const Measurement& round : row.rounds) {
    if (!round.latency) return std::nullopt;
  }
  const auto median = [&](double Latency::*percentile) {
    return median_of(
        over_rounds(row, [&](const Measurement& round) { return (*round.latency).*percentile; }));
  };
  return Latency{
      median(&Latency::p50_s),
      median(&Latency::p90_s),
      median(&Latency::p99_s),
      median(&Latency::p999_s),
      median(&Latency::max_s),
      static_cast<std::uint64_t>(median_of(over_rounds(row, [](const Measurement& round) {
        return static_cast<double>(round.latency->count);
      })))};
}

void compute_costs(Row& row) {
  row.wall_s = spread_of(over_rounds(row, wall_of));
  row.user_s = spread_of(over_rounds(row, [](const Measurement& m) { return m.user_s; }));
  row.sys_s = spread_of(over_rounds(row, [](const Measurement& m) { return m.sys_s; }));
  row.cpu_s = median_of(over_rounds(row, cpu_of));
  row.sleep_s = spread_of(over_rounds(row, [](const Measurement& m) { return m.sleep_s; }));
  row.syscalls = median_calls(row);
  row.page_faults = median_count(row, &Measurement::page_faults);
  row.voluntary_switches = median_count(row, &Measurement::voluntary_switches);
  row.involuntary_switches = median_count(row, &Measurement::involuntary_switches);
  row.latency = median_latency(row);
  row.stored_bytes = row.rounds.back().stored_bytes;
  row.peak_rss_bytes =
      std::ranges::max(row.rounds, {}, &Measurement::peak_rss_bytes).peak_rss_bytes;
}

}  // namespace

void compute_figures(GroupResult& group) {
  if (group.rows.empty()) return;
  const std::uint64_t max_bytes = std::ranges::max(group.rows, {}, &Row::bytes).bytes;
  for (Row& row : group.rows) {
    row.scaled = row.bytes < max_bytes;
    if (!row.verified()) continue;
    compute_costs(row);
    row.ratio_to_limit = ratio_to(group, Kind::limit, row, wall_of);
    row.ratio_to_baseline = inverse(ratio_to(group, Kind::baseline, row, wall_of));
    row.cpu_ratio_to_limit = ratio_to(group, Kind::limit, row, cpu_of);
  }
}

std::string to_string(Kind kind) {
  switch (kind) {
    case Kind::limit: return "limit";
    case Kind::baseline: return "baseline";
    case Kind::peer: return "peer";
    case Kind::sluice: return "sluice";
  }
  return "?";
}

}  // namespace sluice::bench
