#include "trace/advice/slower_readers.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "trace/costs/call_set.h"

namespace sluice::trace {
namespace {

struct Ends {
  std::set<int> writers{};  // places in Profile::processes, counted from 1
  std::set<int> readers{};
  double readers_wait_s = 0;
};

std::map<std::size_t, Ends> ends_of_pipes(const Profile& profile) {
  std::map<std::size_t, Ends> pipes;
  for (const Use& use : profile.uses) {
    const File& file = profile.files[use.file];
    if (!S_ISFIFO(file.kind) || file.is_many) continue;
    const bool reads = all_reads.contains(use.call);
    if (!reads && !all_writes.contains(use.call) && use.call != preload::Call::fflush) continue;
    Ends& ends = pipes[use.file];
    for (const auto& [place, thread] : use.threads) {
      (reads ? ends.readers : ends.writers).insert(place);
    }
    if (reads) ends.readers_wait_s += use.amount.time.sleep_s;
  }
  return pipes;
}

// (Both limits are estimates: a reader also waits for the first bytes, and starts and ends.)
bool has_busy_reader(const Profile& profile, const Ends& ends) {
  constexpr double nearly_all = 0.85;
  constexpr double next_to_none = 0.03;
  if (ends.readers.size() != 1) return false;
  const int place = *ends.readers.begin();
  if (ends.writers.contains(place)) return false;  // its threads wake each other
  const Process* const reader = process_at(profile, place);
  return reader != nullptr && reader->ended &&
         reader->processor_s() + reader->queued_s >= nearly_all * profile.wall_s &&
         ends.readers_wait_s <= next_to_none * profile.wall_s;
}

}  // namespace

void leave_out_what_waits_for_readers(const Profile& profile, std::vector<Advice>& all) {
  if (all.empty()) return;
  std::set<int> held;
  for (const auto& [file, ends] : ends_of_pipes(profile)) {
    if (has_busy_reader(profile, ends)) held.insert(ends.writers.begin(), ends.writers.end());
  }
  if (held.empty()) return;
  const auto is_held = [&](std::size_t use) {
    const auto& threads = profile.uses[use].threads;
    return std::ranges::all_of(threads, [&](const auto& of) { return held.contains(of.first); });
  };
  std::erase_if(all, [&](const Advice& advice) {
    return !advice.uses.empty() && std::ranges::all_of(advice.uses, is_held);
  });
}

}  // namespace sluice::trace
