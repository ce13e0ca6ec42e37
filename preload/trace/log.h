// The log of one process: what it did with files, by call site.
//
// A file of fixed layout that the traced process maps and writes, so that nothing is lost when it
// is killed, and that `sluice trace` reads. It is sparse: pages that nothing was written to take
// no room. Every table has an end, earlier where the disk has no room for more; what comes after it
// is counted in the last entry.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sluice::preload {

inline constexpr uint64_t trace_magic = 0x34304543'41525453;  // "STRACE04"

enum class Call : uint8_t {
  fwrite,
  fputc,
  fputs,
  fprintf,
  fflush,
  fread,
  fgetc,
  fgets,
  getline,
  fscanf,
  ungetc,
  fseek,
  ftell,
  fopen,
  fclose,
  write,
  writev,
  pwrite,
  read,
  readv,
  pread,
  lseek,
  open,
  close,
  fsync,
  fdatasync,
  sendfile,
  copy_file_range,
  mmap,
  other,
  count,
};

inline constexpr const char* call_names[] = {
    "fwrite",  "fputc",     "fputs",    "fprintf",         "fflush", "fread", "fgetc",  "fgets",
    "getline", "fscanf",    "ungetc",   "fseek",           "ftell",  "fopen", "fclose", "write",
    "writev",  "pwrite",    "read",     "readv",           "pread",  "lseek", "open",   "close",
    "fsync",   "fdatasync", "sendfile", "copy_file_range", "mmap",   "other",
};
static_assert(sizeof call_names / sizeof *call_names == static_cast<size_t>(Call::count));

// Each process has a log, and each program that it becomes, until there are so many. All of them
// add a byte to the file of this name, beside the logs, which says how many there were.
inline constexpr uint64_t max_logs = 4096;
inline constexpr char count_of_logs[] = "count";

inline constexpr size_t size_classes = 32;  // class n holds sizes from 2^(n-1) up to 2^n - 1
inline constexpr size_t max_frames = 24;
inline constexpr size_t max_usages = 16384;
inline constexpr size_t max_sites = 4096;
inline constexpr size_t max_files = 8192;
inline constexpr size_t max_modules = 512;
inline constexpr size_t max_moments = 1024;
inline constexpr size_t text_bytes = 2 << 20;

// What one call site did with one file by one function, in one thread.
struct Usage {
  uint32_t site;
  uint32_t file;
  uint32_t thread;
  Call call;
  uint8_t standard;  // through standard input, output or error

  uint64_t bytes;  // that the caller handed over or was given
  uint64_t failures;

  // Calls that were a copy to or from a buffer: timed now and then.
  uint64_t copies;
  uint64_t timed_copies;
  uint64_t timed_copy_ticks;

  // Calls that went to the kernel: the clock is read at each, the processor's now and then.
  uint64_t slow_calls;
  uint64_t slow_ns;
  uint64_t timed_slow_calls;
  uint64_t timed_slow_ns;      // of those: on the clock
  uint64_t timed_slow_cpu_ns;  // of those: of the processor

  uint64_t system_calls;  // made, or inferred from what became of a stream's buffer
  uint64_t system_bytes;

  // Of large calls: where their data lay, by addresses alone.
  uint64_t data_begin;
  uint64_t data_end;
  uint64_t asked_bytes;
  uint64_t ended_ns;
  uint64_t following;  // writes whose data began where that of the call before had ended
  uint64_t growths;    // reads into memory that had been made larger since the call before
  uint64_t growth_ns;  // what making it larger took

  uint64_t cold_bytes;  // of those mapped: not in memory when they were

  uint64_t sizes[size_classes];
};

struct Site {
  uint64_t frames[max_frames];  // return addresses, innermost first; 0 ends them
};

struct FileEntry {
  uint32_t name;  // where in the text
  uint32_t opens;
  uint64_t device;
  uint64_t inode;
  uint64_t size_bytes;  // when it was last looked at
  uint32_t kind;        // st_mode & S_IFMT
  uint32_t flags;       // of its descriptors, all together: how they were opened
};

struct Module {
  uint64_t begin;  // addresses of its code and data
  uint64_t end;
  uint64_t bias;  // to be subtracted for an address of the file
  uint32_t name;  // where in the text
  uint32_t unused;
};

// What happened in a stretch of time.
struct Moment {
  uint64_t written_bytes;
  uint64_t read_bytes;
  uint64_t copying_ticks;  // of a sample: only how they compare between moments has a meaning
  uint64_t system_ns;
  uint64_t sleep_ns;
};

struct Log {
  uint64_t magic;
  int32_t process;
  int32_t parent;
  uint64_t start_ns;  // CLOCK_MONOTONIC
  uint64_t last_ns;   // when something was last recorded
  uint64_t start_ticks;
  uint64_t last_ticks;
  uint64_t user_ns;  // of the process, at the end; 0 when it was killed
  uint64_t system_ns;
  uint64_t cold_read_ns;  // what reading the first mapped bytes that were not in memory took
  uint64_t cold_read_bytes;
  uint64_t major_faults;  // from then until the end
  uint64_t blocked_ns;    // in that time: neither working nor waiting for a processor
  uint64_t moment_ns;     // the length of each stretch; doubled when they run out
  uint32_t usages;        // entries in use, of each table
  uint32_t sites;
  uint32_t files;
  uint32_t modules;
  uint32_t text;
  uint32_t threads;
  uint32_t lost_usages;      // calls whose table was full
  uint32_t ended;            // it came to its end in good order
  uint32_t several_threads;  // once it had more than one: stdio takes its locks from then on
  uint32_t handlers;         // it had a signal's handler, when that was last looked at
  uint32_t seccomp;          // it has entered it: what it did afterwards is not here
  uint32_t unused;
  char program[256];

  Module module[max_modules];
  Site site[max_sites];
  FileEntry file[max_files];
  Moment moment[max_moments];
  Usage usage[max_usages];
  char texts[text_bytes];
};

}  // namespace sluice::preload
