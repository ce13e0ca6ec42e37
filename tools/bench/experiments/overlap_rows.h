// The rows of `overlap`: every way to compute values and to write them.
//
// `times` is how often each value is computed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "bench/experiments/buffered_values.h"
#include "bench/experiments/file_targets.h"
#include "bench/experiments/pattern_output.h"
#include "bench/experiments/simulated_disk.h"
#include "bench/strategy.h"
#include "sluice/writer.h"

namespace sluice::bench {

inline constexpr std::size_t value_bytes = sizeof(std::uint64_t);
inline constexpr std::size_t user_buffer_bytes = 1 << 20;
inline constexpr std::uint64_t slow_disk_bytes_per_second = std::uint64_t{1} << 30;

// What the rows of a group write, and what is to be found afterwards.
struct ValueWork {
  std::string path;
  std::uint64_t values = 0;
  // Known after set_up:
  std::uint64_t hash = 0;
  std::uint64_t sum = 0;
};

// The value number j, computed `times` times over.
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
  for (std::uint64_t j = 0; j < work.values; ++j) use(value_at<times>(j));
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

template <unsigned times>
void by_sluice(const ValueWork& work) {
  Writer writer;
  writer.open(work.path).throw_if_error();
  each_value<times>(work, [&](std::uint64_t value) { writer.write(value); });
  writer.close().throw_if_error();
}

inline SimulatedDisk slow_disk(const ValueWork& work) {
  return {work.path, slow_disk_bytes_per_second};
}

template <unsigned times>
void by_ostream_to_slow_disk(const ValueWork& work) {
  SimulatedDisk disk = slow_disk(work);
  SimulatedDiskBuffer buffer(disk);
  std::ostream stream(&buffer);
  stream.exceptions(std::ios::badbit);  // what the disk throws passes through
  each_value<times>(work, [&](std::uint64_t value) { write_value(stream, value); });
  stream.flush();
  disk.close();
}

template <unsigned times, typename HandOver>
void by_buffers_to_slow_disk(const ValueWork& work) {
  by_buffers<times, HandOver>(work, slow_disk(work));
}

template <unsigned times>
void by_sluice_to_slow_disk(const ValueWork& work) {
  SimulatedDisk disk = slow_disk(work);
  Writer writer;
  writer.open(make_simulated_disk_sink(disk)).throw_if_error();
  each_value<times>(work, [&](std::uint64_t value) { writer.write(value); });
  writer.close().throw_if_error();
  disk.close();
}

struct ValueRow {
  const char* name;
  Kind kind;
  std::uint64_t buffer_bytes;
  void (*run)(const ValueWork&);
};

inline constexpr std::uint64_t sluice_buffer_bytes = WriterOptions{}.block_bytes;

template <unsigned times>
inline constexpr ValueRow file_rows[] = {
    {"ofstream.write", Kind::baseline, filebuf_buffer_bytes, by_ofstream<times>},
    {"fwrite", Kind::peer, stdio_buffer_bytes, by_fwrite<times>},
    {"one buffer", Kind::peer, user_buffer_bytes, by_buffers_to_file<times, SameThread>},
    {"two buffers, a new thread each", Kind::peer, user_buffer_bytes,
     by_buffers_to_file<times, NewThread>},
    {"two buffers, a lasting thread", Kind::peer, user_buffer_bytes,
     by_buffers_to_file<times, LastingThread>},
    {"sluice write(value)", Kind::sluice, sluice_buffer_bytes, by_sluice<times>},
};

template <unsigned times>
inline constexpr ValueRow slow_disk_rows[] = {
    {"ostream.write", Kind::baseline, filebuf_buffer_bytes, by_ostream_to_slow_disk<times>},
    {"one buffer", Kind::peer, user_buffer_bytes, by_buffers_to_slow_disk<times, SameThread>},
    {"two buffers, a new thread each", Kind::peer, user_buffer_bytes,
     by_buffers_to_slow_disk<times, NewThread>},
    {"two buffers, a lasting thread", Kind::peer, user_buffer_bytes,
     by_buffers_to_slow_disk<times, LastingThread>},
    {"sluice write(value)", Kind::sluice, sluice_buffer_bytes, by_sluice_to_slow_disk<times>},
};

}  // namespace sluice::bench
