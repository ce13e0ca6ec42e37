// Files that a program moves: it copies each of them, and removes the one that it has read.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/places/runtime.h"
#include "trace/profile/timeline.h"

namespace sluice::trace {

using preload::Call;

namespace {

constexpr std::size_t many_files = 30;
constexpr double nearly_all = 0.9;

constexpr CallSet copies_in_kernel = {Call::sendfile, Call::copy_file_range};

// The bytes that one process has read from a file, or written to it. Places in Profile::processes
// are counted from 1.
struct Contents {
  static constexpr int several = -1;
  int process = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t written_bytes = 0;
  bool is_by_kernel = false;

  void add(const Use& use) {
    const std::uint64_t bytes = use.amount.bytes;
    for (const auto& [place, thread] : use.threads) {
      process = process == 0 || process == place ? place : several;
    }
    if (all_reads.contains(use.call)) read_bytes += bytes;
    if (all_writes.contains(use.call)) written_bytes += bytes;
    if (!copies_in_kernel.contains(use.call)) return;
    is_by_kernel = true;
    // The call counts for both files, and as a system call only for the written one.
    const bool is_of_source = use.amount.system_calls == 0;
    const bool is_of_both = !is_of_source && use.amount.system_calls < use.amount.calls;
    if (is_of_source || is_of_both) read_bytes += is_of_both ? bytes / 2 : bytes;
    if (!is_of_source) written_bytes += is_of_both ? bytes / 2 : bytes;
  }

  // The whole file was read once, and its name is gone.
  bool is_source(const File& file) const {
    return S_ISREG(file.kind) && file.is_gone && written_bytes == 0 && read_bytes > 0 &&
           read_bytes == file.size_bytes;
  }

  // All of the file was written.
  bool is_target(const File& file) const {
    return S_ISREG(file.kind) && file.remains && written_bytes > 0 &&
           written_bytes == file.size_bytes;
  }
};

// The files that one process has moved, and all calls on them.
class Moved {
 public:
  explicit Moved(const Profile& profile) : profile_(profile), contents_(profile.files.size()) {
    for (const Use& use : profile.uses) contents_[use.file].add(use);
    find_pairs();
    if (pairs_ < many_files || 2 * pairs_ < sources_) return;
    for (std::size_t i = 0; i < profile.uses.size(); ++i) add_call(i);
    add_files_without_entries();
    std::ranges::sort(uses_);
  }

  bool are_many() const { return !uses_.empty() && removed() >= nearly_all * moved_files(); }

  double moved_files() const { return static_cast<double>(pairs_) + others_; }
  std::uint64_t bytes() const { return bytes_; }
  const Time& time() const { return time_; }
  bool is_by_kernel() const { return is_by_kernel_; }
  const std::vector<std::size_t>& uses() const { return uses_; }

  // The work between these calls and before each removal, and what a language asks and sets for
  // each file by its name when it copies the file.
  double work_s() const {
    constexpr double most_for_each = 10;
    constexpr CallSet by_name =
        calls_that(preload::Does::look_up) | CallSet{Call::chmod, Call::chown, Call::utimensat};
    double sum_s = work_before_s_;
    for (const Use& use : profile_.uses) {
      if (!is_by_these(use)) continue;
      const double for_each = static_cast<double>(use.amount.calls) / moved_files();
      if (use.call == Call::unlink) sum_s += use.amount.work_before_s / std::max(1.0, for_each);
      const bool is_for_each = for_each >= nearly_all && for_each <= most_for_each;
      if (!by_name.contains(use.call) || !is_for_each) continue;
      sum_s += use.amount.time.total_s() + use.amount.work_before_s;
    }
    return sum_s;
  }

  // The call on a file with an entry of its own that takes most time.
  std::size_t largest() const {
    return *std::ranges::max_element(uses_, {}, [&](std::size_t index) {
      const Use& use = profile_.uses[index];
      return profile_.files[use.file].is_many ? 0 : use.amount.time.total_s();
    });
  }

 private:
  // A program that moves files opens both files of a pair, one after the other. The profile has the
  // files in the order of their first use.
  void find_pairs() {
    is_moved_.resize(contents_.size());
    std::map<int, std::size_t> last_of;  // a file that has no partner yet, by process
    for (std::size_t i = 0; i < contents_.size(); ++i) {
      const bool is_source = contents_[i].is_source(profile_.files[i]);
      if (!is_source && !contents_[i].is_target(profile_.files[i])) continue;
      if (is_source) ++sources_;
      const int process = contents_[i].process;
      const auto last = last_of.find(process);
      if (last != last_of.end() && are_pair(last->second, i)) {
        add_pair(last->second, i);
        last_of.erase(last);
      } else {
        last_of[process] = i;
      }
    }
  }

  // A file cannot be renamed into another file system.
  bool are_pair(std::size_t a, std::size_t b) const {
    const Contents& first = contents_[a];
    const Contents& second = contents_[b];
    return first.process != Contents::several && first.read_bytes == second.written_bytes &&
           first.written_bytes == second.read_bytes &&
           profile_.files[a].device == profile_.files[b].device;
  }

