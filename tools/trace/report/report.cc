#include "trace/report/report.h"
#include "trace/costs/call_set.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "command_line/output.h"
#include "command_line/quantity.h"
#include "trace/places/place.h"
#include "trace/places/runtime.h"
#include "trace/profile/timeline.h"
#include "trace/report/calls_table.h"
#include "trace/report/own_buffers.h"
#include "trace/report/ranks_report.h"
#include "trace/report/stacks.h"

namespace sluice::trace {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_listed = 10;

std::vector<std::size_t> uses_by_time(const Profile& profile) {
  std::vector<std::size_t> order(profile.uses.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return profile.uses[a].amount.time.total_s() > profile.uses[b].amount.time.total_s();
  });
  return order;
}

std::vector<Amount> amounts_of_files(const Profile& profile) {
  std::vector<Amount> amounts(profile.files.size());
  for (const Use& use : profile.uses) amounts[use.file] += use.amount;
  return amounts;
}

// On a busy machine a write to memory seems to wait, because it waits for a processor. The kernel
// says only how long a whole process did, so the profile leaves out what is surely no other wait.
std::string queued_text(const Profile& profile, const Amount& total) {
  constexpr double noticeable_s = 0.010;
  double queued_s = 0;
  for (const Process& process : profile.processes) queued_s += process.queued_s;
  if (queued_s < noticeable_s || total.time.sleep_s + total.queued_s < noticeable_s) return "";
  const std::string text =
      fmt::format("  The program was ready to run for {:.3f} s, but had no processor. ", queued_s);
  if (total.queued_s < noticeable_s) return text + "The times of waiting may have a part of this\n";
  return text + fmt::format("The report leaves {:.3f} s of this out of the times of waiting\n",
                            total.queued_s);
}

std::string disturbance_text(const Profile& profile, const Amount& total) {
  constexpr double noticeable_s = 0.010;
  std::string text = fmt::format(
      "  Other programs and the machine's host used {:.0f} % of the processors' time meanwhile. "
      "The predictions are for a machine that has nothing else to do",
      (profile.disturbance.others + profile.disturbance.host) * 100);
  if (total.time.sleep_s < noticeable_s) return text + '\n';
  return text +
         ". Some calls waited for a processor, and not for their file. Where the trace cannot tell "
         "which, the prediction is a range\n";
}

std::string heading(const Profile& profile, const Amount& total) {
  const Time& time = total.time;
  std::string text = fmt::format(
      "sluice trace: {}: {:.3f} s; I/O time: {:.3f} s copying in stdio, {:.3f} s in system calls, "
      "{:.3f} s waiting\n",
      on_one_line(profile.command.front()), profile.wall_s, time.copying_s, time.system_s,
      time.sleep_s);
  if (profile.processes.size() > 1) {
    text += fmt::format("  {} processes; the I/O times are their sums\n", profile.processes.size());
  }
  return text + queued_text(profile, total);
}

std::string files_text(const Profile& profile, const Advice& advice) {
  const File& file = profile.files[profile.uses[advice.use].file];
  if (file.is_many) return "many files";
  const std::string name = shown_file(file.name);
  if (advice.files == 1 || looks_up(profile.uses[advice.use].call)) return name;
  return fmt::format("{} and {} other file{} likewise", name, format_count(advice.files - 1),
                     advice.files == 2 ? "" : "s");
}

std::string places_text(const Profile& profile, const Advice& advice) {
  const std::string place = place_of(profile.sites[profile.uses[advice.use].site]);
  if (advice.places == 1) return place;
  return fmt::format("{} and {} other place{}", place, format_count(advice.places - 1),
                     advice.places == 2 ? "" : "s");
}

std::string saving_text(const Advice& advice) {
  return range_text(advice.least_s(), advice.saved_s);
}

// Processes and threads at once share a saving, so it is not the sum of their times.
const char* by_the_clock(const Profile& profile, const Advice& advice) {
  return profile.processes.size() > 1 || advice.at_once > 1 ? " by the clock" : "";
}

// The place and the file. Advice about no call site has words of its own.
std::string about_text(const Profile& profile, const Advice& advice) {
  if (!advice.place.empty()) return advice.place;
  return fmt::format("{}, {}", places_text(profile, advice), files_text(profile, advice));
}

std::string advice_text(const Profile& profile, const Advice& advice, std::size_t number) {
  return fmt::format(
      "\n{}. {} could be saved: {}\n   seen   {}\n   why    {}\n   fix    {}\n   saves  "
      "{}{}, predicted; the traced program took {:.3f} s\n   check  {}\n",
      number, saving_text(advice), about_text(profile, advice), advice.seen, advice.why, advice.fix,
      saving_text(advice), by_the_clock(profile, advice), profile.wall_s, advice.check);
}

