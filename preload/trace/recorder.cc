#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

namespace sluice::preload {
namespace {

constexpr uint64_t first_moment_ns = 10'000'000;

constinit std::atomic_flag moments_in_use = ATOMIC_FLAG_INIT;

uint64_t clock_ns(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

// Places 1 to most - 2 are handed out once each, place most - 1 to all who come later. Place 0 is
// nobody's.
uint32_t next_place(uint32_t& used, size_t most) {
  const uint32_t place = __atomic_add_fetch(&used, 1, __ATOMIC_RELAXED);
  if (place < most - 1) return place;
  __atomic_store_n(&used, static_cast<uint32_t>(most - 1), __ATOMIC_RELAXED);
  return static_cast<uint32_t>(most - 1);
}

int create_file(const char* folder) {
  char path[4096];
  // A process that execs keeps its number: the next free suffix tells the programs apart.
  for (int suffix = 0; suffix < 1000; ++suffix) {
    const int length =
        snprintf(path, sizeof path, "%s/%d.%d", folder, static_cast<int>(getpid()), suffix);
    if (length < 0 || static_cast<size_t>(length) >= sizeof path) return -1;
    const int descriptor = static_cast<int>(
        syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

Record* map(int descriptor) {
  const int flags = descriptor < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;
  if (descriptor >= 0 && ftruncate(descriptor, sizeof(Record)) != 0) return nullptr;
  void* const memory = mmap(nullptr, sizeof(Record), PROT_READ | PROT_WRITE, flags, descriptor, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<Record*>(memory);
}

// Something like a stdio call: a lock taken and given back, a byte stored.
[[gnu::noinline]] void stand_in() {
  static int lock = 0;
  static volatile char byte = 0;
  __atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE);
  byte = static_cast<char>(byte + 1);
  __atomic_exchange_n(&lock, 0, __ATOMIC_RELEASE);
}

// How much longer a call seems to take when it is timed on its own, between others, than it takes
// in a row of its like: reading the clock costs something, and waits for what is under way.
uint64_t cost_of_the_clock() {
  constexpr uint64_t times = 2000;
  uint64_t least = UINT64_MAX;
  for (int attempt = 0; attempt < 5; ++attempt) {
    const uint64_t start = ticks();
    for (uint64_t i = 0; i < times; ++i) stand_in();
    const uint64_t in_a_row = ticks() - start;
    uint64_t alone = 0;
    for (uint64_t i = 0; i < times; ++i) {
      const uint64_t begin = ticks();
      stand_in();
      alone += ticks() - begin;
    }
    const uint64_t cost = alone > in_a_row ? (alone - in_a_row) / times : 0;
    if (cost < least) least = cost;
  }
  return least;
}

void halve_moments() {
  for (size_t i = 0; i < most_moments / 2; ++i) {
    const Moment& a = record->moment[2 * i];
    const Moment& b = record->moment[2 * i + 1];
    record->moment[i] = {a.written_bytes + b.written_bytes, a.read_bytes + b.read_bytes,
                         a.copying_ticks + b.copying_ticks, a.system_ns + b.system_ns,
                         a.sleep_ns + b.sleep_ns};
  }
  memset(&record->moment[most_moments / 2], 0, sizeof(Moment) * (most_moments / 2));
  record->moment_ns *= 2;
}

}  // namespace

constinit Record* record = nullptr;

uint64_t now_ns() { return clock_ns(CLOCK_MONOTONIC); }

uint64_t processor_ns() { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

void begin_recording(const char* folder) {
  const int error = errno;
  const int descriptor = create_file(folder);
  Record* fresh = map(descriptor);
  if (fresh == nullptr) fresh = map(-1);
  if (descriptor >= 0) syscall(SYS_close, descriptor);
  errno = error;
  record = fresh;
  if (record == nullptr) return;
  record->process = getpid();
  record->parent = getppid();
  record->start_ns = record->last_ns = now_ns();
  record->moment_ns = first_moment_ns;
  record->clock_ticks = cost_of_the_clock();
  record->start_ticks = record->last_ticks = ticks();
  strncpy(record->program, program_invocation_short_name, sizeof record->program - 1);
  record->text = 1;  // place 0 is the empty text
  record->magic = trace_magic;
}

void end_recording() {
  if (record == nullptr) return;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ns = [](const timeval& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 +
           static_cast<uint64_t>(time.tv_usec) * 1'000;
  };
  record->user_ns = ns(usage.ru_utime);
  record->system_ns = ns(usage.ru_stime);
  record->last_ns = now_ns();
  record->last_ticks = ticks();
  record->ended = 1;
}

uint32_t new_usage() { return next_place(record->usages, most_usages); }
uint32_t new_site() { return next_place(record->sites, most_sites); }
uint32_t new_file() { return next_place(record->files, most_files); }

uint32_t keep_text(const char* text) {
  const size_t bytes = strlen(text) + 1;
  const uint32_t place =
      __atomic_fetch_add(&record->text, static_cast<uint32_t>(bytes), __ATOMIC_RELAXED);
  if (place + bytes > text_bytes) return 0;
  memcpy(record->texts + place, text, bytes);
  return place;
}

// A signal's handler may come here while its thread has the lock: then what it adds is left out.
void add_to_moment(uint64_t at_ns, const Moment& added) {
  for (int tries = 0; moments_in_use.test_and_set(std::memory_order_acquire); ++tries) {
    if (tries == 1000) return;
  }
  uint64_t place = (at_ns - record->start_ns) / record->moment_ns;
  while (place >= most_moments) {
    halve_moments();
    place = (at_ns - record->start_ns) / record->moment_ns;
  }
  Moment& moment = record->moment[place];
  moment.written_bytes += added.written_bytes;
  moment.read_bytes += added.read_bytes;
  moment.copying_ticks += added.copying_ticks;
  moment.system_ns += added.system_ns;
  moment.sleep_ns += added.sleep_ns;
  record->last_ns = now_ns();
  record->last_ticks = ticks();
  moments_in_use.clear(std::memory_order_release);
}

}  // namespace sluice::preload
