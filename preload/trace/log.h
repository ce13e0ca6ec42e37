// The log of one process: its work on files, by call site.
//
// A log is a file of fixed layout that the traced process maps and writes, so that nothing is lost
// when the process is killed. `sluice trace` reads it. The file is sparse: pages without bytes take
// no room. Every table has a fixed maximum number of entries. If the disk is full, fewer of them
// can be used. What would need a further entry is counted in the table's last entry. The last site
// has no stack. If a module or a text has found no room, the number of used ones is beyond the
// table's.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

namespace sluice::preload {

inline constexpr uint64_t trace_magic = 0x35324543'41525453;  // "STRACE25"

// What a call does with the bytes of its caller, or with a name.
enum class Does : uint8_t {
  write_to_stream,
  read_from_stream,
  write,
  read,
  look_up,
  change_name,
  neither
};

// clang-format off
#define SLUICE_CALLS(X) \
  X(fwrite, write_to_stream) X(fputc, write_to_stream) X(fputs, write_to_stream) \
  X(fprintf, write_to_stream) X(fflush, neither) X(fread, read_from_stream) \
  X(fgetc, read_from_stream) X(fgets, read_from_stream) X(getline, read_from_stream) \
  X(fscanf, read_from_stream) X(ungetc, neither) X(fseek, neither) X(ftell, neither) \
  X(fopen, neither) X(fclose, neither) X(write, write) X(writev, write) X(pwrite, write) \
  X(pwritev, write) X(read, read) X(readv, read) X(pread, read) X(preadv, read) \
  X(lseek, neither) X(open, neither) X(close, neither) X(fsync, neither) X(fdatasync, neither) \
  X(sync_file_range, neither) X(syncfs, neither) X(sync, neither) X(msync, neither) \
  X(sendfile, neither) X(copy_file_range, neither) X(mmap, neither) X(fcntl, neither) \
  X(dup, neither) X(ftruncate, neither) X(fallocate, neither) X(getdents, neither) \
  X(fstat, neither) X(stat, look_up) X(access, look_up) X(failed_open, look_up) \
  X(readlink, look_up) X(realpath, look_up) X(opendir, look_up) X(rename, change_name) \
  X(unlink, change_name) X(mkdir, change_name) X(rmdir, change_name) X(link, change_name) \
  X(symlink, change_name) X(chmod, change_name) X(chown, change_name) X(utimensat, change_name) \
  X(flock, neither) X(other, neither)
// clang-format on
#define SLUICE_CALL(name, does) name,
enum class Call : uint8_t { SLUICE_CALLS(SLUICE_CALL) count };
#define SLUICE_CALL_NAME(name, does) #name,
inline constexpr const char* call_names[] = {SLUICE_CALLS(SLUICE_CALL_NAME)};
#define SLUICE_CALL_DOES(name, does) Does::does,
inline constexpr Does call_does[] = {SLUICE_CALLS(SLUICE_CALL_DOES)};
constexpr Does what_does(Call call) { return call_does[static_cast<size_t>(call)]; }

// The calls of localtime(), mktime() and tzset() that look at it count as questions for its status.
inline constexpr char time_zone_file[] = "/etc/localtime";
// Calls that search a list of the system count as questions for the status of a file of this name:
// those of getpwuid(), getgrnam() and similar calls. No file of a program has such a name.
inline constexpr char users_list[] = "(users and groups)";
// Those of getservbyport() and getservbyname().
inline constexpr char services_list[] = "(services)";
// Those of gethostbyname() and getaddrinfo(), which mostly ask a name server as well.
inline constexpr char hosts_list[] = "(hosts)";

// Each process has a log, and so has each program that a process executes, until there are max_logs
// logs. Each process and each program adds a byte to the file count_of_logs beside the logs. So the
// size of this file says how many there were.
inline constexpr uint64_t max_logs = 4096;
inline constexpr char count_of_logs[] = "count";

inline constexpr size_t size_classes = 32;  // class n holds sizes from 2^(n-1) up to 2^n - 1
inline constexpr uint64_t near_bytes = 1024;
inline constexpr size_t max_frames = 24;
inline constexpr size_t max_usages = 16384;
inline constexpr size_t max_sites = 4096;
inline constexpr size_t max_files = 8192;
inline constexpr size_t max_modules = 512;
inline constexpr size_t max_moments = 1024;
inline constexpr size_t text_bytes = 2 << 20;

// The usage of one file by one call site through one function, in one thread.
struct Usage {
  uint32_t site;
  uint32_t file;
  uint32_t thread;
  Call call;
  uint8_t standard;  // through standard input, output or error
  uint8_t unlocked;  // by functions that take no lock of the stream
  uint8_t printed;   // by dprintf, as a write
  uint32_t name;     // of look-ups: one of the names that came again; its place in the text
  uint32_t next;     // only for the recorder: the next usage of the file

