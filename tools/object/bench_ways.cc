#include "object/bench_ways.h"

#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <arrow/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "command_line/quantity.h"
#include "sluice/object.h"

namespace sluice::object {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t piece_bytes = std::size_t{64} << 10;

volatile std::sig_atomic_t is_to_end = 0;

void end_if_asked() {
  if (is_to_end != 0) throw std::runtime_error("ended by a signal");
}

void expect(const Status& status) {
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

struct ArrowPlace {
  std::shared_ptr<arrow::fs::FileSystem> file_system;
  std::string path;
};

ArrowPlace place_of(const std::string& uri) {
  ArrowPlace place;
  place.file_system = expect(arrow::fs::FileSystemFromUri(uri, &place.path));
  return place;
}

// The byte at each position depends on the position.
std::byte byte_at(std::uint64_t position) {
  return static_cast<std::byte>((position * 0x9e3779b97f4a7c15U) >> 56);
}

void fill(std::vector<std::byte>& piece, std::uint64_t position) {
  for (std::size_t i = 0; i < piece.size(); i += 512) piece[i] = byte_at(position + i);
}

void fill_stream(arrow::io::OutputStream& stream, std::uint64_t bytes, std::size_t call_bytes) {
  std::vector<std::byte> piece(call_bytes);
  for (std::uint64_t at = 0; at < bytes; at += piece.size()) {
    end_if_asked();
    fill(piece, at);
    const auto count = static_cast<std::int64_t>(std::min<std::uint64_t>(piece.size(), bytes - at));
    expect(stream.Write(piece.data(), count));
  }
}

// The stream's destructor would publish what an exception leaves. A part that arrived after the
// abort would stay, so a flush comes first.
void arrow_write(const std::string& uri, std::uint64_t bytes, std::size_t call_bytes) {
  const ArrowPlace place = place_of(uri);
  const auto stream = expect(place.file_system->OpenOutputStream(place.path, nullptr));
  try {
    fill_stream(*stream, bytes, call_bytes);
  } catch (...) {
    static_cast<void>(stream->Flush());
    static_cast<void>(stream->Abort());
    throw;
  }
  expect(stream->Close());
}

void fill_writer(Writer& writer, std::uint64_t bytes) {
  std::vector<std::byte> piece(piece_bytes);
  for (std::uint64_t at = 0; at < bytes; at += piece.size()) {
    end_if_asked();
    fill(piece, at);
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), bytes - at));
    writer.write(BytesView(piece).first(count));
  }
}

void sluice_write(const std::string& uri, std::uint64_t bytes, std::size_t parts_in_flight) {
  Writer writer;
  expect(open_object(writer, uri, {.parts_in_flight = parts_in_flight}));
  try {
    fill_writer(writer, bytes);
  } catch (...) {
    static_cast<void>(writer.discard());
    throw;
  }
  expect(writer.close());
}

void expect_piece(const std::byte* piece, std::size_t count, std::uint64_t position) {
  end_if_asked();
  const std::uint64_t first = (512 - position % 512) % 512;
  for (std::uint64_t i = first; i < count; i += 512) {
    if (piece[i] != byte_at(position + i)) throw std::runtime_error("the object has other bytes");
  }
}

void expect_end(std::uint64_t done, std::uint64_t bytes) {
  if (done != bytes) {
    throw std::runtime_error(fmt::format("the object has {} bytes instead of {}", done, bytes));
  }
}

void arrow_read(const std::string& uri, std::uint64_t bytes, std::size_t call_bytes) {
  const ArrowPlace place = place_of(uri);
  const auto stream = expect(place.file_system->OpenInputStream(place.path));
  std::vector<std::byte> piece(call_bytes);
  std::uint64_t done = 0;
  for (;;) {
    const auto size = static_cast<std::int64_t>(piece.size());
    const auto got = static_cast<std::size_t>(expect(stream->Read(size, piece.data())));
    if (got == 0) break;
    expect_piece(piece.data(), got, done);
    done += got;
  }
  expect(stream->Close());
  expect_end(done, bytes);
}

