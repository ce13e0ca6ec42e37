// Calls of a C++ stream that stay in the stream's buffer. No hook sees them. What is known is where
// the program was when the buffer was full or empty, and how much the program works in between.
#include <fmt/format.h>

#include <algorithm>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/places/runtime.h"

namespace sluice::trace {

using preload::Call;

namespace {

// Smaller calls to the kernel belong to tiny_system_calls.
constexpr double least_buffer_bytes = 2048;

// The part of the work between the calls to the kernel that calls of the stream may take. The
// program does the rest.
constexpr double most_share = 0.9;

bool fills_a_buffer(const Situation& at) {
  return at.is_by_iostream() && at.is_regular() && at.bytes_moved() >= least_buffer_bytes;
}

constexpr std::uint32_t few_bytes_of_a_read = 64;

bool reads_small_pieces(const Site& site) {
  return site.by_bytes || site.by_refills ||
         (site.piece_bytes > 0 && site.piece_bytes <= few_bytes_of_a_read);
}

// True if nearly all bytes of the file come by such calls. The calls that find the buffer empty are
// a sample: a program that looks at the first byte of each line does so in some of them.
bool reads_nearly_all_so(const Situation& at) {
  if (at.seeks_each_time()) return false;  // most of each buffer is not used
  constexpr double nearly_all = 0.75;
  double bytes = 0;
  double small_bytes = 0;
  for (const Use& use : at.profile.uses) {
    if (use.file != at.use.file || !direct_reads.contains(use.call)) continue;
    const auto of_use = static_cast<double>(use.amount.bytes);
    bytes += of_use;
    if (reads_small_pieces(at.profile.sites[use.site])) small_bytes += of_use;
  }
  return small_bytes >= nearly_all * bytes;
}

// A string or vector that is made of a pair of std::istreambuf_iterator grows byte by byte. Without
// debug information nobody sees that such a thing is made. But the process then gets a new page of
// memory for each page of the file, at least. (A loop over the iterators that keeps nothing is as
// fast as one over an array.)
bool grows_by_bytes(const Situation& at) {
  constexpr std::uint64_t page_bytes = 4096;
  const Process* const process = first_process_of(at.profile, at.use);
  return at.profile.sites[at.use.site].by_refills && process != nullptr &&
         process->minor_faults * page_bytes >= at.amount.bytes;
}

// The cost of a call, and whether it was measured on this machine after the run.
struct Cost {
  CostRange range;
  bool is_measured = false;
};

// `unknown` is for a profile of another machine, or for calls that nobody can tell apart.
Cost cost_of(const Profile& profile, CostRange StreamCosts::*call, const CostRange& unknown) {
  const std::optional<StreamCosts>& costs = profile.stream_costs;
  return costs ? Cost{(*costs).*call, true} : Cost{unknown};
}

constexpr CostRange of_pieces{4e-9, 25e-9};

// A character beside a piece, such as a comma, is put into the buffer, and nobody sees this call.
Cost cost_of_written_piece(const Profile& profile, const Site& site) {
  constexpr CostRange of_fractions{100e-9, 430e-9};
  Cost cost = site.by_fractions  ? cost_of(profile, &StreamCosts::fraction_written, of_fractions)
              : site.by_integers ? cost_of(profile, &StreamCosts::integer_written, of_pieces)
              : site.by_texts    ? cost_of(profile, &StreamCosts::piece_written, of_pieces)
                                 : Cost{of_pieces};
  if (cost.is_measured) cost.range.most_s += profile.stream_costs->byte_written.most_s;
  return cost;
}

// Behind what is said of the calls.
std::string_view how_measured(const Cost& cost) {
  return cost.is_measured ? " The prediction comes from such calls, which were measured on this "
                            "machine after the run."
                          : "";
}

// 0 if it is not known.
double bytes_of_piece(const Amount& amount) {
  return per(static_cast<double>(amount.last_piece_bytes), amount.paired_calls);
}

double calls_for(const Amount& amount, double piece) {
  return static_cast<double>(amount.bytes) / piece;
}

// How much of the program's work these calls can be. The work before a write is that of all kinds
// of calls which have filled the buffer, so each kind has its share by its cost.
double most_of_written_pieces_s(const Situation& at, double piece, const Cost& cost) {
  double work_s = 0;
  double all_s = 0;
  for (const Use* const use : at.file_amounts.stream_writes_of(at.use.file)) {
    const double of_use = bytes_of_piece(use->amount);
    if (of_use < 1) continue;
    const Cost of_call = cost_of_written_piece(at.profile, at.profile.sites[use->site]);
    work_s += use->amount.work_before_s;
    all_s += calls_for(use->amount, of_use) * of_call.range.most_s;
  }
  const double share = all_s > 0 ? calls_for(at.amount, piece) * cost.range.most_s / all_s : 0;
  return most_share * work_s * share;
}

// What all advice about pieces has in common. The rules add what was seen, and what to do.
Advice about_pieces(const Situation& at, double piece, const Cost& of_call, double most_of_work_s) {
  const CostRange& cost = of_call.range;
  const double calls = calls_for(at.amount, piece);
  const double most_s = std::min(most_of_work_s, cost.most_s * calls);
  return Advice{
      .kind = kinds::stream_pieces,
      .saved_s = most_s,
      .use = at.index,
      .seen = "",
      .why = fmt::format("Each piece is a call that asks for the state of the stream and goes "
                         "through several functions.{}",
                         how_measured(of_call)),
      .fix = "",
      .check = "the same command: it ends sooner",
      .has_measured_costs = of_call.is_measured,
      .least_saved_s = std::min(most_s, cost.least_s * calls),
  };
}

}  // namespace

// A flush writes what is in the buffer, by write(2). A piece that finds no room in the buffer is
// the second piece of a writev, behind what is in the buffer: nothing, if there is no buffer.
bool has_no_stream_buffer(const Situation& at) {
  if (!at.is({Call::write, Call::writev}) || !at.is_by_iostream()) return false;
  const SumOfCalls pieces = at.of_file({Call::writev});  // single bytes go by write
  return pieces.calls >= many_calls && pieces.paired_calls >= pieces.calls * 9 / 10 &&
         pieces.last_piece_bytes >= pieces.bytes * 9 / 10;
}

// A piece of libstdc++'s limit or more goes to the kernel at once, whatever room the buffer has.
bool passes_stream_buffer(const Situation& at) {
  constexpr std::uint64_t limit_bytes = 1024;
  return at.use.call == Call::writev && at.is_by_iostream() && at.amount.calls >= many_calls &&
         at.amount.last_piece_bytes >= limit_bytes * at.amount.calls;
}

// get(), peek() and put() of a stream are for one byte: so the bytes tell the calls. A call
// takes 2 to 10 ns longer than taking the byte out of an array
// (docs/measured/stream-calls.txt). A program that looks at each byte before it takes it makes two
// or three calls.
std::optional<Advice> bytes_of_stream(const Situation& at) {
  constexpr CostRange of_bytes{2e-9, 10e-9};
  const bool reads = at.reads_directly();
  if (!at.profile.sites[at.use.site].by_bytes && !grows_by_bytes(at)) return std::nullopt;
  if (!reads && !at.writes_directly()) return std::nullopt;
  if (!fills_a_buffer(at) || (reads && !reads_nearly_all_so(at))) return std::nullopt;
  const bool peeks = at.profile.sites[at.use.site].by_peek;
  const double least_calls = static_cast<double>(at.amount.bytes) * (peeks ? 2 : 1);
  const double most_calls = static_cast<double>(at.amount.bytes) * (peeks ? 3 : 1);
  const bool are_iterators = at.profile.sites[at.use.site].by_refills;
  const auto call = reads ? &StreamCosts::byte_read : &StreamCosts::byte_written;
  const Cost cost = are_iterators ? Cost{of_bytes} : cost_of(at.profile, call, of_bytes);
  const double most_s =
      std::min(most_share * at.amount.work_before_s, cost.range.most_s * most_calls);
  return Advice{
      .kind = kinds::stream_bytes,
      .saved_s = most_s,
      .use = at.index,
      .seen = fmt::format("{} bytes {} one by one by the C++ stream, in its buffer",
                          format_count(at.amount.bytes),
                          peeks   ? "looked at and read"
                          : reads ? "read"
                                  : "written"),
      .why = fmt::format(
          "Each byte is a call that asks for the state of the stream and of its buffer.{}",
          how_measured(cost)),
      .fix = reads
                 ? "Read blocks by `read`, or lines by `std::getline`, and take the bytes out of "
                   "them. A std::string of the file's size gets the whole file by one `read`. Or "
                   "use sluice::Reader, whose get is inlined, or sluice::read_file."
                 : "Put the bytes into an array or a std::string, and write it by one `write`. Or "
                   "use sluice::Writer, whose put is inlined.",
      .check = "the same command: it ends sooner",
      .has_measured_costs = cost.is_measured,
      .least_saved_s = std::min(most_s, cost.range.least_s * least_calls),
  };
}

// `text << file.rdbuf()` with a std::stringstream, out of which str() copies the text once more.
// The program could save 1.3 ns for each byte, about as long as it worked between the reads
// (docs/measured/amd-zen4-string-stream.txt).
std::optional<Advice> copied_to_memory(const Situation& at) {
  constexpr double least_byte_s = 0.5e-9;
  constexpr double most_byte_s = 3e-9;
  if (!at.profile.sites[at.use.site].by_rdbuf || !at.reads_directly()) return std::nullopt;
  if (!fills_a_buffer(at)) return std::nullopt;
  const bool copies_to_file = std::ranges::any_of(at.profile.uses, [&](const Use& use) {
    return use.site == at.use.site && all_writes.contains(use.call);
  });
  if (copies_to_file) return std::nullopt;
  const auto bytes = static_cast<double>(at.amount.bytes);
  const double most_s = std::min(at.amount.work_before_s, most_byte_s * bytes);
  return Advice{
      .kind = kinds::string_stream,
      .saved_s = most_s,
      .use = at.index,
      .seen = fmt::format("{} read into another stream by its operator<<, and {:.3f} s of work "
                          "between the reads",
                          format_bytes(at.amount.bytes), at.amount.work_before_s),
      .why =
          "The other stream, such as a std::stringstream, grows while it gets the bytes in pieces, "
          "and its str() copies all of them once more.",
      .fix =
          "Make a std::string of the file's size, and read the file into it by one `read`; or use "
          "sluice::read_file.",
      .check = "the same command: it ends sooner",
      .least_saved_s = std::min(most_s, least_byte_s * bytes),
  };
}

// When the bytes of an ostream::write or operator<< no longer fit into the buffer, the C++ library
// hands these bytes over as a second piece. So their sizes are a sample of the sizes of all calls.
// Fractions took 220 to 430 ns longer than std::to_chars (docs/measured/written-fractions.txt). The
// lower end is an estimate for a faster processor.
std::optional<Advice> pieces_written(const Situation& at) {
  constexpr double few_bytes = 64;
  if (at.use.call != Call::writev || !fills_a_buffer(at)) return std::nullopt;
  const double piece = bytes_of_piece(at.amount);
  if (piece < 1 || piece > few_bytes) return std::nullopt;
  const Cost cost = cost_of_written_piece(at.profile, at.profile.sites[at.use.site]);
  Advice advice = about_pieces(at, piece, cost, most_of_written_pieces_s(at, piece, cost));
  advice.seen = fmt::format("{} written to the C++ stream in pieces of about {:.1f} bytes",
                            format_bytes(at.amount.bytes), piece);
  advice.why += " The number of pieces is an estimate from a sample of their sizes.";
  advice.fix =
      "Put the pieces of a record or of many records into an array or a std::string (std::memcpy, "
      "std::to_chars), and write it by one `write`. Or use sluice::Writer, whose put, write and "
      "write_number are short.";
  return advice;
}

// fs.createWriteStream hands what was written to it over piece by piece, up to 1,024 of them in one
// call. The last piece is a sample. The thread of the program makes a buffer and an entry of a list
// for each piece, 0.30 to 0.64 us (docs/measured/amd-zen4-node-streams.txt), and threads of a pool
// make the calls. The range is a little wider.
std::optional<Advice> pieces_of_node(const Situation& at) {
  constexpr CostRange of_piece{0.25e-6, 0.65e-6};
  constexpr double few_bytes = 512;
  if (at.use.call != Call::writev || at.is_by_iostream()) return std::nullopt;
  const double piece = bytes_of_piece(at.amount);
  if (piece < 1 || piece > few_bytes) return std::nullopt;
  if (runtime_of_stack(at.profile.sites[at.use.site].frames).name != "Node") return std::nullopt;
  const double pieces = calls_for(at.amount, piece);
  return Advice{
      .kind = kinds::stream_pieces,
      .saved_s = of_piece.most_s * pieces,
      .use = at.index,
      .seen = fmt::format("{} written in pieces of about {:.0f} bytes by a stream, which handed "
                          "them over in {} calls of writev",
                          format_bytes(at.amount.bytes), piece, format_count(at.amount.calls)),
      .why =
          "The stream makes a buffer of each piece and keeps a list of them. The number of pieces "
          "is an estimate from a sample of their sizes; the prediction has 0.25 to 0.65 us for "
          "each.",
      .fix = "",
      .check = "the same command: it ends sooner",
      .is_of_one_thread = true,
      .least_saved_s = of_piece.least_s * pieces,
  };
}

// std::istream::read() of a few bytes. The program's own code tells how many, if it is a constant.
std::optional<Advice> pieces_read(const Situation& at) {
  const std::uint32_t piece = at.profile.sites[at.use.site].piece_bytes;
  if (piece == 0 || piece > few_bytes_of_a_read || !at.reads_directly()) return std::nullopt;
  if (!fills_a_buffer(at) || !reads_nearly_all_so(at)) return std::nullopt;
  const Cost cost = cost_of(at.profile, &StreamCosts::piece_read, of_pieces);
  Advice advice = about_pieces(at, piece, cost, most_share * at.amount.work_before_s);
  advice.seen = fmt::format("{} read from the C++ stream in pieces of {} byte{}",
                            format_bytes(at.amount.bytes), piece, piece == 1 ? "" : "s");
  advice.why += " The size of the pieces is that in the program's own code.";
  advice.fix =
      "Read blocks of many records by one `read` into an array, and take the pieces out of it by "
      "std::memcpy. Or use sluice::Reader.";
  return advice;
}

// operator>> takes words and numbers out of the buffer of a std::ifstream. How much longer this
// takes than the same work in memory is measured with the words of the file. If they are not known,
// it is taken for 2 ns a byte (words of 32 bytes) or more: words of 2 bytes took 16 ns a byte
// (docs/measured/extraction.txt). Fractions took 20 to 130 ns, on a processor that was two to three
// times as slow (docs/measured/extraction-fractions.txt).
std::optional<Advice> formatted_reads(const Situation& at) {
  constexpr CostRange of_unknown_words{2e-9, 50e-9};
  if (!at.profile.sites[at.use.site].by_extraction || !at.reads_directly()) return std::nullopt;
  if (at.bytes_moved() < least_buffer_bytes) return std::nullopt;
  const auto measured = at.profile.extraction_costs.find(at.use.file);
  const bool is_measured = measured != at.profile.extraction_costs.end();
  const CostRange& cost = is_measured ? measured->second.beside_memory : of_unknown_words;
  const auto bytes = static_cast<double>(at.amount.bytes);
  const double most_s = std::min(most_share * at.amount.work_before_s, cost.most_s * bytes);
  return Advice{
      .kind = kinds::formatted_reads,
      .saved_s = most_s,
      .use = at.index,
      .seen = fmt::format("{} taken out of the stream's buffer by operator>>, and {:.3f} s of work "
                          "between the reads that fill it",
                          format_bytes(at.amount.bytes), at.amount.work_before_s),
      .why = fmt::format(
          "operator>> asks the stream, its buffer and its locale for each word or number. {}",
          is_measured
              ? "The prediction comes from words of this file, which were taken out of a stream "
                "and out of memory after the run. The trace does not see which of them the program "
                "takes as numbers: so it is a range."
              : "The trace does not see how many words there are, and how much of the work is the "
                "program's own: so the prediction is a range."),
      .fix =
          "Read blocks by `read` or lines by `std::getline`, and take the words and numbers out of "
          "them in memory, by memchr and std::from_chars. Or use sluice::Reader for the lines.",
      .check = "the same command: it ends sooner",
      .has_measured_costs = is_measured,
      .least_saved_s = std::min(most_s, cost.least_s * bytes),
  };
}

}  // namespace sluice::trace
