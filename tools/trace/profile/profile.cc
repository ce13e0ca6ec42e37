#include "trace/profile/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>

#include "trace/costs/call_set.h"
#include "trace/logs/large_pages.h"
#include "trace/logs/log_problems.h"
#include "trace/logs/log_text.h"
#include "trace/logs/sparse_file.h"
#include "trace/logs/unseen_calls.h"
#include "trace/profile/files_in_the_end.h"
#include "trace/profile/symbols.h"
#include "trace/profile/timeline.h"
#include "trace/profile/waiting.h"

namespace sluice::trace {
using preload::Call;

namespace {

std::optional<unsigned> rank_of(const preload::Log& log) {
  if (log.rank_plus_one == 0) return std::nullopt;
  return log.rank_plus_one - 1;
}

double bytes_of_a_call(const preload::Usage& usage) {
  return static_cast<double>(usage.bytes) /
         static_cast<double>(std::max<std::uint64_t>(1, usage.copies + usage.slow_calls));
}

// The sizes count as alike if nearly all have the same power of two. A copy of such sizes takes the
// same branches.
Sizes sizes_of(const preload::Usage& usage) {
  constexpr double nearly_all = 0.9;
  const std::uint64_t sum = std::accumulate(std::begin(usage.sizes), std::end(usage.sizes), 0UL);
  const std::uint64_t most = *std::max_element(std::begin(usage.sizes), std::end(usage.sizes));
  const bool are_alike = static_cast<double>(most) >= nearly_all * static_cast<double>(sum);
  return are_alike ? Sizes::alike : Sizes::mixed;
}

// The time that the copies took by themselves, as far as the timed ones tell.
double seen_copying_s(const preload::Usage& usage, CallCosts& costs) {
  if (usage.timed_copies == 0) return 0;
  const double ticks =
      static_cast<double>(usage.timed_copy_ticks) / static_cast<double>(usage.timed_copies) -
      costs.of_the_ticks();
  return std::max(0.0, ticks) * costs.tick_s() * static_cast<double>(usage.copies);
}

// How exact that time is: the processor reads its count of time beside other work, so a call that
// is shorter than this reading may even seem to take no time.
double unsure_copying_s(const preload::Usage& usage, CallCosts& costs) {
  if (usage.timed_copies == 0) return 0;
  return costs.of_the_ticks() / 2 * costs.tick_s() * static_cast<double>(usage.copies);
}

// The copies' time in one of three ways. Copies that took next to no time are not worth a
// measurement, which takes longer: nobody would notice what they save.
double copying_s(Way way, const preload::Usage& usage, CallCosts& costs) {
  constexpr double least_s = 100e-6;
  if (seen_copying_s(usage, costs) + unsure_copying_s(usage, costs) < least_s) return 0;
  return costs.in_a_row_s(way, usage.call, bytes_of_a_call(usage), sizes_of(usage)) *
         static_cast<double>(usage.copies);
}

bool may_take_locks(const preload::Log& log, const preload::Usage& usage) {
  return log.several_threads != 0 && usage.unlocked == 0;
}

// A call that is timed on its own seems to take up to twice as long as a call in a row on an Intel
// processor, and less than a call in a row on an AMD processor (Zen 5). So the time of a call in a
// row counts. But if the program's own calls seem to take less than half of that, and this is more
// than the clock can be wrong by, they are other calls than those that were measured: then they
// count twice the time that they seem to take.
//
// What a print costs depends on its format, too. So a print costs as much as it seems to take, but
// no less than the print of a whole number of its size.
//
// For a program with several threads, the time of its own calls counts, because it includes the
// waits for locks. The calls are timed while they hold the lock, so the time to take it comes on
// top.
double copying_s(const preload::Log& log, const preload::Usage& usage, CallCosts& costs) {
  const double seen_s = seen_copying_s(usage, costs);
  if (may_take_locks(log, usage) && usage.timed_copies > 0) {
    return seen_s + costs.lock_s() * static_cast<double>(usage.copies);
  }
  const double in_a_row_s = copying_s(own_way(usage), usage, costs);
  const bool is_measured = in_a_row_s > 0;
  if (is_measured && usage.call == Call::fprintf) return std::max(seen_s, in_a_row_s);
  const double most_s = 2 * seen_s + unsure_copying_s(usage, costs);
  return is_measured ? std::min(in_a_row_s, most_s) : seen_s;
}

// A call takes longer right after the object has asked for the processor time, which is a system
// call itself.
double cost_of_asking_s(const preload::Usage& usage) {
  constexpr double most_ns = 200;
  const std::uint64_t short_calls = usage.slow_calls - usage.long_calls;
  if (usage.timed_slow_calls == 0 || usage.timed_slow_calls >= short_calls) return 0;
  const auto asked = static_cast<double>(usage.timed_slow_calls);
  const double others = static_cast<double>(short_calls) - asked;
  const double longer_ns = static_cast<double>(usage.timed_slow_ns) / asked -
                           (static_cast<double>(usage.slow_ns) -
                            static_cast<double>(usage.long_ns + usage.timed_slow_ns)) /
                               others;
  return std::clamp(longer_ns, 0.0, most_ns) * 1e-9 * asked;
}

// The share of their time in which the timed short calls have worked. Nothing if none was timed.
template <typename Times>
std::optional<double> worked_share(const Times& usage) {
  if (usage.timed_slow_ns == 0) return std::nullopt;
  return static_cast<double>(usage.timed_slow_cpu_ns) / static_cast<double>(usage.timed_slow_ns);
}

// The same for all calls of each kind. If few calls use a file, perhaps none of them was timed.
class WorkedShares {
 public:
  explicit WorkedShares(const preload::Log& log) {
    for (std::uint32_t i = 1; i <= log.usages && i < preload::max_usages; ++i) {
      const preload::Usage& usage = log.usage(i);
      if (usage.call >= Call::count) continue;  // damaged
      Sum& sum = sums_[static_cast<std::size_t>(usage.call)];
      sum.timed_slow_ns += usage.timed_slow_ns;
      sum.timed_slow_cpu_ns += usage.timed_slow_cpu_ns;
    }
  }
  double of(const preload::Usage& usage) const {
    const Sum& kind = sums_[static_cast<std::size_t>(usage.call)];
    return worked_share(usage).value_or(worked_share(kind).value_or(1.0));
  }

