#include "trace/advice.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>

#include "command_line/quantity.h"

namespace sluice::trace {
namespace {

using preload::Call;

constexpr double least_share = 0.01;
constexpr double least_s = 0.010;

// Of what calls in a row cost, a program that does other work between them feels this much: the
// rest is done by the processor at the same time. In docs/measured/predictions.json what was saved
// is 0.65 to 1 of what calls in a row differ by.
constexpr double felt_share = 0.8;

// A system call that moves a small piece costs this share less per byte in large pieces. In
// docs/measured/touched-bytes-*.json putc_unlocked, 4 KiB a call, takes 1.2 (tmpfs) to 2.1 times
// (ext4) the system time of raw write.
constexpr double small_buffer_share = 1 - 1 / 1.6;
constexpr double small_buffer_bytes = 8192;
constexpr double large_piece_bytes = 65536;

constexpr double tiny_bytes = 512;

bool is_one_of(Call call, std::initializer_list<Call> calls) {
  return std::find(calls.begin(), calls.end(), call) != calls.end();
}

bool writes_to_stream(Call call) {
  return is_one_of(call, {Call::fwrite, Call::fputc, Call::fputs, Call::fprintf});
}

bool reads_from_stream(Call call) {
  return is_one_of(call, {Call::fread, Call::fgetc, Call::fgets, Call::getline});
}

double per(double amount, std::uint64_t count) {
  return count == 0 ? 0 : amount / static_cast<double>(count);
}

double average_bytes(const Amount& amount) {
  return per(static_cast<double>(amount.bytes), amount.calls);
}

double average_system_bytes(const Amount& amount) {
  return per(static_cast<double>(amount.system_bytes), amount.system_calls);
}

std::string calls_text(const Use& use) {
  return fmt::format("{} calls of {} with {:.1f} bytes on average", format_count(use.amount.calls),
                     preload::call_names[static_cast<std::size_t>(use.call)],
                     average_bytes(use.amount));
}

// What every rule looks at.
struct Situation {
  const Profile& profile;
  std::size_t index;
  const Use& use;
  const File& file;
  const Amount& amount;

  bool is_regular() const { return S_ISREG(file.kind); }

