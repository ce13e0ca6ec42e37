// The work of C++ streams around their calls.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "command_line/quantity.h"
#include "trace/advice/own_terms.h"
#include "trace/advice/situation.h"

namespace sluice::trace {

namespace {

// What a std::istream without a buffer calls beside the calls that take its bytes.
struct CallsBeside {
  std::uint64_t put_back = 0;
  double put_back_s = 0;
  double flushes_s = 0;

  void add(const Use& use, std::string& seen) {
    const bool puts_back = use.call == preload::Call::ungetc;
    const double call_s = use.amount.time.copying_s + use.amount.time.system_s;
    if (puts_back) put_back += use.amount.calls;
    if (puts_back) put_back_s += call_s;
    if (!puts_back) flushes_s += call_s;
    seen += fmt::format("; {} {}", format_count(use.amount.calls),
                        puts_back ? "of these bytes put back" : "flushes of the tied stream");
  }
};

bool is_beside(const Use& other, const Use& use) {
  if (other.site != use.site) return false;
  const bool puts_back = other.call == preload::Call::ungetc && other.file == use.file;
  return puts_back || (other.call == preload::Call::fflush && other.amount.system_bytes == 0);
}

}  // namespace

// Without a buffer of its own, a std::istream takes each byte by getc. To look at a byte, it takes
// the byte and puts it back by ungetc. Each extraction also flushes the stream that it is tied to,
// which mostly has nothing to write. The time of such a flush was timed on its own, and may be up
// to twice the time that the program feels.
void OwnTerms::count_bytes_put_back(Advice& advice) const {
  constexpr double least_felt_share = 0.5;
  const Use& use = profile_.uses[advice.use];
  if (!profile_.sites[use.site].by_istream) return;
  CallsBeside beside;
  for (const Use& other : profile_.uses) {
    if (is_beside(other, use)) beside.add(other, advice.seen);
  }
  const std::uint64_t bytes = use.amount.calls - std::min(use.amount.calls, beside.put_back);
  if (!say_measured_words(advice, static_cast<double>(bytes))) {
    advice.least_saved_s = advice.least_s() + least_felt_share * beside.put_back_s;
    advice.saved_s += beside.put_back_s;
    count_work_of_stream(advice, {.calls = bytes, .of_what = "byte", .most_s = 10e-9});
  }
  *advice.least_saved_s += least_felt_share * beside.flushes_s;
  advice.saved_s += beside.flushes_s;
}

// With words of the file it was measured how long the calls and the stream's own work take.
bool OwnTerms::say_measured_words(Advice& advice, double bytes) const {
  const Use& use = profile_.uses[advice.use];
  const auto measured = profile_.extraction_costs.find(use.file);
  const bool is_measured =
      measured != profile_.extraction_costs.end() && measured->second.without_buffer;
  if (!is_measured || !profile_.sites[use.site].by_extraction) return false;
  const CostRange& cost = *measured->second.without_buffer;
  advice.saved_s = cost.most_s * bytes;
  advice.least_saved_s = cost.least_s * bytes;
  advice.by_runtime_s = advice.saved_s - *advice.least_saved_s;
  advice.has_measured_costs = true;
  advice.why +=
      " The C++ stream itself works for each byte too. The prediction comes from words of this "
      "file, which were taken after the run out of a stream with a buffer and out of one without. "
      "The trace does not see which of them the program takes as numbers: so it is a range.";
  return true;
}

// The C++ library itself asks for the state of the stream and of its buffer for each byte or piece,
// which takes up to so much longer than one of an array (docs/measured/stream-calls.txt).
void OwnTerms::count_work_of_stream(Advice& advice, const WorkOfStream& work) const {
  const Use& use = profile_.uses[advice.use];
  const double around_s = work_around_call_s(use) * static_cast<double>(use.amount.calls);
  const double added_s = std::min(around_s, work.most_s * static_cast<double>(work.calls));
  if (added_s <= 0) return;
  advice.add_by_runtime(added_s);
  advice.why += fmt::format(
      " The C++ stream itself works for each {} too. The trace does not see how long: the upper "
      "end of the prediction includes {:.0f} ns for each.",
      work.of_what, work.most_s * 1e9);
}

void OwnTerms::count_work_of_streams(Advice& advice) const {
  const Use& use = profile_.uses[advice.use];
  if (advice.kind == kinds::char_at_a_time) count_bytes_put_back(advice);
  if (!profile_.sites[use.site].by_iostream) return;
  if (advice.kind == kinds::tiny_stdio_writes) {
    count_work_of_stream(advice, {.calls = use.amount.calls, .of_what = "piece", .most_s = 17e-9});
  }
  // (docs/measured/stream-seeks.txt)
  if (advice.kind == kinds::seek_before_read) {
    count_work_of_stream(advice, {.calls = use.amount.calls, .of_what = "seek", .most_s = 150e-9});
  }
}

}  // namespace sluice::trace
