// Rules about waiting for the disk after each record.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/places/runtime.h"
#include "trace/profile/timeline.h"

namespace sluice::trace {

using preload::Call;

namespace {

// If there are more bytes than this for each write, writing the bytes takes most of the time.
constexpr double large_log_bytes = 65536;

// Small records can be gathered up to this size before the program waits for the disk.
constexpr double gathered_bytes = 1 << 20;

constexpr std::uint64_t many_syncs = 10;

constexpr CallSet syncs_of_a_file = {Call::fsync, Call::fdatasync, Call::sync_file_range};
constexpr CallSet syncs_of_all_files = {Call::sync, Call::syncfs};

double written_to_all_files(const Situation& at) {
  double bytes = 0;
  for (std::size_t file = 0; file < at.profile.files.size(); ++file) {
    bytes += static_cast<double>(at.written_to(file).system_bytes);
  }
  return bytes;
}

// At most so many bytes of mapped memory were changed for each call: the first change of a page
// after a sync is a page fault. A killed process has not counted its faults.
double changed_bytes(const Situation& at) {
  const auto page_bytes = static_cast<double>(::sysconf(_SC_PAGESIZE));
  std::set<int> places;
  for (const auto& [place, thread] : at.use.threads) places.insert(place);
  double bytes = 0;
  for (const int place : places) {
    const Process* const process = process_at(at.profile, place);
    if (process == nullptr || !process->ended) return average_bytes(at.amount);
    bytes += page_bytes * static_cast<double>(process->minor_faults);
  }
  return std::min(average_bytes(at.amount), per(bytes, at.amount.calls));
}

double bytes_of_a_sync(const Situation& at) {
  if (at.use.call == Call::msync) return changed_bytes(at);
  if (at.is(syncs_of_all_files)) {
    std::uint64_t syncs = 0;
    for (const Use& use : at.profile.uses) {
      if (syncs_of_all_files.contains(use.call)) syncs += use.amount.calls;
    }
    return per(written_to_all_files(at), syncs);
  }
  const std::uint64_t syncs = at.calls_of_file(syncs_of_a_file);
  return per(static_cast<double>(at.written_to_file().system_bytes), syncs);
}

// "one file; on average a sync took 2.31 ms, and 32 bytes were written for it"
std::string syncs_text(const Situation& at, double piece) {
  const bool is_mapped = at.use.call == Call::msync;
  const double ms = per(at.amount.time.total_s() * 1e3, at.amount.calls);
  return fmt::format("{}; on average a sync took {:.2f} ms, {} {:.0f} {}",
                     is_mapped                   ? "mapped memory"
                     : at.is(syncs_of_all_files) ? "all files"
                                                 : "one file",
                     ms, is_mapped ? "for at most" : "and", piece,
                     is_mapped ? "changed bytes" : "bytes were written for it");
}

// A call that another one can take the place of.
std::string other_sync(const Situation& at) {
  const char* const name = name_of(at.use.call);
  if (at.is(syncs_of_all_files)) {
    return fmt::format("{} waits for the files of all programs: sync the one file, by fdatasync. ",
                       name);
  }
  if (at.use.call != Call::sync_file_range) return "";
  return fmt::format("{} makes no record durable: fdatasync does. ", name);
}

}  // namespace

std::optional<Advice> sync_after_each(const Situation& at) {
  if (!at.is(syncs_of_a_file | syncs_of_all_files | Call::msync)) return std::nullopt;
  if (at.amount.calls < many_syncs || at.file.is_many) return std::nullopt;
  const SumOfCalls syncs = at.of_file(syncs_of_a_file | syncs_of_all_files | Call::msync);
  const double piece = bytes_of_a_sync(at);
  if (piece > gathered_bytes) return std::nullopt;
  const double share = per(static_cast<double>(at.amount.calls), syncs.calls);
  const double flushes_s =
      at.syncs_after_flushes() ? share * at.of_file({Call::fflush}).time.total_s() : 0;
  const double syncs_s = at.amount.time.total_s();
  const double gathered = 1 - piece / gathered_bytes;  // the bytes themselves take the rest
  const double left_out = gathered * (1 - 1 / static_cast<double>(at.amount.calls));
  return Advice{
      .kind = {"sync-after-each"},
      .saved_s = (syncs_s + flushes_s * share_of_calls(piece)) * left_out,
      .use = at.index,
      .seen = fmt::format("{} syncs of {}", format_count(at.amount.calls), syncs_text(at, piece)),
      .why = fmt::format("The program waits for the disk each time.{}",
                         flushes_s > 0 ? " Each sync also needs a flush of the stream." : ""),
      .fix = fmt::format(
          "{}Sync once at the end, or let several records share one sync{}. That changes what "
          "survives a power cut. In sluice these are Durability::on_close and sluice::Journal.",
          other_sync(at), flushes_s > 0 ? "; and flush only before a sync" : ""),
      .check = "the same command with the last sync only",
      .least_saved_s = (syncs_s + flushes_s * least_share_of_writes(piece)) * left_out,
  };
}

// Writes to a file that was opened with O_SYNC or O_DSYNC, directly or by a stream.
std::optional<Advice> synchronous_writes(const Situation& at) {
  const bool writes =
      at.writes_directly() || at.writes_to_stream() || at.is({Call::fflush, Call::fclose});
  if (!writes || (at.file.flags & (O_SYNC | O_DSYNC)) == 0) return std::nullopt;
  const double piece = average_system_bytes(at.amount);
  if (at.amount.system_calls < many_syncs || piece > large_log_bytes) return std::nullopt;
  return Advice{
      .kind = kinds::synchronous_writes,
      .saved_s = at.amount.time.total_s() * (1 - piece / gathered_bytes),
      .use = at.index,
      .seen = fmt::format("{} writes of {:.1f} bytes to a file opened with O_SYNC or O_DSYNC",
                          format_count(at.amount.system_calls), piece),
      .why = "Every write waits for the disk.",
      .fix =
          "Gather records before they are written, or open the file without O_SYNC and O_DSYNC and "
          "call fsync once at the end. That changes what survives a power cut. In sluice these are "
          "a Writer and Durability::on_close.",
      .check = "the same command with larger writes",
  };
}

namespace {

constexpr std::uint64_t many_files = 10;

// The syncs of files that are synced a few times each.
struct SyncsOfFiles {
  std::uint64_t files = 0;
  std::uint64_t syncs = 0;
  double syncs_s = 0;
  double bytes = 0;  // written to these files
  std::vector<std::size_t> uses{};

