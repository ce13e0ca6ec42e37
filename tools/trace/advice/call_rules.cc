// Too many calls for the bytes that they move.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/places/runtime.h"

namespace sluice::trace {

using preload::Call;

namespace {

// With pieces of 16 KiB in place of 256 KiB, writes of a new file on ext4 took 1.9 times as long,
// and reads 1.2 times (docs/measured/amd-zen4-piece-sizes.txt).
constexpr double small_buffer_bytes = 16384;

// The last piece of a file is smaller than the others.
constexpr double nearly_page_bytes = 0.95 * usual_page_bytes;
constexpr double tiny_bytes = 512;

// See synchronous_writes, renewed_in_place, cut_each_time, locked_for_each and reopened.
bool has_cause_of_its_own(const Situation& at) {
  if ((at.file.flags & (O_SYNC | O_DSYNC)) != 0 || is_renewed_in_place(at)) return true;
  if (is_rewritten_in_part(at) || is_shared_by_locks(at)) return true;
  if (is_state_under_locks(at) || is_locked_for_records(at)) return true;
  return (is_cut_anew(at) || is_read_by_its_writer(at)) && is_written_at_once(at);
}

// At least so many files, or openings of a file, share these calls. mkstemp opens a file unseen,
// but the program closes it.
double openings_of(const Situation& at) {
  const std::uint64_t unseen = at.file.is_many ? at.calls_of_file({Call::close, Call::fclose}) : 1;
  return static_cast<double>(std::max(at.file.opens, unseen));
}

// The share of the calls that are not needed with larger pieces. Needed are a call for each large
// piece, at least one call each time the file is opened, and each call that only finds the end.
double share_left_out(const Situation& at) {
  const double pieces = static_cast<double>(at.amount.bytes) / large_piece_bytes;
  const double needed = std::max(pieces, openings_of(at)) + static_cast<double>(at.amount.sizes[0]);
  return std::max(0.0, 1 - per(needed, at.amount.calls));
}

double bytes_of_system_call(const Situation& at) {
  const bool streams = at.writes_to_stream() || at.reads_from_stream();
  return streams ? average_system_bytes(at.amount) : at.bytes_moved();
}

// True if there are at least as many seeks as large pieces. Larger buffers would then be filled
// with bytes that the program does not use.
bool seeks_between_pieces(const Situation& at) {
  const SumOfCalls seeks = at.of_file({Call::fseek, Call::lseek});
  return static_cast<double>(seeks.calls) * large_piece_bytes >
         static_cast<double>(at.amount.system_bytes);
}

// True if the mended program can use the pieces where they are, or make them where they are written
// from. Other calls also search for the end of a line or a text, which remains to be done.
bool may_leave_out_copies(Call call) {
  return call == Call::fread || call == Call::fgetc || call == Call::fwrite || call == Call::fputc;
}

// The share of the time of calls in a row that each program feels at least. The processor works on
// the rest of a program beside the calls, and a trace cannot tell how much time this hides.
constexpr double least_felt_share = 0.7;

// The saving of a program that moves larger pieces. It is least if the program still copies each
// piece in its own memory, and hides a part of the calls' time.
void set_saving(Advice& advice, const Situation& at, double copying_s) {
  const double by_copying_s = std::max(0.0, copying_s - at.amount.copying_in_memory_s);
  const bool leaves_out = may_leave_out_copies(at.use.call) && !at.is_by_iostream();
  advice.least_saved_s = least_felt_share * by_copying_s;
  advice.saved_s = leaves_out ? copying_s : by_copying_s;
}

// How a program moves larger pieces with the same functions of stdio.
const char* larger_pieces(const Situation& at) {
  switch (at.use.call) {
    case Call::fread:
      return "Read many records by one call, fread(array, sizeof *array, 1024, stream), and take "
             "them out of the array.";
    case Call::fgets:
    case Call::getline:
      return "Read blocks of 64 KiB by fread, find the ends of their lines by memchr, and use the "
             "lines where they are.";
    default:
      return "Put the pieces of a line or record into an array, better of many lines or records, "
             "and write the array by one fwrite.";
  }
}

// What depends on the threads that use the stream: a way that keeps the small calls, and what
// `sluice run` may do.
struct Unlocking {
  const char* fix;
  const char* check;
  const char* by;
};

Unlocking unlocking_of(const Situation& at, double by_run_s) {
  constexpr const char* fewer_calls =
      "the same command under sluice trace: fewer calls, the same bytes";
  constexpr double worth_naming = 0.1;  // of the calls' time
  if (!at.amount.takes_locks && by_run_s < worth_naming * at.amount.time.copying_s) {
    return {"", fewer_calls, ""};
  }
  if (!at.amount.takes_locks) {
    return {"", "sluice run --summary -- the same command", "run"};
  }
  if (at.use.has_several_threads()) {
    return {
        " (Several threads share the stream and need its lock, so each needs an array of its "
        "own.)",
        fewer_calls, ""};
  }
  return {
      " If only one thread uses the stream, the functions with _unlocked at the end of their "
      "names save a part of this.",
      "sluice run --unlocked --summary -- the same command, if no two threads use one stream "
      "at the same time",
      "run --unlocked"};
}

// True if stdio's own buffer, or one that the program has chosen, makes each system call small.
bool has_small_buffer(const Situation& at) {
  const bool streams = at.writes_to_stream() || at.reads_from_stream();
  const bool directly = at.writes_directly() || at.reads_directly();
  if ((!streams && !directly) || !at.is_regular()) return false;
  if (at.amount.system_calls < many_calls) return false;
  if (seeks_between_pieces(at)) return false;
  const double piece = bytes_of_system_call(at);
  // Smaller calls of the program itself belong to tiny_system_calls.
  return piece <= small_buffer_bytes &&
         piece >= (streams ? usual_page_bytes / 2 : nearly_page_bytes);
}

Share share_of_larger_buffer(const Situation& at) {
  return share_of_large_calls(!at.is(all_reads), at.file, bytes_of_system_call(at));
}

// With O_DIRECT each call also waits for the disk: 1 MiB at a time hardly longer than 4 KiB.
double saved_by_larger_buffer_s(const Situation& at) {
  const double left = bytes_of_system_call(at) / (1 << 20);
  const bool waits_each_time = (at.file.flags & O_DIRECT) != 0;
  return at.amount.time.system_s * share_of_larger_buffer(at).most +
         (waits_each_time ? at.amount.time.sleep_s * (1 - left) : 0);
}

double least_saved_by_larger_buffer_s(const Situation& at) {
  return at.amount.time.system_s * share_of_larger_buffer(at).least;
}

// True if nearly all calls have sizes of one power of two, like records.
bool has_sizes_alike(const Amount& amount) {
  constexpr double nearly_all = 0.9;
  const std::uint64_t most = *std::ranges::max_element(amount.sizes);
  return static_cast<double>(most) >= nearly_all * static_cast<double>(amount.calls);
}

// True if the advice about small calls is to move large pieces, which stdio moves straight out of
// or into the program's memory. An array of records is large. A line that is put together is not.
bool goes_past_buffer(const Situation& at) {
  if (at.is_by_iostream()) return false;
  if (at.use.call == Call::fwrite) return has_sizes_alike(at.amount);
  return at.is({Call::fread, Call::fgetc, Call::fgets, Call::getline});
}

constexpr const char* also_larger_calls =
    " The kernel is called for each 4 KiB, and large pieces need fewer such calls.";

bool has_tiny_stdio_calls(const Situation& at) {
  if (!at.writes_to_stream() && !at.reads_from_stream()) return false;
  if (at.use.call == Call::fprintf) return false;  // most of its time is formatting
  if (at.use.call == Call::fgetc) return false;    // see char_at_a_time
  if (average_bytes(at.amount) > tiny_bytes || at.amount.copies == 0) return false;
  return at.amount.copying_by_run_s != 0;
}

// True if a stream moves less than half a page in a system call, and neither seeks nor openings of
// the file explain this: the program has given it a small buffer, or it writes line by line.
bool has_tiny_buffer(const Situation& at) {
  constexpr std::uint64_t for_each_opening = 10;
  if (at.amount.system_calls < many_calls || at.seeks_each_time()) return false;
  if (at.amount.system_calls < for_each_opening * at.file.opens) return false;
  return average_system_bytes(at.amount) < usual_page_bytes / 2;
}

// The saving of a stream that gets a usual buffer. Each call still copies its bytes, and a print
// makes its text. However long that takes, the way into the kernel and back is saved.
void set_saving_by_a_buffer(Advice& advice, const Situation& at, bool each_is_one) {
  const Time& time = at.amount.time;
  const double piece = each_is_one ? average_bytes(at.amount) : average_system_bytes(at.amount);
  const double least_call_s = at.writes_to_stream() && at.is_regular() ? at.profile.write_s : 0;
  const double ways_s = std::max(least_system_call_s, least_felt_share * least_call_s) *
                        static_cast<double>(at.amount.system_calls);
  const double calls_s = each_is_one ? time.total_s() : time.system_s + time.sleep_s;
  const double least_share =
      at.writes_to_stream() ? least_share_of_writes(piece) : share_of_calls(piece);
  const auto left = [&](double share, double through_stream_s) {
    return std::max(0.0, calls_s * share - through_stream_s);
  };
  advice.saved_s = left(share_of_calls(piece), at.amount.through_stream_s);
  advice.least_saved_s =
      std::max(left(least_share, std::max(at.amount.through_stream_s, at.amount.most_texts_s)),
               std::min(advice.saved_s, ways_s));
}

// Random bytes come out of a device, as many as a program asks for.
bool takes_random_bytes(const Situation& at) {
  return at.reads_directly() && (at.file.name == "/dev/urandom" || at.file.name == "/dev/random");
}

// Some small calls have a cause with words of its own. The kernel keeps nothing of a file that is
// opened with O_DIRECT, and a stream cannot use such a file: its buffer lies at no multiple of the
// disk's sector.
void name_cause_of_small_calls(Advice& advice, const Situation& at) {
  if ((at.file.flags & O_DIRECT) != 0) {
    advice.why = "The file was opened with O_DIRECT, so each piece waits for the disk.";
    advice.fix =
        "Move 1 MiB or more in one call, with address, size and position as multiples of 4 KiB; "
        "or leave O_DIRECT out, so that the kernel reads ahead and gathers what is written.";
  } else if (has_scattered_reads(at)) {
    be_about_scattered_reads(advice, at);
  } else if (seeks_before_each_piece(at)) {
    advice.cure_id = "pieces-in-place";
    advice.fix = fix_of_seeks_between_pieces(at);
  } else if (takes_random_bytes(at)) {
    advice.cure_id = "random-bytes";
    advice.fix =
        "Read some thousand random bytes at a time, and take the small pieces from there. Where "
        "nobody must be unable to guess the numbers, let the device only seed a generator, such as "
        "std::mt19937 in C++.";
  } else if (passes_stream_buffer(at)) {
    advice.cure_id = "large-pieces";
    advice.why =
        "A C++ stream hands a piece of 1 KiB or more to the kernel at once, with what is in its "
        "buffer, however large this buffer is.";
  } else if (has_no_stream_buffer(at)) {
    advice.kind = kinds::stream_without_buffer;
    advice.why = "The C++ stream has no buffer: each piece is a system call.";
    advice.fix =
        "Leave out `pubsetbuf(nullptr, 0)`, so that the stream has a buffer; or use "
        "sluice::Writer.";
  }
}

// The program also flushes the stream, which has nothing to write as long as it has no buffer.
bool is_flushed_each_time(const Situation& at) {
  return at.writes_to_stream() && 2 * at.calls_of_file({Call::fflush}) >= at.amount.system_calls;
}

// A program that enlarges the file before each small write needs neither call for each piece. The
// words of a language take the place of the fix, and not of the reason.
void count_enlargements(Advice& advice, const Situation& at, double piece) {
  const SumOfCalls enlargements = at.of_file({Call::ftruncate, Call::fallocate});
  const std::uint64_t writes = at.written_to_file().system_calls;
  if (enlargements.calls < many_calls || 2 * enlargements.calls < writes) return;
  if (is_cut_anew(at)) return;
  const double share = per(static_cast<double>(at.amount.system_calls), writes);
  const double enlarging_s = share * enlargements.time.total_s();
  advice.saved_s += enlarging_s;
  *advice.least_saved_s += enlarging_s * least_share_of_writes(piece);  // it may make the pages
  advice.seen += fmt::format("; {} calls of ftruncate or fallocate on the same file",
                             format_count(enlargements.calls));
  advice.why +=
      " The program also enlarges the file for each piece, although a write enlarges it: leave "
      "ftruncate and posix_fallocate out, or enlarge it by many megabytes at a time.";
  advice.fix += " Leave ftruncate and posix_fallocate out for each piece.";
}

bool is_char_at_a_time(const Situation& at) {
  return at.use.call == Call::fgetc && at.amount.copies > 0;
}

// A call that takes a lock and is timed on its own seems to take longer than the program feels:
// 0.44 to 0.72 of the difference was saved (docs/measured/run-unlocked.txt).
double saved_by_run_s(const Situation& at) {
  constexpr double felt_share_of_locked = 0.6;
  const double copies_s = std::max(0.0, at.amount.time.copying_s - at.amount.copying_by_run_s);
  return at.amount.takes_locks ? felt_share_of_locked * copies_s : copies_s;
}

// A database has no streams of stdio. The command of a database reads and prints by them, and its
// users cannot change this.
bool is_by_command_of_database(const Situation& at) {
  const auto& frames = at.profile.sites[at.use.site].frames;
  return runtime_of_stack(frames).kind == Runtime::Kind::database;
}

}  // namespace

// fwrite, putc, fread, getc, ... of a few bytes: the lock and the call chain.
std::optional<Advice> tiny_stdio_calls(const Situation& at) {
  if (!has_tiny_stdio_calls(at) || is_by_command_of_database(at)) return std::nullopt;
  const bool writes = at.writes_to_stream();
  const double by_run_s = saved_by_run_s(at);
  const Unlocking unlocking = unlocking_of(at, by_run_s);
  Advice advice{
      .kind = writes ? kinds::tiny_stdio_writes : kinds::tiny_stdio_reads,
      .use = at.index,
      .seen = fmt::format("{}, {:.1f} ns each", calls_text(at.use),
                          per(at.amount.time.copying_s * 1e9, at.amount.copies)),
      .why = at.use.call == Call::fputc && !at.amount.takes_locks
                 ? "Each byte is a call of its own."
                 : "Each call goes through several functions, to copy a few bytes.",
      .fix = fmt::format("{}{} Or use {}.", larger_pieces(at), unlocking.fix,
                         writes ? "sluice::Writer, whose put and write are inlined"
                                : "sluice::Reader, whose get, read and lines are inlined"),
      .check = unlocking.check,
      .by = unlocking.by,
  };
  if (at.amount.takes_locks) advice.why += " The calls also take the stream's lock.";
  if (!advice.by.empty()) advice.run_saves_s = by_run_s;
  set_saving(advice, at, at.amount.time.copying_s);
  if (has_small_buffer(at) && goes_past_buffer(at)) {
    advice.why += also_larger_calls;
    advice.saved_s += saved_by_larger_buffer_s(at);
    *advice.least_saved_s += least_saved_by_larger_buffer_s(at);
  }
  return advice;
}

// printf of a few bytes: taking the format apart takes longer than the text. How long the text of a
// fraction takes to make is not known, so only the time that a whole number takes can be saved. A
// width, or a text beside the number, makes a print take up to 1.5 times as long
// (docs/measured/print-formats.txt).
std::optional<Advice> tiny_prints(const Situation& at) {
  constexpr double most_bytes = 8;
  constexpr double most_felt_format = 1.5;
  if (at.use.call != Call::fprintf || at.amount.copies < many_calls) return std::nullopt;
  if (is_by_command_of_database(at)) return std::nullopt;
  if (average_bytes(at.amount) > most_bytes) return std::nullopt;
  Advice advice{
      .kind = kinds::tiny_prints,
      .use = at.index,
      .seen = fmt::format("{}, {:.1f} ns each", calls_text(at.use),
                          per(at.amount.time.copying_s * 1e9, at.amount.copies)),
      .why =
          "Each call takes a format apart and goes through several functions, to copy a few "
          "bytes.",
      .fix =
          "Use fputs, fwrite or putc where the text or byte needs no format. Put the digits of "
          "many numbers into an array, such as out of a table of the digits of all 256 bytes, and "
          "write it by one fwrite. Or use sluice::Writer, whose put, write and write_number are "
          "short.",
      .check = "the same command under sluice trace: fewer calls of printf, the same bytes",
  };
  const Amount& amount = at.amount;
  const double prints_s = amount.takes_locks ? amount.time.copying_s : amount.number_prints_s;
  advice.least_saved_s = std::max(0.0, prints_s - amount.by_fputs_s);
  const double most_s = std::min(amount.time.copying_s, most_felt_format * prints_s);
  advice.saved_s = std::max(0.0, most_s - amount.copying_in_memory_s);
  return advice;
}

std::optional<Advice> char_at_a_time(const Situation& at) {
  if (!is_char_at_a_time(at) || is_by_command_of_database(at)) return std::nullopt;
  const bool locks = at.amount.takes_locks;
  const bool shares = at.use.has_several_threads();  // and so the stream needs its lock
  const double copying_s = at.amount.time.copying_s;
  Advice advice{
      .kind = kinds::char_at_a_time,
      .use = at.index,
      .seen = fmt::format("{} bytes read one by one, {:.1f} ns each", format_count(at.amount.bytes),
                          per(copying_s * 1e9, at.amount.copies)),
      .why = locks ? "Each byte is a call that takes the stream's lock."
                   : "Each byte is a call of its own.",
      .fix = fmt::format(
          "Read lines or blocks by getline or fread, and take the bytes out of them.{} Or "
          "use sluice::Reader, whose get and lines are inlined.",
          locks && !shares ? " Or use getc_unlocked, if only one thread uses the stream." : ""),
      .check = locks && !shares
                   ? "sluice run --unlocked --summary -- the same command, if no two threads use "
                     "one stream at the same time"
                   : "the same command under sluice trace: fewer calls, the same bytes",
      .by = locks && !shares ? "run --unlocked" : "",
  };
  if (!advice.by.empty()) advice.run_saves_s = saved_by_run_s(at);
  set_saving(advice, at, copying_s);
  if (has_small_buffer(at) && goes_past_buffer(at)) {  // by fread, not by getline
    advice.why += also_larger_calls;
    advice.saved_s += saved_by_larger_buffer_s(at);
  }
  return advice;
}

// write(2) and read(2) of a few bytes.
std::optional<Advice> tiny_system_calls(const Situation& at) {
  const bool writes = at.writes_directly();
  if (!writes && !at.reads_directly()) return std::nullopt;
  if (is_shared_by_locks(at) || is_state_under_locks(at)) return std::nullopt;
  if (writes && has_cause_of_its_own(at)) return std::nullopt;
  if (writes && is_scattered(at)) return std::nullopt;  // see scattered_writes
  const bool from_channel = takes_little_of_what_is_there(at);
  if (!at.is_regular() && !from_channel && !takes_random_bytes(at)) return std::nullopt;
  if (at.bytes_moved() >= nearly_page_bytes) return std::nullopt;
  // If the program relies on the time and place of each write, `sluice run` must not coalesce the
  // writes. If other calls stand between the writes, `sluice run` would only add work.
  const bool may_coalesce = writes && !at.is(at_positions) && !at.amount.standard &&
                            !at.amount.printed && at.may_be_held_back() && at.has_writes_in_a_row();
  const Time& time = at.amount.time;
  const double left_out_s = (from_channel ? time.system_s : time.total_s()) * share_left_out(at);
  const double piece = at.bytes_moved();
  const double least_share = writes ? least_share_of_writes(piece) : share_of_calls(piece);
  Advice advice{
      .kind = writes ? kinds::tiny_writes : kinds::tiny_reads,
      .saved_s = std::max(0.0, left_out_s * share_of_calls(piece) - at.amount.through_stream_s),
      .use = at.index,
      .seen = calls_text(at.use),
      .why =
          "Every call is a system call: it costs some hundred nanoseconds before the first byte "
          "moves.",
      .fix = writes
                 ? "Gather small pieces in memory, and write 64 KiB at a time. A FILE gathers them "
                   "(fwrite; fdopen makes a FILE of a descriptor), and so does sluice::Writer."
                 : "Read 64 KiB at a time into memory, and take the small pieces from there. A "
                   "FILE does so (fread; fdopen makes a FILE of a descriptor), and so does "
                   "sluice::Reader.",
      .check = may_coalesce ? "sluice run --coalesce --summary -- the same command"
                            : "the same command under sluice trace: fewer calls, the same bytes",
      .by = may_coalesce ? "run --coalesce" : "",
      .repeats_work = writes && is_compressed(at.file),  // each piece ends a block
      .least_saved_s = std::max(0.0, left_out_s * least_share - at.amount.through_stream_s),
  };
  name_cause_of_small_calls(advice, at);
  if (writes) count_enlargements(advice, at, piece);
  return advice;
}

// sendfile and copy_file_range of a few bytes.
std::optional<Advice> tiny_copies(const Situation& at) {
  if (!at.is({Call::sendfile, Call::copy_file_range}) || !at.is_regular()) return std::nullopt;
  const double piece = average_system_bytes(at.amount);
  if (at.amount.system_calls < many_calls || piece >= usual_page_bytes) return std::nullopt;
  const double left_out_s = at.amount.time.total_s() * share_left_out(at);
  return Advice{
      .kind = kinds::tiny_copies,
      .saved_s = left_out_s * share_of_calls(piece),
      .use = at.index,
      .seen = calls_text(at.use),
      .why =
          "Every call is a system call, which costs more than it saves: for a few bytes, a copy in "
          "the program's own memory is cheaper.",
      .fix =
          "Copy many records by one call where they follow one another in both files. Or read and "
          "write them through buffers of 64 KiB.",
      .check = "the same command under sluice trace: fewer calls, the same bytes",
      .least_saved_s = left_out_s * least_share_of_writes(piece),
  };
}

// scanf looks at each byte under rules for every kind of number and of space. A line that fgets
// reads and strtol or strtod look at took 0.49 to 0.74 of the time (docs/measured/scan-lines.txt).
std::optional<Advice> scanned_lines(const Situation& at) {
  constexpr std::uint64_t many_scans = 10'000;
  constexpr double least_share = 0.26;
  constexpr double most_share = 0.51;
  constexpr double short_line_bytes = 128;
  if (at.use.call != Call::fscanf || at.amount.copies < many_scans) return std::nullopt;
  const double bytes = average_bytes(at.amount);
  if (bytes > short_line_bytes) return std::nullopt;
  const bool is_by_bytes = bytes < 2;
  return Advice{
      .kind = kinds::scanned_lines,
      .saved_s = most_share * at.amount.time.copying_s,
      .use = at.index,
      .seen = calls_text(at.use),
      .why = "scanf reads its format anew for each call, and takes and puts back each byte.",
      .fix = is_by_bytes ? "Take each byte by getc, or read blocks by fread and look at them there."
                         : "Read each line by fgets, and take it apart there: numbers by strtol "
                           "and strtod, words by strcspn and strspn. Or read the numbers with "
                           "sluice::Reader.",
      .check = "the same command under sluice trace: no calls of scanf",
      .least_saved_s = least_share * at.amount.time.copying_s,
  };
}

// fflush after a few bytes: the buffer gathers nothing.
std::optional<Advice> flush_after_each(const Situation& at) {
  if (at.use.call != Call::fflush || !at.is_regular()) return std::nullopt;
  if (has_cause_of_its_own(at)) return std::nullopt;
  // A sync needs the flush before it, so only fewer syncs need fewer flushes.
  if (at.syncs_after_flushes()) return std::nullopt;  // see sync_after_each
  // The last flush of an open file does the work of its fclose.
  if (at.amount.system_calls <= at.file.opens) return std::nullopt;
  if (average_system_bytes(at.amount) >= usual_page_bytes) return std::nullopt;
  const double left_out = 1 - per(static_cast<double>(at.file.opens), at.amount.system_calls);
  const double piece = average_system_bytes(at.amount);
  Advice advice{
      .kind = kinds::flush_after_each,
      .saved_s = at.amount.time.total_s() * left_out * share_of_calls(piece),
      .use = at.index,
      .seen = fmt::format("{} flushes of {:.1f} bytes on average",
                          format_count(at.amount.system_calls), average_system_bytes(at.amount)),
      .why = "Each flush is a system call for a few bytes, and the buffer is never filled.",
      .fix =
          "Flush only when somebody waits for the bytes, and leave the other calls of fflush out: "
          "fclose and the end of the program write what is left.",
      .check = "the same command without the flushes",
      .least_saved_s = at.amount.time.total_s() * left_out * least_share_of_writes(piece),
  };
  count_enlargements(advice, at, piece);
  return advice;
}

namespace {

std::string fix_of_unbuffered(const Situation& at) {
  if (!at.writes_to_stream() && seeks_between_pieces(at)) {
    return "Leave setvbuf out, or give the stream 4,096 bytes and no more: each seek fills a "
           "buffer anew.";
  }
  return fmt::format(
      "Use setvbuf(stream, buffer, _IOFBF, 65536) with a buffer of your own, or sluice::{}.{}",
      at.writes_to_stream() ? "Writer" : "Reader",
      is_flushed_each_time(at) ? " Leave the fflush after each piece out, too." : "");
}

}  // namespace

// A stream whose every call is a system call, or whose buffer holds only a few calls' bytes.
std::optional<Advice> unbuffered_stream(const Situation& at) {
  const bool writes = at.writes_to_stream();
  const bool scans = at.use.call == Call::fscanf && at.amount.system_calls > at.amount.calls;
  if ((!writes && !at.reads_from_stream() && !scans) || !at.is_regular()) return std::nullopt;
  if (writes && has_cause_of_its_own(at)) return std::nullopt;
  if (is_made_unseen(at)) return std::nullopt;  // a call or two for each file
  if (!writes && (at.seeks_each_time() || size_of(at.file) < usual_page_bytes)) return std::nullopt;
  const bool each_is_one = at.amount.system_calls >= at.amount.calls * 9 / 10;
  const bool each_is_several = scans || at.amount.system_calls >= 2 * at.amount.calls;
  if (at.amount.calls < many_calls || (!each_is_one && !has_tiny_buffer(at))) return std::nullopt;
  // A call that moves about as much as a usual buffer is also a system call with a buffer.
  if (average_bytes(at.amount) >= usual_page_bytes / 2) return std::nullopt;
  Advice advice{
      .kind = kinds::unbuffered_stream,
      .use = at.index,
      .seen =
          each_is_one && !each_is_several
              ? fmt::format("{}, nearly every one a system call", calls_text(at.use))
              : fmt::format("{} system calls of {:.1f} bytes on average",
                            format_count(at.amount.system_calls), average_system_bytes(at.amount)),
      .why = writes ? "The stream of a regular file is unbuffered or line-buffered, or its buffer "
                      "is small."
                    : "The stream of a regular file is unbuffered, or its buffer is small.",
      .fix = fix_of_unbuffered(at),
      .check = "the same command under sluice trace: fewer system calls, the same bytes",
  };
  const auto& frames = at.profile.sites[at.use.site].frames;
  const bool is_of_language = runtime_of_stack(frames).kind == Runtime::Kind::language;
  if (writes && each_is_one && at.amount.standard && !is_of_language) {
    advice.why +=
        " If it is standard error: it is unbuffered from the start, so that a crash loses no "
        "message. With a buffer, a crash loses the last messages.";
  }
  set_saving_by_a_buffer(advice, at, each_is_one);
  if (writes) count_enlargements(advice, at, average_system_bytes(at.amount));
  return advice;
}

// 4 to 16 KiB a system call, many times: stdio's own buffer, or one that the program has chosen.
std::optional<Advice> small_buffer(const Situation& at) {
  if (!has_small_buffer(at) || is_scattered(at) || is_renewed_in_place(at)) return {};
  if (is_rewritten_in_part(at)) return std::nullopt;
  if (at.is(all_writes) && is_locked_for_records(at)) return {};  // see locked_for_each
  const bool has_small_calls = has_tiny_stdio_calls(at) || is_char_at_a_time(at);
  if (has_small_calls && goes_past_buffer(at)) return std::nullopt;  // a part of their cure
  const bool streams = at.writes_to_stream() || at.reads_from_stream();
  Advice advice{
      .kind = kinds::small_buffer,
      .saved_s = saved_by_larger_buffer_s(at),
      .use = at.index,
      .seen = fmt::format("{} system calls of {:.0f} bytes on average",
                          format_count(at.amount.system_calls), bytes_of_system_call(at)),
      .why = streams
                 ? "stdio's default buffer is 4 KiB, and a system call costs as much as "
                   "copying half of it."
                 : "Each system call works for the file system too, however few bytes it moves.",
      .fix = streams
                 ? fmt::format("Use a buffer of 64 KiB or more: setvbuf with your own memory, "
                               "or sluice::{}.",
                               at.writes_to_stream() ? "Writer" : "Reader")
                 : fmt::format("Use a buffer of 64 KiB or more for {}, or sluice::{}.",
                               name_of(at.use.call), at.writes_directly() ? "Writer" : "Reader"),
      .check = "the same command under sluice trace: fewer system calls, the same bytes",
      .least_saved_s = least_saved_by_larger_buffer_s(at),
  };
  const bool is_direct = (at.file.flags & O_DIRECT) != 0;
  if (is_direct || passes_stream_buffer(at)) name_cause_of_small_calls(advice, at);
  count_decompression(advice, at);
  return advice;
}

}  // namespace sluice::trace
