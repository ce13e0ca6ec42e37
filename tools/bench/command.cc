#include "bench/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "bench/free_memory.h"
#include "bench/interrupt.h"
#include "bench/json.h"
#include "bench/machine.h"
#include "bench/progress.h"
#include "bench/result.h"
#include "bench/rounds.h"
#include "bench/scratch.h"
#include "bench/summary.h"
#include "bench/table.h"
#include "command_line/command_error.h"
#include "command_line/output.h"
#include "command_line/quantity.h"
#include "html/page.h"

namespace sluice::bench {
namespace {

constexpr std::uint64_t default_rounds = 5;
constexpr std::uint64_t quick_rounds = 3;

// Experiments multiply --size by small numbers, for their files and their memory. These products
// must not overflow.
constexpr std::uint64_t max_size_bytes = std::uint64_t{1024} << 40;

// An experiment and its settings. The experiment may refer to the settings.
struct Declared {
  Settings settings;
  Experiment experiment;
};

bool is_wanted(const Strategy& strategy, const std::vector<std::string>& rows) {
  return std::ranges::any_of(
      rows, [&](const std::string& part) { return strategy.name.find(part) != std::string::npos; });
}

// Keeps the strategies whose names contain one of `rows`, and the limits and baselines. Removes the
// groups in which no name matches.
void keep_rows(Experiment& experiment, const std::vector<std::string>& rows) {
  if (rows.empty()) return;
  std::erase_if(experiment.groups, [&](const Experiment::Group& group) {
    return std::ranges::none_of(
        group.strategies, [&](const Strategy& strategy) { return is_wanted(strategy, rows); });
  });
  if (experiment.groups.empty()) {
    throw UsageError(
        fmt::format("experiment {}: no strategy's name contains '{}': see sluice bench "
                    "--list {}",
                    experiment.id, fmt::join(rows, "' or '"), experiment.id));
  }
  for (Experiment::Group& group : experiment.groups) {
    std::erase_if(group.strategies, [&](const Strategy& strategy) {
      const bool measure = strategy.kind == Kind::limit || strategy.kind == Kind::baseline;
      return !measure && !is_wanted(strategy, rows);
    });
  }
}

// Returns a list, because an experiment may refer to settings that must not move.
std::list<Declared> declare(const std::vector<Choice>& choices, const Request& request,
                            const std::string& directory) {
  if (request.size_bytes > max_size_bytes) {
    throw UsageError(fmt::format("--size {} is more than {}", format_bytes(request.size_bytes),
                                 format_bytes(max_size_bytes)));
  }
  std::list<Declared> result;
  for (const Choice& choice : choices) {
    Declared& declared = result.emplace_back();
    declared.settings = {.directory = directory,
                         .size_bytes = request.size_bytes,
                         .quick = request.quick,
                         .replay_file = choice.replay_file,
                         .text_file = request.text_file};
    declared.experiment = choice.experiment->factory(declared.settings);
    check_declaration(declared.experiment);
    keep_rows(declared.experiment, request.rows);
  }
  return result;
}

std::string strategies_of(const Experiment& experiment) {
  std::string text = fmt::format("{}: {}\n", experiment.id, experiment.title);
  for (const Experiment::Group& group : experiment.groups) {
    text += fmt::format("  {}\n", group.title);
    for (const Strategy& strategy : group.strategies) {
      text += fmt::format("    {:<8} {}\n", to_string(strategy.kind), strategy.name);
    }
  }
  return text;
}

int list(const Request& request, std::span<const RegisteredExperiment> known,
         const std::vector<std::string>& libraries_left_out) {
  if (request.words.empty()) {
    write_output(list_of(known) + list_of_others());
    return 0;
  }
  for (const Declared& declared : declare(choose(request, known), request, "")) {
    write_output(strategies_of(declared.experiment));
  }
  write_output(note_of_libraries_left_out(libraries_left_out));
  return 0;
}

Report begin_report(const Request& request) {
  Report report;
  report.machine = this_machine();
  report.directory = std::filesystem::absolute(request.directory).lexically_normal();
  report.filesystem = filesystem_of(request.directory);
  report.quick = request.quick;
  report.touched_memory_bytes = request.touched_memory_bytes;
  report.rounds = request.rounds != 0 ? request.rounds
                  : request.quick     ? quick_rounds
                                      : default_rounds;
  return report;
}

// Checks the room for all experiments before the first one starts, so that a run does not fail
// late.
void expect_room_for(const std::list<Declared>& all, const std::string& directory) {
  for (const Declared& declared : all) {
    expect_room(directory, declared.experiment.scratch_bytes,
                "experiment " + declared.experiment.id, " or a smaller --size");
    expect_memory(declared.experiment.memory_bytes, "experiment " + declared.experiment.id);
  }
}

// An experiment moves whole values, lines or files, so it may move another number of bytes.
void tell_of_other_sizes(const std::list<Declared>& all) {
  for (const Declared& declared : all) {
    const std::string moved = format_bytes(declared.experiment.bytes);
    const std::string asked = format_bytes(declared.settings.size_bytes);
    if (declared.settings.size_bytes == 0 || moved == asked) continue;
    write_output(
        fmt::format("{} moves {}, not the {} of --size.\n", declared.experiment.id, moved, asked));
  }
}

void set_up(const Experiment& experiment, Scratch& scratch) {
  scratch.clear();
  if (experiment.set_up) experiment.set_up();
  scratch.keep_present();
}

void complain_of_failed_rows(const Experiment& experiment, const GroupResult& group) {
  for (const Row& row : group.rows) {
    if (row.error.empty()) continue;
    complain("sluice bench", fmt::format("{}: {}: {}", experiment.id, row.strategy, row.error));
  }
}

bool has_results(const GroupResult& group) {
  return std::ranges::any_of(group.rows,
                             [](const Row& row) { return row.verified() || !row.error.empty(); });
}

// `label` is the place of this experiment among all experiments, such as "2/5".
ExperimentResult run_experiment(const Experiment& experiment, const Report& report,
                                Scratch& scratch, const std::string& label, Progress& progress) {
  const std::uint64_t rounds = report.rounds;
  ExperimentResult result{experiment.id, experiment.title, experiment.bytes, {}, ""};
  progress.show(fmt::format("{} {}: preparing", label, experiment.id));
  try {
    set_up(experiment, scratch);
  } catch (const std::exception& error) {
    result.error = error.what();
    progress.clear();
    complain("sluice bench", fmt::format("{}: {}", experiment.id, result.error));
    return result;
  }
  for (const Experiment::Group& group : experiment.groups) {
    const auto before_each = [&](const Strategy& strategy, std::uint64_t round) {
      const std::string turn =
          round == 0 ? "warm-up" : fmt::format("round {} of {}", round, rounds);
      progress.show(fmt::format("{} {}, {}: {} ({})", label, experiment.id, turn, strategy.name,
                                group.title));
      touch_free_memory(report.touched_memory_bytes);
    };
    GroupResult group_result =
        run_rounds(group, {rounds, before_each, [&scratch] { scratch.remove_new(); }});
    progress.clear();
    complain_of_failed_rows(experiment, group_result);
    if (has_results(group_result)) result.groups.push_back(std::move(group_result));
    if (interrupted_by() != 0) break;
  }
  return result;
}

// Prints each table as soon as its experiment is done. Stops if a signal asks for the end.
void run_experiments(const std::list<Declared>& all, Scratch& scratch, Report& report) {
  Progress progress;
  std::size_t number = 0;
  for (const Declared& declared : all) {
    if (interrupted_by() != 0) break;
    const std::string label = fmt::format("[{}/{}]", ++number, all.size());
    ExperimentResult result = run_experiment(declared.experiment, report, scratch, label, progress);
    progress.clear();
    if (result.groups.empty() && result.error.empty())
      break;  // interrupted before the first result
    write_output(table_of(result));
    report.experiments.push_back(std::move(result));
  }
  report.interrupted = interrupted_by() != 0;
}

bool has_failures(const Report& report) {
  return std::ranges::any_of(report.experiments, [](const ExperimentResult& experiment) {
    const auto failed = [](const Row& row) { return !row.error.empty(); };
    return !experiment.error.empty() ||
           std::ranges::any_of(experiment.groups, [&](const GroupResult& group) {
             return std::ranges::any_of(group.rows, failed);
           });
  });
}

void expect_inputs(const Request& request, const std::vector<Choice>& choices) {
  if (!request.html_file.empty()) html::expect_charts();
  if (!request.json_file.empty()) expect_writable(request.json_file);
  if (!request.html_file.empty()) expect_writable(request.html_file);
  if (!request.text_file.empty()) expect_readable(request.text_file);
  for (const Choice& choice : choices) {
    if (!choice.replay_file.empty()) expect_readable(choice.replay_file);
  }
}

void write_files(const Request& request, const Report& report) {
  if (request.json_file.empty() && request.html_file.empty()) return;
  const std::string json = json_of(report);
  if (!request.json_file.empty()) write_text(request.json_file, json);
  if (request.html_file.empty()) return;
  const std::string title = "sluice bench: " + report.directory;
  write_text(request.html_file, html::page(title, json, html::Kind::bench));
}

}  // namespace

int run(const Request& request, std::span<const RegisteredExperiment> known,
        const std::vector<std::string>& libraries_left_out) {
  if (request.list) return list(request, known, libraries_left_out);
  const std::vector<Choice> choices = choose(request, known);
  expect_inputs(request, choices);
  const InterruptWatch watch;
  Report report;
  {
    Scratch scratch(request.directory);
    const std::list<Declared> all = declare(choices, request, scratch.path());
    expect_room_for(all, request.directory);
    report = begin_report(request);
    report.libraries_left_out = libraries_left_out;
    write_output(table_heading(report));
    tell_of_other_sizes(all);
    run_experiments(all, scratch, report);
  }
  if (!report.experiments.empty()) write_output(summary_of(report));
  write_files(request, report);
  if (report.interrupted) {
    complain("sluice bench",
             fmt::format("ended by signal {}{}", interrupted_by(),
                         report.experiments.empty()
                             ? " before a round was complete"
                             : "; the results above have every round that was complete"));
    return 128 + interrupted_by();
  }
  return has_failures(report) ? 1 : 0;
}

}  // namespace sluice::bench
