#include "run/report.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <array>
#include <iterator>
#include <nlohmann/json.hpp>

#include "command_line/output.h"
#include "command_line/quantity.h"

namespace sluice::run {
namespace {

using Json = nlohmann::ordered_json;
using preload::Counters;
using preload::EndOfHolding;
using preload::NotHeld;

struct CounterName {
  const char* name;
  std::uint64_t Counters::*counter;
};

constexpr CounterName counter_names[] = {
    {"streams", &Counters::streams},
    {"answered_writes", &Counters::fast_writes},
    {"passed_on_writes", &Counters::slow_writes},
    {"answered_reads", &Counters::fast_reads},
    {"passed_on_reads", &Counters::slow_reads},
    {"answered_seeks", &Counters::fast_seeks},
    {"passed_on_seeks", &Counters::slow_seeks},
    {"flushes", &Counters::flushes},
    {"coalesced_writes", &Counters::held_writes},
    {"saved_system_calls", &Counters::saved_calls},
    {"programs_out_of_reach", &Counters::out_of_reach},
};

// The reasons that are counted in calls. A call may have several reasons, or none of these.
constexpr CounterName not_answered[] = {
    {"unbuffered_calls", &Counters::unbuffered_calls},
    {"compiled_calls", &Counters::compiled_calls},
};

Counters total_of(const std::vector<Counters>& processes) {
  Counters total;
  for (const Counters& process : processes) {
    for (const CounterName& name : counter_names) total.*name.counter += process.*name.counter;
    for (const CounterName& name : not_answered) total.*name.counter += process.*name.counter;
    total.standard_writes += process.standard_writes;
    for (std::size_t i = 0; i < std::size(total.openings_not_held); ++i) {
      total.openings_not_held[i] += process.openings_not_held[i];
    }
  }
  return total;
}

void add_counters(Json& json, const Counters& counters) {
  for (const CounterName& name : counter_names) json[name.name] = counters.*name.counter;
}

// Adds "name": 3 for each place of the table that is not 0.
template <typename Values, typename Names>
Json named(const Values& values, const Names& names) {
  Json json = Json::object();
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (values[i] != 0) json[names[i].name] = values[i];
  }
  return json;
}

struct Reason {
  const char* name;  // in JSON
  const char* text;
};

constexpr Reason ends_of_holding[] = {
    {"none", ""},
    {"thread", "started a thread"},
    {"handler", "installed a signal handler"},
    {"timer", "set a timer"},
    {"request", "made an asynchronous request"},
    {"memory", "shared memory with another process"},
    {"own_call", "made a system call that may end the process or start a thread"},
    {"descriptor", "opened a descriptor above 1,023"},
    {"mappings", "mapped more than 64 files"},
    {"watch", "watched files or folders (inotify, fanotify)"},
};
static_assert(std::size(ends_of_holding) == static_cast<std::size_t>(EndOfHolding::count));

constexpr Reason not_held[] = {
    {"append", "opened with O_APPEND"},
    {"synchronous", "opened with O_SYNC, O_DSYNC or O_DIRECT"},
    {"readable", "opened for reading too"},
    {"special",
     "not a regular file with one name, or in a file system of which sluice\n"
     "              does not know that writes only store bytes"},
    {"shared", "shared with another descriptor, a stream or a mapping"},
    {"stream", "a stream of stdio, whose system calls the C library makes itself"},
    {"process",
     "open when another process may have got it: the program started one, or sent a\n"
     "              message or made a system call of its own"},
    {"flags", "given other flags by fcntl"},
    {"lone", "written by single writes, each of which another call followed"},
};
static_assert(std::size(not_held) == static_cast<std::size_t>(NotHeld::count));

using Ends = std::array<std::uint64_t, std::size(ends_of_holding)>;  // processes
Ends ends_in(const std::vector<Counters>& processes) {
  Ends ends{};
  for (const Counters& process : processes) {
    const auto end = static_cast<std::size_t>(process.end_of_holding);
    if (end != 0 && end < ends.size()) ++ends[end];
  }
  return ends;
}

// What was coalesced, and the reasons why writes were not, one reason on each line.
std::string coalescing_text(const std::vector<Counters>& processes, const Counters& total) {
  std::string text =
      fmt::format("  coalesced   {} of write\n", format_count(total.held_writes, "call"));
  const Ends ends = ends_in(processes);
  for (std::size_t i = 1; i < ends.size(); ++i) {
    if (ends[i] == 0) continue;
    text += fmt::format("  coalescing  ended early: {} {}\n",
                        format_count(ends[i], "process", "es"), ends_of_holding[i].text);
  }
  for (std::size_t i = 0; i < std::size(not_held); ++i) {
    const std::uint64_t openings = total.openings_not_held[i];
    if (openings == 0) continue;
    text += fmt::format("  not coalesced  {} a file was {}\n", format_count(openings, "time"),
                        not_held[i].text);
  }
  if (total.standard_writes > 0) {
    text += fmt::format(
        "  not coalesced  {} of write to standard output or standard error: the processes\n"
        "              there may wait for the bytes\n",
        format_count(total.standard_writes, "call"));
  }
  return text +
         "              (Only calls that the program, or std::ofstream, makes itself can be "
         "coalesced,\n              not the writes of a FILE.)\n";
}

// "answered 1,234 calls, passed 2 on to the C library"
std::string share(std::uint64_t answered, std::uint64_t passed_on) {
  if (answered + passed_on == 0) return "no calls counted";
  return fmt::format("answered {}, passed {} on to the C library", format_count(answered, "call"),
                     format_count(passed_on));
}

constexpr char what_is_counted[] =
    "              Counted are fwrite, fputs, puts, fread, fgets, getline, fseek and their kin, "
    "and\n"
    "              those calls of putc and getc that were passed on; while the program had one\n"
    "              thread. Neither counted nor accelerated are printf, scanf and wide characters\n"
    "              (the C library does their work), and what is compiled into the program\n"
    "              (putc_unlocked, getc_unlocked, streams of C++ that have a buffer of their "
    "own)\n";

std::uint64_t processes_with_locks(const std::vector<Counters>& processes) {
  std::uint64_t count = 0;
  for (const Counters& process : processes) count += process.has_locked ? 1 : 0;
  return count;
}

// A flush ends the filling of a buffer. It costs nothing to speak of if a buffer was filled before.
std::string flushes_text(const Counters& total, const std::optional<IoCounts>& io) {
  constexpr std::uint64_t few = 100;
  constexpr std::uint64_t buffer_bytes = 4096;
  if (total.flushes < few || !io) return "";
  const std::uint64_t bytes = io->written_bytes / total.flushes;
  if (bytes >= buffer_bytes) return "";
  return fmt::format(
      "  because     the program called fflush {} times, on average after {} bytes or fewer\n",
      format_count(total.flushes), bytes);
}

// The reasons why calls of stdio were not answered, one reason after the other.
std::string passed_on_text(const Outcome& outcome, const Counters& total) {
  std::string text;
  if (const std::uint64_t count = processes_with_locks(outcome.processes); count > 0) {
    text += fmt::format(
        "  because     {} had several threads. From then on the C library got all calls\n"
        "              that take a stream's lock. If no two threads use one stream at the same\n"
        "              time, --unlocked accelerates them\n",
        format_count(count, "process", "es"));
  }
  if (total.unbuffered_calls > 0) {
    text += fmt::format(
        "  because     {} used streams that are unbuffered, or line-buffered and written to\n"
        "              (a terminal, setvbuf, the program's choice)\n",
        format_count(total.unbuffered_calls, "call"));
  }
  text += flushes_text(total, outcome.ended.io);
  if (total.compiled_calls > 0) {
    text += fmt::format(
        "  because     putc_unlocked or getc_unlocked is compiled into the program; {} of its "
        "calls\n"
        "              needed the C library\n",
        format_count(total.compiled_calls));
  }
  return text;
}

Json not_answered_of(const Counters& total, const std::vector<Counters>& processes) {
  Json json = Json::object();
  if (const std::uint64_t count = processes_with_locks(processes); count > 0) {
    json["processes_with_threads"] = count;
  }
  for (const CounterName& name : not_answered) {
    if (total.*name.counter > 0) json[name.name] = total.*name.counter;
  }
  return json;
}

std::string ending(int wait_status) {
  if (WIFSIGNALED(wait_status)) return fmt::format("ended by signal {}", WTERMSIG(wait_status));
  return fmt::format("exit code {}", WEXITSTATUS(wait_status));
}

std::string kernel_text(const IoCounts& io) {
  return fmt::format(
      "  to kernel   {} reads of {} and {} writes of {}, as the kernel counts them.\n"
      "              They include the calls that start the programs, and one write of 4K for each\n"
      "              process\n",
      format_count(io.reads), format_bytes_short(io.read_bytes), format_count(io.writes),
      format_bytes_short(io.written_bytes));
}

Json json_of(const std::optional<IoCounts>& io, std::uint64_t saved) {
  if (!io) return nullptr;
  return {{"reads", io->reads},
          {"writes", io->writes},
          {"read_bytes", io->read_bytes},
          {"written_bytes", io->written_bytes},
          {"saved", saved}};
}

}  // namespace