  explicit SyncsOfFiles(const Profile& profile) {
    std::map<std::size_t, std::uint64_t> by_file;
    for (const Use& use : profile.uses) {
      if (makes_durable(profile, use)) by_file[use.file] += use.amount.calls;
    }
    std::erase_if(by_file, [&](const auto& file) {
      return file.second >= many_syncs && !profile.files[file.first].is_many;
    });
    for (const auto& [file, count] : by_file) files += profile.files[file].is_many ? count : 1;
    for (std::size_t i = 0; i < profile.uses.size(); ++i) {
      const Use& use = profile.uses[i];
      if (!by_file.contains(use.file)) continue;
      if (writing_calls.contains(use.call)) {
        bytes += static_cast<double>(use.amount.system_bytes);
      }
      if (!makes_durable(profile, use)) continue;
      syncs += use.amount.calls;
      syncs_s += use.amount.time.total_s();
      uses.push_back(i);
    }
  }

  // A database knows when its files have to be durable.
  static bool makes_durable(const Profile& profile, const Use& use) {
    return CallSet{Call::fsync, Call::fdatasync}.contains(use.call) &&
           S_ISREG(profile.files[use.file].kind) &&
           runtime_of_stack(profile.sites[use.site].frames).kind != Runtime::Kind::database;
  }
};

}  // namespace

// A program makes many small files, and waits for the disk for each of them.
std::optional<Advice> syncs_of_many_files(const Profile& profile) {
  constexpr double least_share = 0.5;  // one sync of all files writes their bytes too
  const SyncsOfFiles all(profile);
  const double piece = per(all.bytes, all.syncs);
  if (all.files < many_files || piece > gathered_bytes) return std::nullopt;
  const std::size_t largest = *std::ranges::max_element(
      all.uses, {}, [&](std::size_t use) { return profile.uses[use].amount.time.total_s(); });
  const double at_once = threads_at_once(profile);
  const double saved_s =
      all.syncs_s * (1 - piece / gathered_bytes) * (1 - per(1, all.syncs)) / at_once;
  const Runtime& runtime = runtime_of_stack(profile.sites[profile.uses[largest].site].frames);
  return Advice{
      .kind = {"synced-files"},
      .saved_s = saved_s,
      .use = largest,
      .seen = fmt::format("{} syncs of {} files; on average a sync took {:.2f} ms, and {} were "
                          "written for it",
                          format_count(all.syncs), format_count(all.files),
                          per(all.syncs_s * 1e3, all.syncs),
                          format_bytes(static_cast<std::uint64_t>(piece))),
      .why =
          "The program waits for the disk for each file. One sync of all files writes the same "
          "bytes, and waits once: the lower end of the prediction is half of the time.",
      .fix =
          "Leave the syncs out for files that can be made again, such as a cache (in `dd`, leave "
          "out "
          "`conv=fsync`). Else write all files first, and then sync once: by `syncfs` of their "
          "file system, which also waits for what other programs have written there, or by "
          "`sync -f` in a shell. A file that takes the name of another one by a rename has to be "
          "renamed after this sync. That changes what survives a power cut. Or keep many records "
          "in one file.",
      .check = "the same command under sluice trace: fewer syncs",
      .runtime = std::string(runtime.name),
      .is_of_language = runtime.kind == Runtime::Kind::language,
      .least_saved_s = least_share * saved_s,
      .files = static_cast<std::size_t>(all.files),
      .uses = all.uses,
      .at_once = at_once,
  };
}

}  // namespace sluice::trace
