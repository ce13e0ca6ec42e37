// Times calls on compressed files, and prints JSON. It uses only include/sluice.
//
// usage: compression_benchmark seeks FILE COUNT      seconds of a seek to a random byte and a read
//        compression_benchmark writes FILE TEXT      seconds of writing TEXT in pieces
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/codecs.h"
#include "sluice/files.h"
#include "sluice/zstd.h"

namespace {

using sluice::Status;

void expect_ok(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.message().c_str());
  std::exit(1);
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void print(const char* name, const std::vector<double>& seconds, const char* end) {
  std::printf("\"%s\": [", name);
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    std::printf("%s%.7f", i == 0 ? "" : ", ", seconds[i]);
  }
  std::printf("]%s\n", end);
}

// The first seek reads the seek table.
void time_seeks(const std::string& path, int count) {
  sluice::Reader reader;
  expect_ok(sluice::open_decompressed(reader, path, sluice::all_codecs()));
  std::uint64_t bytes = 0;
  const double of_table = seconds_of([&] { expect_ok(reader.size(bytes)); });
  std::mt19937_64 random(1);
  std::vector<double> seconds;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t position = random() % (bytes - 8);
    seconds.push_back(seconds_of([&] {
      char some[8];
      expect_ok(reader.seek(position));
      if (reader.read(some, sizeof some) != sizeof some) expect_ok(reader.status());
    }));
  }
  std::printf("{\"bytes\": %llu, \"table_s\": %.7f,\n", static_cast<unsigned long long>(bytes),
              of_table);
  print("seek_s", seconds, "}");
}

void write_pieces(const std::string& path, std::string_view text, std::size_t piece_bytes) {
  sluice::Writer writer;
  expect_ok(sluice::open_compressed(writer, path, sluice::zstd()));
  for (std::size_t at = 0; at < text.size(); at += piece_bytes) {
    writer.write(text.substr(at, piece_bytes));
  }
  expect_ok(writer.close());
}

void time_writes(const std::string& path, const std::string& text_path) {
  std::string text;
  expect_ok(sluice::read_file(text_path, text));
  constexpr std::size_t pieces[] = {4096, 65536, 1 << 20, 8 << 20};
  std::vector<std::vector<double>> seconds(std::size(pieces));
  for (int round = 0; round < 6; ++round) {
    for (std::size_t i = 0; i < std::size(pieces); ++i) {
      const double time = seconds_of([&] { write_pieces(path, text, pieces[i]); });
      if (round > 0) seconds[i].push_back(time);
    }
  }
  std::printf("{\"bytes\": %zu,\n", text.size());
  for (std::size_t i = 0; i < std::size(pieces); ++i) {
    print(std::to_string(pieces[i]).c_str(), seconds[i], i + 1 == std::size(pieces) ? "}" : ",");
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view what = count == 4 ? arguments[1] : "";
  if (what == "seeks") {
    time_seeks(arguments[2], std::atoi(arguments[3]));
  } else if (what == "writes") {
    time_writes(arguments[2], arguments[3]);
  } else {
    std::fprintf(stderr, "usage: compression_benchmark seeks|writes FILE COUNT|TEXT\n");
    return 2;
  }
}