  // All uses of the same file by one function.
  Amount of_file(Call call) const {
    Amount sum;
    for (const Use& other : profile.uses) {
      if (other.file == use.file && other.call == call) sum += other.amount;
    }
    return sum;
  }
};

using Rule = std::optional<Advice> (*)(const Situation&);

// fwrite, putc, fread, getc, ... of a few bytes: the lock and the call chain.
std::optional<Advice> tiny_stdio_calls(const Situation& at) {
  const bool writes = writes_to_stream(at.use.call);
  if (!writes && !reads_from_stream(at.use.call)) return std::nullopt;
  if (at.use.call == Call::fprintf) return std::nullopt;  // formatting is most of it
  if (average_bytes(at.amount) > tiny_bytes || at.amount.copies == 0) return std::nullopt;
  if (at.amount.copying_by_run_s == 0) return std::nullopt;
  return Advice{
      .id = writes ? "tiny-stdio-writes" : "tiny-stdio-reads",
      .saved_s = felt_share * (at.amount.time.copying_s - at.amount.copying_by_run_s),
      .use = at.index,
      .seen = fmt::format("{}, {:.1f} ns each", calls_text(at.use),
                          per(at.amount.time.copying_s * 1e9, at.amount.copies)),
      .why =
          "Each call takes the stream's lock and goes through several functions, to copy a few "
          "bytes.",
      .fix = writes ? "sluice::Writer's put and write are inlined; in stdio, fwrite_unlocked or "
                      "putc_unlocked in a program with one thread; unchanged, by `sluice run`."
                    : "sluice::Reader's get, read and lines are inlined; in stdio, the _unlocked "
                      "functions in a program with one thread; unchanged, by `sluice run`.",
      .check = at.amount.takes_locks ? "sluice run --unlocked --summary -- the same command, if no "
                                       "two threads use one stream at once"
                                     : "sluice run --summary -- the same command",
      .by = at.amount.takes_locks ? "run --unlocked" : "run",
  };
}

// write(2) and read(2) of a few bytes.
std::optional<Advice> tiny_system_calls(const Situation& at) {
  const bool writes = is_one_of(at.use.call, {Call::write, Call::writev, Call::pwrite});
  if (!writes && !is_one_of(at.use.call, {Call::read, Call::readv, Call::pread})) {
    return std::nullopt;
  }
  if (!at.is_regular() || average_bytes(at.amount) >= 4096) return std::nullopt;
  const double kept = static_cast<double>(at.amount.bytes) / large_piece_bytes /
                      std::max(1.0, static_cast<double>(at.amount.calls));
  return Advice{
      .id = writes ? "tiny-writes" : "tiny-reads",
      .saved_s = at.amount.time.total_s() * (1 - std::min(1.0, kept)),
      .use = at.index,
      .seen = calls_text(at.use),
      .why =
          "Every call is a system call: it costs some hundred nanoseconds before the first byte "
          "moves.",
      .fix = writes ? "Gather what belongs together in a buffer (sluice::Writer); with iostreams, "
                      "write '\\n' and not std::endl."
                    : "Read larger pieces into a buffer (sluice::Reader).",
      .check = "the same command under sluice trace: fewer calls, the same bytes",
      .by = writes ? "run --coalesce" : "",
  };
}

// fflush, or a stream whose every call is a system call: nothing is gathered.
std::optional<Advice> flush_after_each(const Situation& at) {
  if (at.use.call != Call::fflush || !at.is_regular()) return std::nullopt;
  if (at.amount.system_calls == 0 || average_system_bytes(at.amount) >= 4096) return std::nullopt;
  return Advice{
      .id = "flush-after-each",
      .saved_s =
          at.amount.time.total_s() * (1 - average_system_bytes(at.amount) / large_piece_bytes),
      .use = at.index,
      .seen = fmt::format("{} flushes of {:.1f} bytes on average",
                          format_count(at.amount.system_calls), average_system_bytes(at.amount)),
      .why = "Each flush is a system call for a few bytes, and the buffer is never filled.",
      .fix = "Flush when somebody waits for the bytes, or at the end (sluice::Writer::flush).",
      .check = "the same command without the flushes",
  };
}

std::optional<Advice> unbuffered_stream(const Situation& at) {
  if (!writes_to_stream(at.use.call) || !at.is_regular()) return std::nullopt;
  const bool each_is_one = at.amount.system_calls >= at.amount.calls * 9 / 10;
  if (!each_is_one || at.amount.calls < 100 || average_bytes(at.amount) >= 4096) {
    return std::nullopt;
  }
  return Advice{
      .id = "unbuffered-stream",
      .saved_s = at.amount.time.total_s() * (1 - average_bytes(at.amount) / large_piece_bytes),
      .use = at.index,
      .seen = fmt::format("{}, nearly every one a system call", calls_text(at.use)),
      .why = "The stream of a regular file is unbuffered or line-buffered.",
      .fix =
          "setvbuf(stream, buffer, _IOFBF, 65536) with a buffer of one's own, or sluice::Writer.",
      .check = "the same command under sluice trace: fewer calls, the same bytes",
  };
}

// 4 KiB a system call, many times.
std::optional<Advice> small_default_buffer(const Situation& at) {
  const bool streams = writes_to_stream(at.use.call) || reads_from_stream(at.use.call);
  if (!streams || !at.is_regular() || at.amount.system_calls < 100) return std::nullopt;
  const double piece = average_system_bytes(at.amount);
  if (piece > small_buffer_bytes || piece < 2048) return std::nullopt;
  const bool writes = writes_to_stream(at.use.call);
  return Advice{
      .id = "small-buffer",
      .saved_s = at.amount.time.system_s * small_buffer_share,
      .use = at.index,
      .seen = fmt::format("{} system calls of {:.0f} bytes on average",
                          format_count(at.amount.system_calls), piece),
      .why = "stdio's default buffer is 4 KiB: a system call costs as much as copying that.",
      .fix =
          writes
              ? "A buffer of 64 KiB or more: setvbuf with memory of one's own, or sluice::Writer; "
                "unchanged, by `sluice run --buffer 64K`."
              : "A buffer of 64 KiB or more: setvbuf with memory of one's own, or sluice::Reader; "
                "unchanged, by `sluice run`.",
      .check = writes ? "sluice run --buffer 64K --summary -- the same command"
                      : "sluice run --summary -- the same command",
      .by = writes ? "run --buffer 64K" : "run",
  };
}

// A seek before each read, inside of the buffer or not.
std::optional<Advice> seek_before_each_read(const Situation& at) {
  if (at.use.call != Call::fseek || !at.is_regular()) return std::nullopt;
  const Amount reads = at.of_file(Call::fread);
  if (reads.calls == 0 || at.amount.calls < reads.calls / 4) return std::nullopt;
  return Advice{
      .id = "seek-before-read",
      .saved_s = at.amount.time.total_s() / 2,
      .use = at.index,
      .seen = fmt::format("{} seeks, {} reads of the same file", format_count(at.amount.calls),
                          format_count(reads.calls)),
      .why = "glibc asks the kernel to seek each time, also when the target is in its buffer.",
      .fix =
          "pread into one's own memory, or keep the part that is looked up in memory "
          "(sluice::read_file); unchanged, by `sluice run`.",
      .check = "sluice run --summary -- the same command",
      .by = "run",
  };
}

std::optional<Advice> read_again(const Situation& at) {
  const bool reads = reads_from_stream(at.use.call) ||
                     is_one_of(at.use.call, {Call::read, Call::readv, Call::pread});
  if (!reads || !at.is_regular() || at.file.size_bytes == 0) return std::nullopt;
  const double times =
      static_cast<double>(at.amount.system_bytes) / static_cast<double>(at.file.size_bytes);
  if (times < 2) return std::nullopt;
  return Advice{
      .id = "read-again",
      .saved_s = at.amount.time.total_s() * (1 - 1 / times),
      .use = at.index,
      .seen = fmt::format("{} were read of a file of {}: {:.1f} times the whole",
                          format_bytes(at.amount.system_bytes), format_bytes(at.file.size_bytes),
                          times),
      .why = "The same bytes are fetched again and again.",
      .fix = "Keep them: sluice::read_file once, or a larger buffer around what is looked up.",
      .check = "the same command under sluice trace: the file's size is read once",
  };
}

std::optional<Advice> sync_after_each(const Situation& at) {
  if (!is_one_of(at.use.call, {Call::fsync, Call::fdatasync})) return std::nullopt;
  if (at.amount.calls < 10) return std::nullopt;
  return Advice{
      .id = "sync-after-each",
      .saved_s = at.amount.time.total_s() * (1 - 1 / static_cast<double>(at.amount.calls)),
      .use = at.index,
      .seen = fmt::format("{} syncs of one file, {:.2f} ms each", format_count(at.amount.calls),
                          per(at.amount.time.total_s() * 1e3, at.amount.calls)),
      .why = "The program waits for the disk each time.",
      .fix =
          "Sync once at the end (Durability::on_close), or let several records share one sync. "
          "That changes what survives a power cut.",
      .check = "the same command without the syncs but the last",
  };
}

std::optional<Advice> synchronous_writes(const Situation& at) {
  const bool writes = is_one_of(at.use.call, {Call::write, Call::writev, Call::pwrite});
  if (!writes || (at.file.flags & (O_SYNC | O_DSYNC)) == 0) return std::nullopt;
  return Advice{
      .id = "synchronous-writes",
      .saved_s = at.amount.time.sleep_s,
      .use = at.index,
      .seen = fmt::format("{} to a file opened with O_SYNC or O_DSYNC", calls_text(at.use)),
      .why = "Every write waits for the disk.",
      .fix =
          "Gather records before they are written, or sync once at the end. That changes what "
          "survives a power cut.",
      .check = "the same command with larger writes",
  };
}

std::optional<Advice> reopened(const Situation& at) {
  if (!is_one_of(at.use.call, {Call::fopen, Call::open})) return std::nullopt;
  if (at.file.opens < 100) return std::nullopt;
  const Amount closing = [&] {
    Amount sum = at.of_file(Call::fclose);
    sum += at.of_file(Call::close);
    return sum;
  }();
  return Advice{
      .id = "reopened",
      .saved_s = at.amount.time.total_s() + closing.time.total_s(),
      .use = at.index,
      .seen = fmt::format("opened {} times", format_count(at.file.opens)),
      .why = "Opening and closing a file costs several system calls and its name's look-up.",
      .fix = "Keep the file open between records.",
      .check = "the same command under sluice trace: one open",
  };
}

constexpr Rule rules[] = {
    tiny_stdio_calls,  tiny_system_calls,    flush_after_each,
    unbuffered_stream, small_default_buffer, seek_before_each_read,
    read_again,        sync_after_each,      synchronous_writes,
    reopened,
};

// Computing and writing take turns: what the writes take could pass while the program computes.
std::optional<Advice> overlap_possible(const Profile& profile) {
  double writing_s = 0;
  std::size_t largest = 0;
  double largest_s = 0;
  for (std::size_t i = 0; i < profile.uses.size(); ++i) {
    const Use& use = profile.uses[i];
    const bool writes = is_one_of(use.call, {Call::write, Call::writev, Call::fwrite});
    if (!writes || !S_ISREG(profile.files[use.file].kind)) continue;
    if (average_system_bytes(use.amount) < 4096) continue;
    const double time_s = use.amount.time.system_s + use.amount.time.sleep_s;
    writing_s += time_s;
    if (time_s > largest_s) {
      largest = i;
      largest_s = time_s;
    }
  }
  const double computing_s = profile.wall_s - profile.total().time.total_s();
  const double saved_s = std::min(writing_s, computing_s);
  if (largest_s == 0 || saved_s < 0.1 * profile.wall_s) return std::nullopt;
  return Advice{
      .id = "overlap",
      .saved_s = saved_s,
      .use = largest,
      .seen = fmt::format("{:.3f} s of writing and {:.3f} s of everything else, in turns",
                          writing_s, computing_s),
      .why =
          "The program waits while its bytes are written, and nothing is written while it "
          "computes.",
      .fix = "sluice::Writer writes full blocks on a thread of its own.",
      .check = "the program with sluice::Writer",
  };
}

}  // namespace

std::vector<Advice> advice_for(const Profile& profile) {
  std::vector<Advice> all;
  for (std::size_t i = 0; i < profile.uses.size(); ++i) {
    const Use& use = profile.uses[i];
    const Situation at{profile, i, use, profile.files[use.file], use.amount};
    for (const Rule rule : rules) {
      if (std::optional<Advice> advice = rule(at)) all.push_back(std::move(*advice));
    }
  }
  if (std::optional<Advice> advice = overlap_possible(profile)) all.push_back(std::move(*advice));
  const double least = std::max(least_s, least_share * profile.wall_s);
  std::erase_if(all, [&](const Advice& advice) { return advice.saved_s < least; });
  std::sort(all.begin(), all.end(),
            [](const Advice& a, const Advice& b) { return a.saved_s > b.saved_s; });
  return all;
}

}  // namespace sluice::trace
