// mmap of files: counts it, and finds whether the mapped bytes were in memory.
//
// Bytes that are read by touching memory pass no hook. Bytes of a mapped file that are not in
// memory are called cold. The hook reads a part of the first cold bytes of a process itself, and
// times this read. The totals of the process at its end, less those after this read, show how long
// it may have waited for the rest.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include <algorithm>

#include "account.h"
#include "counters.h"
#include "events.h"
#include "files.h"
#include "hook.h"
#include "keep_errno.h"
#include "real.h"

namespace sluice::preload {
namespace {

// In a large mapping only this many stretches of this many pages are checked.
constexpr uint64_t stretches = 16;
constexpr uint64_t stretch_pages = 256;

// The hook reads an eighth of the cold bytes, and no more than this.
constexpr uint64_t max_timed_bytes = 8 << 20;

struct ColdPages {
  uint64_t looked_at = 0;
  uint64_t cold = 0;
  char* first = nullptr;

  void look(char* begin, uint64_t pages) {
    unsigned char in_memory[stretch_pages];
    if (syscall(SYS_mincore, begin, pages * page_bytes, in_memory) != 0) return;
    looked_at += pages;
    for (uint64_t i = 0; i < pages; ++i) {
      if ((in_memory[i] & 1) != 0) continue;
      ++cold;
      if (first == nullptr) first = begin + i * page_bytes;
    }
  }
};

ColdPages cold_pages(char* begin, uint64_t pages) {
  ColdPages found;
  const uint64_t whole = (pages + stretch_pages - 1) / stretch_pages;
  const uint64_t count = std::min(whole, stretches);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = pages * i / count;
    const uint64_t rest = pages * (i + 1) / count - at;
    found.look(begin + at * page_bytes, std::min(rest, stretch_pages));
  }
  return found;
}

void time_reading(char* first, uint64_t cold_bytes, const char* end) {
  const uint64_t bytes = std::min({cold_bytes / 8 / page_bytes * page_bytes, max_timed_bytes,
                                   static_cast<uint64_t>(end - first)});
  if (bytes == 0) return;  // the next mapping may be larger
  const uint64_t start = now_ns();
  // No signal is raised if the file was cut short meanwhile.
  if (madvise(first, bytes, MADV_POPULATE_READ) != 0) return;
  const uint64_t end_ns = now_ns();
  const uint64_t passed_ns = end_ns - log->start_ns;
  const uint64_t worked_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - log->worked_before_ns;
  const uint64_t busy_ns = worked_ns + queued_ns();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  log->cold_read_ns = end_ns - start;
  log->cold_read_bytes = bytes;
  log->blocked_before_ns = passed_ns > busy_ns ? passed_ns - busy_ns : 0;
  log->faults_before = static_cast<uint64_t>(usage.ru_majflt);
}

void look_for_cold_pages(Usage& usage, char* begin, uint64_t bytes) {
  const ColdPages found = cold_pages(begin, bytes / page_bytes);
  if (found.cold == 0) return;
  const uint64_t cold_bytes = bytes * found.cold / found.looked_at;
  usage.cold_bytes += cold_bytes;
  if (log->cold_read_bytes != 0) return;
  time_reading(found.first, cold_bytes, begin + bytes / page_bytes * page_bytes);
}

// The number of mapped bytes that the file has.
uint64_t bytes_of_file(int descriptor, uint64_t bytes, off_t offset) {
  struct stat status {};
  if (real_fstat(descriptor, status) != 0 || status.st_size <= offset) return 0;
  const auto rest = static_cast<uint64_t>(status.st_size - offset);
  return std::min(rest, bytes);
}

// To look whether a file is in memory takes longer than to map it. So a file that always was in
// memory is looked at now and then.
bool is_to_be_looked_at(const Usage& usage) {
  constexpr uint64_t always = 16;
  constexpr uint64_t now_and_then = 16;
  return usage.slow_calls <= always || usage.cold_bytes > 0 || usage.slow_calls % now_and_then == 0;
}

long map_counted(Usage& usage, const Arguments& arguments) {
  const auto bytes = static_cast<uint64_t>(arguments.value[1]);
  const long result = control(&usage, [&] { return arguments.call(); });
  auto* const memory = reinterpret_cast<char*>(result);
  if (memory == MAP_FAILED) return result;
  count_bytes(usage, bytes);
  note_shared(usage.file);
  const KeepErrno kept;
  const bool may_wait = arguments.number(2) == PROT_READ && S_ISREG(log->file(usage.file).kind);
  if (may_wait && is_to_be_looked_at(usage)) {
    look_for_cold_pages(usage, memory,
                        bytes_of_file(arguments.number(4), bytes, arguments.value[5]));
    last_end_ns = now_ns();  // of the object's own work
  }
  return result;
}

}  // namespace

SLUICE_WORK(long, sluice_mmap) {
  const int descriptor = arguments.number(4);
  const int flags = arguments.number(3);
  const bool of_file = descriptor >= 0 && (flags & MAP_ANONYMOUS) == 0;
  const bool is_first = is_recording() && log->other_code == 0;
  if (is_first && shares_memory(arguments.number(2), flags, descriptor)) {
    before_other_code(EndOfHolding::memory);
  }
  Usage* const usage =
      of_file ? usage_of_descriptor(Call::mmap, descriptor, arguments.caller()) : nullptr;
  return usage == nullptr ? arguments.call() : map_counted(*usage, arguments);
}
SLUICE_AROUND(sluice_mmap, "mmap, mmap64");

}  // namespace sluice::preload