 private:
  struct Sum {
    std::uint64_t timed_slow_ns = 0;
    std::uint64_t timed_slow_cpu_ns = 0;
  };
  std::array<Sum, static_cast<std::size_t>(Call::count)> sums_{};
};

Time time_of(const preload::Log& log, const preload::Usage& usage, CallCosts& costs,
             double worked) {
  Time time;
  time.copying_s = copying_s(log, usage, costs);
  const double cost_s =
      costs.of_the_clock_s() * static_cast<double>(usage.slow_calls) + cost_of_asking_s(usage);
  const double long_s = seconds(usage.long_ns);
  const double short_s = std::max(0.0, seconds(usage.slow_ns) - long_s - cost_s);
  time.system_s = short_s * worked + seconds(usage.long_cpu_ns);
  time.sleep_s = std::max(0.0, short_s + long_s - time.system_s);
  return time;
}

// The calls cannot have copied for a longer time than the process has worked, less their time in
// the kernel. A smaller share than 1 says by how much the costs of the calls are too large: other
// calls were measured, one after the other.
double copied_share(const preload::Log& log, const Time& of_calls) {
  const double room_s = worked_s_of(log) - of_calls.system_s;
  const bool is_known = room_s > 0 && of_calls.copying_s > 0;
  return is_known ? std::min(1.0, room_s / of_calls.copying_s) : 1;
}

// The share of the time between the calls to the kernel in which the process worked for itself. 1
// if it is unknown.
double share_of_own_work(const preload::Log& log, const Time& of_calls, double between_s) {
  const double own_s = worked_s_of(log) - of_calls.system_s - of_calls.copying_s;
  const bool is_known = worked_s_of(log) > 0 && between_s > 0;
  return is_known ? std::clamp(own_s / between_s, 0.0, 1.0) : 1;
}

// True if nearly each call wrote to a stream that keeps nothing in its buffer, or prints were
// written by many small system calls.
bool writes_by_small_buffer(const preload::Usage& usage) {
  constexpr std::uint64_t small_bytes = 2048;
  if (usage.system_calls == 0) return false;
  const bool is_print = usage.call == Call::fprintf;
  if (is_print && usage.system_bytes / usage.system_calls < small_bytes) return true;
  return stream_writes.contains(usage.call) && usage.copies <= usage.slow_calls / 9;
}

// The most time that prints would take to make the bytes of calls that went to the kernel: as much
// as if each few bytes were a print of their own.
double most_texts_s(const preload::Usage& usage, CallCosts& costs) {
  constexpr double field_bytes = 6;
  if (usage.call != Call::fprintf || !writes_by_small_buffer(usage)) return 0;
  const double fields = std::ceil(bytes_of_a_call(usage) / field_bytes);
  return costs.in_a_row_s(Way::by_the_c_library, Call::fprintf, field_bytes, Sizes::alike) *
         fields * static_cast<double>(usage.slow_calls);
}

// The time that direct calls, and the calls of an unbuffered stream, would take as copies to or
// from a stream's buffer. A print then still makes its text.
double through_stream_s(const preload::Usage& usage, const Time& time, CallCosts& costs) {
  constexpr double least_s = 1e-3;
  if (writes_by_small_buffer(usage) && time.total_s() >= least_s) {
    return costs.in_a_row_s(Way::by_the_c_library, usage.call, bytes_of_a_call(usage),
                            sizes_of(usage)) *
           static_cast<double>(usage.slow_calls);
  }
  const bool writes = direct_writes.contains(usage.call);
  if ((!writes && !direct_reads.contains(usage.call)) || time.total_s() < least_s) return 0;
  return costs.in_a_row_s(Way::by_the_c_library, writes ? Call::fwrite : Call::fread,
                          bytes_of_a_call(usage), sizes_of(usage)) *
         static_cast<double>(usage.slow_calls);
}

// The time that the mended program needs for its copies.
// A std::ostream that has a buffer of its own still copies each piece there.
double copying_in_memory_s(const preload::Usage& usage, CallCosts& costs, bool by_iostream) {
  return copying_s(by_iostream ? Way::by_streambuf : Way::in_memory, usage, costs);
}

// The parts of the time of prints that a mended program may save, or need.
void add_prints(Amount& amount, const preload::Usage& usage, CallCosts& costs) {
  if (usage.call != Call::fprintf) return;
  preload::Usage by_fputs = usage;
  by_fputs.call = Call::fputs;
  amount.by_fputs_s = copying_s(Way::by_the_c_library, by_fputs, costs);
  amount.copying_in_memory_s = copying_s(Way::in_memory, by_fputs, costs);
  amount.number_prints_s =
      std::min(amount.time.copying_s, copying_s(Way::by_the_c_library, usage, costs));
}

// True if another process or descriptor, or a mapping, may lead to the open file. A file that the
// process has not opened is inherited.
bool may_be_shared(const preload::Log& log, const preload::Usage& usage) {
  const preload::FileEntry& file = log.file(usage.file < preload::max_files ? usage.file : 0);
  return file.shared != 0 || file.opens == 0;
}

// All but the times.
Amount counts_of(const preload::Log& log, const preload::Usage& usage) {
  Amount amount;
  amount.calls = usage.copies + usage.slow_calls;
  amount.copies = usage.copies;
  amount.bytes = usage.bytes;
  amount.failures = usage.failures;
  amount.system_calls = usage.system_calls;
  amount.system_bytes = usage.system_bytes;
  amount.paired_calls = usage.paired_calls;
  amount.last_piece_bytes = usage.last_piece_bytes;
  amount.repeated = usage.repeated;
  amount.far_calls = usage.far_calls;
  amount.in_a_row = usage.in_a_row;
  amount.cold_bytes = usage.cold_bytes;
  std::copy(std::begin(usage.sizes), std::end(usage.sizes), amount.sizes.begin());
  amount.takes_locks = may_take_locks(log, usage);
  amount.other_code = log.other_code != 0;
  amount.is_shared = may_be_shared(log, usage);
  amount.standard = usage.standard != 0;
  amount.printed = usage.printed != 0;
  return amount;
}

constexpr auto most_usages = static_cast<std::uint32_t>(preload::max_usages);

constexpr std::size_t many_entries = 2000;

// A large log makes thousands of entries, which would be moved each time the vector grows. So it
// gets room for further logs too. The kernel gives memory only for the entries that are there.
template <typename Entry>
void make_room(std::vector<Entry>& entries, std::size_t count) {
  if (count > many_entries) use_large_pages_for_malloc();
  if (count > entries.capacity()) reserve_in_large_pages(entries, 4 * count);
}

// Adds one log to the profile. `known_` has the entries of other processes. The maps here translate
// the log's own numbers.
class Adder {
 public:
  Adder(Profile& profile, const preload::Log& log, CallCosts& costs, Symbols& symbols)
      : profile_(profile),
        known_(profile.known),
        log_(log),
        costs_(costs),
        symbols_(symbols),
        shares_(log),
        own_folder_(fmt::format("/proc/{}/", log.process)) {}