// Why predictions are ranges: each reason once, after the numbers of the advice that it is for.
std::string ranges_text(const std::vector<Advice>& advice) {
  std::vector<std::pair<std::string, std::string>> reasons;
  for (std::size_t i = 0; i < advice.size() && i < max_listed; ++i) {
    if (advice[i].range.empty()) continue;
    const auto known =
        std::ranges::find(reasons, advice[i].range, &std::pair<std::string, std::string>::first);
    if (known == reasons.end()) {
      reasons.emplace_back(advice[i].range, std::to_string(i + 1));
    } else {
      known->second += fmt::format(", {}", i + 1);
    }
  }
  std::string text = reasons.empty() ? "" : "\n";
  for (const auto& [reason, numbers] : reasons) text += fmt::format("{}: {}\n", numbers, reason);
  return text;
}

std::string ranks_text(const Profile& profile) {
  return ranks_text(profile, [&](const Use& use) { return use_text(profile, use); });
}

// The processes that worked on files for the longest time. A line for each, if there are several
// and their work took a time that somebody would notice.
std::string processes_text(const Profile& profile, const Amount& total) {
  constexpr double noticeable_s = 0.010;
  if (profile.processes.size() == 1 || total.time.total_s() < noticeable_s) return "";
  std::vector<const Process*> longest;
  for (const Process& process : profile.processes) longest.push_back(&process);
  std::ranges::stable_sort(longest, std::greater(),
                           [](const Process* of) { return of->time.total_s(); });
  std::string text = fmt::format("\n{:>9} {:>9} {:>9} {:>9}  {}\n", "copying s", "system s",
                                 "waiting s", "lasted s", "process");
  const std::size_t listed = std::min(longest.size(), max_listed);
  for (std::size_t i = 0; i < listed; ++i) {
    const Process& of = *longest[i];
    text += fmt::format("{:>9.4f} {:>9.4f} {:>9.4f} {:>9.4f}  {} {}{}\n", of.time.copying_s,
                        of.time.system_s, of.time.sleep_s, of.wall_s, of.number,
                        on_one_line(std::filesystem::path(of.program).filename().string()),
                        of.rank ? fmt::format(", rank {}", *of.rank) : "");
  }
  if (longest.size() > listed) {
    text += fmt::format("  and {} more; --json has them all\n", longest.size() - listed);
  }
  return text;
}

double waited_for_programs_s(const Profile& profile) {
  double sum_s = 0;
  for (const Use& use : profile.uses) {
    const std::uint32_t kind = profile.files[use.file].kind;
    if (S_ISFIFO(kind) || S_ISSOCK(kind)) sum_s += use.amount.time.sleep_s;
  }
  return sum_s;
}

// No rule may know a habit that takes much time, so the user gets to see the calls. On a busy
// machine the run takes longer than the time that the share is of. In a pipe or a socket a program
// waits for the work of another one.
std::string much_text(const Profile& profile, const Time& time) {
  constexpr double much = 0.1;
  constexpr double noticeable_s = 0.010;
  const double waited_s = waited_for_programs_s(profile);
  const double io_s = time.total_s() - waited_s;
  const double lasts_s = idle_machine_s(profile) * threads_at_once(profile) - waited_s;
  if (io_s < std::max(noticeable_s, much * lasts_s)) return "";
  return fmt::format(
             "  But the I/O time is {:.0f} % of the time that the program worked or waited for its "
             "files. These calls took most of it:\n",
             100 * std::min(1.0, io_s / lasts_s)) +
         calls_table(profile);
}

// The work that a hint is about may then take more time.
bool saves_little(const Profile& profile, const std::vector<Advice>& advice) {
  constexpr double little = 0.1;
  double sum_s = 0;
  for (const Advice& each : advice) sum_s += each.saved_s;
  return sum_s < little * idle_machine_s(profile);
}

// Without any advice. Readers stop at the first sentence, so a hint comes first.
std::string all_clear(const Profile& profile, const Amount& total) {
  const auto [hint, note] = own_buffers_of(profile);
  const bool is_all_seen = profile.problems.empty() && note.empty();
  const std::string clear =
      fmt::format("  {} noticeable time could be saved{}.\n", hint.empty() ? "No" : "Otherwise no",
                  is_all_seen ? "" : " in the work that was seen");
  return hint + clear + note + much_text(profile, total.time) + ranks_text(profile) +
         processes_text(profile, total);
}

