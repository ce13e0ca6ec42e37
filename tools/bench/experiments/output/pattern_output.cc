#include "bench/experiments/output/pattern_output.h"

#include <algorithm>
#include <memory>

#include "bench/experiments/output/file_targets.h"

namespace sluice::bench {
std::unique_ptr<WarmMemory> warm_pattern_block() {
  static_assert(raw_write_block_bytes % 65536 == 0, "every block of the pattern is the same");
  auto block = std::make_unique<WarmMemory>(raw_write_block_bytes);
  for (std::size_t i = 0; i < raw_write_block_bytes; ++i) {
    block->data()[i] = static_cast<std::byte>(byte_at(i));
  }
  return block;
}

void write_in_blocks(const std::string& path, std::uint64_t bytes, Finish finish,
                     const WarmMemory& block) {
  RawOutput output(path);
  for (std::uint64_t left = bytes; left != 0;) {
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(left, block.size()));
    output.write(block.data(), piece);
    left -= piece;
  }
  if (finish == Finish::durable) output.synchronize();
  output.close();
}

Strategy output_strategy(const OutputRow& row, const std::string& path, OutputSize size) {
  const std::uint64_t bytes = scaled_down(size.bytes, row.divisor);
  return {
      .name = row.name,
      .kind = row.kind,
      .buffer_bytes = row.buffer_bytes,
      .bytes = bytes,
      .operations = scaled_down(size.operations, row.divisor),
      .prepare = {},
      .run = [write = row.write, path, bytes] { write(path, bytes); },
      .verify = [path, bytes] { expect_file(path, bytes, hash_pattern(bytes)); },
  };
}

Strategy raw_write_strategy(const RawWrite& raw) {
  auto block = std::make_shared<std::unique_ptr<WarmMemory>>();
  const std::uint64_t pieces = (raw.bytes + raw_write_block_bytes - 1) / raw_write_block_bytes;
  return {
      .name = raw.finish == Finish::durable ? "raw write + fdatasync" : "raw write",
      .kind = Kind::limit,
      .buffer_bytes = raw_write_block_bytes,
      .bytes = raw.bytes * raw.paths.size(),
      .operations = pieces * raw.paths.size(),
      .prepare = [block] { *block = warm_pattern_block(); },
      .run =
          [block, raw] {
            for (const std::string& path : raw.paths) {
              write_in_blocks(path, raw.bytes, raw.finish, **block);
            }
          },
      .verify =
          [raw] {
            for (const std::string& path : raw.paths) {
              expect_file(path, raw.bytes, hash_pattern(raw.bytes));
            }
          },
  };
}

}  // namespace sluice::bench
