// The facts that every rule of the advice looks at.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/advice/advice.h"
#include "trace/costs/call_set.h"
#include "trace/profile/profile.h"

namespace sluice::trace {

inline constexpr std::uint64_t many_opens = 100;

// To map up to 64 KiB, to touch each page once and to end the mapping takes at most so many times
// as long as the call of mmap alone (docs/measured/mapped-pieces.txt).
inline constexpr double most_for_a_mapping = 5.4;

// What the rules ask about the calls of all call sites together: a small part of their Amount. It
// is added up for thousands of files.
struct SumOfCalls {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  std::uint64_t system_calls = 0;
  std::uint64_t system_bytes = 0;
  std::uint64_t paired_calls = 0;
  std::uint64_t last_piece_bytes = 0;
  std::uint64_t far_calls = 0;
  Time time;
  double work_before_s = 0;
  SumOfCalls() = default;
  SumOfCalls(const Amount& amount)
      : calls(amount.calls),
        bytes(amount.bytes),
        system_calls(amount.system_calls),
        system_bytes(amount.system_bytes),
        paired_calls(amount.paired_calls),
        last_piece_bytes(amount.last_piece_bytes),
        far_calls(amount.far_calls),
        time(amount.time),
        work_before_s(amount.work_before_s) {}
  SumOfCalls& operator+=(const SumOfCalls& other);
};

// The work of all call sites together, for each file and each function of the C library.
class FileAmounts {
 public:
  explicit FileAmounts(const Profile& profile);
  SumOfCalls of(std::size_t file, CallSet calls) const;
  std::uint64_t calls_of(std::size_t file, CallSet calls) const;  // their number

  // The number of threads that made these calls on the file.
  std::size_t threads_of(std::size_t file, CallSet calls) const;

  // True if several processes that made these calls on the file have lived at the same time.
  bool are_processes_at_once(std::size_t file, CallSet calls) const;

  // True if one process both writes the file and reads it. Only then can the program keep the bytes
  // in its memory.
  bool is_read_where_written(std::size_t file) const;

  // Of the processes of a use: its writes by write(2), and the calls before which preload/ writes
  // out the held bytes of all files.
  struct OfProcess {
    double writes = 0;
    double ends_of_holding = 0;
  };
  OfProcess beside(const Use& use) const;

  // The openings of all files at this call site.
  std::uint64_t openings_at(std::size_t site) const { return openings_at_[site]; }

  // True if many openings fail at this call site.
  bool often_fails_at(std::size_t site) const { return often_fails_at_[site]; }

  // The uses by which C++ streams write pieces to the file that no longer fit into their buffers.
  using Uses = std::vector<const Use*>;
  const Uses& stream_writes_of(std::size_t file) const { return stream_writes_.at(file); }

  // True if the program itself opens the file as a stream of the C library.
  bool is_opened_as_stream(std::size_t file) const { return opened_as_streams_[file]; }

 private:
  // The calls of one function on one file. Most are of one use, which is not copied.
  struct Several {
    SumOfCalls sum;
    decltype(Use::threads) threads;
  };
  struct Calls {
    const Use* only;                     // nullptr if there are several
    std::unique_ptr<Several> several{};  // else nullptr

    SumOfCalls sum() const { return only != nullptr ? SumOfCalls(only->amount) : several->sum; }
    std::uint64_t calls() const {
      return only != nullptr ? only->amount.calls : several->sum.calls;
    }
    const decltype(Use::threads)& threads() const {
      return only != nullptr ? only->threads : several->threads;
    }
  };
  static constexpr std::size_t functions = static_cast<std::size_t>(preload::Call::count);

  decltype(Use::threads) all_threads_of(std::size_t file, CallSet calls) const;

  const Calls* find(std::size_t file, preload::Call call) const {
    const std::uint32_t place = places_[file * functions + static_cast<std::size_t>(call)];
    return place == 0 ? nullptr : &calls_[place - 1];
  }

  void add_to_processes(const Use& use);

  const Profile& profile_;

  std::vector<Calls> calls_;
  std::vector<std::uint32_t> places_;  // in calls_, plus 1, by file and function; else 0
  std::vector<OfProcess> by_process_;  // by places in Profile::processes, counted from 1
  std::vector<std::uint64_t> openings_at_;
  std::vector<bool> often_fails_at_;
  std::vector<bool> opened_as_streams_;        // by file
  std::map<std::size_t, Uses> stream_writes_;  // by file
};

struct Situation {
  const Profile& profile;
  const FileAmounts& file_amounts;
  std::size_t index;  // the index of the use
  const Use& use;
  const File& file;
  const Amount& amount;

  Situation(const Profile& of, const FileAmounts& amounts, std::size_t place);

  bool is_regular() const;
  bool is_by_iostream() const;  // by the C++ library, for the program
  bool is_by_language() const;  // by the runtime of a language such as Python
  bool is(CallSet calls) const;
  bool writes_to_stream() const;
  bool reads_from_stream() const;  // but not by fscanf
  bool writes_directly() const;
  bool reads_directly() const;

