#include "trace/profile/merging.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>

#include "preload/trace/log.h"
#include "trace/costs/call_set.h"
#include "trace/costs/switch_cost.h"
#include "trace/costs/write_cost.h"
#include "trace/logs/sparse_file.h"
#include "trace/profile/missing_work.h"
#include "trace/profile/symbols.h"
#include "trace/profile/waiting.h"

namespace sluice::trace {
namespace {

namespace fs = std::filesystem;

// The number of processes that came after the last one with a log.
std::uintmax_t left_out(const Record& record) {
  std::error_code unknown;
  const std::uintmax_t count = fs::file_size(record.logs + "/" + preload::count_of_logs, unknown);
  return unknown || count < preload::max_logs ? 0 : count - preload::max_logs;
}

void note_left_out(const std::vector<Record>& records, Profile& profile) {
  std::uintmax_t count = 0;
  for (const Record& record : records) count += left_out(record);
  profile.processes_left_out = count;
  if (count == 0) return;
  profile.problems.push_back(fmt::format(
      "{} processes (counting each program that a process became) are not in this report: "
      "only the first {} are recorded",
      count, preload::max_logs));
}

void note_missing_ranks(const std::vector<Record>& records, Profile& profile) {
  std::set<unsigned> missing;
  for (unsigned rank = 0; rank < records.front().ranks; ++rank) missing.insert(rank);
  for (const Record& record : records) {
    if (record.rank) missing.erase(*record.rank);
  }
  if (missing.empty()) return;
  const std::size_t listed = std::min<std::size_t>(missing.size(), 10);
  profile.problems.push_back(fmt::format(
      "The job has {} ranks, and this report lacks {} of them: {}{}. A rank is missing if its "
      "sluice trace was killed, or if it ran on another machine (then see --merge)",
      records.front().ranks, missing.size(),
      fmt::join(missing.begin(), std::next(missing.begin(), static_cast<std::ptrdiff_t>(listed)),
                ", "),
      listed < missing.size() ? ", ..." : ""));
}

std::vector<unsigned> ranks_with(const std::vector<Record>& records,
                                 const std::function<bool(const Record&)>& is_one) {
  std::vector<unsigned> ranks;
  for (const Record& record : records) {
    if (record.rank && is_one(record)) ranks.push_back(*record.rank);
  }
  return ranks;
}

// The launcher ends these ranks as soon as the report is there.
void note_ranks_that_ran_on(const std::vector<Record>& records, Profile& profile) {
  const auto running = ranks_with(records, [](const Record& of) { return of.still_runs; });
  const auto failed = ranks_with(records, [](const Record& of) { return of.wait_status != 0; });
  if (running.empty() || failed.empty()) return;
  profile.problems.push_back(fmt::format(
      "This report was made when rank {} had failed: {} {} still ran", fmt::join(failed, ", "),
      running.size() == 1 ? "rank" : "ranks", fmt::join(running, ", ")));
}

// Records of an earlier run may still be in the folder of --merge.
void note_repeated_ranks(const std::vector<Record>& records, Profile& profile) {
  std::map<unsigned, std::size_t> counts;
  for (const Record& record : records) {
    if (record.rank) ++counts[*record.rank];
  }
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& of_rank) { return of_rank.second; });
  if (most == counts.end() || most->second < 2) return;
  profile.problems.push_back(fmt::format(
      "Rank {} has {} records, and this report adds them up. If they are of several runs, remove "
      "the folder before each run",
      most->first, most->second));
}

// What the commands of one machine have used of its processors.
struct Machine {
  ProcessorTimes before;
  ProcessorTimes after;
  double processors = 1;
};

std::map<std::string, Machine> machines_of(const std::vector<Record>& records) {
  std::map<std::string, Machine> machines;
  for (const Record& record : records) {
    const auto [known, is_new] = machines.try_emplace(record.machine);
    Machine& machine = known->second;
    const double own_s = record.after.own_s - record.before.own_s;
    const double sum_s = machine.after.own_s - machine.before.own_s + own_s;
    if (is_new || record.before.total_s < machine.before.total_s) machine.before = record.before;
    if (is_new || record.after.total_s > machine.after.total_s) machine.after = record.after;
    machine.after.own_s = machine.before.own_s + sum_s;
    machine.processors = record.processors;
  }
  return machines;
}

// The values of the machine that was disturbed most, and of the one that had least idle processors.
void note_machines(std::map<std::string, Machine> machines, double running_s, Profile& profile) {
  profile.idle_processors = 0;
  for (bool is_first = true; auto& [name, machine] : machines) {
    machine.after.own_s += running_s;
    const Disturbance seen = disturbance_between(machine.before, machine.after);
    profile.disturbance.others = std::max(profile.disturbance.others, seen.others);
    profile.disturbance.host = std::max(profile.disturbance.host, seen.host);
    const double idle = idle_processors_between(machine.before, machine.after, machine.processors);
    profile.idle_processors = is_first ? idle : std::min(profile.idle_processors, idle);
    is_first = false;
  }
}

