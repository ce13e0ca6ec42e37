#include "bench/experiments/pieces/pieces.h"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/experiments/input/raw_read.h"  // WarmMemory
#include "bench/experiments/output/file_targets.h"
#include "bench/experiments/output/pattern_output.h"
#include "bench/experiments/output/peer_targets.h"
#include "bench/experiments/pieces/small_buffer_policies.h"
#include "bench/experiments/rows/keep.h"
#include "sluice/writer.h"

namespace sluice::bench {
namespace {

// The pieces that the rows write. The sizes are known from the start; prepare() makes the memory.
struct Pieces {
  std::string path;
  SizeSequence sequence;
  std::unique_ptr<PatternMemory> pattern;
};

template <typename Use>
void each_piece(const Pieces& pieces, Use use) {
  each_piece(pieces.sequence, *pieces.pattern, use);
}

using Buffer = SmallBuffer<RawOutput>;
using Policy = void (Buffer::*)(const char*, std::size_t);

template <Policy policy>
void by_policy(const Pieces& pieces) {
  RawOutput output(pieces.path);
  Buffer buffer(output);
  each_piece(pieces, [&](const char* data, std::size_t bytes) { (buffer.*policy)(data, bytes); });
  buffer.finish();
  output.close();
}

void by_ofstream(const Pieces& pieces) {
  OutputStream output(pieces.path);
  each_piece(pieces, [&](const char* data, std::size_t bytes) {
    output.get().write(data, static_cast<std::streamsize>(bytes));
  });
  output.close();
}

void by_fwrite(const Pieces& pieces) {
  StdioFile file(pieces.path, "wb");
  std::FILE* const stream = file.get();
  each_piece(pieces,
             [&](const char* data, std::size_t bytes) { std::fwrite(data, 1, bytes, stream); });
  file.close();
}

#if SLUICE_HAVE_FMT_OUTPUT_FILE
void by_fmt(const Pieces& pieces) {
  FmtFile output(pieces.path);
  each_piece(pieces, [&](const char* data, std::size_t bytes) {
    output.print("{}", std::string_view(data, bytes));
  });
  output.close();
}
#endif

#if SLUICE_HAVE_BOOST_IOSTREAMS
void by_boost(const Pieces& pieces) {
  BoostOutput output{boost::iostreams::file_descriptor_sink(pieces.path)};
  each_piece(pieces, [&](const char* data, std::size_t bytes) {
    output.sputn(data, static_cast<std::streamsize>(bytes));
  });
  output.close();
}
#endif

#if SLUICE_HAVE_APR
void by_apr(const Pieces& pieces) {
  AprFile output(pieces.path);
  each_piece(pieces, [&](const char* data, std::size_t bytes) { output.write(data, bytes); });
  output.close();
}
#endif

void by_sluice(const Pieces& pieces) {
  Writer writer;
  writer.open(pieces.path).throw_if_error();
  each_piece(pieces, [&](const char* data, std::size_t bytes) { writer.write(data, bytes); });
  writer.close().throw_if_error();
}

struct PieceRow {
  const char* name;
  Kind kind;
  std::uint64_t buffer_bytes;
  void (*write)(const Pieces&);
};

constexpr PieceRow rows[] = {
    {"copy through 4K", Kind::baseline, Buffer::capacity, by_policy<&Buffer::copy_through>},
    {"fill flush direct", Kind::peer, Buffer::capacity, by_policy<&Buffer::fill_flush_direct>},
    {"flush then direct", Kind::peer, Buffer::capacity, by_policy<&Buffer::flush_then_direct>},
    {"gather 4K", Kind::peer, Buffer::capacity, by_policy<&Buffer::gather>},
    {"ofstream.write", Kind::peer, filebuf_buffer_bytes, by_ofstream},
    {"fwrite", Kind::peer, stdio_buffer_bytes, by_fwrite},
#if SLUICE_HAVE_FMT_OUTPUT_FILE
    {"fmt::output_file print", Kind::peer, fmt_buffer_bytes, by_fmt},
#endif
#if SLUICE_HAVE_BOOST_IOSTREAMS
    {"boost::iostreams sputn", Kind::peer, boost_buffer_bytes, by_boost},
#endif
#if SLUICE_HAVE_APR
    {"apr_file_write", Kind::peer, apr_buffer_bytes, by_apr},
#endif
    {"sluice write", Kind::sluice, WriterOptions{}.block_bytes, by_sluice},
};

Strategy strategy_of(const PieceRow& row, const std::shared_ptr<Pieces>& pieces) {
  const std::uint64_t bytes = pieces->sequence.bytes();
  return {
      .name = row.name,
      .kind = row.kind,
      .buffer_bytes = row.buffer_bytes,
      .bytes = bytes,
      .operations = pieces->sequence.operations(),
      .prepare =
          [pieces] {
            pieces->pattern = std::make_unique<PatternMemory>(pieces->sequence.largest());
          },
      .run = [write = row.write, pieces] { write(*pieces); },
      .verify = [pieces, bytes] { expect_file(pieces->path, bytes, hash_pattern(bytes)); },
  };
}

// The work of the calls without the writing: small pieces are copied into one warm block, and the
// bytes of large pieces are not touched.
class Walk {
 public:
  explicit Walk(std::size_t block_bytes) : block_(block_bytes) {}

  void take(const char* data, std::size_t bytes) {
    total_ += bytes;
    if (bytes >= small_bytes) return;
    if (bytes > block_.size() - used_) [[unlikely]] {
      keep_memory(block_.data());
      used_ = 0;
    }
    std::memcpy(block_.data() + used_, data, bytes);
    used_ += bytes;
  }

  std::uint64_t total() const { return total_; }

 private:
  static constexpr std::size_t small_bytes = 4096;

  WarmMemory block_;
  std::size_t used_ = 0;
  std::uint64_t total_ = 0;
};

Strategy walk_strategy(const std::shared_ptr<Pieces>& pieces) {
  auto walk = std::make_shared<std::unique_ptr<Walk>>();
  Strategy strategy = strategy_of({"walk", Kind::limit, raw_write_block_bytes, nullptr}, pieces);
  strategy.prepare = [walk, prepare = strategy.prepare] {
    prepare();
    *walk = std::make_unique<Walk>(raw_write_block_bytes);
  };
  strategy.run = [walk, pieces] {
    Walk& walker = **walk;
    each_piece(*pieces, [&](const char* data, std::size_t bytes) { walker.take(data, bytes); });
  };
  strategy.verify = [walk, pieces] {
    if ((*walk)->total() == pieces->sequence.bytes()) return;
    throw std::runtime_error(fmt::format("the walk passed {} bytes instead of {}", (*walk)->total(),
                                         pieces->sequence.bytes()));
  };
  return strategy;
}

}  // namespace

Experiment piece_experiment(const std::string& directory, const SizeSequence& sequence) {
  auto pieces = std::make_shared<Pieces>();
  pieces->path = directory + "/pieces.out";
  pieces->sequence = sequence;
  const std::uint64_t bytes = sequence.bytes();
  Experiment::Group group;
  group.strategies = {raw_write_strategy({.paths = {pieces->path}, .bytes = bytes}),
                      walk_strategy(pieces)};
  for (const PieceRow& row : rows) group.strategies.push_back(strategy_of(row, pieces));
  Experiment experiment;
  experiment.groups.push_back(std::move(group));
  experiment.bytes = bytes;
  experiment.scratch_bytes = bytes;
  return experiment;
}

}  // namespace sluice::bench