  // True if `sluice run`, with the right option, may coalesce writes to this file.
  bool may_be_held_back() const;

  // True if `sluice run --coalesce` can coalesce several writes in a row: the processes of this use
  // make few other calls that reach the kernel. Such a call first writes out what is held.
  bool has_writes_in_a_row() const;

  // The average bytes of the calls that moved any bytes. (The last read of a file moves no bytes.)
  double bytes_moved() const;

  // The average number of calls of each thread of each process, for work that two threads cannot
  // share.
  double calls_of_each() const;

  SumOfCalls of_file(CallSet calls) const { return file_amounts.of(use.file, calls); }
  std::uint64_t calls_of_file(CallSet calls) const {
    return file_amounts.calls_of(use.file, calls);
  }
  // True if there is a seek for every second system call or more: a usual buffer is filled nearly
  // as often.
  bool seeks_each_time() const;

  SumOfCalls written_to_file() const { return written_to(use.file); }
  SumOfCalls written_to(std::size_t index_of_file) const;

  // True if the program syncs the file about as often as it flushes its stream.
  bool syncs_after_flushes() const;
};

using Rule = std::optional<Advice> (*)(const Situation&);

// Each rule returns nothing if it has no advice.
std::optional<Advice> tiny_stdio_calls(const Situation& at);
std::optional<Advice> tiny_prints(const Situation& at);
std::optional<Advice> char_at_a_time(const Situation& at);
std::optional<Advice> tiny_system_calls(const Situation& at);
std::optional<Advice> scattered_writes(const Situation& at);
std::optional<Advice> tiny_copies(const Situation& at);
std::optional<Advice> flush_after_each(const Situation& at);
std::optional<Advice> unbuffered_stream(const Situation& at);
std::optional<Advice> small_buffer(const Situation& at);
std::optional<Advice> formatted_reads(const Situation& at);
std::optional<Advice> bytes_of_stream(const Situation& at);
std::optional<Advice> copied_to_memory(const Situation& at);
std::optional<Advice> pieces_written(const Situation& at);
std::optional<Advice> pieces_of_node(const Situation& at);
std::optional<Advice> pieces_read(const Situation& at);
std::optional<Advice> scanned_lines(const Situation& at);
std::optional<Advice> small_pieces_to_pipe(const Situation& at);
std::optional<Advice> round_trips(const Situation& at);
std::optional<Advice> here_strings(const Situation& at);
std::optional<Advice> seek_before_each_read(const Situation& at);
std::optional<Advice> positions_of_stream(const Situation& at);
std::optional<Advice> read_again(const Situation& at);
std::optional<Advice> sync_after_each(const Situation& at);
std::optional<Advice> synchronous_writes(const Situation& at);
std::optional<Advice> reopened(const Situation& at);
std::optional<Advice> streams_of_copies(const Situation& at);
std::optional<Advice> unseen_temporary_files(const Situation& at);
std::optional<Advice> mapped_in_pieces(const Situation& at);
std::optional<Advice> mapped_anew(const Situation& at);
std::optional<Advice> seek_before_each_write(const Situation& at);
std::optional<Advice> unbuffered_messages(const Situation& at);
std::optional<Advice> looked_up_again(const Situation& at);
std::optional<Advice> asked_again(const Situation& at);
std::optional<Advice> asked_in_a_row(const Situation& at);
std::optional<Advice> removed_by_database(const Situation& at);
std::optional<Advice> made_again(const Situation& at);
std::optional<Advice> locked_by_database(const Situation& at);
std::optional<Advice> locked_for_each(const Situation& at);
std::optional<Advice> read_back(const Situation& at);

// True if each piece that a C++ stream gets is a system call: because it has no buffer, or because
// the pieces are so large that they pass its buffer.
bool has_no_stream_buffer(const Situation& at);
bool passes_stream_buffer(const Situation& at);

// True if the program takes a few bytes at a time out of a pipe or a socket that has more of them.
bool takes_little_of_what_is_there(const Situation& at);

// True if most of the small pieces do not follow one another: no block has several of them.
bool is_scattered(const Situation& at);
bool has_scattered_reads(const Situation& at);

// Adds to advice about small reads of a compressed file what zlib does for each of them.
void count_decompression(Advice& advice, const Situation& at);

// True if the program seeks before nearly each of its small writes.
bool seeks_before_each_piece(const Situation& at);
std::string fix_of_seeks_between_pieces(const Situation& at);

// Without a saving, if the advice may cost more than it saves.
void be_about_scattered_reads(Advice& advice, const Situation& at);

// True if the program opens the file to ask whether it exists: it does nothing else with the file,
// and many openings by the same place in the program fail.
bool asks_by_opening(const Situation& at);

// True if files of this name are made again and again where no hook sees it, as by tmpfile(): the
// program closes more of them than it has opened and copied, and writes to them.
bool is_made_unseen(const Situation& at);

// True if the program opens a file again and again to read all of it. The program may have written
// the file before.
bool is_read_whole_each_time(const Situation& at);

// True if the program opens a file again and again, hardly writes it, and surely goes through the
// same bytes many times.
bool is_read_anew(const Situation& at);

// How many times each thread reads as many bytes as the file has.
double times_read(const Situation& at);
std::string times_text(double times);

bool is_of_database_or_tool(const Situation& at);

// A larger file would take too much memory.
inline constexpr double max_kept_bytes = 256.0 * 1024 * 1024;

// True if the program writes a file, reads it again as a whole, and does so many times: with files
// of one name after the other, or with more files than a log has room for. It locks a file that is
// there for other processes. See `reopened`.
bool is_read_by_its_writer(const Situation& at);

// A part of `reopened`: the program writes the whole file each time that it opens it.
bool is_written_anew(const Situation& at);
std::optional<Advice> written_anew(const Situation& at);

// True if the program writes the whole file again and again, and keeps it open. Its small writes
// and its flushes then have this cause.
bool is_renewed_in_place(const Situation& at);

// A part of `seek_before_each_read`: the seeks only ask for the position.
bool asks_for_positions(const Situation& at);
Advice asked_positions(const Situation& at);

// True if the file grows, and a part of it, such as a header, is written again all the time.
bool is_rewritten_in_part(const Situation& at);
std::optional<Advice> renewed_in_place(const Situation& at);
std::optional<Advice> replaced_again(const Situation& at);
std::optional<Advice> rewritten_in_part(const Situation& at);

// True if the program cuts the file again and again, and writes its contents anew.
bool is_cut_anew(const Situation& at);

// True if the program writes about once each time that it cuts the file, or each second time that
// it opens the file. With more writes a buffer saves some of them.
bool is_written_at_once(const Situation& at);

std::optional<Advice> cut_each_time(const Situation& at);

// Adds to advice about this file that the program waits when it cuts the file, if it does. (No log
// tells whether an opening cuts the file. An opening of a file that stays there waits for little
// else.)
void say_that_cuts_wait(Advice& advice, const Situation& at);

// Rules about a whole run, not about a single use.
std::optional<Advice> overlap_possible(const Profile& profile);
std::optional<Advice> cold_mapped_files(const Profile& profile);
std::optional<Advice> started_programs(const Profile& profile);
std::optional<Advice> forked_copies(const Profile& profile);
std::optional<Advice> turns_of_threads(const Profile& profile);
std::optional<Advice> temporary_files(const Profile& profile);
std::optional<Advice> moved_by_copy(const Profile& profile);
std::optional<Advice> loose_objects(const Profile& profile);
std::optional<Advice> connection_for_each(const Profile& profile);
std::optional<Advice> syncs_of_many_files(const Profile& profile);

// True if several processes use the file, and lock it: its bytes may be others at each lock.
bool is_shared_by_locks(const Situation& at);

// True if the file is locked for each record that is written to it, or for a few of them.
bool is_locked_for_records(const Situation& at);

// True if a small file is locked, read and written over for each change, as a counter is.
bool is_state_under_locks(const Situation& at);

// True if the process waits for most of its time outside of the calls that the trace sees, as for a
// timer or for another process.
bool waits_outside_of_calls(const Process& process);

double per(double amount, std::uint64_t count);
double size_of(const File& file);  // bytes

// True if the file's name says that it holds many members and a list of them.
bool is_archive(const File& file);

// True if its name says that its bytes are compressed.
bool is_compressed(const File& file);

double average_bytes(const Amount& amount);
double average_system_bytes(const SumOfCalls& of);

// The share of their time that larger calls save, for system calls that move `piece_bytes` each.
double share_of_calls(double piece_bytes);

// The same for writes to new pages of a file, of which the kernel makes each whatever the sizes of
// the calls are: at least this share is saved.
double least_share_of_writes(double piece_bytes);

// The same for calls of several KiB on a file. That of writes depends on the file system.
struct Share {
  double least = 0;
  double most = 0;
};
Share share_of_large_calls(bool writes, const File& file, double piece_bytes);

// The most time that making the text of a file took for each byte (docs/measured/made-texts.txt).
// Node and Java compile their programs.
double most_for_a_byte_s(const Situation& at);

// "2,000 calls of write with 9.5 bytes on average"
std::string calls_text(const Use& use);

inline constexpr std::uint64_t many_calls = 100;
inline constexpr double usual_page_bytes = 4096;
inline constexpr double large_piece_bytes = 65536;

// The time of reading a whole file into new memory, per byte: 0.16 to 0.22 ns in
// docs/measured/touched-whole-*.json, and 0.85 to 2.07 ns in a virtual machine on a busy host
// (docs/measured/read-whole.txt).
inline constexpr double read_byte_s = 1e-9;

// A low estimate of the way into the kernel and back.
inline constexpr double least_system_call_s = 100e-9;

}  // namespace sluice::trace