// A log has the times of its machine's own clock.
void add_logs(const Record& record, const Record& first, CallCosts& costs, Symbols& symbols,
              Profile& profile) {
  const bool is_elsewhere = record.machine != first.machine;
  const std::int64_t later_ns =
      is_elsewhere ? record.to_time_of_day_ns - first.to_time_of_day_ns : 0;
  costs.set_tick_s(record.tick_s);
  SparseFile log;
  for (const std::string& file : files_of(record)) {
    if (!file.ends_with(".log")) continue;
    const std::size_t known = profile.processes.size();
    add_log(profile, file, costs, symbols, log);
    if (profile.processes.size() == known) continue;
    profile.processes.back().machine = record.machine;
    profile.moments.back().start_ns += static_cast<std::uint64_t>(later_ns);
  }
}

bool are_of_this_machine(const std::vector<Record>& records) {
  const std::string here = record_of_this_machine().machine;
  return std::ranges::all_of(records, [&](const Record& record) { return record.machine == here; });
}

// When a rank fails, the launcher ends the other ranks by these signals.
bool may_be_ended_by_launcher(int wait_status) {
  return WIFSIGNALED(wait_status) &&
         (WTERMSIG(wait_status) == SIGTERM || WTERMSIG(wait_status) == SIGKILL);
}

// The first failure, but rather that of a rank that failed by itself.
int worse_of(int first, int second) {
  if (second == 0) return first;
  const bool is_cause = may_be_ended_by_launcher(first) && !may_be_ended_by_launcher(second);
  return first == 0 || is_cause ? second : first;
}

// Each measurement takes some milliseconds.
void measure_extractions(Profile& profile) {
  int files_left = 5;
  constexpr std::uint64_t least_bytes = 1 << 20;
  for (const Use& use : profile.uses) {
    const File& file = profile.files[use.file];
    if (!profile.sites[use.site].by_extraction || use.amount.bytes < least_bytes) continue;
    if (!S_ISREG(file.kind) || profile.extraction_costs.contains(use.file)) continue;
    if (files_left-- == 0) return;
    const std::optional<ExtractionCost> cost = measured_extraction_cost(file.name);
    if (cost) profile.extraction_costs.emplace(use.file, *cost);
  }
}

// True if the cost of the stream's calls bears on the advice, see stream_rules.cc.
bool calls_stream_often(const Profile& profile, const Use& use) {
  constexpr std::uint64_t least_bytes = 1 << 20;
  const Site& site = profile.sites[use.site];
  const bool is_often = site.by_bytes || site.piece_bytes > 0 || use.amount.paired_calls > 0;
  return site.by_iostream && is_often && use.amount.bytes >= least_bytes;
}

bool writes_often(const Use& use) {
  constexpr std::uint64_t often = 1'000;
  return all_writes.contains(use.call) && use.amount.system_calls >= often;
}

}  // namespace

std::vector<std::string> files_of(const Record& record) {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(record.logs, ignored)) {
    files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

Profile profile_of(const std::vector<Record>& records) {
  const Record& first = records.front();
  Profile profile{.command = first.command, .not_covered = first.not_covered};
  CallCosts costs;
  Symbols symbols;
  double processor_s = 0;
  bool covers_children = true;
  for (const Record& record : records) {
    profile.wait_status = worse_of(profile.wait_status, record.wait_status);
    profile.still_runs = profile.still_runs || record.still_runs;
    profile.wall_s = std::max(profile.wall_s, record.wall_s);
    processor_s += record.processor_s;
    covers_children = covers_children && record.covers_children && record.not_covered.empty();
    add_logs(record, first, costs, symbols, profile);
  }
  if (std::ranges::any_of(profile.processes, waits_often)) profile.switch_s = measured_switch_s();
  const bool is_here = are_of_this_machine(records);
  if (is_here) measure_extractions(profile);
  const auto calls_often = [&](const Use& use) { return calls_stream_often(profile, use); };
  if (is_here && std::ranges::any_of(profile.uses, calls_often)) {
    profile.stream_costs = measured_stream_costs();
  }
  if (is_here && std::ranges::any_of(profile.uses, writes_often)) {
    profile.write_s = measured_write_s();
  }
  note_left_out(records, profile);
  note_missing_ranks(records, profile);
  note_ranks_that_ran_on(records, profile);
  note_repeated_ranks(records, profile);
  const double running_s = is_here ? note_running(profile) : 0;
  note_machines(machines_of(records), running_s, profile);
  note_unseen_calls(profile);
  note_unseen_kernel_work(profile);
  note_unseen_waits(profile);
  // Processes of several machines may have the same number.
  if (covers_children) note_missing_work(profile, is_here ? processor_s : 0);
  return profile;
}

}  // namespace sluice::trace
