// Counts what the object has done for the program.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sluice::preload {

inline constexpr uint32_t log_format = 7;
inline constexpr size_t log_bytes = 4096;
inline constexpr size_t largest_page_bytes = 65536;  // of the kernels of AArch64

// Opening this descriptor, or one above it, ends all holding.
inline constexpr int end_of_holdable = 1024;

// The event that has ended all holding, for good.
enum class EndOfHolding : uint8_t {
  none,
  thread,
  handler,
  timer,
  request,
  memory,
  own_call,
  descriptor,
  mappings,
  watch,
  count
};

// The reason why the writes to an open file are not held, or no longer, although `--coalesce` asks
// for it.
enum class NotHeld : uint8_t {
  append,       // O_APPEND
  synchronous,  // O_SYNC, O_DSYNC, O_DIRECT
  readable,     // opened for reading as well
  special,      // not a regular file with one name in a file system that only stores bytes
  shared,       // another descriptor, standard output or a mapping has the same file
  stream,       // a stream writes it: the C library makes the system calls
  process,      // another process may have got the descriptor
  flags,        // F_SETFL
  lone,         // many times another call followed each single write
  count,
};

// The file of a log is mapped in the place of the process's own counters, which fill a page of any
// size. They then survive SIGKILL.
// Calls are counted while the program has one thread. `sluice run --summary` reads the counters.
struct alignas(log_bytes) Counters {
  uint32_t format = 0;  // log_format in a log
  int32_t process = 0;
  uint64_t streams = 0;      // opened by fopen() and similar calls
  uint64_t fast_writes = 0;  // calls that were a copy
  uint64_t fast_reads = 0;
  uint64_t fast_seeks = 0;
  uint64_t slow_writes = 0;  // calls that went to the C library
  uint64_t slow_reads = 0;
  uint64_t slow_seeks = 0;
  // Why calls went to the C library. The first two are counted among the slow calls as well.
  uint64_t unbuffered_calls = 0;  // the stream was unbuffered, or line-buffered and written to
  uint64_t compiled_calls = 0;    // putc_unlocked() and getc_unlocked() were compiled in
  uint64_t flushes = 0;           // calls of fflush()
  uint64_t standard_writes = 0;   // write(2) calls to descriptors that are never held
  uint64_t held_writes = 0;       // small write(2) calls that were held
  uint64_t saved_calls = 0;       // system calls that were not made
  uint64_t out_of_reach = 0;  // programs that this process started or became, without the object
  uint64_t openings_not_held[static_cast<size_t>(NotHeld::count)] = {};
  EndOfHolding end_of_holding = EndOfHolding::none;
  // A call has gone to the C library for the stream's lock. All further such calls do so at once.
  bool has_locked = false;
  char program[256] = {};
};

struct alignas(largest_page_bytes) OwnCounters : Counters {};
[[gnu::visibility("hidden")]] extern OwnCounters counters;

// From now on the counters belong to this process, and lie in a new file in `folder`. If no file
// can be made (the program has changed its root, its user or its limits), the counts are lost when
// the process ends.
void begin_log(const char* folder);

}  // namespace sluice::preload