  uint64_t bytes;  // that the caller handed over or received
  uint64_t failures;

  // Calls that were a copy to or from a buffer. They are timed now and then.
  uint64_t copies;
  uint64_t timed_copies;
  uint64_t timed_copy_ticks;

  // Calls that went to the kernel. The time is taken at each. The processor time is known of all
  // long calls, and of some of the others, which stand for all others.
  uint64_t slow_calls;
  uint64_t slow_ns;
  uint64_t before_ns;  // outside of calls to the kernel, since the call before in the thread
  uint64_t long_calls;
  uint64_t long_ns;      // their time by the clock
  uint64_t long_cpu_ns;  // their processor time
  uint64_t timed_slow_calls;
  uint64_t timed_slow_ns;
  uint64_t timed_slow_cpu_ns;
  uint64_t next_timed;  // the number of calls after which the processor time is asked for again

  uint64_t system_calls;  // made, or inferred from the changes of a stream's buffer
  uint64_t system_bytes;

  // Calls of writev with two or more pieces. libstdc++ calls it with two when the program's data no
  // longer fits into the buffer of a stream: the last piece is that data.
  uint64_t paired_calls;
  uint64_t last_piece_bytes;

  uint64_t repeated;  // look-ups of names that these calls had looked up before
  uint64_t in_a_row;  // questions about the name that the thread's question before was about

  // Of seeks: the unread bytes that streams no longer had, less those that they got.
  uint64_t passed_over;

  // Of lseek, and of calls with a position such as pread: the calls more than near_bytes away from
  // where the call before has ended, and where the last one has ended.
  uint64_t far_calls;
  uint64_t next_position;

  uint64_t cold_bytes;  // mapped bytes that were not in memory at that time

