// Temporary files of many names, each of which a program writes and reads again itself.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <vector>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/places/runtime.h"
#include "trace/profile/timeline.h"

namespace sluice::trace {

using preload::Call;

namespace {

constexpr double many_files = 100;

// What a file was used for.
struct Contents {
  const Use* writer = nullptr;  // the first one
  double written_bytes = 0;
  double read_bytes = 0;  // by the process that writes
  double closings = 0;

  void add_writes(const Use& use) {
    if (!all_writes.contains(use.call)) return;
    if (writer == nullptr) writer = &use;
    written_bytes += static_cast<double>(use.amount.bytes);
  }

  // All writes are known by now.
  void add_others(const Use& use) {
    const auto bytes = static_cast<double>(use.amount.bytes);
    const bool is_own = writer != nullptr && use.shares_a_process_with(*writer);
    if (all_reads.contains(use.call) && is_own) read_bytes += bytes;
    if (use.call == Call::close || use.call == Call::fclose) {
      closings += static_cast<double>(use.amount.calls);
    }
  }

  // The files for which a log had no room may be of several kinds: standard output is one of them.
  bool is_temporary(const File& file) const {
    const bool may_be_regular = S_ISREG(file.kind) || (file.is_many && file.kind == 0);
    const bool is_left = file.remains && !file.is_many;
    return may_be_regular && !is_left && closings > 0 && written_bytes > 0 &&
           read_bytes >= 0.9 * written_bytes && read_bytes <= 1.1 * written_bytes;
  }
};

std::vector<Contents> contents_of_files(const Profile& profile) {
  std::vector<Contents> all(profile.files.size());
  for (const Use& use : profile.uses) all[use.file].add_writes(use);
  for (const Use& use : profile.uses) all[use.file].add_others(use);
  return all;
}

// All calls on the temporary files of a program, and those that remove files.
struct Temporary {
  double files = 0;
  double known_files = 0;  // those that have an entry of their own
  double bytes = 0;
  double removed = 0;
  double renamed = 0;
  double calls_s = 0;
  double removing_s = 0;
  double between_s = 0;  // the work before these calls, in which the files are made
  std::vector<std::size_t> uses{};

  explicit Temporary(const Profile& profile) {
    const std::vector<Contents> contents = contents_of_files(profile);
    for (std::size_t i = 0; i < contents.size(); ++i) {
      if (!contents[i].is_temporary(profile.files[i])) continue;
      files += profile.files[i].is_many ? contents[i].closings : 1;
      if (!profile.files[i].is_many) ++known_files;
      bytes += contents[i].read_bytes;
    }
    for (std::size_t i = 0; i < profile.uses.size(); ++i) {
      const Use& use = profile.uses[i];
      if (contents[use.file].is_temporary(profile.files[use.file])) add(use, i);
      if (use.call == Call::unlink) add_removals(use);
      if (use.call == Call::rename) renamed += static_cast<double>(use.amount.calls);
    }
  }

  void add(const Use& use, std::size_t index) {
    calls_s += use.amount.time.total_s();
    between_s += use.amount.work_before_s;
    uses.push_back(index);
  }

  void add_removals(const Use& use) {
    removed += static_cast<double>(use.amount.calls);
    removing_s += use.amount.time.total_s();
    between_s += use.amount.work_before_s;
  }

  // Files of tmpfile() are not removed by their names, and have a rule of their own. Of the files
  // without entries of their own, some may be written and others read: they alone tell nothing. A
  // file that was renamed stays, and the removed one is another file.
  bool are_many() const {
    return known_files >= many_files && removed >= 0.9 * files && renamed <= 0.1 * files;
  }

  // The call of which most is saved.
  std::size_t largest_of(const Profile& profile) const {
    return *std::ranges::max_element(
        uses, {}, [&](std::size_t use) { return profile.uses[use].amount.time.total_s(); });
  }
};

}  // namespace

// A program makes a file by mkstemp(), which no hook sees, writes it, reads it again and removes
// it, and does so for each item.
std::optional<Advice> temporary_files(const Profile& profile) {
  const Temporary all(profile);
  if (!all.are_many()) return std::nullopt;
  const std::size_t largest = all.largest_of(profile);
  const Runtime& runtime = Runtimes(profile).of(profile.uses[largest]);
  const std::string cure = cure_in(runtime, "temporary-files");
  const double at_once = threads_at_once(profile);
  const double removing_s = all.removing_s * std::min(1.0, all.files / all.removed);
  const double calls_s = (all.calls_s + removing_s) / at_once;
  const double between_s = all.between_s / at_once;
  return Advice{
      .kind = kinds::temporary_files,
      .saved_s = calls_s + between_s,
      .use = largest,
      .seen = fmt::format("{} temporary files; {} were written and read again, and the files were "
                          "removed",
                          format_count(static_cast<std::uint64_t>(all.files)),
                          format_bytes(static_cast<std::uint64_t>(all.bytes))),
      .why =
          "The program makes a file, writes it, reads it again itself, and removes it, many "
          "times. The work between these calls comes on top, in which the files are made: the "
          "upper end of the prediction includes all of it.",
      .fix = !cure.empty() ? cure
                           : "Keep the bytes in memory, and hand them over there. Where a function "
                             "wants a FILE, fmemopen and open_memstream make one of memory.",
      .check = "the same command under sluice trace: fewer files are written and removed",
      .runtime = std::string(runtime.name),
      .is_of_language = runtime.kind == Runtime::Kind::language,
      .is_of_options = !cure.empty() && runtime.kind == Runtime::Kind::command,
      .least_saved_s = calls_s,
      .by_runtime_s = between_s,
      .files = static_cast<std::size_t>(all.files),
      .uses = all.uses,
      .at_once = at_once,
  };
}

}  // namespace sluice::trace
