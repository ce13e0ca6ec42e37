// Measures sluice/series.h, and prints JSON.
//
//   series_benchmark data FOLDER     writes files of numbers, 32 MiB each
//   series_benchmark codec FOLDER    compresses and decompresses these files in memory, one thread
//   series_benchmark device FOLDER [DATA]
//                                    writes to a device of 200 MB/s: raw, by zstd, as series
#include <sluice/compression.h>
#include <sluice/files.h>
#include <sluice/series.h>
#include <sluice/sinks.h>
#include <sluice/zstd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Words = std::vector<std::uint64_t>;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void check(const sluice::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.message().c_str());
  std::exit(1);
}

// The values of the experiment `overlap` of sluice bench.
std::uint64_t overlap_value(std::size_t index) {
  const auto j = static_cast<double>(index);
  return static_cast<std::uint64_t>(j * 1.5 - j * 1.1 + j / 3.2);
}

struct Data {
  const char* name;
  sluice::SeriesType type;
  Words (*make)(std::size_t count);  // as the bytes of the numbers
};

template <typename Make>
Words made(std::size_t count, Make make) {
  Words words(count);
  for (std::size_t i = 0; i < count; ++i) words[i] = std::bit_cast<std::uint64_t>(make(i));
  return words;
}

// Temperatures, say: three oscillations whose periods have no common multiple. The last 12 bits of
// the mantissa are noise.
Words sensor(std::size_t count) {
  std::mt19937_64 random(1);
  return made(count, [&](std::size_t i) {
    const double t = static_cast<double>(i) * 2 * std::numbers::pi / 100'000;
    const double value = 20 + 5 * std::sin(t) + 0.3 * std::sin(17.3 * t) + std::sin(t * 0.0137);
    return (std::bit_cast<std::uint64_t>(value) & ~std::uint64_t{0xfff}) | (random() & 0xfff);
  });
}

// A converter of 24 bits, whose values are multiplied by the unit.
Words converter(std::size_t count) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0, 300);
  return made(count, [&](std::size_t i) {
    const double smooth = 8'000'000 + 2'000'000 * std::sin(static_cast<double>(i) * 1e-4);
    return std::round(smooth + noise(random)) * (10.0 / 16'777'216);
  });
}

Words walk(std::size_t count) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0, 0.01);
  double value = 100;
  return made(count, [&](std::size_t) { return value += noise(random); });
}

Words counter(std::size_t count) {
  std::mt19937_64 random(1);
  std::uint64_t value = 1000;
  return made(count, [&](std::size_t) { return value += random() % 10; });
}

// Nanoseconds, once a millisecond, not quite exactly.
Words timestamps(std::size_t count) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0, 20'000);
  return made(count, [&](std::size_t i) {
    return 1'700'000'000'000'000'000 + static_cast<std::int64_t>(i) * 1'000'000 +
           std::llround(noise(random));
  });
}

// x, y and z of four planets, once an hour. They attract each other; the Sun stays where it is.
Words trajectories(std::size_t count) {
  constexpr std::size_t planets = 4;
  constexpr double masses[] = {1.66e-7, 2.45e-6, 3.0e-6, 9.5e-4};
  constexpr double axes[] = {0.387, 0.723, 1, 5.2};
  constexpr double gravity = 4 * std::numbers::pi * std::numbers::pi;
  constexpr double step = 1 / 8766.0;
  double at[planets][3];
  double speed[planets][3];
  for (std::size_t i = 0; i < planets; ++i) {
    const auto angle = static_cast<double>(i + 1);
    const double orbital = std::sqrt(gravity / axes[i]);
    const double place[] = {axes[i] * std::cos(angle), axes[i] * std::sin(angle), 0};
    const double way[] = {-orbital * std::sin(angle) * 0.99, orbital * std::cos(angle) * 0.99,
                          orbital * 0.03 * angle};
    std::copy_n(place, 3, at[i]);
    std::copy_n(way, 3, speed[i]);
  }
  Words words;
  while (words.size() < count) {
    for (std::size_t i = 0; i < planets; ++i) {
      for (std::size_t j = 0; j <= planets; ++j) {
        if (i == j) continue;
        double between[3];
        double square = 0;
        for (std::size_t k = 0; k < 3; ++k) {
          between[k] = (j < planets ? at[j][k] : 0) - at[i][k];
          square += between[k] * between[k];
        }
        const double pull = gravity * (j < planets ? masses[j] : 1) / (square * std::sqrt(square));
        for (std::size_t k = 0; k < 3; ++k) speed[i][k] += pull * between[k] * step;
      }
    }
    for (auto& body : at) {
      for (std::size_t k = 0; k < 3; ++k) {
        body[k] += speed[static_cast<std::size_t>(&body - at)][k] * step;
        words.push_back(std::bit_cast<std::uint64_t>(body[k]));
      }
    }
  }
  words.resize(count);
  return words;
}

