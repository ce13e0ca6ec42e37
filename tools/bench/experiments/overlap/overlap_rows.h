// The rows of `overlap`: ways to compute values and to write them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "bench/experiments/output/file_targets.h"
#include "bench/experiments/output/simulated_disk.h"
#include "bench/experiments/values/buffered_values.h"
#include "bench/experiments/values/value_rows.h"
#include "bench/strategy.h"
#include "sluice/writer.h"

namespace sluice::bench {

inline constexpr std::uint64_t slow_disk_bytes_per_second = std::uint64_t{1} << 30;

inline SimulatedDisk slow_disk(const ValueWork& work) {
  return {work.path, slow_disk_bytes_per_second};
}

template <unsigned times>
void by_ostream_to_slow_disk(const ValueWork& work) {
  SimulatedDisk disk = slow_disk(work);
  SimulatedDiskBuffer buffer(disk);
  std::ostream stream(&buffer);
  stream.exceptions(std::ios::badbit);  // the disk's exceptions pass through the stream
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
  write_values<times>(writer, work);
  writer.close().throw_if_error();
  disk.close();
}

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