Json json_of(const Time& time) {
  return {{"copying_s", time.copying_s}, {"system_s", time.system_s}, {"sleep_s", time.sleep_s}};
}

void add_amount(Json& json, const Amount& amount) {
  json["calls"] = amount.calls;
  json["copies"] = amount.copies;
  json["bytes"] = amount.bytes;
  json["failures"] = amount.failures;
  json["system_calls"] = amount.system_calls;
  json["system_bytes"] = amount.system_bytes;
  json["repeated"] = amount.repeated;
  json["in_a_row"] = amount.in_a_row;
  json["cold_bytes"] = amount.cold_bytes;
  json["work_before_s"] = amount.work_before_s;
  json["time"] = json_of(amount.time);
  json["sizes"] = Json::array();
  for (std::size_t i = 0; i < amount.sizes.size(); ++i) {
    if (amount.sizes[i] == 0) continue;
    json["sizes"].push_back({{"below_bytes", std::uint64_t{1} << i}, {"calls", amount.sizes[i]}});
  }
}

Json json_of(const Process& process) {
  return {{"process", process.number},
          {"parent", process.parent},
          {"program", process.program},
          {"wall_s", process.wall_s},
          {"rank", process.rank ? Json(*process.rank) : Json(nullptr)},
          {"machine", process.machine},
          {"user_s", process.user_s},
          {"system_s", process.system_s},
          {"queued_s", process.queued_s},
          {"voluntary_switches", process.voluntary_switches},
          {"barrier_waits", process.barrier_waits},
          {"started_threads", process.started_threads},
          {"connections", process.connections},
          {"time", json_of(process.time)},
          {"threads", process.threads},
          {"ended", process.ended},
          {"lost_calls", process.lost_calls}};
}

// A program makes calls for thousands of files by one stack.
Json stacks_json(const Profile& profile) {
  Json stacks = Json::array();
  for (const Site& site : profile.sites) {
    Json frames = Json::array();
    for (const Frame& frame : site.frames) {
      frames.push_back(
          {{"function", frame.function}, {"source", frame.source}, {"module", frame.module}});
    }
    stacks.push_back(std::move(frames));
  }
  return stacks;
}

Json files_of(const Profile& profile) {
  Json files = Json::array();
  const std::vector<Amount> amounts = amounts_of_files(profile);
  for (std::size_t i = 0; i < profile.files.size(); ++i) {
    const File& file = profile.files[i];
    Json entry = {{"name", file.name},
                  {"opens", file.opens},
                  {"size_bytes", file.size_bytes},
                  {"regular", S_ISREG(file.kind)}};
    add_amount(entry, amounts[i]);
    files.push_back(std::move(entry));
  }
  return files;
}

Json call_sites_of(const Profile& profile) {
  Json sites = Json::array();
  for (const std::size_t i : uses_by_time(profile)) {
    const Use& use = profile.uses[i];
    Json entry = {{"call", name_of(use.call)},
                  {"file", profile.files[use.file].name},
                  {"program", program_of(profile, use)}};
    add_amount(entry, use.amount);
    // A read from a pipe may return fewer bytes than stdio asked for, so stdio's buffer does not
    // show the number of reads.
    if (stream_reads.contains(use.call) && !S_ISREG(profile.files[use.file].kind)) {
      entry["system_calls_at_least"] = true;
    }
    entry["stack"] = use.site;
    sites.push_back(std::move(entry));
  }
  return sites;
}

Json timeline_json(const Profile& profile) {
  const Timeline timeline = timeline_of(profile.moments);
  const double moment_s = static_cast<double>(timeline.moment_ns) * 1e-9;
  Json moments = Json::array();
  for (std::size_t i = 0; i < timeline.moments.size(); ++i) {
    const Moment& moment = timeline.moments[i];
    Json entry = {{"at_s", static_cast<double>(i) * moment_s},
                  {"written_bytes", moment.written_bytes},
                  {"read_bytes", moment.read_bytes}};
    entry.update(json_of(moment.time));
    moments.push_back(std::move(entry));
  }
  return {{"moment_s", moment_s}, {"moments", std::move(moments)}};
}

// The indexes of these uses in the list of call sites.
Json indexes_of(const std::vector<std::size_t>& uses, const Profile& profile) {
  const std::set<std::size_t> wanted(uses.begin(), uses.end());
  const std::vector<std::size_t> order = uses_by_time(profile);
  Json indexes = Json::array();
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (wanted.contains(order[i])) indexes.push_back(i);
  }
  return indexes;
}

Json json_of(const std::optional<Computed>& computed) {
  if (!computed) return nullptr;
  return {{"kind", computed->kind},
          {"least_saved_s", computed->least_s},
          {"saved_s", computed->most_s}};
}

