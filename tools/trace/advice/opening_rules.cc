// Rules about files that a program opens again and again.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/places/runtime.h"

namespace sluice::trace {

using preload::Call;

namespace {

// The time of a shell's redirections beside the opening and closing of the file. For each of them
// a shell keeps its own descriptor in a copy, puts the file in its place, and puts the copy back.
// A program that copies at least as many descriptors as it opens files does so because it opens
// them.
double redirecting_s(const Situation& at) {
  std::uint64_t copies = 0;
  for (const Use& use : at.profile.uses) {
    const bool is_copy = use.call == Call::dup && use.shares_a_process_with(at.use);
    if (is_copy) copies += use.amount.calls;
  }
  // These openings alone are more. There may be thousands of uses to look at.
  if (at.is(openings_of_files) && copies < at.amount.calls) return 0;
  std::uint64_t openings = 0;
  Time time;
  for (const Use& use : at.profile.uses) {
    if (!use.shares_a_process_with(at.use)) continue;
    const bool is_closing_another = use.call == Call::close && use.file != at.use.file;
    if (use.call == Call::open || use.call == Call::fopen) openings += use.amount.calls;
    if (use.call == Call::dup || is_closing_another || use.call == Call::fcntl)
      time += use.amount.time;
  }
  if (copies < openings) return 0;
  return time.total_s() * per(static_cast<double>(at.amount.calls), openings);
}

// The time of what a program does for a stream each time it has opened it, beside opening and
// closing: it asks for the flags and the position, and the few bytes that it has written leave the
// buffer.
// A shell writes the output of each command at the command's end, also to a file that stays open.
double using_anew_s(const Situation& at) {
  if (redirecting_s(at) > 0) return 0;
  const SumOfCalls writes = at.of_file(all_writes | Call::fflush);
  const SumOfCalls openings = at.of_file(openings_of_files);
  if (writes.system_calls > 2 * openings.calls) return 0;  // they are not due to the openings
  // Another process is to see each record before the file is unlocked.
  if (at.calls_of_file({Call::flock}) >= openings.calls) return 0;
  const double piece = per(static_cast<double>(writes.system_bytes), openings.calls);
  const double flags_s = at.of_file({Call::fcntl, Call::lseek}).time.total_s();
  return (flags_s + (writes.time.system_s + writes.time.sleep_s) * share_of_calls(piece)) *
         per(static_cast<double>(at.amount.calls), openings.calls);
}

// A C++ stream makes its buffer and its locale for each file, and ends them. This is a part of what
// the program does between the opening and the closing.
double work_of_streams_s(const Situation& at) {
  const SumOfCalls inside =
      at.of_file({Call::write, Call::writev, Call::read, Call::fclose, Call::close, Call::lseek});
  return inside.work_before_s;
}

// The words for a file that the program hands to itself. No hook sees whether the program removes
// the file. A file that is there in the end may be a state that is to survive the program.
Advice handed_to_itself(const Situation& at) {
  if (at.file.remains && !at.file.is_many) {
    return {
        .kind = kinds::kept_state,
        .use = at.index,
        .seen = "",
        .why = "The program opens the file again and again, to read what it has written itself.",
        .fix =
            "Keep this state in memory, and write it at the end, or now and then. That changes "
            "what survives a crash, and what other processes see meanwhile.",
        .check = "the same command under sluice trace: the file is opened seldom",
    };
  }
  return {
      .kind = kinds::temporary_files,
      .use = at.index,
      .seen = "",
      .why =
          "The program writes a file, and opens it again to read what it has written itself, many "
          "times.",
      .fix =
          "Keep the bytes in memory, and hand them over there. Where a function wants a FILE, "
          "fmemopen and open_memstream make one of memory.",
      .check = "the same command under sluice trace: fewer files are opened",
  };
}

// True if a process of this use also writes the file. Another program may only look at it.
bool is_by_writer(const Situation& at) {
  return std::ranges::any_of(at.profile.uses, [&](const Use& other) {
    return other.file == at.use.file && all_writes.contains(other.call) &&
           other.shares_a_process_with(at.use);
  });
}

// What the program does before it opens the next file, such as removing the last one, is seen only
// as work between the calls.
Advice read_by_its_writer(const Situation& at) {
  const SumOfCalls openings = at.of_file(openings_of_files);
  const SumOfCalls all = at.of_file(openings_of_files | all_reads | all_writes |
                                    CallSet{Call::fclose, Call::close, Call::fcntl, Call::lseek,
                                            Call::fseek, Call::fflush, Call::ftruncate});
  const double share = per(static_cast<double>(at.amount.calls), openings.calls);
  const double calls_s = share * (all.time.system_s + all.time.sleep_s);
  Advice advice = handed_to_itself(at);
  advice.saved_s = calls_s + at.amount.work_before_s;
  advice.seen =
      fmt::format("{} openings; {} were written and read again", format_count(openings.calls),
                  format_bytes(at.of_file(all_reads).system_bytes));
  advice.least_saved_s = calls_s;
  advice.by_runtime_s = at.amount.work_before_s;
  say_that_cuts_wait(advice, at);
  return advice;
}

// True if the program closes the file as it has opened it, without any use of it.
bool is_never_used(const Situation& at) {
  constexpr CallSet uses =
      all_reads | all_writes | CallSet{Call::mmap,           Call::dup,       Call::flock,
                                       Call::fsync,          Call::fdatasync, Call::sendfile,
                                       Call::copy_file_range};
  const SumOfCalls closings = at.of_file({Call::close, Call::fclose});
  return at.is_regular() && closings.calls > 0 && at.calls_of_file(uses) == 0 &&
         at.written_to_file().system_bytes == 0;
}

// Removals by the processes of this use. No log has the file of a removal.
Amount removals_beside(const Situation& at) {
  Amount sum;
  for (const Use& use : at.profile.uses) {
    const bool removes = use.call == Call::unlink && use.shares_a_process_with(at.use);
    if (removes) sum += use.amount;
  }
  return sum;
}

// True for a lock file with the number of its process.
bool is_removed_each_time(const Situation& at) {
  constexpr double few_bytes = 64;  // for each opening
  if (at.file.size_bytes > 0 || at.of_file(all_reads).bytes > 0) return false;
  if (!at.is_regular()) return false;
  const std::uint64_t openings = at.calls_of_file(openings_of_files);
  const auto written = static_cast<double>(at.written_to_file().system_bytes);
  return per(written, openings) <= few_bytes && removals_beside(at).calls >= openings / 10 * 9;
}

double removing_s(const Situation& at) {
  const Amount removals = removals_beside(at);
  return per(removals.time.total_s(), removals.calls) *
         static_cast<double>(std::min(at.amount.calls, removals.calls));
}

// A file that is locked by its existence cannot stay open: it must be made anew (O_EXCL).
void say_it_is_a_lock(Advice& advice, const char* seen) {
  advice.kind = kinds::unused_openings;
  advice.seen += seen;
  advice.why =
      "Opening and closing a file costs several system calls and its name's look-up, and a file "
      "that is removed in between is also made anew.";
  advice.fix =
      "If the file is a lock, take it once for many records, or lock a file that stays open "
      "(flock, fcntl). To learn whether a file exists or has changed, use access or stat.";
  advice.check = "the same command under sluice trace: fewer openings";
}

// A file of /proc or /sys has no size, and makes its text anew for each read at its beginning.
bool makes_its_text(const Situation& at) { return at.is_regular() && at.file.size_bytes == 0; }

const char* fix_of_reopened_to_read(const Situation& at) {
  if (!at.is_regular()) {
    return "Open the file once, keep the descriptor, and read from it again. Random bytes need no "
           "file: use getrandom.";
  }
  if (makes_its_text(at)) {
    return "Open the file once, keep the descriptor, and use one pread(fd, ..., 0) for its whole "
           "text: files of /proc and /sys make their text anew for it.";
  }
  return "Open the file once, before the first record, and keep it open: pread takes the position "
         "as an argument, and a FILE goes back by rewind.";
}

// A stream fetches a whole buffer from a device such as /dev/urandom, and throws away what the
// program has not used when it closes it.
double unused_reads_s(const Situation& at) {
  if (!S_ISCHR(at.file.kind)) return 0;
  const SumOfCalls reads = at.of_file(all_reads);
  if (reads.system_bytes == 0 || reads.bytes >= reads.system_bytes) return 0;
  const double used = static_cast<double>(reads.bytes) / static_cast<double>(reads.system_bytes);
  const double share =
      per(static_cast<double>(at.amount.calls), at.calls_of_file(openings_of_files));
  return share * (reads.time.system_s + reads.time.sleep_s) * (1 - used);
}

// A stream reads such a text in several small pieces, and one pread takes all of it.
double more_by_one_read_s(const Situation& at) {
  const SumOfCalls reads = at.of_file(all_reads);
  const std::uint64_t openings = at.calls_of_file(openings_of_files);
  if (!makes_its_text(at) || reads.system_calls <= openings) return 0;
  const double share = per(static_cast<double>(at.amount.calls), openings);
  const double further = 1 - per(static_cast<double>(openings), reads.system_calls);
  return share * (reads.time.copying_s + further * reads.time.system_s);
}

void say_only_read(Advice& advice, const Situation& at) {
  advice.why = "Opening and closing a file costs several system calls and its name's look-up.";
  if (const double more_s = more_by_one_read_s(at); more_s > 0) {
    advice.saved_s += more_s;
    advice.why +=
        " A stream reads such a file in several pieces: the upper end of the prediction "
        "includes all but one of them, and the calls that take the text apart.";
  }
  if (unused_reads_s(at) > 0) {
    advice.why += " The stream also reads a whole buffer each time, of which a part is used.";
  }
  advice.fix = fix_of_reopened_to_read(at);
}

bool is_about_as_much(std::uint64_t read, std::uint64_t written) {
  const auto bytes = static_cast<double>(read);
  return bytes >= 0.9 * static_cast<double>(written) && bytes <= 1.1 * static_cast<double>(written);
}

// True if a file that has an entry of its own, and is used at the same place, was written and read
// again, and is not there in the end. Of the files for which a log had no room, some may be copies
// of the others, and some may be results.
bool is_for_files_read_again(const Situation& at) {
  return std::ranges::any_of(at.profile.uses, [&](const Use& use) {
    const bool is_like = use.site == at.use.site && use.call == at.use.call;
    const File& file = at.profile.files[use.file];
    if (!is_like || file.is_many || file.remains) return false;
    const std::uint64_t read = at.file_amounts.of(use.file, all_reads).system_bytes;
    return read > 0 && is_about_as_much(read, at.written_to(use.file).system_bytes);
  });
}

}  // namespace

bool is_read_by_its_writer(const Situation& at) {
  const std::uint64_t openings = at.calls_of_file(openings_of_files);
  if (openings < 2 * many_opens || at.calls_of_file({Call::flock}) > 0) return false;
  const std::uint64_t read = at.of_file(all_reads).system_bytes;
  const SumOfCalls writes = at.written_to_file();
  const auto written = static_cast<double>(writes.system_bytes);
  if (written == 0) return false;
  // Each file is opened twice. Of thousands of files some may be written and others read.
  if (at.file.is_many && writes.system_calls < openings / 4) return false;
  if (at.file.is_many && !is_for_files_read_again(at)) return false;
  constexpr double often = 10;  // the size is the largest one, and one content may be much larger
  const bool is_new_each_time =
      at.file.is_many || written >= often * std::max(1.0, size_of(at.file));
  return is_new_each_time && is_about_as_much(read, writes.system_bytes) &&
         at.file_amounts.is_read_where_written(at.use.file);
}

bool is_made_unseen(const Situation& at) {
  const std::uint64_t closings = at.calls_of_file({Call::fclose, Call::close});
  const std::uint64_t copies = at.calls_of_file({Call::dup, Call::fcntl});
  const std::uint64_t opens = std::max(at.file.opens, at.calls_of_file(openings_of_files));
  return at.is_regular() && closings >= many_opens && closings > 2 * (opens + copies) &&
         at.of_file(all_writes).bytes > 0;
}

namespace {

// One place may write to a few files in turn, each of them several times.
bool is_opened_often(const Situation& at) {
  constexpr double several = 5;
  if (at.calls_of_each() >= many_opens) return true;
  const std::uint64_t writes = at.written_to_file().calls;
  return at.calls_of_each() >= several && 2 * writes >= at.calls_of_file(openings_of_files) &&
         at.file_amounts.openings_at(at.use.site) >= many_opens * at.use.threads.size();
}

// The first use of a mapped page and the end of the mapping take time too, which no hook sees
// (docs/measured/mapped-pieces.txt).
void say_it_is_mapped(Advice& advice, const Situation& at, double share) {
  const double maps_s = share * at.of_file({Call::mmap}).time.total_s();
  *advice.least_saved_s += maps_s;
  advice.saved_s += most_for_a_mapping * maps_s;
  advice.why =
      "Opening, mapping and closing a file costs several system calls, and each mapping has page "
      "faults of its own at its first use: the upper end of the prediction includes them.";
  advice.fix = "Open and map the file once, before the first record, and keep the mapping.";
}

}  // namespace

// Each gzopen and its first write make the tables of a compression, of 256 KiB.
bool compresses(const Situation& at) {
  const bool is_of_zlib = runtime_of_stack(at.profile.sites[at.use.site].frames).name == "zlib";
  return is_of_zlib && at.written_to_file().bytes > 0;
}

// One thread opens a file several times. (One process cannot keep a file open for another process.)
std::optional<Advice> reopened(const Situation& at) {
  if (!at.is(openings_of_files) || !is_opened_often(at)) return std::nullopt;
  if (asks_by_opening(at)) return std::nullopt;  // see looked_up_again
  if (is_read_by_its_writer(at) && is_by_writer(at)) return read_by_its_writer(at);
  if (is_state_under_locks(at)) return {};  // see locked_for_each
  if (at.file.is_many) return {};           // each may be opened once
  if (is_written_anew(at) && !is_removed_each_time(at)) return written_anew(at);
  if (is_read_whole_each_time(at) || is_read_anew(at)) return std::nullopt;  // see read_again
  const SumOfCalls openings = at.of_file(openings_of_files);
  const SumOfCalls closings = at.of_file({Call::fclose, Call::close});
  const double share = per(static_cast<double>(at.amount.calls), openings.calls);
  const double once = 1 - 1 / at.calls_of_each();
  const double calls_s = at.amount.time.total_s() + share * closings.time.total_s() +
                         redirecting_s(at) + using_anew_s(at) + unused_reads_s(at);
  const double of_streams_s = at.is_by_iostream() ? share * work_of_streams_s(at) : 0;
  Advice advice{
      .kind = kinds::reopened,
      .saved_s = (calls_s + of_streams_s) * once,
      .use = at.index,
      .seen = fmt::format("opened {} times", format_count(at.amount.calls)),
      .why =
          "Opening and closing a file costs several system calls and its name's look-up. What was "
          "written in between leaves the buffer each time.",
      .fix =
          "Open the file once, before the first record, and keep it open: one FILE or one "
          "sluice::Writer.",
      .check = "the same command under sluice trace: one open",
      .repeats_work = compresses(at),
      .least_saved_s = calls_s * once,
      .by_runtime_s = of_streams_s * once,
  };
  if (is_never_used(at)) {
    say_it_is_a_lock(advice, ", and the trace saw no read or write");
  } else if (is_removed_each_time(at)) {
    say_it_is_a_lock(advice, ", with a few bytes in it, and removed each time");
    const double lock_s = removing_s(at) * once;
    advice.saved_s += lock_s;
    *advice.least_saved_s += lock_s;
  } else if (at.written_to_file().system_bytes == 0 && at.calls_of_file(all_reads) > 0) {
    say_only_read(advice, at);
  } else if (10 * at.calls_of_file({Call::mmap}) >= 9 * openings.calls) {
    say_it_is_mapped(advice, at, share * once);
  }
  return advice;
}

// The program makes a stream of a copy of one descriptor, by fdopen and dup, uses it for one record
// and closes it. The stream's memory and buffer are made anew each time.
std::optional<Advice> streams_of_copies(const Situation& at) {
  constexpr double least_share = 0.5;  // of the closings: each of them also writes
  if (at.use.call != Call::dup || at.calls_of_each() < many_opens) return std::nullopt;
  const SumOfCalls copies = at.of_file({Call::dup});
  const SumOfCalls closings = at.of_file({Call::fclose});
  if (closings.calls < copies.calls * 9 / 10 || 2 * at.file.opens > copies.calls) return {};
  const double share = per(static_cast<double>(at.amount.calls), copies.calls);
  const double once = 1 - 1 / at.calls_of_each();
  const double copies_s = at.amount.time.total_s();
  const double closings_s = share * closings.time.total_s();
  return Advice{
      .kind = kinds::reopened,
      .saved_s = (copies_s + closings_s) * once,
      .use = at.index,
      .seen = fmt::format("{} streams made of copies of its descriptor, and closed",
                          format_count(at.amount.calls)),
      .why =
          "For each record the descriptor is copied, a stream and its buffer are made and ended, "
          "and what was written leaves the buffer.",
      .fix =
          "Make one FILE of the descriptor by fdopen, before the first record, and keep it open. "
          "Or use one sluice::Writer.",
      .check = "the same command under sluice trace: one call of dup",
      .least_saved_s = (copies_s + least_share * closings_s) * once,
  };
}

// tmpfile() is no opening that a hook sees. The program closes such files.
std::optional<Advice> unseen_temporary_files(const Situation& at) {
  if (!at.is({Call::fclose, Call::close}) || !is_made_unseen(at)) return std::nullopt;
  const auto read = static_cast<double>(at.of_file(all_reads).system_bytes);
  if (read == 0 || read < 0.9 * static_cast<double>(at.of_file(all_writes).bytes)) return {};
  const SumOfCalls closings = at.of_file({Call::fclose, Call::close});
  const double share = per(static_cast<double>(at.amount.calls), closings.calls);
  const SumOfCalls all = at.of_file(all_reads | all_writes |
                                    CallSet{Call::fclose, Call::close, Call::fseek, Call::lseek});
  Advice advice = handed_to_itself(at);
  advice.seen =
      fmt::format("{} temporary files; {} were written and read again",
                  format_count(closings.calls), format_bytes(static_cast<std::uint64_t>(read)));
  advice.why = "The program writes files and reads them again itself, and then closes them.";
  advice.least_saved_s = share * (all.time.system_s + all.time.sleep_s);
  advice.by_runtime_s = share * all.work_before_s;
  advice.saved_s = *advice.least_saved_s + advice.by_runtime_s;
  return advice;
}

}  // namespace sluice::trace
