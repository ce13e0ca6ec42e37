#include "recommend/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string_view>

#include "bench/stored_bytes.h"
#include "sluice/reader.h"
#include "sluice/writer.h"
#ifdef SLUICE_HAVE_ZSTD
#include "sluice/codecs.h"
#endif

namespace sluice::recommend {
namespace {

constexpr std::size_t most_sample_bytes = 64 << 20;
constexpr std::size_t random_sample_bytes = 16 << 20;
// A program hands over a few KiB at a time; the number is no divisor of a block.
constexpr std::size_t piece_bytes = 4'000;

std::string random_sample() {
  std::mt19937_64 random(1);
  std::string sample(random_sample_bytes, ' ');
  for (std::size_t i = 0; i < sample.size(); i += sizeof(std::uint64_t)) {
    const std::uint64_t value = random();
    std::memcpy(&sample[i], &value, sizeof value);
  }
  return sample;
}

void open_writer(const Configuration& configuration, const Work& work, Writer& writer) {
#ifdef SLUICE_HAVE_ZSTD
  if (configuration.is_compressed) {
    return open_compressed(writer, work.path, *codec_named(work.codec), {}, configuration.options)
        .throw_if_error();
  }
#endif
  writer.open(work.path, configuration.options).throw_if_error();
}

void open_reader(const Configuration& configuration, const Work& work, Reader& reader) {
#ifdef SLUICE_HAVE_ZSTD
  if (configuration.is_compressed) {
    return open_decompressed(reader, work.path, all_codecs()).throw_if_error();
  }
#else
  static_cast<void>(configuration);
#endif
  reader.open(work.path).throw_if_error();
}

// Calls `take` with parts of the sample, until the parts are all bytes of the trial.
template <typename Take>
void for_each_part(const Work& work, std::size_t most, Take take) {
  std::size_t at = 0;
  for (std::uint64_t left = work.bytes; left != 0;) {
    const std::size_t part = std::min<std::uint64_t>({left, most, work.sample.size() - at});
    take(std::string_view(work.sample).substr(at, part));
    at = (at + part) % work.sample.size();
    left -= part;
  }
}

void write(const Configuration& configuration, const Work& work) {
  Writer writer;
  open_writer(configuration, work, writer);
  for_each_part(work, piece_bytes, [&](std::string_view part) { writer.write(part); });
  writer.close().throw_if_error();
}

void expect_bytes(const Configuration& configuration, const Work& work) {
  Reader reader;
  open_reader(configuration, work, reader);
  std::string found;
  for_each_part(work, 1 << 20, [&](std::string_view part) {
    found.resize(part.size());
    const std::size_t got = reader.read(std::as_writable_bytes(std::span(found)));
    if (got == part.size() && found == part) return;
    reader.status().throw_if_error();
    throw std::runtime_error("read " + work.path + ": the bytes are not those that were written");
  });
  if (reader.get() == Reader::end && reader.status().ok()) return;
  throw std::runtime_error("read " + work.path + ": there are more bytes than were written");
}

void expect_size(const Configuration& configuration, const Work& work) {
  Reader reader;
  open_reader(configuration, work, reader);
  std::uint64_t bytes = 0;
  reader.size(bytes).throw_if_error();
  if (bytes == work.bytes) return;
  throw std::runtime_error(
      fmt::format("read {}: {} bytes instead of {}", work.path, bytes, work.bytes));
}

}  // namespace

std::string read_sample(const std::string& path) {
  if (path.empty()) return random_sample();
  Reader reader;
  reader.open(path).throw_if_error();
  std::string sample(most_sample_bytes, ' ');
  sample.resize(reader.read(std::as_writable_bytes(std::span(sample))));
  reader.close().throw_if_error();
  if (sample.empty()) throw std::runtime_error("read " + path + ": the file is empty");
  return sample;
}

const std::vector<std::string>& codecs_to_probe() {
  static const std::vector<std::string> all = {"zstd",         "series:double", "series:float",
                                               "series:int64", "series:int32",  "series:int16"};
  return all;
}

bench::Strategy probe_of(const Work& work) {
  bench::Strategy strategy;
  strategy.name = work.codec;
  strategy.bytes = work.bytes;
  strategy.run = [&work] {
    Writer writer;
#ifdef SLUICE_HAVE_ZSTD
    open_compressed(writer, work.path, *codec_named(work.codec)).throw_if_error();
#endif
    writer.write(work.sample);
    writer.close().throw_if_error();
  };
  strategy.verify = [&work] { bench::note_stored_bytes(std::filesystem::file_size(work.path)); };
  return strategy;
}

bench::Strategy trial_of(const Choice& choice, const Work& work, bool is_verified) {
  const Configuration configuration = configuration_of(choice);
  bench::Strategy strategy;
  strategy.name = "trial";
  strategy.bytes = work.bytes;
  strategy.run = [configuration, &work] { write(configuration, work); };
  strategy.verify = [configuration, &work, is_verified] {
    is_verified ? expect_bytes(configuration, work) : expect_size(configuration, work);
  };
  return strategy;
}

}  // namespace sluice::recommend