Words random_bits(std::size_t count) {
  std::mt19937_64 random(1);
  return made(count, [&](std::size_t) { return random(); });
}

constexpr Data all_data[] = {
    {"overlap", sluice::SeriesType::uint64, [](std::size_t n) { return made(n, overlap_value); }},
    {"counters", sluice::SeriesType::uint64, counter},
    {"timestamps", sluice::SeriesType::int64, timestamps},
    {"sensor", sluice::SeriesType::float64, sensor},
    {"converter", sluice::SeriesType::float64, converter},
    {"walk", sluice::SeriesType::float64, walk},
    {"trajectories", sluice::SeriesType::float64, trajectories},
    {"random", sluice::SeriesType::uint64, random_bits}};

constexpr std::size_t file_bytes = std::size_t{32} << 20;
constexpr int rounds = 5;

void write_data(const std::string& folder) {
  for (const Data& data : all_data) {
    const Words words = data.make(file_bytes / 8);
    sluice::Writer writer;
    check(writer.open(folder + "/" + data.name));
    writer.write_values(words);
    check(writer.close());
  }
}

void print_seconds(const std::vector<double>& seconds) {
  std::printf("[");
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    std::printf("%s%.6f", i == 0 ? "" : ", ", seconds[i]);
  }
  std::printf("]");
}

// Compresses and decompresses in memory. One thread does everything.
void measure_codec(const std::string& folder, const Data& data, const sluice::Codec& codec,
                   const char* name, bool is_last) {
  sluice::Bytes plain;
  check(sluice::read_file(folder + "/" + data.name, plain));
  std::vector<double> compressing;
  std::vector<double> decompressing;
  std::string target;
  target.reserve(plain.size() + plain.size() / 16);
  std::vector<std::byte> back(plain.size());
  for (int round = 0; round <= rounds; ++round) {
    target.clear();
    std::unique_ptr<sluice::Sink> sink;
    check(make_compressing_sink(sluice::make_memory_sink(target), codec, {.frames_at_a_time = 1},
                                sink));
    Clock::time_point begin = Clock::now();
    const sluice::BytesView all = plain;
    std::size_t written = 0;
    check(sink->write(0, std::span(&all, 1), written));
    check(sink->publish());
    if (round > 0) compressing.push_back(seconds_since(begin));
    std::unique_ptr<sluice::Source> source;
    begin = Clock::now();
    check(make_decompressing_source(sluice::make_memory_source(std::as_bytes(std::span(target))),
                                    {&codec}, source));
    for (std::size_t at = 0; at < back.size();) {
      std::size_t got = 0;
      check(source->read(at, std::span(back).subspan(at), got));
      at += got;
    }
    if (round > 0) decompressing.push_back(seconds_since(begin));
    if (std::memcmp(back.data(), plain.data(), back.size()) != 0) std::abort();
  }
  std::printf(
      "  {\"data\": \"%s\", \"codec\": \"%s\", \"bytes\": %zu, \"compressed\": %zu, "
      "\"compress_seconds\": ",
      data.name, name, plain.size(), target.size());
  print_seconds(compressing);
  std::printf(", \"decompress_seconds\": ");
  print_seconds(decompressing);
  std::printf("}%s\n", is_last ? "" : ",");
}

void measure_codecs(const std::string& folder) {
  std::printf("[\n");
  for (const Data& data : all_data) {
    const bool is_last = &data == std::end(all_data) - 1;
    measure_codec(folder, data, sluice::zstd(), "zstd", false);
    measure_codec(folder, data, sluice::series_of(data.type), "series", is_last);
  }
  std::printf("]\n");
}

// A device that stores 200 MB/s. As a page cache does, it takes some bytes in advance; a sync waits
// until it has stored all of them.
class SlowDevice final : public sluice::Sink {
 public:
  explicit SlowDevice(std::unique_ptr<sluice::Sink> to) : to_(std::move(to)) {}

  sluice::Status write(std::uint64_t position, std::span<const sluice::BytesView> pieces,
                       std::size_t& written) override {
    sluice::Status status = to_->write(position, pieces, written);
    bytes_ += static_cast<double>(written);
    wait_until(bytes_ - cached_bytes);
    return status;
  }
  sluice::Status sync() override {
    wait_until(bytes_);
    return to_->sync();
  }
  bool is_staged() override { return to_->is_staged(); }
  sluice::Status publish() override { return to_->publish(); }
  sluice::Status close() override { return to_->close(); }
  bool allows_write_behind() override { return true; }
  sluice::Durability durability() override { return to_->durability(); }
  const std::string& path() const override { return to_->path(); }

