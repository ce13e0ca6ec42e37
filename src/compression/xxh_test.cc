// The checksums of zstd and lz4: known values, and the values that these libraries compute.
#include "compression/xxh.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <random>
#include <string>

#include "testing/compressed_file.h"

namespace sluice::testing {
namespace {

template <typename Checksum>
auto value_of(std::string_view text) {
  Checksum checksum;
  checksum.add(view_of(text));
  return checksum.value();
}

// The last four bytes of a frame of zstd with a checksum.
std::uint32_t checksum_by_libzstd(const std::string& text) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  frame.resize(ZSTD_compress2(context, frame.data(), frame.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  std::uint32_t checksum = 0;
  std::memcpy(&checksum, frame.data() + frame.size() - 4, 4);
  return checksum;
}

TEST(Xxh, HasTheKnownValues) {
  EXPECT_EQ(value_of<Xxh64>(""), 0xEF46DB3751D8E999u);
  EXPECT_EQ(value_of<Xxh64>("abc"), 0x44BC2CF5AD770999u);
  EXPECT_EQ(value_of<Xxh32>(""), 0x02CC5D05u);
  EXPECT_EQ(value_of<Xxh32>("abc"), 0x32D153FFu);
}

TEST(Xxh, HasTheValuesOfLibzstdForEveryLength) {
  const std::string text = lines(300);
  for (std::size_t bytes = 0; bytes <= text.size(); ++bytes) {
    const std::string part = text.substr(0, bytes);
    EXPECT_EQ(static_cast<std::uint32_t>(value_of<Xxh64>(part)), checksum_by_libzstd(part));
  }
}

TEST(Xxh, IsTheSameForBytesInPieces) {
  const std::string text = lines(1000);
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    Xxh64 wide;
    Xxh32 narrow;
    for (std::size_t at = 0; at < text.size();) {
      const std::string_view piece = std::string_view(text).substr(at, random() % 80);
      wide.add(view_of(piece));
      narrow.add(view_of(piece));
      at += piece.size();
    }
    ASSERT_EQ(wide.value(), value_of<Xxh64>(text));
    ASSERT_EQ(narrow.value(), value_of<Xxh32>(text));
  }
}

}  // namespace
}  // namespace sluice::testing
