// Values of 8 bytes that are computed and written: the common part of the rows of `overlap` and
// `many-writers`.
//
// `times` is the number of times that each value is computed.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/data.h"
#include "bench/experiments/output/file_targets.h"
#include "bench/experiments/output/pattern_output.h"
#include "bench/experiments/rows/keep.h"
#include "bench/experiments/values/buffered_values.h"
#include "bench/strategy.h"
#include "sluice/writer.h"

namespace sluice::bench {

inline constexpr std::size_t value_bytes = sizeof(std::uint64_t);
inline constexpr std::size_t user_buffer_bytes = 1 << 20;

// A row's work on one file, and the expected results.
struct ValueWork {
  std::string path;
  std::uint64_t first = 0;  // the number of the first value
  std::uint64_t values = 0;
  // set_up fills in the members below.
  std::uint64_t hash = 0;
  std::uint64_t sum = 0;
};

// Computes the value with number j `times` times.
template <unsigned times>
std::uint64_t value_at(std::uint64_t j) {
  std::uint64_t value = j;
  for (unsigned i = 0; i < times; ++i) {
    const auto x = static_cast<double>(value);
    value = static_cast<std::uint64_t>(x * 1.5 - x * 1.1 + x / 3.2);
  }
  return value;
}

template <unsigned times, typename Use>
void each_value(const ValueWork& work, Use use) {
  const std::uint64_t end = work.first + work.values;
  for (std::uint64_t j = work.first; j < end; ++j) use(value_at<times>(j));
}

inline void write_value(std::ostream& stream, std::uint64_t value) {
  stream.write(reinterpret_cast<const char*>(&value), value_bytes);
}

template <unsigned times>
void by_ofstream(const ValueWork& work) {
  OutputStream output(work.path);
  each_value<times>(work, [&](std::uint64_t value) { write_value(output.get(), value); });
  output.close();
}

template <unsigned times>
void by_fwrite(const ValueWork& work) {
  StdioFile file(work.path, "wb");
  std::FILE* const stream = file.get();
  each_value<times>(work,
                    [&](std::uint64_t value) { std::fwrite(&value, value_bytes, 1, stream); });
  file.close();
}

template <unsigned times, typename HandOver, typename Target>
void by_buffers(const ValueWork& work, Target target) {
  {
    BufferedValues<HandOver> values(
        [&](const void* data, std::size_t bytes) { target.write(data, bytes); }, user_buffer_bytes);
    each_value<times>(work, [&](std::uint64_t value) { values.add(value); });
    values.finish();
  }
  target.close();
}

template <unsigned times, typename HandOver>
void by_buffers_to_file(const ValueWork& work) {
  by_buffers<times, HandOver>(work, RawOutput(work.path));
}

// All rows share this one function, because the compiler gives copies of the same loop different
// speeds.
template <unsigned times>
[[gnu::noinline]] void write_values(Writer& writer, const ValueWork& work) {
  each_value<times>(work, [&](std::uint64_t value) { writer.write_value(value); });
}

template <unsigned times, WriteBehind write_behind = WriteBehind::automatic>
void by_sluice(const ValueWork& work) {
  Writer writer;
  writer.open(work.path, {.write_behind = write_behind}).throw_if_error();
  write_values<times>(writer, work);
  writer.close().throw_if_error();
}

// Returns the sum of the values.
template <unsigned times>
std::uint64_t compute(const ValueWork& work) {
  std::uint64_t sum = 0;
  each_value<times>(work, [&](std::uint64_t value) {
    keep(value);  // each value, as in the rows that write
    sum += value;
  });
  return sum;
}

// Fills in the expected hash and sum.
template <unsigned times>
void find_expected(ValueWork& work) {
  work.sum = 0;
  Hasher hasher;
  std::vector<std::uint64_t> block;
  block.reserve((std::size_t{1} << 20) / value_bytes);
  const auto hash_block = [&] {
    hasher.update(block.data(), block.size() * value_bytes);
    block.clear();
  };
  each_value<times>(work, [&](std::uint64_t value) {
    if (block.size() == block.capacity()) hash_block();
    block.push_back(value);
    work.sum += value;
  });
  hash_block();
  work.hash = hasher.digest();
}

// Throws unless the file has the expected values.
inline void expect_values(const ValueWork& work) {
  expect_file(work.path, work.values * value_bytes, work.hash);
}

inline void expect_sum(const ValueWork& work, std::uint64_t found) {
  if (found == work.sum) return;
  throw std::runtime_error(
      fmt::format("the values have the sum {} instead of {}", found, work.sum));
}

struct ValueRow {
  const char* name;
  Kind kind;
  std::uint64_t buffer_bytes;
  void (*run)(const ValueWork&);
};

inline constexpr std::uint64_t sluice_buffer_bytes = WriterOptions{}.block_bytes;

}  // namespace sluice::bench
