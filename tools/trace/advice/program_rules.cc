// Rules about the whole program, not about a single call site.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/costs/call_set.h"

namespace sluice::trace {

using preload::Call;

namespace {

constexpr double min_block_bytes = 4096;

// Two times between the first and the last write of a process with one thread: the time of its
// calls, and the time outside of its calls. Calls do not count in a moment in which the process
// reads but does not write. Before the first write there is nothing to write, and after the last
// write there is no work that could overlap with writing. A call belongs to the moment in which it
// began. Its time after the end of that moment belongs to the next moment.
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
      if (writes(*moment) || moment->read_bytes == 0)
        writing_s += moment->time.system_s + moment->time.sleep_s;
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

// A sync waits until the disk has the bytes, and on file systems such as ext4 a renaming does. Such
// calls count only for files and processes that write blocks.
constexpr CallSet waits_for_blocks = {Call::fsync, Call::fdatasync, Call::sync_file_range,
                                      Call::rename};

// The time of writing blocks to files, as far as another thread could spend it.
class BlockWriting {
 public:
  explicit BlockWriting(const Profile& profile) : profile_(profile) {
    for (const Use& use : profile.uses) {
      if (!writes_blocks(use)) continue;
      files_.insert(use.file);
      for (const auto& [place, thread] : use.threads) processes_.insert(place);
      add(use);
    }
    for (const Use& use : profile.uses) {
      const bool waits = use.call == Call::rename ? is_of_writer(use) : files_.contains(use.file);
      if (waits_for_blocks.contains(use.call) && waits) add(use);
    }
  }

  double total_s() const { return total_s_; }
  double waiting_s() const { return waiting_s_; }        // a part of it
  double syncs_wait_s() const { return syncs_wait_s_; }  // a part of that

  // The call that takes most of it.
  std::size_t largest_use() const { return largest_; }

 private:
  bool is_of_writer(const Use& use) const {
    return std::ranges::any_of(
        use.threads, [&](const auto& thread) { return processes_.contains(thread.first); });
  }

  bool writes_blocks(const Use& use) const {
    return all_writes.contains(use.call) && S_ISREG(profile_.files[use.file].kind) &&
           average_system_bytes(use.amount) >= min_block_bytes;
  }

  void add(const Use& use) {
    const double use_s = use.amount.time.system_s + use.amount.time.sleep_s;
    if (use_s > largest_s_) largest_ = static_cast<std::size_t>(&use - profile_.uses.data());
    largest_s_ = std::max(largest_s_, use_s);
    total_s_ += use_s;
    waiting_s_ += use.amount.time.sleep_s;
    if (waits_for_blocks.contains(use.call)) syncs_wait_s_ += use.amount.time.sleep_s;
  }

  const Profile& profile_;
  std::set<std::size_t> files_;
  std::set<int> processes_;  // in Profile::processes, counted from 1
  double total_s_ = 0;
  double waiting_s_ = 0;
  double syncs_wait_s_ = 0;
  double largest_s_ = 0;
  std::size_t largest_ = 0;
};

}  // namespace

// Computing and writing take turns, although the writes could go on while the program computes. The
// thread that writes needs a processor, and not one that others use. While it waits for the disk it
// needs none, so the saving is more certain.
std::optional<Advice> overlap_possible(const Profile& profile) {
  constexpr double min_share = 0.2;
  constexpr double min_share_of_waiting = 0.1;
  const BlockWriting writing(profile);
  const Turns turns = turns_of(profile);
  const double writing_s = std::min(writing.total_s(), turns.writing_s);
  const double saved_s = std::min(writing_s, turns.computing_s);
  const double waiting_s = std::min(writing.waiting_s(), saved_s);
  const bool is_much =
      saved_s >= min_share * profile.wall_s || waiting_s >= min_share_of_waiting * profile.wall_s;
  if (saved_s <= 0 || !is_much) return std::nullopt;
  if (profile.idle_processors * profile.wall_s < saved_s) return std::nullopt;
  const bool syncs = 2 * writing.syncs_wait_s() >= writing.total_s();
  return Advice{
      .kind = kinds::overlap,
      .saved_s = saved_s,
      .use = writing.largest_use(),
      .seen = fmt::format("{:.3f} s of writing and {:.3f} s of everything else, in turns; "
                          "{:.1f} processors were idle",
                          writing_s, turns.computing_s, profile.idle_processors),
      .why =
          "The program waits while its bytes are written, and no bytes are written while the "
          "program computes.",
      .fix = syncs ? "Let another thread write the bytes and wait for the disk while the program "
                     "computes. The thread needs a copy of what the program changes meanwhile. "
                     "What may happen only after the sync, such as an answer to somebody else, "
                     "waits for this thread."
                   : "Let another thread write a full block while the program fills the next one. "
                     "sluice::Writer does this.",
      .check = "the same command: it ends sooner",
      // Two threads at once may wait for the same memory, and for the same disk.
      .least_saved_s = std::min(writing.syncs_wait_s(), saved_s) / 2,
  };
}

// Touching a mapped page that is not in memory waits for the disk, one page or a few at a time.
std::optional<Advice> cold_mapped_files(const Profile& profile) {
  const auto cold = [](const Use& use) { return use.amount.cold_bytes; };
  std::uint64_t cold_bytes = 0;
  for (const Use& use : profile.uses) cold_bytes += cold(use);
  if (cold_bytes == 0) return std::nullopt;
  const auto largest = std::ranges::max_element(profile.uses, {}, cold);
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
      .use = static_cast<std::size_t>(largest - profile.uses.begin()),
      .seen = fmt::format(
          "{} of mapped files were not in memory; {} page faults waited {:.3f} s for the disk",
          format_bytes(cold_bytes), format_count(faults), waiting_s),
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
