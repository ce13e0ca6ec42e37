// The rows of `compress`: ways to write bytes, compressed or not.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/experiments/compress/compress_data.h"
#include "sluice/compression.h"

namespace sluice::bench {

inline constexpr std::uint64_t slow_device_bytes_per_second = 200'000'000;

enum class Device : std::uint8_t { real, slow };

// A row's work.
struct CompressWork {
  std::string path;
  std::shared_ptr<const Data> data;
  Device device = Device::real;
};

// Each way ends when every byte is durable: on the real device after a sync, on the slow one when
// the device has taken all bytes. A failure throws std::runtime_error.

void by_raw_write(const CompressWork& work);
// By a Writer; `codec` is null if it does not compress.
void by_writer(const CompressWork& work, const Codec* codec);
// Through the standard input of a program that compresses.
void by_program(const CompressWork& work, const std::vector<std::string>& words);

// True if the program is in a folder of PATH.
bool has_program(const std::string& name);

// Throws unless the file gives the data back, as it is or decompressed. Notes its size.
void expect_stored(const CompressWork& work);

}  // namespace sluice::bench