  Time add() {
    const std::size_t most = profile_.uses.size() + std::min(log_.usages, most_usages);
    make_room(profile_.uses, most);
    known_.uses.reserve(most);
    Time all;
    double between_s = 0;
    for_each_usage([&](const preload::Usage& usage) {
      all += time_of(log_, usage, costs_, shares_.of(usage));
      between_s += seconds(usage.before_ns);
      files_in_the_end_.add(usage);
    });
    own_work_share_ = share_of_own_work(log_, all, between_s);
    waited_share_ = all.sleep_s > 0 ? std::min(1.0, most_wait_s(log_) / all.sleep_s) : 1;
    copied_share_ = copied_share(log_, all);
    for_each_usage([&](const preload::Usage& usage) { add(usage); });
    Time with_queue = time_;
    with_queue.sleep_s = all.sleep_s;
    profile_.moments.push_back(moments_of(log_, with_queue));
    return time_;
  }

 private:
  template <typename Look>
  void for_each_usage(Look look) const {
    for (std::uint32_t i = 1; i <= log_.usages && i < preload::max_usages; ++i) {
      const preload::Usage& usage = log_.usage(i);
      if (usage.copies + usage.slow_calls == 0) continue;
      if (usage.call < preload::Call::count) {
        look(usage);
        continue;
      }
      preload::Usage damaged = usage;
      damaged.call = preload::Call::other;
      look(damaged);
    }
  }

