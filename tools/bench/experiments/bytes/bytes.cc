// `bytes`: a file is written and read with one byte per call.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "bench/experiments/bytes/byte_rows.h"
#include "bench/experiments/bytes/second_thread.h"
#include "bench/experiments/input/raw_read.h"
#include "bench/experiments/registry.h"
#include "bench/experiments/rows/keep.h"

namespace sluice::bench {
namespace {

constexpr std::size_t block_bytes = raw_write_block_bytes;

// Memory that prepare() makes.
using Block = std::unique_ptr<WarmMemory>;

unsigned char* bytes_of(const Block& block) {
  return reinterpret_cast<unsigned char*>(block->data());
}

// Maps a number of bytes to the ByteSum of the pattern's first bytes. set_up fills it.
using ExpectedSums = std::shared_ptr<std::map<std::uint64_t, std::uint64_t>>;

std::uint64_t sum_of_pattern(std::uint64_t bytes) {
  ByteSum sum;
  each_byte(bytes, [&](unsigned char byte) { sum.add(byte); });
  return sum.value();
}

// The cheapest possible put: a compare and a store, with the pointer in a register. Writes no file.
void fill(unsigned char* block, std::uint64_t bytes) {
  unsigned char* next = block;
  unsigned char* const end = block + block_bytes;
  each_byte(bytes, [&](unsigned char byte) {
    if (next == end) [[unlikely]] {
      keep_memory(block);
      next = block;
    }
    *next++ = byte;
  });
  keep_memory(block);
}

Strategy fill_strategy(std::uint64_t bytes) {
  auto block = std::make_shared<Block>();
  return {
      .name = "fill",
      .kind = Kind::limit,
      .buffer_bytes = block_bytes,
      .bytes = bytes,
      .operations = bytes,
      .prepare = [block] { *block = std::make_unique<WarmMemory>(block_bytes); },
      .run = [block, bytes] { fill(bytes_of(*block), bytes); },
      .verify =
          [block, bytes] {
            for (std::uint64_t i = bytes - std::min<std::uint64_t>(bytes, block_bytes); i < bytes;
                 ++i) {
              if (bytes_of(*block)[i % block_bytes] != byte_at(i)) {
                throw std::runtime_error(fmt::format("byte {} is not in the block", i));
              }
            }
          },
  };
}

// The cheapest possible get of a byte, with the work that every reading row does.
std::uint64_t consume(const unsigned char* block, std::uint64_t bytes) {
  const unsigned char* next = block;
  const unsigned char* const end = block + block_bytes;
  ByteSum sum;
  for (std::uint64_t i = 0; i < bytes; ++i) {
    if (next == end) [[unlikely]] {
      keep_memory(block);
      next = block;
    }
    sum.add(*next++);
  }
  return sum.value();
}

void expect_sum(std::uint64_t found, std::uint64_t expected) {
  if (found == expected) return;
  throw std::runtime_error(
      fmt::format("the bytes read have the sum {:016x} instead of {:016x}", found, expected));
}

class Groups {
 public:
  Groups(const std::string& directory, std::uint64_t bytes)
      : bytes_(bytes),
        output_path_(directory + "/bytes.out"),
        input_(declare_input_file(directory, "bytes.in", bytes)) {}

  Experiment::Group writing(Extent extent) const {
    Experiment::Group group;
    group.strategies = {raw_write_strategy({.paths = {output_path_}, .bytes = bytes_}),
                        fill_strategy(bytes_)};
    for (const OutputRow& row : byte_writing_rows(extent)) {
      group.strategies.push_back(output_strategy(row, output_path_, {bytes_, bytes_}));
    }
    return group;
  }

  Experiment::Group reading(Extent extent) const {
    Experiment::Group group;
    group.strategies = {raw_read(), consume_strategy()};
    for (const InputRow& row : byte_reading_rows(extent)) group.strategies.push_back(reading(row));
    return group;
  }

  // Makes the shared input file, and computes the sums that reading it must give.
  std::function<void()> set_up() const {
    return [input = input_, sums = sums_, bytes = bytes_] {
      make_pattern_file(input->path, bytes);
      const std::uint64_t last_bytes = bytes % raw_block_bytes;
      input->last_block_hash = hash_pattern(last_bytes != 0 ? last_bytes : raw_block_bytes);
      for (const std::uint64_t divisor : {std::uint64_t{1}, sweep_divisor, system_call_divisor}) {
        const std::uint64_t read_bytes = scaled_down(bytes, divisor);
        (*sums)[read_bytes] = sum_of_pattern(read_bytes);
      }
    };
  }