Json json_of(const Profile& profile, const Advice& advice) {
  const Use* const use = advice.place.empty() ? &profile.uses[advice.use] : nullptr;
  return {{"id", advice.kind.id},
          {"saved_s", advice.saved_s},
          {"least_saved_s", advice.least_s()},
          {"computed", json_of(advice.computed)},
          {"at_once", advice.at_once},
          {"place", use == nullptr ? advice.place : place_of(profile.sites[use->site])},
          {"file", use == nullptr ? "" : profile.files[use->file].name},
          {"files", advice.files},
          {"places", advice.places},
          {"call_sites", indexes_of(advice.uses, profile)},
          {"call", use == nullptr ? "" : name_of(use->call)},
          {"runtime", advice.runtime},
          {"seen", advice.seen},
          {"why", advice.range.empty() ? advice.why : advice.why + " " + advice.range},
          {"fix", advice.fix},
          {"check", advice.check},
          {"by", advice.by},
          {"run_saves_s", advice.by.empty() ? 0 : advice.run_saves_s.value_or(advice.saved_s)}};
}

}  // namespace

std::string range_text(double least_s, double most_s) {
  constexpr double noticeable = 0.05;
  constexpr double least_shown_s = 0.0005;
  if (least_s > (1 - noticeable) * most_s) return fmt::format("{:.3f} s", most_s);
  if (least_s < least_shown_s && most_s >= least_shown_s)
    return fmt::format("up to {:.3f} s", most_s);
  return fmt::format("{:.3f} to {:.3f} s", least_s, most_s);
}

std::string summary_of(const Profile& profile, const std::vector<Advice>& advice) {
  if (!profile.not_covered.empty()) {
    return fmt::format("sluice trace: {}: {:.3f} s; nothing was seen: {}\n",
                       on_one_line(profile.command.front()), profile.wall_s, profile.not_covered);
  }
  const Amount total = profile.total();
  std::string text = heading(profile, total);
  if (WIFSIGNALED(profile.wait_status)) {
    const int signal = WTERMSIG(profile.wait_status);
    text +=
        fmt::format("  The program was ended by signal {} ({}).\n", signal, ::strsignal(signal));
  }
  for (const std::string& problem : profile.problems) text += fmt::format("  {}\n", problem);
  if (profile.processes.empty() && profile.still_runs) {
    return text + "  nothing was seen: no process has begun a log so far\n";
  }
  if (profile.processes.empty()) {
    return text +
           "  nothing was seen: no process could keep a log. Is there room in the folder of the "
           "logs (/dev/shm, or TMPDIR if it is set)? Is the size of a file limited (ulimit -f)?\n";
  }
  if (advice.empty()) return text + all_clear(profile, total);
  if (is_disturbed(profile.disturbance)) text += disturbance_text(profile, total);
  if (saves_little(profile, advice)) text += own_buffers_of(profile).hint;
  for (std::size_t i = 0; i < advice.size() && i < max_listed; ++i) {
    text += advice_text(profile, advice[i], i + 1);
  }
  text += ranges_text(advice);
  return text + calls_table(profile) + ranks_text(profile) + processes_text(profile, total);
}

std::string json_of(const Profile& profile, const std::vector<Advice>& advice) {
  Json json;
  json["schema"] = schema;
  json["command"] = profile.command;
  const bool signalled = WIFSIGNALED(profile.wait_status);
  const bool exited = !signalled && !profile.still_runs;
  json["exit_code"] = exited ? Json(WEXITSTATUS(profile.wait_status)) : Json(nullptr);
  json["signal"] = signalled ? Json(WTERMSIG(profile.wait_status)) : Json(nullptr);
  json["wall_s"] = profile.wall_s;
  json["not_covered"] = profile.not_covered.empty() ? Json(nullptr) : Json(profile.not_covered);
  json["time"] = json_of(profile.time());
  json["processes"] = Json::array();
  for (const Process& process : profile.processes) json["processes"].push_back(json_of(process));
  json["files"] = files_of(profile);
  json["call_sites"] = call_sites_of(profile);
  json["stacks"] = stacks_json(profile);
  json["ranks"] = ranks_json(profile, [&](std::size_t use) {
    return indexes_of({use}, profile).front().get<std::size_t>();
  });
  json["timeline"] = timeline_json(profile);
  json["advice"] = Json::array();
  for (const Advice& each : advice) json["advice"].push_back(json_of(profile, each));
  json["problems"] = profile.problems;
  json["disturbance"] = {{"others", profile.disturbance.others},
                         {"host", profile.disturbance.host}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sluice::trace
