#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "events.h"
#include "keep_errno.h"
#include "log_file.h"
#include "real.h"

namespace sluice::preload {
namespace {

constinit uint32_t last_generation = 0;

uint32_t take_generations(uint32_t count) {
  return __atomic_fetch_add(&last_generation, count, __ATOMIC_RELAXED) + 1;
}

void set_generation(int descriptor, uint32_t value) {
  __atomic_store_n(&generation[descriptor & (generations - 1)], value, __ATOMIC_RELEASE);
}

// A thread that has asked before it keeps the old generation, which is no longer valid.
void stop_recording() {
  __atomic_store_n(&recording, false, __ATOMIC_RELAXED);
  change_all_generations();
}

constexpr uint64_t first_moment_ns = 1 << 23;  // a power of 2, so that no division is needed

constinit std::atomic_flag halving = ATOMIC_FLAG_INIT;

uint64_t place_of(uint64_t at_ns) {
  if (at_ns < log->start_ns) return 0;
  return (at_ns - log->start_ns) >> __builtin_ctzll(log->moment_ns);
}

// While there is one thread, an addition is a load and a store. If a signal handler makes a call
// between the two, the addition of this call may be lost.
void add(uint64_t& to, uint64_t amount) {
  if (amount == 0) return;
  if (__libc_single_threaded != 0) {
    to += amount;
  } else {
    __atomic_fetch_add(&to, amount, __ATOMIC_RELAXED);
  }
}

void add(Moment& to, const Moment& added) {
  add(to.written_bytes, added.written_bytes);
  add(to.read_bytes, added.read_bytes);
  add(to.copying_ticks, added.copying_ticks);
  add(to.system_ns, added.system_ns);
  add(to.sleep_ns, added.sleep_ns);
}

void halve_moments() {
  for (size_t i = 0; i < max_moments / 2; ++i) {
    log->moment(i) = log->moment(2 * i);
    add(log->moment(i), log->moment(2 * i + 1));
  }
  for (size_t i = max_moments / 2; i < max_moments; ++i) log->moment(i) = {};
  log->moment_ns *= 2;
}

// The file is as long as a full log. The disk holds only the used parts. A kernel before 5.14
// cannot reserve room for single pages. There room for the whole file is reserved at once.
void* map_sparse(int descriptor, size_t bytes, size_t first_bytes) {
  if (ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) return nullptr;
  void* const memory =
      real().mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return nullptr;
  // Entries are touched here and there. Reading ahead around them would be most of a short
  // process's work.
  madvise(memory, bytes, MADV_RANDOM);
  page_bytes = getauxval(AT_PAGESZ);
  if (madvise(memory, first_bytes, MADV_POPULATE_WRITE) == 0) return memory;
  if (errno == EINVAL && posix_fallocate(descriptor, 0, static_cast<off_t>(bytes)) == 0) {
    return memory;
  }
  munmap(memory, bytes);
  return nullptr;
}

// The pieces of the log that have room. The kernel is asked once for each. No page is smaller.
constexpr size_t piece_bytes = 4096;
constinit uint8_t has_pieces[sizeof(Log) / piece_bytes / 8 + 1]{};  // a bit for each

// True if a part of the log may be written to.
template <typename Part>
bool has_room_for(const Part& part, size_t bytes = sizeof(Part)) {
  const auto* const base = reinterpret_cast<const char*>(log);
  const auto begin = static_cast<size_t>(reinterpret_cast<const char*>(&part) - base);
  for (size_t piece = begin / piece_bytes; piece * piece_bytes < begin + bytes; ++piece) {
    uint8_t& known = has_pieces[piece / 8];
    const auto bit = static_cast<uint8_t>(1 << piece % 8);
    if ((__atomic_load_n(&known, __ATOMIC_RELAXED) & bit) != 0) continue;
    if (!has_room(base + piece * piece_bytes, piece_bytes)) return false;
    __atomic_fetch_or(&known, bit, __ATOMIC_RELAXED);
  }
  return true;
}

// True for the first max_logs processes. Each process adds a byte to a file. The position of this
// byte is the number of processes that came before. Also true if the file cannot be written: then
// there will be no log either.
bool is_among_the_first(const char* folder) {
  const KeepErrno kept;
  const char* const path = path_of_log(folder, count_of_logs);
  if (path == nullptr) return true;
  const long descriptor =
      syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  syscall(SYS_write, descriptor, "", 1);
  const long count = syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
  if (descriptor >= 0) syscall(SYS_close, descriptor);
  return count <= static_cast<long>(max_logs);
}

// The variables in which Open MPI, MPICH (and what is built on it), other users of PMIx, and SLURM
// give a process its rank.
constexpr const char* rank_variables[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                          "SLURM_PROCID"};

uint32_t rank_plus_one() {
  constexpr unsigned long most = 1u << 30;
  for (const char* const variable : rank_variables) {
    const char* const text = getenv(variable);
    if (text == nullptr || *text < '0' || *text > '9') continue;
    const unsigned long rank = strtoul(text, nullptr, 10);
    if (rank < most) return static_cast<uint32_t>(rank) + 1;
  }
  return 0;
}

constinit bool other_code_seen = false;

// Until the log began: the process may have been another program before.
constinit uint64_t queued_before_ns = 0;

// A child of vfork() uses the memory of its parent, and must not end the parent's log.
bool is_of_this_process() { return is_recording() && log->process == getpid(); }

constinit bool entered_seccomp = false;

void count_lost_moment() { __atomic_fetch_add(&log->lost_moments, 1, __ATOMIC_RELAXED); }

// Places 1 to most - 2 are handed out once each. Place most - 1 is for all later entries, and for
// entries that the disk has no room for. Place 0 stays unused.
template <size_t most, typename Entry>
uint32_t next_place(uint32_t& used, Entry& (Log::*entry)(size_t)) {
  const uint32_t place = __atomic_add_fetch(&used, 1, __ATOMIC_RELAXED);
  if (place < most - 1 && has_room_for((log->*entry)(place))) return place;
  __atomic_store_n(&used, static_cast<uint32_t>(most - 1), __ATOMIC_RELAXED);
  return static_cast<uint32_t>(most - 1);
}

}  // namespace

constinit const char* program_name = nullptr;
constinit Log* log = nullptr;
constinit bool recording = false;
constinit uint32_t generation[generations]{};
constinit uint32_t changes_of_generations = 0;
constinit uint64_t page_bytes = 4096;

uint64_t clock_ns(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t now_ns() { return clock_ns(CLOCK_MONOTONIC); }

uint64_t processor_ns() { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

// The time is the second number in the file. A signal handler may come here, so sscanf(), which
// needs much of the stack, does not read it. strtoull() would touch a page of the locale.
uint64_t queued_ns() {
  char text[128] = " ";
  const long descriptor =
      syscall(SYS_openat, AT_FDCWD, "/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  syscall(SYS_read, descriptor, text, sizeof text - 2);  // two zeros stay behind it
  syscall(SYS_close, descriptor);
  const char* digit = strchrnul(text, ' ') + 1;
  uint64_t all = 0;
  for (; *digit >= '0' && *digit <= '9'; ++digit)
    all = all * 10 + static_cast<uint64_t>(*digit - '0');
  return all > queued_before_ns ? all - queued_before_ns : 0;
}

// Without a parent's log to be counted in, an empty file stays: nothing else tells of the process.
void* map_new_file(const char* folder, const char* kind, size_t bytes, size_t first_bytes,
                   void* parents) {
  const KeepErrno kept;
  const int descriptor = may_be_as_long(bytes) ? create_log_file(folder, kind) : -1;
  if (descriptor < 0) return nullptr;
  void* const memory = map_sparse(descriptor, bytes, first_bytes);
  syscall(SYS_close, descriptor);
  if (memory == nullptr && log != nullptr) remove_created_log_file();
  if (memory == nullptr || parents == nullptr) return memory;
  constexpr int flags = MREMAP_MAYMOVE | MREMAP_FIXED;
  void* const moved = mremap(memory, bytes, bytes, flags, parents);
  return moved == MAP_FAILED ? memory : moved;
}

bool has_room(const void* data, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(data) / page_bytes * page_bytes;
  const uintptr_t end = reinterpret_cast<uintptr_t>(data) + bytes;
  const KeepErrno kept;
  return madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_WRITE) == 0 ||
         errno == EINVAL;  // a kernel before 5.14
}

void clear_bytes(void* table, size_t bytes) {
  const KeepErrno kept;
  auto* const begin = static_cast<char*>(table);
  const size_t before = -reinterpret_cast<uintptr_t>(table) % page_bytes;
  const size_t whole = bytes < before ? 0 : (bytes - before) / page_bytes * page_bytes;
  if (whole == 0 || madvise(begin + before, whole, MADV_DONTNEED) != 0) {
    memset(begin, 0, bytes);
    return;
  }
  memset(begin, 0, before);
  memset(begin + before + whole, 0, bytes - before - whole);
}

void change_generation(int descriptor) {
  set_generation(descriptor, take_generations(1));
  __atomic_fetch_add(&changes_of_generations, 1, __ATOMIC_RELEASE);
}

void change_all_generations() {
  const uint32_t first = take_generations(generations);
  for (int i = 0; i < generations; ++i) set_generation(i, first + static_cast<uint32_t>(i));
  __atomic_fetch_add(&changes_of_generations, 1, __ATOMIC_RELEASE);
}

bool is_told_to_stop() {
  if (log == nullptr || __atomic_load_n(&log->stopped, __ATOMIC_RELAXED) == 0) return false;
  if (is_recording()) stop_recording();
  return true;
}

void before_other_code(EndOfHolding) {
  other_code_seen = true;
  if (is_recording()) log->other_code = 1;
}

void begin_recording(const char* folder) {
  halving.clear();                // another thread of the parent may have held it during the fork
  if (is_told_to_stop()) return;  // the folder is gone, and somebody else may take its name
  recording = false;
  if (may_be_as_long(sizeof(Log)) && !is_among_the_first(folder)) return;
  void* const fresh = map_new_file(folder, "log", sizeof(Log), least_log_bytes, log);
  if (fresh == nullptr) return count_out_of_reach(1);  // a forked child, in the log of its parent
  memset(has_pieces, 0, sizeof has_pieces);
  has_pieces[0] = (1 << least_log_bytes / piece_bytes) - 1;
  log = static_cast<Log*>(fresh);
  log->process = getpid();
  log->parent = getppid();
  queued_before_ns = 0;
  queued_before_ns = queued_ns();
  log->worked_before_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  log->moment_ns = first_moment_ns;
  log->start_ns = log->last_ns = now_ns();
  log->rank_plus_one = rank_plus_one();
  strncpy(log->program, program_name, sizeof log->program - 1);
  log->other_code = other_code_seen ? 1 : 0;
  log->text = 1;  // place 0 is the empty text
  log->magic = trace_magic;
  change_all_generations();
  recording = true;
}

void refresh_recording() {
  if (!is_of_this_process()) return;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ns = [](const timeval& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 +
           static_cast<uint64_t>(time.tv_usec) * 1'000;
  };
  log->user_ns = ns(usage.ru_utime);
  log->system_ns = ns(usage.ru_stime);
  log->minor_faults = static_cast<uint64_t>(usage.ru_minflt);
  log->major_faults = static_cast<uint64_t>(usage.ru_majflt);
  log->voluntary_switches = static_cast<uint64_t>(usage.ru_nvcsw);
  log->queued_ns = queued_ns();
  if (__libc_single_threaded == 0) log->several_threads = 1;
  log->last_ns = now_ns();
}

void before_ending() {
  refresh_recording();
  if (is_of_this_process()) log->ended = 1;
}

void after_failed_exec() {
  if (is_of_this_process()) log->ended = 0;
}

void end_before_seccomp() {
  entered_seccomp = true;
  if (!is_recording()) return;
  before_ending();
  log->seccomp = 1;
  stop_recording();
}

void resume_without_seccomp(bool was_recording) {
  entered_seccomp = false;
  if (!was_recording) return;
  log->seccomp = log->ended = 0;
  recording = true;
}

bool has_entered_seccomp() { return entered_seccomp; }

uint32_t new_usage() { return next_place<max_usages>(log->usages, &Log::usage); }
uint32_t new_site() { return next_place<max_sites>(log->sites, &Log::site); }
uint32_t new_file() { return next_place<max_files>(log->files, &Log::file); }

void keep_module(const Module& module) {
  const bool has_place = log->modules < max_modules && has_room_for(log->module(log->modules));
  if (has_place) log->module(log->modules) = module;
  const auto used = has_place ? log->modules + 1 : static_cast<uint32_t>(max_modules + 1);
  __atomic_store_n(&log->modules, used, __ATOMIC_RELEASE);
}

uint32_t keep_text(const char* text) {
  const size_t bytes = strlen(text) + 1;
  const uint32_t place =
      __atomic_fetch_add(&log->text, static_cast<uint32_t>(bytes), __ATOMIC_RELAXED);
  if (place + bytes > text_bytes || !has_room_for(log->texts[place], bytes)) {
    __atomic_store_n(&log->text, static_cast<uint32_t>(text_bytes + 1), __ATOMIC_RELAXED);
    return 0;
  }
  memcpy(log->texts + place, text, bytes);
  return place;
}

// There is no lock. If another thread, or a signal handler, adds to a stretch while the stretches
// are being doubled, its addition may go to a neighbouring stretch, or be left out of the timeline.
// The doubling happens some twenty times in a week.
void add_to_moment(uint64_t at_ns, uint64_t until_ns, const Moment& added) {
  log->last_ns = until_ns;
  uint64_t place = place_of(at_ns);
  for (; place >= max_moments; place = place_of(at_ns)) {
    if (!has_room_for(log->far_moments)) return count_lost_moment();
    if (halving.test_and_set(std::memory_order_acquire)) return;
    if (place_of(at_ns) >= max_moments) halve_moments();
    halving.clear(std::memory_order_release);
  }
  Moment& moment = log->moment(place);
  if (!has_room_for(moment)) return count_lost_moment();
  add(moment, added);
}

}  // namespace sluice::preload
