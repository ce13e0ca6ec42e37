// A file may have any bytes. A Reader of series must give no byte of a damaged frame, and must give
// the same bytes however large its reads are. What is written must be read back.
#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include "compression/adler32.h"
#include "compression/series_frame.h"
#include "input.h"
#include "sluice/series.h"
#include "sluice/sinks.h"
#include "sluice/writer.h"
#include "testing/piecewise_source.h"

namespace sluice::fuzz {
namespace {

constexpr SeriesType types[] = {SeriesType::uint8,   SeriesType::int16,   SeriesType::uint32,
                                SeriesType::float32, SeriesType::float64, SeriesType::int64};

BytesView view_of(std::string_view text) { return std::as_bytes(std::span(text)); }

// A frame of zstd that holds the bytes as they are: fewer than 256.
std::string stored(std::string_view bytes) {
  const std::size_t block = bytes.size() << 3 | 1;
  std::string frame("\x28\xb5\x2f\xfd\x20", 5);
  for (const std::size_t value : {bytes.size(), block & 255, block >> 8, std::size_t{0}}) {
    frame += static_cast<char>(value);
  }
  return frame.append(bytes);
}

// A frame whose header has right checksums, and values that the input chooses.
std::string make_frame(Input& input) {
  SeriesFrame frame;
  frame.type = types[input.below(std::size(types))];
  frame.filter.prediction = static_cast<std::uint8_t>(input.below(10));
  frame.filter.lag = static_cast<std::uint8_t>(input.below(70));
  frame.filter.layout = static_cast<SeriesLayout>(input.below(4));
  frame.head_bytes = static_cast<std::uint8_t>(input.below(9));
  std::string payload = stored(input.take(input.below(256)));
  frame.bytes = static_cast<std::uint32_t>(payload.size() - 9 + (input.below(8) == 0 ? 1 : 0));
  if (input.below(8) == 0) frame.bytes = static_cast<std::uint32_t>(input.below(65536) * 200);
  if (input.below(8) == 0) payload = input.take(input.below(300));
  frame.payload_bytes = static_cast<std::uint32_t>(payload.size());
  if (input.below(2) == 0) frame.payload_checksum = adler32(view_of(payload));
  std::string file(SeriesFrame::header_bytes, '\0');
  frame.encode(std::as_writable_bytes(std::span(file)));
  return file + payload;
}

std::string make_file(Input& input) {
  if (input.below(4) == 0) return std::string(input.rest());
  std::string file;
  for (std::size_t frames = 1 + input.below(4); frames > 0; --frames) file += make_frame(input);
  if (input.below(3) == 0) file.resize(input.below(file.size() + 1));
  if (input.below(3) == 0 && !file.empty()) {
    file[input.below(file.size())] = static_cast<char>(input.below(256));
  }
  return file;
}

// Reads `at_a_time` bytes at a time, from a Source that gives as many.
Status read(const std::string& file, std::size_t at_a_time, std::string& bytes) {
  std::unique_ptr<Source> source;
  Status status = make_decompressing_source(
      std::make_unique<testing::PiecewiseSource>(view_of(file), at_a_time), {&any_series()},
      source);
  std::string piece(at_a_time, '\0');
  for (std::size_t got = 1; status.ok() && got != 0;) {
    status = source->read(bytes.size(), std::as_writable_bytes(std::span(piece)), got);
    bytes.append(piece, 0, got);
  }
  return status;
}

void expect_one_answer(const std::string& file) {
  std::string bytes;
  const Status status = read(file, 1 << 20, bytes);
  const int code = status.code().value();
  require(status.ok() || code == EBADMSG || code == ENOTSUP, "a file is read, or it is damaged");
  require(status.ok() || status.offset() == bytes.size(),
          "the first byte that is missing is named");
  std::string again;
  require(read(file, 7, again).code().value() == code, "small reads have the same end");
  require(again == bytes, "small reads give the same bytes");
}

void expect_back(SeriesType type, std::size_t frame_bytes, std::string_view plain) {
  std::string file;
  std::unique_ptr<Sink> sink;
  const CompressionOptions compression{.frame_bytes = frame_bytes, .frames_at_a_time = 1};
  require(make_compressing_sink(make_memory_sink(file), series_of(type), compression, sink).ok(),
          "there is a Sink");
  Writer writer;
  require(writer.open(std::move(sink)).ok(), "there is a Writer");
  // Frames end at a flush, so the second one has 2 bytes.
  const std::size_t third = plain.size() / 3;
  for (const std::string_view part : {plain.substr(0, third), plain.substr(third, 2)}) {
    writer.write(part);
    require(writer.flush().ok(), "the frame is written");
  }
  writer.write(plain.substr(std::min(third + 2, plain.size())));
  require(writer.close().ok(), "all bytes are written");
  std::string back;
  require(read(file, 1 << 20, back).ok() && back == plain, "what was written is read");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  Input input(bytes, count);
  if (input.below(2) == 0) {
    expect_one_answer(make_file(input));
  } else {
    const SeriesType type = types[input.below(std::size(types))];
    const std::size_t frame_bytes = 4096 + input.below(4096);
    expect_back(type, frame_bytes, input.rest());
  }
  return 0;
}

}  // namespace sluice::fuzz
