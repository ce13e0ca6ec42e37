// Rules about the whole program, not about a single call site.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/costs/call_set.h"

namespace sluice::trace {

namespace {

constexpr double min_overlap_share = 0.2;
constexpr double min_block_bytes = 4096;

// Two times between the first and the last write of a process with one thread: the time of writing,
// and the time outside of its calls. Before the first write there is nothing to write, and after
// the last write there is no work that could overlap with writing. A call belongs to the moment in
// which it began. Its time after the end of that moment belongs to the next moment.
struct Turns {
  double writing_s = 0;
  double computing_s = 0;

  void add(const ProcessMoments& process) {
    const auto writes = [](const Moment& moment) { return moment.written_bytes > 0; };
    const auto& all = process.moments;
    const auto first = std::find_if(all.begin(), all.end(), writes);
    const auto end = std::find_if(all.rbegin(), all.rend(), writes).base();
    const double moment_s = static_cast<double>(process.moment_ns) * 1e-9;
    double left_s = 0;
    for (auto moment = first; moment < end; ++moment) {
      if (writes(*moment)) writing_s += moment->time.system_s + moment->time.sleep_s;
      left_s += moment->time.total_s();
      // Leaves out the first and the last moment, because only a part of them lies between the two
      // writes.
      if (moment != first && moment + 1 != end) computing_s += std::max(0.0, moment_s - left_s);
      left_s = std::max(0.0, left_s - moment_s);
    }
  }
};

Turns turns_of(const Profile& profile) {
  Turns turns;
  for (std::size_t i = 0; i < profile.processes.size(); ++i) {
    if (profile.processes[i].several_threads) continue;
    turns.add(profile.moments[i]);
    turns.writing_s -= profile.processes[i].queued_s;  // waited for a processor
  }
  return turns;
}

double block_writing_s(const Profile& profile, const Use& use) {
  if (!all_writes.contains(use.call)) return 0;
  if (!S_ISREG(profile.files[use.file].kind)) return 0;
  if (average_system_bytes(use.amount) < min_block_bytes) return 0;
  return use.amount.time.system_s + use.amount.time.sleep_s;
}

template <typename Measure>
std::size_t largest_use(const Profile& profile, Measure measure) {
  std::size_t largest = 0;
  for (std::size_t i = 1; i < profile.uses.size(); ++i) {
    if (measure(profile.uses[i]) > measure(profile.uses[largest])) largest = i;
  }
  return largest;
}

template <typename Measure>
double sum_of_uses(const Profile& profile, Measure measure) {
  double sum = 0;
  for (const Use& use : profile.uses) sum += measure(use);
  return sum;
}

}  // namespace

// Computing and writing take turns, although the writes could go on while the program computes. The
// thread that writes needs a processor, and not one that others use.
std::optional<Advice> overlap_possible(const Profile& profile) {
  const auto writing = [&](const Use& use) { return block_writing_s(profile, use); };
  const Turns turns = turns_of(profile);
  const double writing_s = std::min(sum_of_uses(profile, writing), turns.writing_s);
  const double saved_s = std::min(writing_s, turns.computing_s);
  if (saved_s <= 0 || saved_s < min_overlap_share * profile.wall_s) return std::nullopt;
  if (profile.idle_processors * profile.wall_s < saved_s) return std::nullopt;
  return Advice{
      .kind = kinds::overlap,
      .saved_s = saved_s,
      .use = largest_use(profile, writing),
      .seen = fmt::format("{:.3f} s of writing and {:.3f} s of everything else, in turns; "
                          "{:.1f} processors were idle",
                          writing_s, turns.computing_s, profile.idle_processors),
      .why =
          "The program waits while its bytes are written, and no bytes are written while the "
          "program computes.",
      .fix =
          "Let another thread write a full block while the program fills the next one. "
          "sluice::Writer does this.",
      .check = "the same command: it ends sooner",
      .least_saved_s = 0,  // two threads at once may wait for the same memory
  };
}

// Touching a mapped page that is not in memory waits for the disk, one page or a few at a time.
std::optional<Advice> cold_mapped_files(const Profile& profile) {
  const auto cold = [](const Use& use) { return static_cast<double>(use.amount.cold_bytes); };
  const double cold_bytes = sum_of_uses(profile, cold);
  if (cold_bytes == 0) return std::nullopt;
  double saved_s = 0;
  double waiting_s = 0;
  double reading_s = 0;
  std::uint64_t faults = 0;
  for (const Process& process : profile.processes) {
    saved_s += std::max(0.0, process.fault_wait_s - process.cold_read_s);
    waiting_s += process.fault_wait_s;
    reading_s += process.cold_read_s;
    faults += process.major_faults;
  }
  return Advice{
      .kind = kinds::cold_mapping,
      .saved_s = saved_s,
      .use = largest_use(profile, cold),
      .seen = fmt::format(
          "{} of mapped files were not in memory; {} page faults waited {:.3f} s for the disk",
          format_bytes(static_cast<std::uint64_t>(cold_bytes)), format_count(faults), waiting_s),
      .why =
          fmt::format("Each fault reads a little and waits for it. Reading the first megabytes in "
                      "sequence showed that the whole would take {:.3f} s.",
                      reading_s),
      .fix =
          "Call madvise(MADV_WILLNEED) for the pages that the program will touch, or read the file "
          "in large pieces: by fread with a large buffer, sluice::Reader or sluice::read_file.",
      .check = "the same command under sluice trace, the file not in memory: fewer page faults",
  };
}

}  // namespace sluice::trace
