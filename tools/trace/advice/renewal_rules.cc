// Files that a program writes anew as a whole or in part, or only appends to after a seek to the
// end.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"

namespace sluice::trace {

using preload::Call;

namespace {

constexpr std::uint64_t many_times = 100;
constexpr double large_record_bytes = 4096;

bool is_read(const Situation& at) { return at.of_file(all_reads).system_bytes > 0; }

// True if the program asks for the position about as often as it seeks, or if it can write at the
// end alone.
bool appends(const Situation& at) {
  const std::uint64_t seeks = at.calls_of_file({Call::fseek});
  return at.calls_of_file({Call::ftell}) >= seeks * 9 / 10 || (at.file.flags & O_APPEND) != 0;
}

bool writes_each_byte_once(const Situation& at) {
  const auto written = static_cast<double>(at.written_to_file().bytes);
  return written >= 0.9 * size_of(at.file) && written <= 1.1 * size_of(at.file);
}

// The trace does not see where the seeks of a stream go.
const char* fix_of_seeks(const Situation& at) {
  if (appends(at)) {
    return "Open the file to append, fopen(path, \"a\"), and leave the seeks to the end out. A "
           "program that needs the size asks for it once, and counts the bytes that it writes. Or "
           "use sluice::Writer, which knows its position.";
  }
  return "If the seeks go to the end, open the file to append, fopen(path, \"a\"), and leave them "
         "out. If they go to places in the file, put the pieces together in memory, in an array "
         "for each part of the file, and write each array by one fwrite.";
}

}  // namespace

// A seek writes what the buffer holds, and asks the kernel to seek. So each record becomes two
// system calls. In a stream that may also read, the seek reads what lies at the new place.
std::optional<Advice> seek_before_each_write(const Situation& at) {
  if (at.use.call != Call::fseek || !at.is_regular() || at.calls_of_each() < many_times) return {};
  if (is_read(at)) return std::nullopt;  // see seek_before_each_read
  const SumOfCalls seeks = at.of_file({Call::fseek});
  const double record = per(static_cast<double>(at.written_to_file().bytes), seeks.calls);
  if (record < 1 || record > large_record_bytes) return std::nullopt;
  if (!appends(at) && !writes_each_byte_once(at)) return std::nullopt;
  if (is_renewed_in_place(at) || is_rewritten_in_part(at)) return std::nullopt;
  const double total_s = at.amount.time.total_s();
  const double writes_s =
      total_s / std::max(2.0, per(static_cast<double>(seeks.system_calls), seeks.calls));
  return Advice{
      .kind = {"seek-before-write"},
      .saved_s = total_s - writes_s + writes_s * share_of_calls(record),
      .use = at.index,
      .seen = fmt::format("{} seeks, each with {:.1f} bytes in the buffer on average, and no reads",
                          format_count(at.amount.calls), record),
      .why =
          "A seek first writes what the buffer holds, and then is a system call itself. Where the "
          "file is open for reading too, the seek also reads what lies at the new place.",
      .fix = fix_of_seeks(at),
      .check = "the same command under sluice trace: fewer seeks, the same bytes",
      .least_saved_s = total_s - writes_s + writes_s * least_share_of_writes(record),
  };
}

bool is_written_anew(const Situation& at) {
  if (!at.is_regular() || (at.file.flags & O_APPEND) != 0) return false;
  const auto openings = static_cast<double>(at.calls_of_file(openings_of_files));
  const auto written = static_cast<double>(at.written_to_file().system_bytes);
  return !is_read(at) && written > 0 && written >= 0.4 * openings * size_of(at.file);
}

namespace {

// The calls by which a file is written anew, whether it is opened each time or stays open.
constexpr CallSet renewing_writes = all_writes | CallSet{Call::fflush, Call::fseek};
constexpr CallSet renewing_calls =
    openings_of_files | renewing_writes |
    CallSet{Call::fclose, Call::close, Call::fcntl, Call::lseek, Call::ftruncate, Call::fallocate};

// The program surely makes a text each time, and nobody saw how long this takes.
constexpr double unseen_share = 0.5;

// A program that writes the file under another name puts it in the old one's place each time. No
// log has the file of a renaming, so as many renamings as openings are taken to be of this file.
double renames_s_of(const Situation& at, std::uint64_t openings) {
  std::uint64_t renames = 0;
  double sum_s = 0;
  for (const Use& use : at.profile.uses) {
    if (use.call != Call::rename || !use.shares_a_process_with(at.use)) continue;
    renames += use.amount.calls;
    sum_s += use.amount.time.total_s();
  }
  return renames >= openings ? sum_s * per(static_cast<double>(openings), renames) : 0;
}

// What the program does between the calls makes the text, and other things. Where stdio made the
// text, its calls took this time. `share` is the part of this use in all of the file's renewals.
Advice advice_about(const Situation& at, double times, double share) {
  const SumOfCalls all = at.of_file(renewing_calls);
  const SumOfCalls writes = at.of_file(renewing_writes);
  const double all_but_one = 1 - 1 / times;
  const auto bytes = static_cast<double>(all.system_bytes);
  const double kernel_s = share * (all.time.system_s + all.time.sleep_s);
  const double byte_s = most_for_a_byte_s(at);
  const double made_s = std::min(all.work_before_s, bytes * byte_s);
  const double text_s = share * (writes.time.copying_s + made_s);
  return Advice{
      .kind = {"written-anew"},
      .saved_s = (kernel_s + text_s) * all_but_one,
      .use = at.index,
      .seen = fmt::format("written {} times as a whole, {} in all",
                          format_count(static_cast<std::uint64_t>(share * times)),
                          format_bytes(static_cast<std::uint64_t>(share * bytes))),
      .why = fmt::format(
          "After each change the program makes and writes the whole file again. The trace cannot "
          "tell how long making the text takes: the upper end of the prediction includes up to "
          "{:.0f} ns for each byte.",
          byte_s * 1e9),
      .fix =
          "Write the file once, after the last change, or only now and then; or append each change "
          "to a journal, and write the whole file seldom. That changes what survives a crash. In "
          "sluice these are sluice::write_file and sluice::Journal.",
      .check = "the same command under sluice trace: fewer writes and fewer bytes",
      .least_saved_s = kernel_s * all_but_one,
      .by_runtime_s = unseen_share * text_s * all_but_one,
  };
}

// The contents may grow and shrink.
bool writes_all_contents(const Situation& at, const SumOfCalls& written, std::uint64_t times) {
  const double piece = per(static_cast<double>(written.system_bytes), times);
  return piece >= 0.4 * size_of(at.file) && piece <= 2.5 * size_of(at.file);
}

// How often. A program that goes back to the beginning cuts the file, or writes all by one call. It
// may have read the file once.
std::uint64_t renewals_in_place(const Situation& at) {
  constexpr std::uint32_t elsewhere = O_APPEND | O_SYNC | O_DSYNC;  // see synchronous_writes
  if (!at.is_regular() || (at.file.flags & elsewhere) != 0 || at.file.is_many) return 0;
  const SumOfCalls written = at.of_file(renewing_writes);
  const std::uint64_t cuts = at.calls_of_file({Call::ftruncate});
  const std::uint64_t times = cuts >= many_times ? cuts : written.system_calls;
  const std::uint64_t seeks = at.calls_of_file(at_positions | CallSet{Call::lseek, Call::fseek});
  const std::uint64_t others = at.calls_of_file(openings_of_files | all_reads);
  if (times < many_times || seeks < times * 9 / 10 || others > times / 10) return 0;
  return writes_all_contents(at, written, times) ? times : 0;
}

}  // namespace

std::optional<Advice> written_anew(const Situation& at) {
  const std::uint64_t openings = at.calls_of_file(openings_of_files);
  const double share = per(static_cast<double>(at.amount.calls), openings);
  Advice advice = advice_about(at, static_cast<double>(openings), share);
  const double renames_s = share * renames_s_of(at, openings) * (1 - 1 / at.calls_of_each());
  advice.saved_s += renames_s;
  *advice.least_saved_s += renames_s;
  if (2 * renames_s > advice.least_s()) {
    advice.why += fmt::format(
        " Most of what is surely saved, {:.3f} s, is the time of `rename`, by which the new file "
        "takes the place of the old one: a file system such as ext4 then waits until the new bytes "
        "are on the disk.",
        renames_s);
  }
  say_that_cuts_wait(advice, at);
  return advice;
}

namespace {

// What the processes of a renaming do with the files that they write and rename. Each file has a
// name of its own, as from mkstemp(), which no hook sees.
struct NewFiles {
  std::uint64_t openings = 0;  // by mkstemp() they are unseen
  std::uint64_t closings = 0;  // by Node they are unseen
  std::uint64_t bytes = 0;
  Time time{};
  double work_before_s = 0;
  bool is_one_name = false;  // then the file has the advice, see written_anew
};

NewFiles files_renamed_by(const Situation& at) {
  constexpr std::uint64_t often = 10;
  NewFiles sum;
  for (const Use& use : at.profile.uses) {
    const File& file = at.profile.files[use.file];
    const bool may_be_renamed = file.is_many || (S_ISREG(file.kind) && file.is_gone);
    if (!may_be_renamed || !use.shares_a_process_with(at.use)) continue;
    const bool is_written = at.written_to(use.file).system_bytes > 0;
    if (!is_written || at.file_amounts.of(use.file, all_reads).system_bytes > 0) continue;
    if (!file.is_many && file.opens >= often) sum.is_one_name = true;
    if (use.call == Call::close || use.call == Call::fclose) sum.closings += use.amount.calls;
    if (openings_of_files.contains(use.call)) sum.openings += use.amount.calls;
    sum.bytes += use.amount.system_bytes;
    sum.time += use.amount.time;
    sum.work_before_s += use.amount.work_before_s;
  }
  return sum;
}

}  // namespace

std::optional<Advice> replaced_again(const Situation& at) {
  constexpr double renewals_of_a_file = 10;
  if (at.use.call != Call::rename || at.calls_of_each() < many_times) return std::nullopt;
  const std::uint64_t names = at.amount.calls - std::min(at.amount.calls - 1, at.amount.repeated);
  const double times = per(static_cast<double>(at.amount.calls), names);
  if (times < renewals_of_a_file) return std::nullopt;
  const NewFiles files = files_renamed_by(at);
  if (files.is_one_name || std::max(files.openings, files.closings) < at.amount.calls / 10 * 9)
    return std::nullopt;
  const double all_but_one = 1 - 1 / times;
  const Time& renaming = at.amount.time;
  const double waits_s = renaming.total_s() + files.time.sleep_s;
  const double kernel_s = renaming.total_s() + files.time.system_s + files.time.sleep_s;
  const double made_s =
      std::min(files.work_before_s, static_cast<double>(files.bytes) * most_for_a_byte_s(at));
  const double text_s = files.time.copying_s + made_s;
  return Advice{
      .kind = {"written-anew"},
      .saved_s = (kernel_s + text_s) * all_but_one,
      .use = at.index,
      .seen = fmt::format(
          "{} files were written, {} in all, and took the place of {}",
          format_count(at.amount.calls), format_bytes(files.bytes),
          names == 1 ? "one file" : fmt::format("at most {} files", format_count(names))),
      .why = fmt::format(
          "After each change the program makes and writes the whole file under another name, and "
          "renames it. The renamings and the waits for the disk take {:.3f} s: a file system such "
          "as ext4 waits until the new bytes are on the disk.",
          waits_s),
      .fix =
          "Replace the file once, after the last change, or only now and then, such as once in "
          "some "
          "seconds; or append each change to a journal. That changes what survives a crash.",
      .check = "the same command under sluice trace: fewer renamings and fewer bytes",
      .least_saved_s = kernel_s * all_but_one,
      .by_runtime_s = unseen_share * text_s * all_but_one,
  };
}

bool is_renewed_in_place(const Situation& at) { return renewals_in_place(at) > 0; }

std::optional<Advice> renewed_in_place(const Situation& at) {
  if (!at.is(renewing_writes) || at.amount.system_bytes == 0) return std::nullopt;
  const std::uint64_t times = renewals_in_place(at);
  if (times == 0) return std::nullopt;
  return advice_about(
      at, static_cast<double>(times),
      per(static_cast<double>(at.amount.system_bytes), at.of_file(renewing_writes).system_bytes));
}

bool is_cut_anew(const Situation& at) {
  if (!at.is_regular() || at.file.is_many) return false;
  const std::uint64_t cuts = at.calls_of_file({Call::ftruncate});
  return cuts >= many_times && writes_all_contents(at, at.written_to_file(), cuts);
}

bool is_written_at_once(const Situation& at) {
  const std::uint64_t renewals =
      std::max(at.calls_of_file({Call::ftruncate}), at.calls_of_file(openings_of_files) / 2);
  return 2 * at.written_to_file().system_calls <= 3 * renewals;
}

namespace {

constexpr CallSet placing_calls = {Call::lseek, Call::fseek};

// What the program has written beyond the bytes by which the file has grown.
double rewritten_bytes(const Situation& at) {
  return static_cast<double>(at.of_file(all_writes).bytes) -
         (size_of(at.file) - static_cast<double>(at.file.first_bytes));
}

}  // namespace

bool is_rewritten_in_part(const Situation& at) {
  constexpr std::uint32_t elsewhere = O_APPEND | O_SYNC | O_DSYNC;
  constexpr double least_share = 0.05;
  constexpr double most_bytes_of_header = 512;
  if (!at.is_regular() || at.file.is_many || (at.file.flags & elsewhere) != 0) return false;
  const std::uint64_t places = at.calls_of_file(placing_calls);
  const SumOfCalls writes = at.of_file(all_writes);
  if (places < many_times || 10 * places < writes.calls) return false;
  if (at.calls_of_file(openings_of_files) > 1 || at.calls_of_file({Call::ftruncate}) > 0 ||
      at.calls_of_file(all_reads) > many_times) {
    return false;
  }
  const double rewritten = rewritten_bytes(at);
  const auto written = static_cast<double>(writes.bytes);
  if (rewritten > most_bytes_of_header * static_cast<double>(places)) return false;
  return rewritten >= least_share * written && written - rewritten >= least_share * written;
}

// The records then follow each other, and a buffer gathers them.
std::optional<Advice> rewritten_in_part(const Situation& at) {
  const bool writes_buffer = at.is({Call::fseek, Call::fflush});
  if (!writes_buffer && at.use.call != Call::lseek && !at.writes_directly()) return std::nullopt;
  if (at.calls_of_each() < many_times || !is_rewritten_in_part(at)) return std::nullopt;
  const double total_s = at.amount.time.total_s();
  const double writes_s = at.use.call == Call::lseek ? 0 : writes_buffer ? total_s / 2 : total_s;
  const double piece = per(static_cast<double>(at.amount.system_bytes), at.amount.calls);
  return Advice{
      .kind = kinds::rewritten_part,
      .saved_s = total_s - writes_s + writes_s * share_of_calls(piece),
      .use = at.index,
      .seen = fmt::format(
          "{} calls of {}; {} of the {} that the program has written replace earlier bytes",
          format_count(at.amount.calls), name_of(at.use.call),
          format_bytes(static_cast<std::uint64_t>(rewritten_bytes(at))),
          format_bytes(at.of_file(all_writes).bytes)),
      .why =
          "A part of the file is written again and again, such as a header with a count, or a "
          "record that changes: each time by seeks, and no buffer gathers what is written.",
      .fix =
          "Keep this part in memory, and write it once, after the last record, or only now and "
          "then. What is appended then gathers in a buffer. That changes what survives a crash.",
      .check = "the same command under sluice trace: fewer seeks and writes",
      .least_saved_s = total_s - writes_s + writes_s * least_share_of_writes(piece),
  };
}

namespace {

constexpr double least_waiting_share = 0.5;

// ext4 does so, so that a crash leaves one of the two contents (ext4(5), auto_da_alloc).
constexpr const char* why_cuts_wait =
    "ext4 and other file systems begin to write a file to the disk when it is closed after a cut "
    "to 0 bytes. The next cut waits for this.";
constexpr const char* fix_of_cuts =
    "write the new contents over the old ones, and then give the file its new length (in C by "
    "pwrite and ftruncate). A crash may then leave a mixture of both contents.";

// A write goes to the end of a file that is opened to append, wherever it is meant to go.
bool may_be_overwritten(const Situation& at) { return (at.file.flags & O_APPEND) == 0; }

}  // namespace

void say_that_cuts_wait(Advice& advice, const Situation& at) {
  const SumOfCalls cuts = at.of_file(openings_of_files | Call::ftruncate);
  const bool is_synced = at.calls_of_file({Call::fsync, Call::fdatasync}) > cuts.calls / 4;
  if (!at.file.remains || is_synced || !may_be_overwritten(at)) return;
  if (cuts.time.sleep_s < least_waiting_share * advice.least_s()) return;
  advice.why += fmt::format(" {}", why_cuts_wait);
  advice.fix += fmt::format(" If each change must be in the file, {}", fix_of_cuts);
}

std::optional<Advice> cut_each_time(const Situation& at) {
  if (at.use.call != Call::ftruncate || !is_cut_anew(at)) return std::nullopt;
  if (is_renewed_in_place(at) || is_read_by_its_writer(at)) return std::nullopt;
  const Time& time = at.amount.time;
  const std::uint64_t closings = at.calls_of_file({Call::close, Call::fclose});
  const bool waits = time.sleep_s >= least_waiting_share * time.total_s();
  if (!waits || 2 * closings < at.amount.calls || !may_be_overwritten(at)) return std::nullopt;
  const SumOfCalls written = at.written_to_file();
  return Advice{
      .kind = {"cut-each-time"},
      .saved_s = time.total_s(),
      .use = at.index,
      .seen = fmt::format("cut {} times, and {} written in all; the file has {} in the end",
                          format_count(at.amount.calls), format_bytes(written.system_bytes),
                          format_bytes(at.file.size_bytes)),
      .why = why_cuts_wait,
      .fix = fmt::format("In place of the cut, {}", fix_of_cuts),
      .check = "the same command under sluice trace: ftruncate does not wait",
      .least_saved_s = time.sleep_s,
  };
}

}  // namespace sluice::trace