 private:
  static constexpr double bytes_per_second = 200e6;
  static constexpr double cached_bytes = 32 << 20;

  void wait_until(double stored_bytes) const {
    if (stored_bytes <= 0) return;
    const std::chrono::duration<double> time(stored_bytes / bytes_per_second);
    std::this_thread::sleep_until(begin_ + std::chrono::duration_cast<Clock::duration>(time));
  }

  const std::unique_ptr<sluice::Sink> to_;
  const Clock::time_point begin_ = Clock::now();
  double bytes_ = 0;
};

// The seconds until all values are durable on the device.
double write_to_device(const std::string& path, const sluice::Codec* codec,
                       const std::function<void(sluice::Writer&)>& write) {
  const Clock::time_point begin = Clock::now();
  std::unique_ptr<sluice::Sink> file;
  const sluice::WriterOptions durable{.durability = sluice::Durability::on_close};
  check(open_file_sink(path, durable, file));
  std::unique_ptr<sluice::Sink> sink = std::make_unique<SlowDevice>(std::move(file));
  sluice::WriterOptions options = durable;
  if (codec != nullptr) {
    check(make_compressing_sink(std::move(sink), *codec, {}, sink));
    options.block_bytes = sluice::block_bytes_of({});
  }
  sluice::Writer writer;
  check(writer.open(std::move(sink), options));
  write(writer);
  check(writer.close());
  return seconds_since(begin);
}

void verify(const std::string& path, const sluice::Codec* codec, const Words& words) {
  sluice::Reader reader;
  check(open_decompressed(reader, path, {codec != nullptr ? codec : &sluice::zstd()}));
  std::size_t at = 0;
  for (const std::span<const std::uint64_t> some : reader.records<std::uint64_t>()) {
    if (at + some.size() > words.size() ||
        !std::ranges::equal(some, std::span(words).subspan(at, some.size()))) {
      std::abort();
    }
    at += some.size();
  }
  check(reader.status());
  if (at != words.size()) std::abort();
}

void measure_device(const std::string& folder, const Data& data, bool is_last) {
  constexpr std::size_t count = std::size_t{1} << 25;
  const Words words = data.make(count);
  const bool is_computed = std::strcmp(data.name, "overlap") == 0;
  const auto write = [&](sluice::Writer& writer) {
    if (is_computed) {
      for (std::size_t j = 0; j < count; ++j) writer.write_value(overlap_value(j));
    } else {
      for (const std::uint64_t word : words) writer.write_value(word);
    }
  };
  struct Way {
    const char* name;
    const sluice::Codec* codec;
    std::vector<double> seconds = {};
    std::uint64_t bytes = 0;
  };
  Way ways[] = {
      {"raw", nullptr}, {"zstd", &sluice::zstd()}, {"series", &sluice::series_of(data.type)}};
  const std::string path = folder + "/series_benchmark";
  for (int round = 0; round <= rounds; ++round) {
    for (Way& way : ways) {
      const double seconds = write_to_device(path, way.codec, write);
      if (round > 0) way.seconds.push_back(seconds);
      if (round == 0) verify(path, way.codec, words);
      sluice::Bytes file;
      if (round == 0) {
        check(sluice::read_file(path, file));
        way.bytes = file.size();
      }
    }
  }
  std::remove(path.c_str());
  for (const Way& way : ways) {
    std::printf(
        "  {\"data\": \"%s\", \"way\": \"%s\", \"bytes\": %zu, \"written\": %llu, "
        "\"seconds\": ",
        data.name, way.name, count * 8, static_cast<unsigned long long>(way.bytes));
    print_seconds(way.seconds);
    std::printf("}%s\n", is_last && &way == std::end(ways) - 1 ? "" : ",");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  if (what == "data") {
    write_data(argv[2]);
  } else if (what == "codec") {
    measure_codecs(argv[2]);
  } else if (what == "device") {
    const bool is_one = argc > 3;  // the name of the data
    std::printf("[\n");
    for (const Data& data : all_data) {
      if (is_one && std::strcmp(data.name, argv[3]) != 0) continue;
      measure_device(argv[2], data, is_one || &data == std::end(all_data) - 1);
    }
    std::printf("]\n");
  } else {
    std::fprintf(stderr, "usage: series_benchmark data|codec|device FOLDER [DATA]\n");
    return 2;
  }
  return 0;
}