  void add_pair(std::size_t a, std::size_t b) {
    ++pairs_;
    bytes_ += contents_[a].read_bytes + contents_[b].read_bytes;
    is_by_kernel_ = is_by_kernel_ && contents_[a].is_by_kernel;
    is_moved_[a] = is_moved_[b] = true;
    processes_.insert(contents_[a].process);
  }

  void add_call(std::size_t index) {
    const Use& use = profile_.uses[index];
    if (!is_moved_[use.file]) return;
    add_use(index);
    places_.emplace(use.site, use.call);
  }

  void add_use(std::size_t index) {
    const Use& use = profile_.uses[index];
    uses_.push_back(index);
    time_ += use.amount.time;
    work_before_s_ += use.amount.work_before_s;
  }

  // The same calls on files for which a log had no room: if they read as much as they write, and
  // as many files are removed, these files are moved too.
  void add_files_without_entries() {
    Contents contents;
    double openings = 0;
    std::vector<std::size_t> calls;
    for (std::size_t i = 0; i < profile_.uses.size(); ++i) {
      const Use& use = profile_.uses[i];
      const bool is_like = places_.contains({use.site, use.call});
      if (!profile_.files[use.file].is_many || !is_like) continue;
      contents.add(use);
      calls.push_back(i);
      if (openings_of_files.contains(use.call)) openings += static_cast<double>(use.amount.calls);
    }
    const auto read = static_cast<double>(contents.read_bytes);
    const auto written = static_cast<double>(contents.written_bytes);
    const double others = std::ceil(openings / 2);
    const double files = moved_files() + others;
    const bool is_about_as_much = read >= nearly_all * written && written >= nearly_all * read;
    if (!is_about_as_much || removed() < nearly_all * files) return;
    others_ = others;
    bytes_ += contents.read_bytes;
    for (const std::size_t call : calls) add_use(call);
  }

  bool is_by_these(const Use& use) const {
    return std::ranges::all_of(
        use.threads, [&](const auto& thread) { return processes_.contains(thread.first); });
  }

  double removed() const {
    double sum = 0;
    for (const Use& use : profile_.uses) {
      if (use.call == Call::unlink && is_by_these(use)) {
        sum += static_cast<double>(use.amount.calls - use.amount.failures);
      }
    }
    return sum;
  }

  const Profile& profile_;
  std::vector<Contents> contents_;  // by file
  std::vector<bool> is_moved_;      // by file
  std::size_t sources_ = 0;
  std::size_t pairs_ = 0;
  double others_ = 0;  // pairs without entries of their own
  std::uint64_t bytes_ = 0;
  bool is_by_kernel_ = true;
  std::set<int> processes_;
  std::set<std::pair<std::size_t, Call>> places_;
  std::vector<std::size_t> uses_;
  Time time_;
  double work_before_s_ = 0;
};

}  // namespace

// A renaming takes about as long as a removal. So it takes the time of the removal that it saves,
// and the calls on both files are saved.
std::optional<Advice> moved_by_copy(const Profile& profile) {
  const Moved moved(profile);
  if (!moved.are_many()) return std::nullopt;
  const std::size_t largest = moved.largest();
  const Runtime& runtime = runtime_of_stack(profile.sites[profile.uses[largest].site].frames);
  const bool is_of_language = runtime.kind == Runtime::Kind::language;
  const std::string cure = cure_in(runtime, "moved-by-copy");
  const double at_once = threads_at_once(profile);
  const double calls_s = moved.time().total_s() / at_once;
  const double between_s = is_of_language ? moved.work_s() / at_once : 0;
  Advice advice{
      .kind = {"moved-by-copy"},
      .saved_s = calls_s + between_s,
      .use = largest,
      .seen = fmt::format("{} files; {} were copied to new files, and the old files were removed",
                          format_count(static_cast<std::uint64_t>(moved.moved_files())),
                          format_bytes(moved.bytes())),
      .why =
          "To move a file in this way, the program opens two files, makes one, reads and writes "
          "all bytes, and removes a file. A renaming changes only the names.",
      .fix = !cure.empty() ? cure
                           : "Move the file by rename (std::filesystem::rename): as long as both "
                             "folders lie in the same file system, no byte is copied. Only if it "
                             "fails with EXDEV, copy and remove. The file keeps its owner, mode "
                             "and times.",
      .check = "the same command under sluice trace: renamings, and hardly a file is opened",
      .runtime = std::string(runtime.name),
      .is_of_language = is_of_language,
      .least_saved_s = calls_s,
      .by_runtime_s = between_s,
      .files = static_cast<std::size_t>(moved.moved_files()),
      .uses = moved.uses(),
      .at_once = at_once,
  };
  if (!moved.is_by_kernel()) {
    advice.least_saved_s = 0;
    advice.fix = "If the program changes no byte: " + advice.fix;
    advice.why +=
        " The trace has seen that the new files have the sizes of the old ones, and not what is in "
        "them: a program that changes the bytes must write them.";
  }
  if (between_s > 0) {
    advice.why += fmt::format(
        " The work of {} itself between these calls comes on top, and so do its calls by the names "
        "of the files: the upper end of the prediction includes all of this.",
        runtime.name);
  }
  return advice;
}

}  // namespace sluice::trace