void sluice_read(const std::string& uri, std::uint64_t bytes, const ObjectOptions& options) {
  Reader reader;
  expect(open_object(reader, uri, options));
  std::vector<std::byte> piece(piece_bytes);
  std::uint64_t done = 0;
  while (const std::size_t got = reader.read(MutableBytesView(piece))) {
    expect_piece(piece.data(), got, done);
    done += got;
  }
  expect(reader.close());
  expect_end(done, bytes);
}

BenchWay arrow_way(const std::string& stream, std::size_t call_bytes,
                   void (*run)(const std::string&, std::uint64_t, std::size_t)) {
  return {fmt::format("Arrow {} {} a call", stream, format_bytes_short(call_bytes)),
          [=](const std::string& uri, std::uint64_t bytes) { run(uri, bytes, call_bytes); }};
}

}  // namespace

std::vector<BenchWay> writing_ways() {
  std::vector<BenchWay> ways;
  for (const std::size_t call_bytes : {10 * mib, mib}) {
    ways.push_back(arrow_way("OutputStream", call_bytes, arrow_write));
  }
  for (const std::size_t parts : {1UL, 4UL, 16UL}) {
    ways.push_back(
        {fmt::format("sluice parts_in_flight={}", parts),
         [=](const std::string& uri, std::uint64_t bytes) { sluice_write(uri, bytes, parts); },
         parts == ObjectOptions{}.parts_in_flight});
  }
  return ways;
}

std::vector<BenchWay> reading_ways() {
  std::vector<BenchWay> ways;
  for (const std::size_t call_bytes : {10 * mib, mib}) {
    ways.push_back(arrow_way("InputStream", call_bytes, arrow_read));
  }
  for (const ObjectOptions& options : {ObjectOptions{.ranges_ahead = 0}, ObjectOptions{},
                                       ObjectOptions{.ranges_ahead = 4, .range_bytes = 16 * mib}}) {
    ways.push_back(
        {fmt::format("sluice ranges_ahead={} range={}", options.ranges_ahead,
                     format_bytes_short(options.range_bytes)),
         [=](const std::string& uri, std::uint64_t bytes) { sluice_read(uri, bytes, options); },
         options.ranges_ahead == ObjectOptions{}.ranges_ahead});
  }
  return ways;
}

void load_stores(const std::string& uri) {
  std::unique_ptr<Sink> sink;
  expect(make_object_sink(uri, {}, sink));
}

void end_by_exception_on_signals() {
  std::signal(end_signal, [](int) { is_to_end = 1; });
}

void verify_object(const std::string& uri, std::uint64_t bytes) { sluice_read(uri, bytes, {}); }

namespace {

// The folder above `path`. Empty for the bucket, and for what stands in it.
std::string folder_above(const std::string& path) {
  const std::size_t end = path.rfind('/');
  return end == std::string::npos || path.find('/') == end ? "" : path.substr(0, end);
}

}  // namespace

std::size_t missing_folders(const std::string& uri) {
  load_stores(uri);
  const ArrowPlace place = place_of(uri);
  std::size_t count = 0;
  for (std::string path = folder_above(place.path); !path.empty(); path = folder_above(path)) {
    if (expect(place.file_system->GetFileInfo(path)).type() != arrow::fs::FileType::NotFound) break;
    ++count;
  }
  return count;
}

// Where Arrow removes an object or a folder, it leaves an empty object with the name of the folder
// above.
void remove_object(const std::string& uri, std::size_t folders) {
  load_stores(uri);
  const ArrowPlace place = place_of(uri);
  arrow::fs::FileSystem& store = *place.file_system;
  if (expect(store.GetFileInfo(place.path)).type() == arrow::fs::FileType::File) {
    expect(store.DeleteFile(place.path));
  }
  arrow::fs::FileSelector folder;
  folder.base_dir = place.path;
  for (; folders > 0; --folders) {
    folder.base_dir = folder_above(folder.base_dir);
    if (expect(store.GetFileInfo(folder.base_dir)).type() != arrow::fs::FileType::Directory) return;
    if (!expect(store.GetFileInfo(folder)).empty()) return;
    expect(store.DeleteDir(folder.base_dir));
  }
}

}  // namespace sluice::object
