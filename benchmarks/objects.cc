// One way of writing or reading an object, timed: sluice's, or Arrow's own stream.
//
// usage: objects WAY URI MIB [ARROW_READ_KIB]
//
// WAY is sluice-write, arrow-write, sluice-read or arrow-read. Arrow's stream is given, or asked
// for, 10 MiB at a time, the size of its parts, unless ARROW_READ_KIB says otherwise. sluice's
// Writer and Reader move 64 KiB at a time.
// Prints one line of JSON: the seconds from open to the end of close, the bytes, the checksum of
// what was read, and the resident memory in KiB after open and at its peak.
#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <arrow/status.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sluice/object.h"

namespace {

constexpr std::size_t part_bytes = std::size_t{10} << 20;
constexpr std::size_t piece_bytes = 64 * 1024;

std::uint64_t sum = 0;
long opened_kib = 0;
std::size_t arrow_read_bytes = part_bytes;

// Enough to tell that every byte came.
void add(const std::byte* bytes, std::size_t count) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i + sizeof word <= count; i += 512) {
    std::memcpy(&word, bytes + i, sizeof word);
    sum += word;
  }
}

void expect(const sluice::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.message());
}
void expect(const arrow::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}
template <typename T>
T expect(arrow::Result<T> result) {
  expect(result.status());
  return *std::move(result);
}

long resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::stol(line.substr(6));
  }
  return 0;
}

std::vector<std::byte> data(std::size_t bytes) {
  std::vector<std::byte> all(bytes);
  for (std::size_t i = 0; i < bytes; ++i) all[i] = static_cast<std::byte>(i * 7919 >> 5);
  return all;
}

void sluice_write(const std::string& uri, std::uint64_t bytes) {
  const std::vector<std::byte> piece = data(piece_bytes);
  sluice::Writer writer;
  expect(sluice::open_object(writer, uri));
  opened_kib = resident_kib();
  for (std::uint64_t done = 0; done < bytes; done += piece_bytes) writer.write(piece);
  expect(writer.close());
}

void arrow_write(const std::string& uri, std::uint64_t bytes) {
  const std::vector<std::byte> part = data(part_bytes);
  std::string path;
  const auto file_system = expect(arrow::fs::FileSystemFromUri(uri, &path));
  const auto stream = expect(file_system->OpenOutputStream(path, nullptr));
  opened_kib = resident_kib();
  for (std::uint64_t done = 0; done < bytes; done += part_bytes) {
    expect(stream->Write(part.data(), static_cast<std::int64_t>(part.size())));
  }
  expect(stream->Close());
}

void sluice_read(const std::string& uri, std::uint64_t bytes) {
  sluice::Reader reader;
  expect(sluice::open_object(reader, uri));
  opened_kib = resident_kib();
  std::vector<std::byte> piece(piece_bytes);
  std::uint64_t done = 0;
  for (std::size_t got = 1; got != 0; done += got) {
    got = reader.read(sluice::MutableBytesView(piece));
    add(piece.data(), got);
  }
  expect(reader.close());
  if (done != bytes) throw std::runtime_error("the object has another size");
}

void arrow_read(const std::string& uri, std::uint64_t bytes) {
  std::string path;
  const auto file_system = expect(arrow::fs::FileSystemFromUri(uri, &path));
  const auto stream = expect(file_system->OpenInputStream(path));
  opened_kib = resident_kib();
  std::vector<std::byte> part(arrow_read_bytes);
  std::uint64_t done = 0;
  for (;;) {
    const auto got = static_cast<std::size_t>(
        expect(stream->Read(static_cast<std::int64_t>(part.size()), part.data())));
    if (got == 0) break;
    add(part.data(), got);
    done += got;
  }
  expect(stream->Close());
  if (done != bytes) throw std::runtime_error("the object has another size");
}

}  // namespace

int main(int count, char** words) {
  if (count > 4) arrow_read_bytes = std::stoull(words[4]) << 10;
  const std::map<std::string, std::function<void(const std::string&, std::uint64_t)>> ways = {
      {"sluice-write", sluice_write},
      {"arrow-write", arrow_write},
      {"sluice-read", sluice_read},
      {"arrow-read", arrow_read}};
  const std::uint64_t bytes = std::stoull(words[3]) << 20;
  const auto began = std::chrono::steady_clock::now();
  ways.at(words[1])(words[2], bytes);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  std::printf(
      "{\"seconds\": %.4f, \"bytes\": %llu, \"sum\": %llu, \"opened_kib\": %ld, "
      "\"peak_kib\": %ld}\n",
      took.count(), static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(sum),
      opened_kib, usage.ru_maxrss);
  arrow::fs::EnsureFinalized();
  return 0;
}