  void add(const preload::Usage& usage) {
    const std::size_t site = site_of(usage.site);
    const std::size_t file = file_of(usage);
    const auto [known, is_new] =
        known_.uses.try_emplace(UseKey{site, file, usage.call}, profile_.uses.size());
    if (is_new) profile_.uses.push_back(Use{.site = site, .file = file, .call = usage.call});
    Use& use = profile_.uses[known->second];
    use.threads.emplace(static_cast<int>(profile_.processes.size()), usage.thread);
    const Amount amount = amount_of(usage, profile_.sites[site].by_iostream);
    if (is_new) {
      use.amount = amount;
    } else {
      use.amount += amount;
    }
    if (const auto rank = rank_of(log_)) {
      use.by_rank[*rank] += RankShare{amount.time, amount.calls, amount.bytes};
    }
    time_ += amount.time;
  }

  Amount amount_of(const preload::Usage& usage, bool by_iostream) const {
    Amount amount = counts_of(log_, usage);
    amount.time = time_of(log_, usage, costs_, shares_.of(usage));
    amount.queued_s = amount.time.sleep_s * (1 - waited_share_);
    amount.time.sleep_s -= amount.queued_s;
    amount.copying_by_run_s = copying_s(Way::by_sluice_run, usage, costs_);
    amount.through_stream_s = through_stream_s(usage, amount.time, costs_);
    amount.most_texts_s = most_texts_s(usage, costs_);
    amount.copying_in_memory_s = copying_in_memory_s(usage, costs_, by_iostream);
    add_prints(amount, usage, costs_);
    for (double* const of_copies_s :
         {&amount.time.copying_s, &amount.copying_by_run_s, &amount.copying_in_memory_s,
          &amount.by_fputs_s, &amount.number_prints_s}) {
      *of_copies_s *= copied_share_;
    }
    amount.work_before_s = seconds(usage.before_ns) * own_work_share_;
    return amount;
  }