  uint64_t sizes[size_classes];
};

struct Site {
  uint64_t frames[max_frames];  // return addresses, innermost first; 0 ends the list
};

struct FileEntry {
  uint32_t name;  // its place in the text
  uint32_t opens;
  uint64_t device;
  uint64_t inode;
  uint64_t opened_as;    // a hash of the file and of the path in the call that has opened it
  uint64_t first_bytes;  // the size when first seen, after it was opened; a socket's type
  uint64_t size_bytes;   // the largest one that was seen: a program may cut the file
  uint32_t kind;         // st_mode & S_IFMT
  uint32_t flags;        // of all its descriptors: how they were opened
  uint32_t shared;       // another process or descriptor, or a mapping, may lead to it
  uint32_t last_usage;   // only for the recorder: its latest usage
};

struct Module {
  uint64_t begin;  // addresses of its code and data
  uint64_t end;
  uint64_t bias;  // subtracted from an address, it gives the address in the file
  uint32_t name;  // its place in the text
};

// The events of a stretch of time.
struct Moment {
  uint64_t written_bytes;
  uint64_t read_bytes;
  uint64_t copying_ticks;  // of a sample, only for comparing moments
  uint64_t system_ns;
  uint64_t sleep_ns;
};

// The part of a table that lies near those of other tables: its first entries, and the last one.
template <typename Entry, size_t count>
struct Near {
  Entry first[count];
  Entry last;
};

// A short process uses the head and the near parts alone, which are its log's first pages.
struct Log {
  uint64_t magic;
  int32_t process;
  int32_t parent;
  uint64_t start_ns;  // CLOCK_MONOTONIC
  uint64_t last_ns;   // the time of the last entry
  uint64_t user_ns;   // of the process, at its end; 0 if it was killed
  uint64_t system_ns;
  uint64_t minor_faults;        // of the process, at its end: pages of memory that it touched first
  uint64_t major_faults;        // of the process, at its end: pages that it waited for
  uint64_t voluntary_switches;  // of the process, at its end: its threads waited so often
  uint64_t worked_before_ns;    // the process, before this log began: it was another program
  uint64_t queued_ns;           // since then, ready to run without a processor; of the first thread
  uint64_t cold_read_ns;  // the time of reading the first mapped bytes that were not in memory
  uint64_t cold_read_bytes;
  uint64_t faults_before;      // major ones, until the end of that read
  uint64_t blocked_before_ns;  // until then: neither working nor waiting for a processor
  uint64_t moment_ns;          // the length of each stretch, which doubles when they run out
  uint32_t usages;             // entries in use in each table
  uint32_t sites;
  uint32_t files;
  uint32_t modules;
  uint32_t text;
  uint32_t threads;
  uint32_t ended;            // the process ended in good order
  uint32_t several_threads;  // set once it had several threads: stdio takes its locks from then on
  uint32_t other_code;       // other code may have looked at its files (other_code.cc)
  uint32_t seccomp;          // it has entered seccomp; its later calls are not recorded
  uint32_t out_of_reach;     // programs that the process started or became, without the object
  uint32_t stopped;          // set by the command, which will not read the log again
  uint32_t rank_plus_one;  // the process's rank in a job of MPI or SLURM, plus 1; 0 if it has none
  uint32_t lost_moments;   // calls that are not in a moment, because the disk was full
  uint32_t unseen_io;      // the process has read or written by Linux AIO or io_uring
  uint32_t connections;    // calls of connect that have made one
  uint32_t started_threads;
  uint32_t barrier_waits;  // calls of pthread_barrier_wait
  char program[256];

  Near<Moment, 16> near_moments;
  Near<Module, 4> near_modules;
  Near<FileEntry, 8> near_files;
  Near<Site, 12> near_sites;
  Near<Usage, 12> near_usages;
  char texts[text_bytes];
  Moment far_moments[max_moments - sizeof near_moments / sizeof(Moment)];
  Module far_modules[max_modules - sizeof near_modules / sizeof(Module)];
  FileEntry far_files[max_files - sizeof near_files / sizeof(FileEntry)];
  Site far_sites[max_sites - sizeof near_sites / sizeof(Site)];
  Usage far_usages[max_usages - sizeof near_usages / sizeof(Usage)];

  Moment& moment(size_t place) { return entry(near_moments, far_moments, place); }
  Module& module(size_t place) { return entry(near_modules, far_modules, place); }
  FileEntry& file(size_t place) { return entry(near_files, far_files, place); }
  Site& site(size_t place) { return entry(near_sites, far_sites, place); }
  Usage& usage(size_t place) { return entry(near_usages, far_usages, place); }
  const Moment& moment(size_t place) const { return entry(near_moments, far_moments, place); }
  const Module& module(size_t place) const { return entry(near_modules, far_modules, place); }
  const FileEntry& file(size_t place) const { return entry(near_files, far_files, place); }
  const Site& site(size_t place) const { return entry(near_sites, far_sites, place); }
  const Usage& usage(size_t place) const { return entry(near_usages, far_usages, place); }

 private:
  template <typename Table, typename Entry, size_t count>
  static Entry& entry(Table& near, Entry (&far)[count], size_t place) {
    constexpr size_t few = std::extent_v<decltype(Table::first)>;
    if (place < few) return near.first[place];
    return place < few + count ? far[place - few] : near.last;
  }
};

// The first pages, which a log needs to begin, also have room for some text.
inline constexpr size_t least_log_bytes = 3 * 4096;
static_assert(offsetof(Log, texts) + 1024 <= least_log_bytes);

}  // namespace sluice::preload