std::string summary_of(const Outcome& outcome) {
  std::string text =
      fmt::format("sluice run: {}: {:.3f} s, {}\n", on_one_line(outcome.command.front()),
                  outcome.ended.wall_s, ending(outcome.ended.wait_status));
  if (!outcome.not_accelerated.empty()) {
    return text + fmt::format("  not accelerated: {}\n", outcome.not_accelerated);
  }
  if (outcome.processes.empty()) {
    return text +
           "  It is not known which calls were accelerated, because no process could keep a log.\n"
           "  The folder of the logs (/dev/shm, or TMPDIR if it is set) may be full, or somebody "
           "has\n"
           "  emptied it: set TMPDIR to another folder. Or the size of a file is limited (ulimit "
           "-f)\n";
  }
  const Counters total = total_of(outcome.processes);
  text += fmt::format("  processes   {}\n", outcome.processes.size());
  if (outcome.processes_without_counts > 0) {
    text += fmt::format(
        "  not counted {}: the folder of the logs (/dev/shm, or TMPDIR if it is set) was full,\n"
        "              or a signal ended the process at its start\n",
        format_count(outcome.processes_without_counts, "process", "es"));
  }
  text += fmt::format("  streams     {} opened\n", format_count(total.streams));
  text += fmt::format("  writes      {}\n", share(total.fast_writes, total.slow_writes));
  text += fmt::format("  reads       {}\n", share(total.fast_reads, total.slow_reads));
  text += fmt::format("  seeks       {}\n", share(total.fast_seeks, total.slow_seeks));
  text += what_is_counted;
  text += passed_on_text(outcome, total);
  if (total.out_of_reach > 0) {
    text += fmt::format(
        "  not reached {}, not accelerated or not counted: another user, other rights,\n"
        "              another root folder or mounts, or no free descriptor; a static program, or "
        "one\n"
        "              for another C library or processor, or with the address sanitizer; or "
        "popen\n"
        "              in a program with several threads\n",
        format_count(total.out_of_reach, "program"));
  }
  if (outcome.coalesce) text += coalescing_text(outcome.processes, total);
  if (outcome.ended.io) text += kernel_text(*outcome.ended.io);
  text +=
      fmt::format("  saved       {}, inferred\n", format_count(total.saved_calls, "system call"));
  return text;
}