  std::size_t site_of(std::uint32_t number) {
    if (number >= preload::max_sites) number = 0;
    const auto [known, is_new] = sites_.try_emplace(number, 0);
    if (is_new) known->second = find_site(symbols_.site_of(log_, log_.site(number)));
    return known->second;
  }

  std::size_t find_site(const Site& site) {
    const auto [known, is_new] = known_.sites.try_emplace(site, profile_.sites.size());
    if (is_new) profile_.sites.push_back(site);
    return known->second;
  }

  std::size_t file_of(std::uint32_t number) {
    if (number >= preload::max_files) number = 0;
    if (number >= files_.size()) files_.resize(number + 1);
    std::optional<std::size_t>& known = files_[number];
    if (!known) known = add_file(number, number == preload::max_files - 1);
    return *known;
  }

  // A name that was looked up again stands for all of them, if most of them came again.
  std::size_t file_of(const preload::Usage& usage) {
    const char* const files = files_without_descriptor(usage.call);
    if (files == nullptr) return file_of(usage.file);
    const bool is_again = 2 * usage.repeated >= usage.slow_calls + usage.copies;
    const std::string name = is_again ? text_at(log_, usage.name) : "";
    return find_file(name.empty() ? files : name);
  }

  // A name may lead to a pipe in one process, and to a file in another.
  std::size_t find_file(const std::string& name, std::uint32_t kind = 0) {
    const auto [known, is_new] = known_.files.try_emplace(name, profile_.files.size());
    if (is_new) profile_.files.push_back(File{.name = name, .kind = kind});
    File& file = profile_.files[known->second];
    if (file.kind == 0) file.kind = kind;
    if (kind == 0 || file.kind == kind) return known->second;
    const auto [other, is_other] =
        known_.files_of_kinds.try_emplace({name, kind}, profile_.files.size());
    if (is_other) profile_.files.push_back(File{.name = name, .kind = kind});
    return other->second;
  }

  // The process has asked for its own files of /proc by the name that it knows.
  std::string own_name(const std::string& name) const {
    return name.starts_with(own_folder_) ? "/proc/self/" + name.substr(own_folder_.size()) : name;
  }

  std::size_t add_file(std::uint32_t number, bool is_many) {
    const preload::FileEntry& entry = log_.file(number);
    const std::string text = text_at(log_, entry.name);
    const std::string name = text.empty() ? "(unknown)" : text;
    const std::size_t index = find_file(own_name(name), entry.kind);
    File& file = profile_.files[index];
    file.opens += entry.opens;
    if (!is_many) {
      const FileInTheEnd end = files_in_the_end_.of(number, name, entry);
      file.size_bytes = std::max(file.size_bytes, end.size_bytes);
      file.remains = file.remains || end.remains;
      file.is_gone = file.is_gone || end.is_gone;
    }
    file.flags |= entry.flags;
    file.first_bytes =
        file.inode == 0 ? entry.first_bytes : std::min(file.first_bytes, entry.first_bytes);
    if (file.inode != entry.inode) ++file.renewals;
    file.device = entry.device;
    file.inode = entry.inode;
    file.is_many = file.is_many || is_many;
    return index;
  }