 private:
  Strategy raw_read() const {
    Strategy strategy = raw_read_strategy(input_);
    strategy.bytes = bytes_;
    strategy.operations = (bytes_ + raw_block_bytes - 1) / raw_block_bytes;
    prepare_cache(strategy, input_, true);
    return strategy;
  }

  Strategy reading(const InputRow& row) const {
    const std::uint64_t bytes = scaled_down(bytes_, row.divisor);
    auto found = std::make_shared<std::uint64_t>(0);
    Strategy strategy = {
        .name = row.name,
        .kind = row.kind,
        .buffer_bytes = row.buffer_bytes,
        .bytes = bytes,
        .operations = bytes,
        .prepare = {},
        .run = [found, read = row.read, bytes,
                input = input_] { *found = read(input->path, bytes); },
        .verify = [found, bytes, sums = sums_] { expect_sum(*found, sums->at(bytes)); },
    };
    prepare_cache(strategy, input_, true);
    return strategy;
  }

  Strategy consume_strategy() const {
    auto block = std::make_shared<Block>();
    auto found = std::make_shared<std::uint64_t>(0);
    return {
        .name = "consume",
        .kind = Kind::limit,
        .buffer_bytes = block_bytes,
        .bytes = bytes_,
        .operations = bytes_,
        .prepare =
            [block] {
              *block = std::make_unique<WarmMemory>(block_bytes);
              fill(bytes_of(*block), block_bytes);
            },
        .run = [block, found, bytes = bytes_] { *found = consume(bytes_of(*block), bytes); },
        .verify = [found, bytes = bytes_, sums = sums_] { expect_sum(*found, sums->at(bytes)); },
    };
  }

  std::uint64_t bytes_;
  std::string output_path_;
  SharedInput input_;
  ExpectedSums sums_ = std::make_shared<std::map<std::uint64_t, std::uint64_t>>();
};

Experiment::Group titled(Experiment::Group group, std::string title, std::string why) {
  group.title = std::move(title);
  group.why = std::move(why);
  return group;
}

Experiment::Group beside_second_thread(Experiment::Group group) {
  for (Strategy& strategy : group.strategies) {
    strategy = beside_second_thread(std::move(strategy));
  }
  return group;
}

}  // namespace

std::vector<std::size_t> swept_buffer_sizes(Extent extent) {
  constexpr std::size_t kibibyte = 1024;
  if (extent == Extent::some) return {64 * kibibyte, 256 * kibibyte};
  return {kibibyte,       4 * kibibyte,    16 * kibibyte,  64 * kibibyte,
          256 * kibibyte, 1024 * kibibyte, 8192 * kibibyte};
}

Experiment bytes_experiment(const Settings& settings) {
  const std::uint64_t default_bytes = std::uint64_t{settings.quick ? 16U : 512U} << 20;
  const std::uint64_t bytes = settings.size_bytes != 0 ? settings.size_bytes : default_bytes;
  const Extent extent = settings.quick ? Extent::some : Extent::all;
  const Groups groups(settings.directory, bytes);
  return {
      .id = "bytes",
      .title = "one byte a call, writing and reading",
      .groups =
          {
              titled(groups.writing(extent), "write, one thread",
                     "Around each byte there is either a chain of calls and a lock, or three "
                     "inlined instructions."),
              titled(beside_second_thread(groups.writing(Extent::main)),
                     "write, a second thread alive",
                     "While a second thread is alive, libc really takes its locks. A Writer "
                     "belongs to one thread and needs no lock."),
              titled(
                  groups.reading(extent), "read, one thread",
                  "As in writing, there is a chain of calls and a lock around each byte, or not."),
              titled(beside_second_thread(groups.reading(Extent::main)),
                     "read, a second thread alive",
                     "libc really takes its locks, as in writing. Inlined reading has no lock."),
          },
      .bytes = bytes,
      .scratch_bytes = 2 * bytes,
      .set_up = groups.set_up(),
  };
}

}  // namespace sluice::bench
