#include "trace/advice/kept_files.h"

#include <fcntl.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <unordered_map>
#include <utility>

#include "trace/costs/call_set.h"

namespace sluice::trace {

using preload::Call;

namespace {

// A shell asks before each line whether its input is a terminal.
constexpr CallSet reads_or_seeks = all_reads | CallSet{Call::fseek, Call::lseek, Call::fstat};

double surely_s(const Advice& advice) { return advice.saved_s - advice.by_runtime_s; }

// A process that keeps a state in memory reads it there too.
void leave_out_readings_of_states(const Profile& profile, std::vector<Advice>& all) {
  std::unordered_multimap<std::size_t, const Use*> states;  // by file
  for (const Advice& advice : all) {
    const Use& use = profile.uses[advice.use];
    if (advice.kind.is(kinds::keeps_state)) states.emplace(use.file, &use);
  }
  std::erase_if(all, [&](const Advice& advice) {
    if (advice.kind != kinds::read_again) return false;
    const Use& reading = profile.uses[advice.use];
    const auto [first, end] = states.equal_range(reading.file);
    return std::any_of(first, end, [&](const auto& state) {
      return state.second->shares_a_process_with(reading);
    });
  });
}

// Advice about seeks that keeps the file, and advice about reading it again, tell of one cause. The
// one that surely saves more has the better words: the work on the bytes, or the seeks.
void leave_out_lesser_keepers(const Profile& profile, std::vector<Advice>& all) {
  std::vector<double> more_by_reads_s(profile.files.size());
  for (const Advice& advice : all) {
    double& more_s = more_by_reads_s[profile.uses[advice.use].file];
    if (advice.kind == kinds::read_again) {
      more_s += surely_s(advice);
    } else if (advice.keeps_file) {
      more_s -= surely_s(advice);
    }
  }
  std::erase_if(all, [&](const Advice& advice) {
    return advice.keeps_file && advice.kind != kinds::read_again &&
           more_by_reads_s[profile.uses[advice.use].file] > 0;
  });
}

// Larger reads and reads of bytes that are kept save the same calls. The way that surely saves
// more is told.
void leave_out_lesser_ways_to_read(const Profile& profile, std::vector<Advice>& all) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  std::vector<double> most_s(profile.uses.size(), none);
  for (const Advice& advice : all) {
    if (!advice.kind.is(kinds::fewer_reads)) continue;
    most_s[advice.use] = std::max(most_s[advice.use], surely_s(advice));
  }
  std::erase_if(all, [&](const Advice& advice) {
    return advice.kind.is(kinds::fewer_reads) && surely_s(advice) < most_s[advice.use];
  });
}

}  // namespace

void leave_out_what_is_kept(const Profile& profile, std::vector<Advice>& all) {
  leave_out_readings_of_states(profile, all);
  leave_out_lesser_keepers(profile, all);
  leave_out_lesser_ways_to_read(profile, all);
  std::unordered_map<std::size_t, Advice> keepers;  // the first for each file
  for (const Advice& advice : all) {
    if (advice.keeps_file) keepers.try_emplace(profile.uses[advice.use].file, advice);
  }
  const auto keeper_of = [&](const Advice& advice) -> const Advice* {
    const auto found = keepers.find(profile.uses[advice.use].file);
    return advice.keeps_file || found == keepers.end() ? nullptr : &found->second;
  };
  std::erase_if(all, [&](const Advice& advice) {
    return reads_or_seeks.contains(profile.uses[advice.use].call) && keeper_of(advice) != nullptr;
  });
  for (Advice& advice : all) {
    const File& file = profile.files[profile.uses[advice.use].file];
    const Advice* const keeper = keeper_of(advice);
    if (keeper == nullptr || !advice.kind.is(kinds::small_writes)) continue;
    if ((file.flags & O_ACCMODE) != O_RDWR) continue;
    Advice with_keeper = *keeper;  // the changes are made in memory too
    with_keeper.use = advice.use;
    with_keeper.saved_s = advice.saved_s;
    with_keeper.least_saved_s = advice.least_s();
    with_keeper.by_runtime_s = advice.by_runtime_s;
    if (keeper->run_saves_s) with_keeper.run_saves_s = 0;
    advice = std::move(with_keeper);
  }
}

}  // namespace sluice::trace
