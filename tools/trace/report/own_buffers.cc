#include "trace/report/own_buffers.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>

#include "command_line/output.h"
#include "trace/advice/situation.h"
#include "trace/costs/call_set.h"
#include "trace/logs/unseen_calls.h"
#include "trace/places/place.h"
#include "trace/places/runtime.h"

namespace sluice::trace {
namespace {

// The user time of the processes that make a call at this site.
double user_s_at(const Profile& profile, std::size_t site) {
  std::set<int> places;
  for (const Use& use : profile.uses) {
    if (use.site != site) continue;
    for (const auto& [place, thread] : use.threads) places.insert(place);
  }
  double sum_s = 0;
  for (const int place : places) {
    const Process* const process = process_at(profile, place);
    if (process != nullptr) sum_s += process->user_s;
  }
  return sum_s;
}

// Work of a language between its calls on one kind of file.
struct Between {
  CallSet calls;
  bool (*is_of)(const File& file);
  const char* hint;  // {0} is the language, {1} is the file
};

bool is_packed(const File& file) { return is_compressed(file) || file.name.ends_with(".zip"); }

// The trace sees neither the bytes that a program takes from a language's buffer nor the pieces
// that it gives to a language's compression. The gain by a BufferedWriter:
// docs/measured/python-gzip-lines.txt.
// Threads also wake each other by reads, of an eventfd.
bool has_lines(const File& file) {
  return S_ISREG(file.kind) || S_ISFIFO(file.kind) || S_ISSOCK(file.kind) || S_ISCHR(file.kind);
}

constexpr const char* of_compression =
    "  Most of the work of {0} lies between its writes to {1}. If the program compresses each "
    "line by itself there, larger pieces may save much of it (Python: io.BufferedWriter around "
    "the file).\n";
constexpr Between known_work[] = {
    {all_reads, has_lines,
     "  Most of the work of {0} lies between its reads of {1}. A program that takes single bytes "
     "or characters from there may save much of it by lines, or by the whole file at once; a "
     "program that takes lines has nothing to change.\n"},
    {all_writes, [](const File& file) { return S_ISREG(file.kind) && !is_packed(file); },
     "  Most of the work of {0} lies between its writes to {1}. A program that writes single "
     "values or characters there may save much of it by one write for many of them.\n"},
};

constexpr std::uint64_t several_buffers = 8;

bool has_most_work_before(const Profile& profile, const Use& use, const Runtime& runtime,
                          double user_s) {
  return use.amount.calls >= several_buffers && use.amount.work_before_s >= user_s / 2 &&
         runtime_of_stack(profile.sites[use.site].frames).name == runtime.name;
}

bool is_by(const Runtime& runtime, const Profile& profile, const Use& use) {
  return runtime_of_stack(profile.sites[use.site].frames).name == runtime.name;
}

// A program that compresses what it reads does so before the next read or write, whichever comes
// first. So its work is that before both.
double work_before_all_s(const Profile& profile, const Runtime& runtime) {
  double sum_s = 0;
  for (const Use& use : profile.uses) {
    const bool moves = all_reads.contains(use.call) || all_writes.contains(use.call);
    if (moves && is_by(runtime, profile, use)) sum_s += use.amount.work_before_s;
  }
  return sum_s;
}

std::string hint_about_compression(const Profile& profile, const Runtime& runtime, double user_s) {
  for (const Use& use : profile.uses) {
    const File& file = profile.files[use.file];
    if (!all_writes.contains(use.call) || use.amount.calls < several_buffers) continue;
    if (!is_packed(file) || !is_by(runtime, profile, use)) continue;
    if (work_before_all_s(profile, runtime) < user_s / 2) return "";
    return fmt::format(fmt::runtime(of_compression), runtime.name, shown_file(file.name));
  }
  return "";
}

// Empty if the program's work does not lie between calls of one kind.
std::string hint_about(const Profile& profile, const Runtime& runtime, double user_s) {
  const std::string of_packed = hint_about_compression(profile, runtime, user_s);
  if (!of_packed.empty()) return of_packed;
  for (const Use& use : profile.uses) {
    const File& file = profile.files[use.file];
    for (const Between& each : known_work) {
      if (!each.calls.contains(use.call) || !each.is_of(file)) continue;
      if (!has_most_work_before(profile, use, runtime, user_s)) continue;
      return fmt::format(fmt::runtime(each.hint), runtime.name, shown_file(file.name));
    }
  }
  return "";
}

constexpr double least_s = 0.05;

double bytes_moved_by(const Profile& profile, const Process& process) {
  double bytes = 0;
  for (const Use& use : profile.uses) {
    const bool moves = all_reads.contains(use.call) || all_writes.contains(use.call);
    if (moves && first_process_of(profile, use) == &process) {
      bytes += static_cast<double>(use.amount.bytes);
    }
  }
  return bytes;
}

// A stream for each line or record took 0.40 to 0.50 us longer than the same conversions by
// std::from_chars or std::to_chars, and 0.20 to 0.26 us longer than one stream that is used again
// (docs/measured/amd-zen4-string-stream-per-line.txt). The lines were of 21 bytes.
std::string hint_about_string_streams(const Profile& profile) {
  constexpr double line_bytes = 21;
  constexpr double line_s = 0.5e-6;
  constexpr double noticeable_share = 0.2;
  for (const Process& process : profile.processes) {
    const double own_s = process.user_s - process.time.copying_s;
    if (own_s < std::max(least_s, process.user_s / 2)) continue;
    const auto found = std::ranges::find_if(process.unseen_calls, is_of_string_streams);
    if (found == process.unseen_calls.end()) continue;
    const double lines = bytes_moved_by(profile, process) / line_bytes;  // looks at all uses
    if (lines * line_s < noticeable_share * own_s) continue;
    return fmt::format(
        "  Most of the work of {0} lies between its calls of I/O, and its code has a {1}. If {0} "
        "makes a new one for each line or record, this may take much of the time: one {1} for all "
        "of them, set anew by `clear()` and `str(...)`, would be faster, and std::from_chars and "
        "std::to_chars even more so.\n",
        on_one_line(std::filesystem::path(process.program).filename().string()), *found);
  }
  return "";
}

}  // namespace

OwnBuffers own_buffers_of(const Profile& profile) {
  for (std::size_t site = 0; site < profile.sites.size(); ++site) {
    const Runtime& runtime = runtime_of_stack(profile.sites[site].frames);
    if (runtime.profiler.empty()) continue;  // asked first: the sum looks at all uses
    const double user_s = user_s_at(profile, site);
    if (user_s < least_s) continue;
    return {hint_about(profile, runtime, user_s),
            fmt::format("  {0} has buffers of its own, and no trace sees the calls that stay "
                        "there. Where {0} itself takes its time, {1} shows.\n",
                        runtime.name, runtime.profiler)};
  }
  return {hint_about_string_streams(profile), ""};
}

}  // namespace sluice::trace
