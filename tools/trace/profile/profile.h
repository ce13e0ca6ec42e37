// A program's work on files, put together from the logs of its processes.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "machine/disturbance.h"
#include "preload/trace/log.h"
#include "trace/costs/call_costs.h"
#include "trace/costs/extraction_cost.h"
#include "trace/costs/start_cost.h"
#include "trace/costs/stream_cost.h"

namespace sluice::trace {

class SparseFile;
class Symbols;

// The name of a function of the C library, as in the reports.
inline const char* name_of(preload::Call call) {
  return preload::call_names[static_cast<std::size_t>(call)];
}

// True of the calls that look a name up and open nothing.
inline bool looks_up(preload::Call call) {
  return preload::what_does(call) == preload::Does::look_up;
}

// What calls without a descriptor are for; nullptr for calls with one.
inline const char* files_without_descriptor(preload::Call call) {
  if (looks_up(call)) return "(names that were looked up)";
  if (preload::what_does(call) == preload::Does::change_name) return "(names that were changed)";
  if (call == preload::Call::getdents) return "(folders that were listed)";
  if (call == preload::Call::msync) return "(mapped memory)";
  return call == preload::Call::sync ? "(all files)" : nullptr;
}

struct Frame {
  std::string function;  // demangled; the address if the name is unknown
  std::string source;    // "/path/file.cc:12"; empty without debug information
  std::string module;    // the file that the code is in
  auto operator<=>(const Frame&) const = default;  // NOLINT(modernize-use-nullptr): it is none
};

// The kinds of time: copying in user space, working in the kernel, waiting.
struct Time {
  double copying_s = 0;
  double system_s = 0;
  double sleep_s = 0;
  double total_s() const { return copying_s + system_s + sleep_s; }
  Time& operator+=(const Time& other);
};

struct Amount {
  std::uint64_t calls = 0;
  std::uint64_t copies = 0;  // the calls that stayed in the buffer
  std::uint64_t bytes = 0;   // the bytes that callers handed over or received
  std::uint64_t failures = 0;
  std::uint64_t system_calls = 0;  // made by the program, or inferred for stdio
  std::uint64_t system_bytes = 0;
  std::uint64_t paired_calls = 0;      // of writev, with two or more pieces
  std::uint64_t last_piece_bytes = 0;  // the bytes of their second pieces
  std::uint64_t repeated = 0;    // look-ups of names that the same call site had looked up before
  std::uint64_t far_calls = 0;   // at positions far from where the call before has ended
  std::uint64_t in_a_row = 0;    // look-ups of the name that the look-up before was about
  std::uint64_t cold_bytes = 0;  // mapped bytes that were not in memory at the time of the map
  Time time;
  double queued_s = 0;             // for which calls waited for a processor; not in `time`
  double work_before_s = 0;        // of the program, from the call to the kernel before to this one
  double copying_by_run_s = 0;     // the time that the copies would take with `sluice run`
  double number_prints_s = 0;      // the time of prints, as far as whole numbers would take it
  double by_fputs_s = 0;           // the time of fputs for the same texts
  double through_stream_s = 0;     // the time that direct calls of few bytes would copy in stdio
  double most_texts_s = 0;         // the most time that prints would take to make these bytes
  double copying_in_memory_s = 0;  // the time that they would take within the program's memory
  bool takes_locks = false;        // several threads, and not by _unlocked: --unlocked helps
  bool other_code = false;         // other code may have looked at the files (other_code.cc)
  bool is_shared = false;          // others may have the open file (FileEntry::shared)
  bool standard = false;           // the calls used standard input, output or error
  bool printed = false;            // dprintf made these writes
  // The sizes of the calls, by powers of two. They stand last: what goes through thousands of uses
  // seldom asks for them.
  std::array<std::uint64_t, preload::size_classes> sizes{};
  Amount& operator+=(const Amount& other);
};

struct File {
  std::string name;
  std::uint64_t opens = 0;
  std::uint64_t first_bytes = 0;  // the least size when a process had opened it; a socket's type
  std::uint64_t size_bytes = 0;   // the largest one that a process has seen
  std::uint32_t kind = 0;         // S_IFREG and its like
  std::uint32_t flags = 0;        // all flags of its descriptors, combined
  bool is_many = false;           // it stands for all files for which a log had no room
  bool remains = false;           // written, and a file of its name is there after the program
  // No file of its name is there after the program. It is known of files that were written, and of
  // all files of a process that removes many.
  bool is_gone = false;
  std::uint64_t device = 0;  // the last one that a log has for this name
  std::uint64_t inode = 0;   // the same
  double renewals = 0;       // how often a log has another inode than the log before
};

// What one rank of a job has of some calls.
struct RankShare {
  Time time{};
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  RankShare& operator+=(const RankShare& other);
};

// The calls of one function, at one place in the program, on one file, by all threads and
// processes.
struct Use {
  std::size_t site = 0;
  std::size_t file = 0;
  preload::Call call = preload::Call::other;
  // Places in Profile::processes, counted from 1, and numbers of threads. Processes of several
  // machines, or in several namespaces, may have the same number.
  std::set<std::pair<int, std::uint32_t>> threads{};
  Amount amount{};
  std::map<unsigned, RankShare> by_rank{};  // of the processes that have a rank

