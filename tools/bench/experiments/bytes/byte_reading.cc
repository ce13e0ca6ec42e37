#include "bench/experiments/bytes/byte_rows.h"
#include "bench/experiments/input/raw_read.h"
#include "bench/experiments/output/file_targets.h"
#include "command_line/quantity.h"
#include "sluice/reader.h"

namespace sluice::bench {
namespace {

// `get` returns the next byte, or a negative number at the end. Missing bytes change the sum.
template <typename Get>
std::uint64_t sum_of(std::uint64_t bytes, Get get) {
  ByteSum sum;
  for (std::uint64_t i = 0; i < bytes; ++i) {
    const int byte = get();
    if (byte < 0) break;
    sum.add(static_cast<unsigned char>(byte));
  }
  return sum.value();
}

template <typename Get>
std::uint64_t from_stdio(const std::string& path, std::uint64_t bytes, std::size_t buffer_bytes,
                         Get get) {
  StdioFile file(path, "rb", buffer_bytes);
  std::FILE* const stream = file.get();
  const std::uint64_t sum = sum_of(bytes, [&] { return get(stream); });
  file.close();
  return sum;
}

InputRow fread_row(Kind kind, std::size_t buffer_bytes = 0) {
  return {"fread", kind, stdio_buffer_bytes, 1, [=](const std::string& path, std::uint64_t bytes) {
            return from_stdio(path, bytes, buffer_bytes, [](std::FILE* stream) -> int {
              unsigned char byte;
              return std::fread(&byte, 1, 1, stream) == 1 ? byte : -1;
            });
          }};
}

InputRow fread_unlocked_row(std::size_t buffer_bytes = 0) {
  return {"fread_unlocked", Kind::peer, stdio_buffer_bytes, 1,
          [=](const std::string& path, std::uint64_t bytes) {
            return from_stdio(path, bytes, buffer_bytes, [](std::FILE* stream) -> int {
              unsigned char byte;
              return ::fread_unlocked(&byte, 1, 1, stream) == 1 ? byte : -1;
            });
          }};
}

InputRow with_buffer(InputRow row, std::size_t buffer_bytes) {
  row.name += " setvbuf=" + format_bytes_short(buffer_bytes);
  row.buffer_bytes = buffer_bytes;
  row.divisor = sweep_divisor;
  return row;
}

InputRow getc_row() {
  return {"getc", Kind::peer, stdio_buffer_bytes, 1,
          [](const std::string& path, std::uint64_t bytes) {
            return from_stdio(path, bytes, 0, [](std::FILE* stream) { return std::getc(stream); });
          }};
}

InputRow getc_unlocked_row() {
  return {"getc_unlocked", Kind::peer, stdio_buffer_bytes, 1,
          [](const std::string& path, std::uint64_t bytes) {
            return from_stdio(path, bytes, 0,
                              [](std::FILE* stream) { return getc_unlocked(stream); });
          }};
}

std::ifstream open_stream(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail("open", path);
  return stream;
}

InputRow ifstream_get_row() {
  return {"ifstream.get", Kind::peer, filebuf_buffer_bytes, 1,
          [](const std::string& path, std::uint64_t bytes) {
            std::ifstream stream = open_stream(path);
            return sum_of(bytes, [&] { return stream.get(); });
          }};
}

InputRow filebuf_sbumpc_row() {
  return {"filebuf.sbumpc", Kind::peer, filebuf_buffer_bytes, 1,
          [](const std::string& path, std::uint64_t bytes) {
            std::ifstream stream = open_stream(path);
            std::filebuf& buffer = *stream.rdbuf();
            return sum_of(bytes, [&] { return buffer.sbumpc(); });
          }};
}

InputRow read_row() {
  return {"read(2)", Kind::peer, 0, system_call_divisor,
          [](const std::string& path, std::uint64_t bytes) {
            const RawFile file(path);
            return sum_of(bytes, [&]() -> int {
              unsigned char byte;
              return file.read(&byte, 1) == 1 ? byte : -1;
            });
          }};
}

InputRow sluice_get_row() {
  return {"sluice get", Kind::sluice, ReaderOptions{}.block_bytes, 1,
          [](const std::string& path, std::uint64_t bytes) {
            Reader reader;
            reader.open(path).throw_if_error();
            const std::uint64_t sum = sum_of(bytes, [&] { return reader.get(); });
            reader.close().throw_if_error();
            return sum;
          }};
}

InputRow sluice_read_row() {
  return {"sluice read(&b,1)", Kind::sluice, ReaderOptions{}.block_bytes, 1,
          [](const std::string& path, std::uint64_t bytes) {
            Reader reader;
            reader.open(path).throw_if_error();
            const std::uint64_t sum = sum_of(bytes, [&]() -> int {
              unsigned char byte;
              return reader.read(&byte, 1) == 1 ? byte : -1;
            });
            reader.close().throw_if_error();
            return sum;
          }};
}

}  // namespace

std::vector<InputRow> byte_reading_rows(Extent extent) {
  std::vector<InputRow> rows = {fread_row(Kind::baseline), fread_unlocked_row()};
  if (extent != Extent::main) {
    for (const std::size_t buffer_bytes : swept_buffer_sizes(extent)) {
      rows.push_back(with_buffer(fread_row(Kind::peer, buffer_bytes), buffer_bytes));
      rows.push_back(with_buffer(fread_unlocked_row(buffer_bytes), buffer_bytes));
    }
  }
  rows.push_back(getc_row());
  rows.push_back(getc_unlocked_row());
  rows.push_back(ifstream_get_row());
  rows.push_back(filebuf_sbumpc_row());
  if (extent != Extent::main) rows.push_back(read_row());
  rows.push_back(sluice_get_row());
  rows.push_back(sluice_read_row());
  return rows;
}

}  // namespace sluice::bench
