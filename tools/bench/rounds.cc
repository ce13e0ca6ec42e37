#include "bench/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "bench/interrupt.h"
#include "bench/measure.h"

namespace sluice::bench {
namespace {

Row empty_row(const Strategy& strategy) {
  Row row;
  row.strategy = strategy.name;
  row.kind = strategy.kind;
  row.is_by_sluice = strategy.is_by_sluice || strategy.kind == Kind::sluice;
  row.buffer_bytes = strategy.buffer_bytes;
  row.bytes = strategy.bytes;
  row.operations = strategy.operations;
  return row;
}

void run_one(const Strategy& strategy, std::uint64_t round, const RoundsOptions& options,
             Row& row) {
  if (options.before_each) options.before_each(strategy, round);
  const Outcome outcome = measure(strategy);
  if (options.after_each) options.after_each();
  row.error = outcome.error;
  if (outcome.measurement && round != 0) row.rounds.push_back(*outcome.measurement);
}

// Returns false if a signal has asked for the end.
bool run_round(const Experiment::Group& group, std::uint64_t round, const RoundsOptions& options,
               GroupResult& result) {
  for (std::size_t turn = 0; turn < group.strategies.size(); ++turn) {
    const std::size_t i = (round + turn) % group.strategies.size();
    if (result.rows[i].error.empty()) {
      run_one(group.strategies[i], round, options, result.rows[i]);
    }
    if (interrupted_by() != 0) return false;
  }
  return true;
}

// Afterwards all rows have the same number of rounds.
void drop_incomplete_round(GroupResult& group, std::uint64_t complete_rounds) {
  for (Row& row : group.rows) {
    row.rounds.resize(std::min<std::size_t>(row.rounds.size(), complete_rounds));
  }
}

}  // namespace

GroupResult run_rounds(const Experiment::Group& group, const RoundsOptions& options) {
  GroupResult result{group.title, group.why, {}};
  result.operations_of = group.operations_of;
  for (const Strategy& strategy : group.strategies) result.rows.push_back(empty_row(strategy));
  const ProcessorTimes before = processor_times();
  for (std::uint64_t round = 0; round <= options.counted_rounds; ++round) {
    if (run_round(group, round, options, result)) continue;
    drop_incomplete_round(result, round == 0 ? 0 : round - 1);
    break;
  }
  result.disturbance = disturbance_between(before, processor_times());
  compute_figures(result);
  return result;
}

void check_declaration(const Experiment& experiment) {
  if (experiment.groups.empty()) {
    throw std::logic_error(fmt::format("experiment {}: no strategies", experiment.id));
  }
  for (const Experiment::Group& group : experiment.groups) {
    const auto number_of = [&group](Kind kind) {
      return std::ranges::count(group.strategies, kind, &Strategy::kind);
    };
    if (number_of(Kind::limit) < 1 || number_of(Kind::baseline) != 1) {
      throw std::logic_error(fmt::format("experiment {}, group '{}': {} limits and {} baselines",
                                         experiment.id, group.title, number_of(Kind::limit),
                                         number_of(Kind::baseline)));
    }
    for (const Strategy& strategy : group.strategies) {
      if (strategy.run && strategy.verify) continue;
      throw std::logic_error(fmt::format("experiment {}, strategy '{}': no run() or no verify()",
                                         experiment.id, strategy.name));
    }
  }
}

}  // namespace sluice::bench
