#include "trace/advice/situation.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "command_line/quantity.h"
#include "trace/places/runtime.h"
#include "trace/profile/timeline.h"

namespace sluice::trace {

using preload::Call;

namespace {

// The fixed cost of a system call, as the number of bytes whose copy costs as much. A call that
// moves 4 KiB takes 1.6 times as long per byte as a call that moves very many bytes. In
// docs/measured/touched-bytes-*.json putc_unlocked, 4 KiB a call, takes 1.2 (tmpfs) to 2.1 times
// (ext4) the system time of raw write.
constexpr double call_costs_bytes = 0.6 * 4096;
constexpr double least_write_costs_bytes = 0.2 * 4096;

// Writes of 4 and 16 KiB to ext4 with large folios: a file system on a disk keeps books for each
// call. Writes of 10 KiB, which end inside of a page, took twice as much
// (docs/measured/amd-zen4-piece-sizes.txt). Older kernels keep these books for each page, and gain
// less. (btrfs and file systems on other machines are taken for such in memory.)
constexpr double most_write_costs_bytes = 4 * 4096;

// Reads of such pieces of a file in memory (the same source: 4.4 KB on tmpfs, and 8 to 9 on ext4).
constexpr double most_read_costs_bytes = 2 * 4096;

bool has_block_device(const File& file) { return S_ISREG(file.kind) && major(file.device) != 0; }

// As in FileAmounts::OfProcess.
double calls_that_end_holding(const Use& use) {
  constexpr CallSet others = {Call::mmap,     Call::msync,    Call::getdents,
                              Call::readlink, Call::realpath, Call::opendir};
  if (others.contains(use.call)) return 0;
  const bool always = use.call == Call::fprintf || use.call == Call::fflush;
  const std::uint64_t copies = always ? 0 : std::min(use.amount.copies, use.amount.calls);
  return static_cast<double>(use.amount.calls - copies);
}

}  // namespace

SumOfCalls& SumOfCalls::operator+=(const SumOfCalls& other) {
  calls += other.calls;
  bytes += other.bytes;
  system_calls += other.system_calls;
  system_bytes += other.system_bytes;
  paired_calls += other.paired_calls;
  last_piece_bytes += other.last_piece_bytes;
  far_calls += other.far_calls;
  time += other.time;
  work_before_s += other.work_before_s;
  return *this;
}

FileAmounts::FileAmounts(const Profile& profile)
    : profile_(profile),
      places_(profile.files.size() * functions),
      by_process_(profile.processes.size() + 1),
      openings_at_(profile.sites.size()),
      often_fails_at_(profile.sites.size()),
      opened_as_streams_(profile.files.size()) {
  for (const Use& use : profile.uses) {
    add_to_processes(use);
    if (openings_of_files.contains(use.call)) openings_at_[use.site] += use.amount.calls;
    if (use.call == Call::failed_open && use.amount.calls >= many_opens) {
      often_fails_at_[use.site] = true;
    }
    if (use.call == Call::writev && profile.sites[use.site].by_iostream) {
      stream_writes_[use.file].push_back(&use);
    }
    const bool opens_stream = use.call == Call::fopen && !profile.sites[use.site].by_iostream;
    if (opens_stream) opened_as_streams_[use.file] = true;
    std::uint32_t& place = places_[use.file * functions + static_cast<std::size_t>(use.call)];
    if (place == 0) {
      calls_.push_back({.only = &use});
      place = static_cast<std::uint32_t>(calls_.size());
      continue;
    }
    Calls& calls = calls_[place - 1];
    if (calls.only != nullptr) {
      calls.several = std::make_unique<Several>(Several{calls.sum(), calls.threads()});
      calls.only = nullptr;
    }
    calls.several->sum += use.amount;
    calls.several->threads.insert(use.threads.begin(), use.threads.end());
  }
}

// Each thread has its share of the calls.
void FileAmounts::add_to_processes(const Use& use) {
  const bool writes = use.call == Call::write || use.call == Call::writev;
  const double calls = writes ? static_cast<double>(use.amount.calls) : calls_that_end_holding(use);
  for (const auto& [place, thread] : use.threads) {
    const auto index = static_cast<std::size_t>(place);
    if (index >= by_process_.size()) by_process_.resize(index + 1);
    OfProcess& process = by_process_[index];
    (writes ? process.writes : process.ends_of_holding) += per(calls, use.threads.size());
  }
}

FileAmounts::OfProcess FileAmounts::beside(const Use& use) const {
  OfProcess sum;
  int last = -1;
  for (const auto& [place, thread] : use.threads) {
    if (place == last) continue;
    last = place;
    sum.writes += by_process_[static_cast<std::size_t>(place)].writes;
    sum.ends_of_holding += by_process_[static_cast<std::size_t>(place)].ends_of_holding;
  }
  return sum;
}

SumOfCalls FileAmounts::of(std::size_t file, CallSet calls) const {
  SumOfCalls sum;
  calls.for_each([&](Call call) {
    if (const Calls* const found = find(file, call)) sum += found->sum();
  });
  return sum;
}

std::uint64_t FileAmounts::calls_of(std::size_t file, CallSet calls) const {
  std::uint64_t sum = 0;
  calls.for_each([&](Call call) {
    if (const Calls* const found = find(file, call)) sum += found->calls();
  });
  return sum;
}

decltype(Use::threads) FileAmounts::all_threads_of(std::size_t file, CallSet calls) const {
  decltype(Use::threads) all;
  calls.for_each([&](Call call) {
    if (const Calls* const found = find(file, call)) {
      all.insert(found->threads().begin(), found->threads().end());
    }
  });
  return all;
}

std::size_t FileAmounts::threads_of(std::size_t file, CallSet calls) const {
  return all_threads_of(file, calls).size();
}

bool FileAmounts::are_processes_at_once(std::size_t file, CallSet calls) const {
  decltype(Use::threads) one_of_each;
  for (const auto& [place, thread] : all_threads_of(file, calls)) one_of_each.emplace(place, 0);
  return most_threads_at_once(profile_, one_of_each) > 1;
}

bool FileAmounts::is_read_where_written(std::size_t file) const {
  const auto writers = all_threads_of(file, all_writes | CallSet{Call::fflush});
  return std::ranges::any_of(all_threads_of(file, all_reads), [&](const auto& reader) {
    const auto of_process = writers.lower_bound({reader.first, 0});
    return of_process != writers.end() && of_process->first == reader.first;
  });
}

Situation::Situation(const Profile& of, const FileAmounts& amounts, std::size_t place)
    : profile(of),
      file_amounts(amounts),
      index(place),
      use(of.uses[place]),
      file(of.files[use.file]),
      amount(use.amount) {}

bool Situation::seeks_each_time() const {
  return 2 * calls_of_file({Call::fseek, Call::lseek}) >= amount.system_calls;
}

bool Situation::is_regular() const { return S_ISREG(file.kind); }

bool Situation::is_by_iostream() const { return profile.sites[use.site].by_iostream; }

bool Situation::is_by_language() const {
  return runtime_of_stack(profile.sites[use.site].frames).kind == Runtime::Kind::language;
}

bool Situation::is(CallSet calls) const { return calls.contains(use.call); }

bool Situation::writes_to_stream() const { return is(stream_writes); }

bool Situation::reads_from_stream() const { return is(stream_reads) && use.call != Call::fscanf; }

bool Situation::writes_directly() const { return is(direct_writes); }

bool Situation::reads_directly() const { return is(direct_reads); }

// The rule of preload/coalesce/: no other code can look at the file between two writes, a later
// write puts the bytes at the same place, and nobody writes to the file by a stream.
bool Situation::may_be_held_back() const {
  constexpr std::uint32_t at_once = O_APPEND | O_SYNC | O_DSYNC | O_DIRECT;
  return !amount.takes_locks && !amount.other_code && !amount.is_shared &&
         (file.flags & at_once) == 0 && (file.flags & O_ACCMODE) != O_RDWR &&
         !file_amounts.is_opened_as_stream(use.file);
}

bool Situation::has_writes_in_a_row() const {
  constexpr double few = 0.5;  // for each write
  const FileAmounts::OfProcess calls = file_amounts.beside(use);
  return calls.ends_of_holding < few * calls.writes;
}

double Situation::bytes_moved() const {
  return per(static_cast<double>(amount.bytes), amount.calls - amount.sizes[0]);
}

double Situation::calls_of_each() const {
  return per(static_cast<double>(amount.calls), use.threads.size());
}

SumOfCalls Situation::written_to(std::size_t index_of_file) const {
  return file_amounts.of(index_of_file, writing_calls);
}

bool Situation::syncs_after_flushes() const {
  const std::uint64_t flushes = of_file({Call::fflush}).system_calls;
  const std::uint64_t syncs = calls_of_file({Call::fsync, Call::fdatasync});
  return flushes > 0 && 2 * syncs >= flushes;
}

double per(double amount, std::uint64_t count) {
  return count == 0 ? 0 : amount / static_cast<double>(count);
}

bool is_shared_by_locks(const Situation& at) {
  constexpr std::uint64_t most_pieces = 8;  // while the file is locked
  const std::uint64_t locks = at.calls_of_file({Call::flock});
  return 2 * at.calls_of_file(all_reads | all_writes) <= most_pieces * locks &&
         at.file_amounts.are_processes_at_once(at.use.file, all_reads | all_writes);
}

bool is_locked_for_records(const Situation& at) {
  constexpr std::uint64_t many = 100;
  constexpr std::uint64_t most_locks = 4;       // for each write
  constexpr std::uint64_t most_writes = 4;      // for each lock or unlock
  constexpr double large_record_bytes = 65536;  // writing more takes most of the time
  const std::uint64_t locks = at.calls_of_file({Call::flock});
  const SumOfCalls written = at.written_to_file();
  const double piece = per(static_cast<double>(written.system_bytes), locks);
  return locks >= many && most_locks * written.system_calls >= locks &&
         written.system_calls <= most_writes * locks && piece <= large_record_bytes;
}

bool is_state_under_locks(const Situation& at) {
  constexpr double page_bytes = 4096;  // a database has at least one
  constexpr double many_times = 100;
  const double size_bytes = size_of(at.file);
  if (!at.is_regular() || at.file.is_many || size_bytes < 1 || size_bytes >= page_bytes)
    return false;
  const SumOfCalls written = at.written_to_file();
  const std::uint64_t locks = at.calls_of_file({Call::flock});
  const auto are_under_locks = [&](std::uint64_t calls) {
    return calls <= locks && 4 * calls >= locks;
  };
  const auto written_bytes = static_cast<double>(written.system_bytes);
  return locks > 0 && are_under_locks(written.system_calls) &&
         are_under_locks(at.calls_of_file(all_reads)) &&
         at.calls_of_file(openings_of_files) <= locks && at.calls_of_file({Call::ftruncate}) == 0 &&
         written_bytes >= many_times * size_bytes;
}

bool waits_outside_of_calls(const Process& process) {
  const double worked_s = process.user_s + process.system_s - process.begun_s;
  const double known_s = worked_s + process.queued_s + process.time.sleep_s + process.fault_wait_s;
  return known_s < process.wall_s / 2;
}

double size_of(const File& file) { return static_cast<double>(file.size_bytes); }

bool is_compressed(const File& file) {
  constexpr std::string_view endings[] = {".gz", ".bz2", ".xz", ".zst", ".lz4", ".br"};
  return std::ranges::any_of(endings,
                             [&](std::string_view ending) { return file.name.ends_with(ending); });
}

bool is_archive(const File& file) {
  constexpr std::string_view ends[] = {
      ".zip",    ".jar",    ".whl",     ".egg",     ".apk", ".epub", ".npz", ".docx",
      ".xlsx",   ".pptx",   ".odt",     ".ods",     ".tar", ".tgz",  ".txz", ".7z",
      ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst", ".rar", ".deb",  ".iso"};
  std::string name = file.name;
  std::ranges::transform(name, name.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

double average_bytes(const Amount& amount) {
  return per(static_cast<double>(amount.bytes), amount.calls);
}

double average_system_bytes(const SumOfCalls& of) {
  return per(static_cast<double>(of.system_bytes), of.system_calls);
}

double share_of_calls(double piece_bytes) {
  return call_costs_bytes / (call_costs_bytes + piece_bytes);
}

double least_share_of_writes(double piece_bytes) {
  return least_write_costs_bytes / (least_write_costs_bytes + piece_bytes);
}

Share share_of_large_calls(bool writes, const File& file, double piece_bytes) {
  const double share = share_of_calls(piece_bytes);
  if (!writes) return {share, most_read_costs_bytes / (most_read_costs_bytes + piece_bytes)};
  if (!has_block_device(file)) return {least_share_of_writes(piece_bytes), share};
  return {share, most_write_costs_bytes / (most_write_costs_bytes + piece_bytes)};
}

double most_for_a_byte_s(const Situation& at) {
  const Runtime& runtime = runtime_of_stack(at.profile.sites[at.use.site].frames);
  const bool is_compiled =
      runtime.kind != Runtime::Kind::language || runtime.name == "Node" || runtime.name == "Java";
  return is_compiled ? 10e-9 : 80e-9;
}

std::string calls_text(const Use& use) {
  return fmt::format("{} calls of {} with {:.1f} bytes on average", format_count(use.amount.calls),
                     use.amount.printed ? "dprintf" : name_of(use.call), average_bytes(use.amount));
}

}  // namespace sluice::trace
