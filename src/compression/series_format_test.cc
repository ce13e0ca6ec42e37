// The format of a series: files that were written once must be read for ever, and a header that
// makes no sense is refused.
#include <gtest/gtest.h>

#include <cerrno>
#include <random>
#include <string>

#include "compression/adler32.h"
#include "compression/series_frame.h"
#include "sluice/compression.h"
#include "testing/compressed_file.h"
#include "testing/pattern.h"

namespace sluice::testing {
namespace {

std::string bytes_of(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

std::uint32_t adler32_slowly(BytesView bytes) {
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const std::byte byte : bytes) {
    a = (a + std::to_integer<std::uint32_t>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

TEST(SeriesFormat, HasZlibsChecksum) {
  EXPECT_EQ(adler32(std::as_bytes(std::span("Wikipedia", 9))), 0x11E6'0398u);
  for (const std::size_t bytes : {0u, 1u, 31u, 32u, 33u, 5552u, 131'071u, 131'072u, 400'000u}) {
    const std::string some = pattern(0, bytes);
    const std::string most(bytes, '\xff');
    EXPECT_EQ(adler32(view_of(some)), adler32_slowly(view_of(some)));
    EXPECT_EQ(adler32(view_of(most)), adler32_slowly(view_of(most)));
  }
}

SeriesFrame frame_of(std::size_t bytes, const std::string& payload) {
  SeriesFrame frame;
  frame.type = SeriesType::uint16;
  frame.bytes = static_cast<std::uint32_t>(bytes);
  frame.payload_bytes = static_cast<std::uint32_t>(payload.size());
  return frame;
}

std::string file_of(const SeriesFrame& frame, const std::string& payload) {
  std::string file(SeriesFrame::header_bytes, '\0');
  frame.encode(std::as_writable_bytes(std::span(file)));
  return file + payload;
}

// A frame of zstd that holds fewer than 256 bytes as they are.
std::string stored(const std::string& bytes) {
  const auto size = static_cast<char>(bytes.size());
  const auto block = static_cast<std::uint32_t>(bytes.size() << 3 | 1);
  return bytes_of("28b52ffd20") + size + static_cast<char>(block) + static_cast<char>(block >> 8) +
         '\0' + bytes;
}

// The bytes of docs/series-format.md, without the code that writes them.
TEST(SeriesFormat, ReadsTheExampleOfItsDescription) {
  const std::string payload = stored(bytes_of("c80603000000"));
  const std::string header = bytes_of(
      "e5534c120111010006000000"
      "0f000000"
      "00000000");
  const std::string file = header + bytes_of("f4294c00") + payload;
  std::string bytes;
  const Status status = decompress(file, bytes, {&series<std::uint16_t>()});
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(bytes, bytes_of("640067006500"));
  SeriesFrame frame = frame_of(6, payload);
  frame.filter = {1, 1, SeriesLayout::byte_planes};
  EXPECT_EQ(file_of(frame, payload), file);
}

TEST(SeriesFormat, RefusesALaterVersion) {
  const std::string payload = stored("abcdef");
  std::string file = file_of(frame_of(6, payload), payload);
  file[4] = 2;
  const std::string crc = bytes_of("d7381249");
  file.replace(20, 4, crc);
  std::string bytes;
  const Status status = decompress(file, bytes, {&any_series()});
  EXPECT_EQ(status.code().value(), ENOTSUP) << status.message();
  EXPECT_NE(status.message().find("another version"), std::string::npos) << status.message();
}

void expect_refused(const SeriesFrame& frame, const std::string& payload) {
  std::string bytes;
  const Status status = decompress(file_of(frame, payload), bytes, {&any_series()});
  EXPECT_EQ(status.code().value(), EBADMSG) << status.message();
  EXPECT_EQ(status.offset(), 0u);
  EXPECT_EQ(bytes, "");
}

// The payload of such a header is not waited for, and gets no memory.
TEST(SeriesFormat, RefusesAPayloadThatNoFrameCanHave) {
  const std::string payload = stored("abcdefgh");
  SeriesFrame frame = frame_of(8, payload);
  frame.payload_bytes = 0xffff'ffff;
  std::string bytes;
  const Status status = decompress(file_of(frame, payload), bytes, {&any_series()});
  EXPECT_EQ(status.code().value(), EBADMSG);
  EXPECT_NE(status.message().find("its header makes no sense"), std::string::npos)
      << status.message();
}

TEST(SeriesFormat, RefusesHeadersThatMakeNoSense) {
  const std::string payload = stored("abcdefgh");
  const SeriesFrame good = frame_of(8, payload);
  std::string bytes;
  EXPECT_TRUE(decompress(file_of(good, payload), bytes, {&any_series()}).ok());
  EXPECT_EQ(bytes, "abcdefgh");
  const auto refuse = [&](auto change) {
    SeriesFrame frame = good;
    change(frame);
    expect_refused(frame, payload);
  };
  refuse([](SeriesFrame& frame) { frame.type = static_cast<SeriesType>(0x13); });
  refuse([](SeriesFrame& frame) { frame.type = static_cast<SeriesType>(0x31); });
  refuse([](SeriesFrame& frame) { frame.filter.prediction = 9; });
  refuse([](SeriesFrame& frame) { frame.filter.prediction = 1; });  // without a lag
  refuse([](SeriesFrame& frame) { frame.filter.lag = 1; });         // without a prediction
  refuse([](SeriesFrame& frame) { frame.filter = {7, 65, SeriesLayout::as_is}; });
  refuse([](SeriesFrame& frame) { frame.filter.layout = static_cast<SeriesLayout>(3); });
  refuse([](SeriesFrame& frame) { frame.head_bytes = 2; });
  refuse([](SeriesFrame& frame) { frame.bytes = 0; });
  refuse([](SeriesFrame& frame) { frame.bytes = 7; });
  refuse([](SeriesFrame& frame) { frame.bytes = 9; });
  refuse([](SeriesFrame& frame) { frame.bytes = (8u << 20) + 1; });
  refuse([](SeriesFrame& frame) { frame.payload_bytes = 0; });
  refuse([](SeriesFrame& frame) { --frame.payload_bytes; });
  refuse([](SeriesFrame& frame) { ++frame.payload_bytes; });
  refuse([](SeriesFrame& frame) { frame.payload_bytes = 0xffff'ffff; });
  refuse([](SeriesFrame& frame) { frame.payload_checksum = 1; });
}

// Whatever the numbers and the filter are: no byte outside of the frame is touched.
TEST(SeriesFormat, ReadsFramesOfEverySizeWithEveryFilter) {
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    const std::string payload = stored(pattern(random(), 1 + random() % 255));
    SeriesFrame frame = frame_of(payload.size() - 9, payload);
    constexpr SeriesType types[] = {SeriesType::int8, SeriesType::uint16, SeriesType::float32,
                                    SeriesType::float64};
    frame.type = types[random() % 4];
    frame.filter.prediction = static_cast<std::uint8_t>(random() % 9);
    if (frame.filter.prediction != 0)
      frame.filter.lag = static_cast<std::uint8_t>(1 + random() % 64);
    frame.filter.layout = static_cast<SeriesLayout>(random() % 3);
    frame.head_bytes = static_cast<std::uint8_t>(random() % number_bytes_of(frame.type));
    if (frame.head_bytes > frame.bytes) continue;
    std::string bytes;
    const Status status = decompress(file_of(frame, payload), bytes, {&any_series()});
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_EQ(bytes.size(), frame.bytes);
  }
}

}  // namespace
}  // namespace sluice::testing
