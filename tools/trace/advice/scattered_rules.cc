// Small pieces at many places of a file, of which no buffer has several.
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>

#include "trace/advice/situation.h"
#include "trace/places/runtime.h"

namespace sluice::trace {

using preload::Call;

bool is_scattered(const Situation& at) {
  const bool moves = at.reads_directly() || at.writes_directly();
  const SumOfCalls placed = at.is(at_positions) ? SumOfCalls(at.amount) : at.of_file({Call::lseek});
  return moves && at.is_regular() && 2 * placed.far_calls >= at.amount.calls;
}

namespace {

const Runtime& runtime_of(const Situation& at) {
  return runtime_of_stack(at.profile.sites[at.use.site].frames);
}

// Languages and databases have words of their own for small reads.
bool is_of_program(const Runtime& runtime) {
  return runtime.kind != Runtime::Kind::language && runtime.kind != Runtime::Kind::database;
}

// A language has to be able to map a file.
bool can_map(const Runtime& runtime) { return is_of_program(runtime) || runtime.name == "Python"; }

}  // namespace

bool has_scattered_reads(const Situation& at) {
  return at.reads_directly() && !at.is_by_iostream() && is_scattered(at);
}

bool seeks_before_each_piece(const Situation& at) {
  return at.writes_directly() && !at.is(at_positions) && (at.file.flags & O_APPEND) == 0 &&
         4 * at.calls_of_file({Call::lseek}) >= 3 * at.calls_of_file(all_writes);
}

std::string fix_of_seeks_between_pieces(const Situation& at) {
  constexpr double appended = 1.5;  // most of the written bytes enlarge the file
  const auto written = static_cast<double>(at.written_to_file().system_bytes);
  const auto first = static_cast<double>(std::min(at.file.first_bytes, at.file.size_bytes));
  if (written > appended * (size_of(at.file) - first)) {
    return "Make the changes in memory, in an array that has the bytes of the file, and write it "
           "in order at the end; or map the file, and change it there. The seeks keep the pieces "
           "from being gathered.";
  }
  const char* const flushes = at.is_by_iostream() ? "flushes, such as `std::endl`," : "flushes";
  return fmt::format(
      "Leave the seeks between the writes out, and the questions for the position, such as tell: "
      "at each of them a stream writes what it holds. To append, open the file so, and count the "
      "bytes for the position. If the seeks go to places in the file, put the pieces together in "
      "memory first, and write them in order. Leave {} out too, and gather 64 KiB for each write.",
      flushes);
}

namespace {

const char* fix_of_scattered_reads(const Situation& at) {
  constexpr double most_in_memory_bytes = 256.0 * 1024 * 1024;
  const bool fits = at.file.size_bytes > 0 && size_of(at.file) <= most_in_memory_bytes;
  if (fits && at.of_file(all_reads).time.total_s() > read_byte_s * size_of(at.file)) {
    return "Read the whole file into memory once, or map it, and take the small pieces from there.";
  }
  return "Map the file, and take the small pieces from there.";
}

}  // namespace

// A language reads the whole file, which takes its time however little of it the program uses. A
// mapped file costs a page fault for each touched page, or for some pages together. Nobody saw how
// many pages these are, and the times of a page are estimates. Bytes that are not in memory are
// waited for in any case.
void be_about_scattered_reads(Advice& advice, const Situation& at) {
  constexpr double least_page_s = 0.25e-6;
  constexpr double most_page_s = 1e-6;
  const Time& time = at.amount.time;
  const double awake = time.total_s() > 0 ? 1 - time.sleep_s / time.total_s() : 0;
  const auto calls = static_cast<double>(at.amount.calls);
  const double bytes = size_of(at.file) * per(calls, at.calls_of_file(all_reads));
  if (!is_of_program(runtime_of(at))) {  // a language, which has words of its own
    advice.least_saved_s = awake * advice.least_s() - read_byte_s * bytes;
    advice.saved_s = *advice.least_saved_s > 0 ? awake * advice.saved_s - read_byte_s * bytes : 0;
    return;
  }
  const double pages = std::min(calls, bytes / usual_page_bytes);
  advice.kind = kinds::scattered_reads;
  advice.fix = fix_of_scattered_reads(at);
  advice.least_saved_s = awake * advice.least_s() - most_page_s * pages;
  advice.saved_s = awake * advice.saved_s - least_page_s * pages;
  if (*advice.least_saved_s > 0) return;
  advice.least_saved_s = 0;
  advice.fix =
      "If most of the pieces lie in the same pages, map the file, and take the pieces from there. "
      "The first touch of a page takes as long as a call, and each later one nothing.";
}

// In a mapped file the first change of each page costs a page fault, and each further one a copy
// (docs/measured/scattered-writes.txt). If the page is new, the kernel also has to make it. Pages
// that are not in memory are waited for in any case.
std::optional<Advice> scattered_writes(const Situation& at) {
  constexpr double least_page_s = 2.3e-6;
  constexpr double most_page_s = 7e-6;  // three times as much, as an estimate
  constexpr std::uint32_t elsewhere = O_SYNC | O_DSYNC | O_DIRECT;
  if (!at.writes_directly() || !is_scattered(at) || !can_map(runtime_of(at))) return std::nullopt;
  if ((at.file.flags & elsewhere) != 0 || is_renewed_in_place(at)) return std::nullopt;
  if (is_rewritten_in_part(at)) return std::nullopt;
  if (at.file.size_bytes == 0 || at.bytes_moved() >= usual_page_bytes) return std::nullopt;
  const bool seeks = !at.is(at_positions);
  if (seeks && at.of_file(all_reads).calls > 0) return std::nullopt;  // the seeks may be for them
  const double pages = size_of(at.file) / usual_page_bytes;
  const auto writes = static_cast<double>(at.written_to_file().system_calls);
  if (writes < 2 * pages) return std::nullopt;
  const double share = static_cast<double>(at.amount.calls) / writes;
  const double seeks_s = seeks ? at.of_file({Call::lseek}).time.system_s : 0;
  const double calls_s = at.amount.time.system_s + share * seeks_s;
  const bool is_opened_to_write = (at.file.flags & O_ACCMODE) == O_WRONLY;
  return Advice{
      .kind = {"scattered-writes"},
      .saved_s = std::max(0.0, calls_s - share * pages * least_page_s),
      .use = at.index,
      .seen = calls_text(at.use),
      .why = "Every call is a system call, and the pieces lie apart, so no buffer can gather them.",
      .fix = fmt::format(
          "Map the file (mmap with MAP_SHARED; enlarge it by ftruncate first, if it grows), and "
          "change the small pieces there.{}",
          is_opened_to_write ? " Open it with O_RDWR: a file cannot be mapped so otherwise." : ""),
      .check = "the same command under sluice trace: no small writes, the same bytes",
      .least_saved_s = std::max(0.0, calls_s - share * pages * most_page_s),
  };
}

}  // namespace sluice::trace