std::string json_of(const Outcome& outcome) {
  Json json;
  json["schema"] = schema;
  json["command"] = outcome.command;
  const int status = outcome.ended.wait_status;
  json["exit_code"] = WIFSIGNALED(status) ? Json(nullptr) : Json(WEXITSTATUS(status));
  json["signal"] = WIFSIGNALED(status) ? Json(WTERMSIG(status)) : Json(nullptr);
  json["wall_s"] = outcome.ended.wall_s;
  json["not_accelerated"] =
      outcome.not_accelerated.empty() ? Json(nullptr) : Json(outcome.not_accelerated);
  const Counters total = total_of(outcome.processes);
  json["system_calls"] = json_of(outcome.ended.io, total.saved_calls);
  add_counters(json["total"], total);
  json["total"]["not_answered"] = not_answered_of(total, outcome.processes);
  json["total"]["not_coalesced"] = named(total.openings_not_held, not_held);
  if (total.standard_writes > 0) {
    json["total"]["not_coalesced"]["standard_writes"] = total.standard_writes;
  }
  json["total"]["ends_of_coalescing"] = named(ends_in(outcome.processes), ends_of_holding);
  json["processes"] = Json::array();
  for (const Counters& process : outcome.processes) {
    Json entry = {{"process", process.process}, {"program", std::string(process.program)}};
    add_counters(entry, process);
    json["processes"].push_back(std::move(entry));
  }
  json["processes_without_counts"] = outcome.processes_without_counts;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sluice::run