  Profile& profile_;
  KnownEntries& known_;
  const preload::Log& log_;
  CallCosts& costs_;
  Symbols& symbols_;
  const WorkedShares shares_;
  const std::string own_folder_;
  double waited_share_ = 1;  // of the time in which the calls seem to wait; the rest is queued
  double copied_share_ = 1;  // of the time that the copies seem to take
  double own_work_share_ = 1;
  FilesInTheEnd files_in_the_end_;
  Time time_;  // of this process
  std::map<std::uint32_t, std::size_t> sites_;
  std::vector<std::optional<std::size_t>> files_;
};

std::set<std::string> unseen_calls_of_all(const preload::Log& log, KnownEntries& known) {
  std::set<std::string> calls;
  for (std::uint32_t i = 0; i < log.modules && i < preload::max_modules; ++i) {
    const std::string path = text_at(log, log.module(i).name);
    const auto [of_file, is_new] = known.unseen_calls.try_emplace(path);
    if (is_new) of_file->second = unseen_calls_of(path);
    calls.insert(of_file->second.begin(), of_file->second.end());
  }
  return calls;
}

}  // namespace

void add_log(Profile& profile, const std::string& path, CallCosts& costs, Symbols& symbols) {
  SparseFile file;
  add_log(profile, path, costs, symbols, file);
}

void add_log(Profile& profile, const std::string& path, CallCosts& costs, Symbols& symbols,
             SparseFile& file) {
  if (const Status status = file.read(path, sizeof(preload::Log)); !status.ok()) {
    profile.problems.push_back(status.message());
    return;
  }
  const auto* const log = static_cast<const preload::Log*>(file.memory());
  if (file.file_bytes() == 0 || (file.file_bytes() >= sizeof *log && log->magic == 0)) {
    ++profile.empty_logs;
    return;
  }
  if (file.file_bytes() < offsetof(preload::Log, near_moments) ||
      log->magic != preload::trace_magic) {
    profile.problems.push_back(fmt::format("{}: this is not a log of sluice trace", path));
    return;
  }
  if (file.file_bytes() < sizeof *log) {
    profile.problems.push_back(fmt::format("{}: cut short at byte {}", path, file.file_bytes()));
  }
  note_what_is_missing(*log, profile.problems);
  profile.processes.push_back({
      .number = log->process,
      .parent = log->parent,
      .program = program_of(*log),
      .rank = rank_of(*log),
      .wall_s = seconds(log->last_ns - log->start_ns),
      .user_s = seconds(log->user_ns),
      .system_s = seconds(log->system_ns),
      .queued_s = seconds(log->queued_ns),
      .begun_s = seconds(log->worked_before_ns),
      .threads = log->threads,
      .ended = log->ended != 0,
      .lost_calls = lost_calls(*log),
      .out_of_reach = log->out_of_reach,
      .unseen_calls = unseen_calls_of_all(*log, profile.known),
  });
  Process& process = profile.processes.back();
  process.time = Adder(profile, *log, costs, symbols).add();
  process.connections = log->connections;
  process.started_threads = log->started_threads;
  process.barrier_waits = log->barrier_waits;
  process.several_threads = log->several_threads != 0;
  process.voluntary_switches = log->voluntary_switches;
  process.minor_faults = log->minor_faults;
  process.major_faults = cold_faults(*log);
  process.fault_wait_s = fault_wait_s(*log, process.time);
  process.cold_read_s = cold_read_s(*log);
}

}  // namespace sluice::trace
