#include "trace/report/own_buffers.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <set>

#include "trace/costs/call_set.h"
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

// The file whose reads have most of the program's work between them. Empty if there is none.
std::string read_between_work(const Profile& profile, const Runtime& runtime, double user_s) {
  constexpr std::uint64_t several_buffers = 8;
  for (const Use& use : profile.uses) {
    if (!all_reads.contains(use.call) || use.amount.calls < several_buffers) continue;
    if (use.amount.work_before_s < user_s / 2) continue;
    if (runtime_of_stack(profile.sites[use.site].frames).name != runtime.name) continue;
    return shown_file(profile.files[use.file].name);
  }
  return "";
}

// The trace cannot tell bytes from lines there.
std::string single_bytes_text(const std::string& file) {
  if (file.empty()) return "";
  return fmt::format(
      " Most of its work lies between its reads of {}: if the program takes single bytes or "
      "characters from there, lines or the whole file at once may save much of it.",
      file);
}

}  // namespace

std::string own_buffers_text(const Profile& profile) {
  constexpr double least_s = 0.05;
  for (std::size_t site = 0; site < profile.sites.size(); ++site) {
    const Runtime& runtime = runtime_of_stack(profile.sites[site].frames);
    if (runtime.profiler.empty()) continue;  // asked first: the sum looks at all uses
    const double user_s = user_s_at(profile, site);
    if (user_s < least_s) continue;
    return fmt::format(
        "  {} has buffers of its own, and no trace sees the calls that stay there.{} Where {} "
        "itself takes its time, {} shows.\n",
        runtime.name, single_bytes_text(read_between_work(profile, runtime, user_s)), runtime.name,
        runtime.profiler);
  }
  return "";
}

}  // namespace sluice::trace