  bool has_several_threads() const;  // of one process
  bool shares_a_process_with(const Use& other) const;
};

struct Site {
  // The program's own code first, without the library code that it called.
  std::vector<Frame> frames;
  bool by_iostream = false;       // that library code is the C++ library's
  bool by_istream = false;        // and reads from a std::istream
  bool by_extraction = false;     // by operator>>
  bool by_bytes = false;          // by get(), peek() or put() of a stream
  bool by_refills = false;        // its own code takes the bytes out of a stream's buffer
  bool by_peek = false;           // by std::istream::peek()
  bool by_fractions = false;      // by operator<< of a double or a float
  bool by_integers = false;       // by operator<< of a whole number
  bool by_texts = false;          // by operator<< of a text, or by std::ostream::write()
  bool by_rdbuf = false;          // by operator<< of the buffer of another stream
  std::uint32_t piece_bytes = 0;  // for which std::istream::read() was asked; 0 if unknown
  auto operator<=>(const Site&) const = default;  // NOLINT(modernize-use-nullptr): it is none
};

struct Process {
  int number = 0;
  int parent = 0;
  std::string program;
  std::optional<unsigned> rank{};  // in a job of MPI or SLURM
  std::string machine{};           // its name
  double wall_s = 0;
  double user_s = 0;  // 0 if the process was killed, because the time is then unknown
  double system_s = 0;
  double queued_s = 0;  // for which its first thread waited for a processor
  double begun_s = 0;   // its processor time before its log began; most of it starts the program
  Time time{};          // of its calls
  unsigned threads = 0;
  bool several_threads = false;          // threads without work on files count too
  bool ended = false;                    // false if the process was killed or still runs
  std::uint64_t connections = 0;         // calls of connect that have made one
  std::uint64_t started_threads = 0;     // also those that make no call
  std::uint64_t barrier_waits = 0;       // calls of pthread_barrier_wait
  std::uint64_t voluntary_switches = 0;  // its threads waited so often
  std::uint64_t minor_faults = 0;        // pages of memory that it touched first
  std::uint64_t major_faults = 0;        // page faults since a cold file was mapped
  double fault_wait_s = 0;               // the most time that the process waited for these faults
  double cold_read_s = 0;                // the time of reading the cold bytes in sequence
  std::uint64_t lost_calls = 0;          // calls for which the table had no room
  unsigned out_of_reach = 0;  // programs without the object that the process started or became
  std::set<std::string> unseen_calls{};  // functions that its code imports and no hook sees

  double processor_s() const { return user_s + system_s; }
};

// The events of a stretch of time. The times are estimates, see moments_of() in timeline.h. Waiting
// for a processor is part of `time` here.
struct Moment {
  std::uint64_t written_bytes = 0;  // by system calls, also below stdio
  std::uint64_t read_bytes = 0;
  Time time;
  Moment& operator+=(const Moment& other);
};

// The stretches of one process's time, all of one length.
struct ProcessMoments {
  std::uint64_t start_ns = 0;  // the process's start, on the clock of all processes
  std::uint64_t moment_ns = 0;
  std::vector<Moment> moments{};
};

// What tells one use from another.
struct UseKey {
  std::size_t site;
  std::size_t file;
  preload::Call call;
  bool operator==(const UseKey&) const = default;

  struct Hash {
    std::size_t operator()(const UseKey& key) const {
      constexpr std::size_t odd = 0x9E3779B97F4A7C15;
      return ((key.site * odd + key.file) * odd + static_cast<std::size_t>(key.call)) * odd;
    }
  };
};

// The indexes of the sites, files and uses that the profile has already.
struct KnownEntries {
  std::map<Site, std::size_t> sites{};
  std::unordered_map<std::string, std::size_t> files{};
  // The others, if several kinds of files have one name.
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> files_of_kinds{};
  std::unordered_map<UseKey, std::size_t, UseKey::Hash> uses{};
  std::map<std::string, std::vector<std::string>> unseen_calls{};  // by file of code
};

struct Profile {
  std::vector<std::string> command;
  std::string script{};  // the file of the command if it is a script; else empty
  int wait_status = 0;
  bool still_runs = false;  // then there is no wait status
  double wall_s = 0;
  std::string not_covered;  // the reason why no call was seen; empty if calls could be seen
  std::vector<Process> processes{};
  std::vector<ProcessMoments> moments{};  // one for each process
  std::vector<Site> sites{};
  std::vector<File> files{};
  std::vector<Use> uses{};
  KnownEntries known{};
  std::string sizes{};                        // the text of --sizes; empty if it is not asked for
  std::vector<std::string> problems{};        // for example a log that could not be read in full
  Disturbance disturbance{};                  // while the program ran
  double idle_processors = 0;                 // on average, while the program ran
  StartCost start_cost{};                     // measured only if there were many processes
  ExtractionCosts extraction_costs{};         // of files out of which operator>> takes words
  std::optional<StreamCosts> stream_costs{};  // measured only if they are needed
  double write_s = 0;            // see write_cost.h; measured only if there were writes
  double switch_s = 0;           // see switch_cost.h; measured only if threads waited often
  std::uint64_t empty_logs = 0;  // for which the disk had no room, or whose process was killed
  std::uint64_t processes_left_out = 0;  // that came after the last process with a log

  Amount total() const;
  Time time() const;  // of all uses
};

// The process of this place, counted from 1. nullptr if the profile does not have it.
const Process* process_at(const Profile& profile, int place);

// The first process of the use. nullptr if the profile does not have it.
const Process* first_process_of(const Profile& profile, const Use& use);

// Adds one process's log. If the log is cut short, adds the part that is there, and a problem.
void add_log(Profile& profile, const std::string& path, CallCosts& costs, Symbols& symbols);

// The same, with the memory of an earlier log.
void add_log(Profile& profile, const std::string& path, CallCosts& costs, Symbols& symbols,
             SparseFile& file);

}  // namespace sluice::trace
