// series: compression of numbers of one type, which stand one after another in memory.
//
//   sluice::Writer writer;
//   const Status status = sluice::open_compressed(writer, "run.series", sluice::series<double>());
//   if (!status.ok()) return status;
//   for (double value : values) writer.write_value(value);
//   return writer.close();
//
// A Reader gets the numbers back, bit for bit, also every NaN:
//
//   const Status status =
//       sluice::open_decompressed(reader, "run.series", {&sluice::series<double>()});
//
// Before zstd compresses a frame, the numbers of the frame become smaller: each number is replaced
// by its difference from the number before it, up to seven times, or by the exclusive or of both,
// and then the bytes or bits of equal weight are put together. Which of these ways compresses best
// is tried on some of the numbers of a frame, and again after at most 16 frames or when the numbers
// look different. The number "before" may stand up to 64 places earlier, so records of up to
// 64 numbers are compressed as well as single numbers: positions of bodies, for example.
//
// Doubles that were rounded to decimal places are not smooth: 20.37 and 20.38 agree only in their
// first 18 bits. A series of such doubles is hardly smaller than a file of zstd(). Write them
// as whole numbers of the last place: 2037 and 2038 hundredths, in a series of std::int32_t.
//
// Any bytes can be written. Bytes that are no whole number, at the end of a frame, are stored with
// the others. A frame should begin with a whole number or at least with a whole record: otherwise
// it compresses less well. docs/series-format.md describes the format. `zstd -d` does not read it,
// and says so; examples/read_series.py reads it with Python.
//
// Memory: each frame that is being compressed needs 2 * frame_bytes and half a MiB more than with
// zstd(). A Reader needs three times the largest frame, and 1 MiB.
//
// Link with sluice::zstd in CMake, or with -lsluice_zstd -lsluice -lzstd, and -lisal with the
// static libraries. The numbers lie in memory with their lowest byte first, on every machine that
// sluice runs on.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "sluice/compression.h"
#include "sluice/number.h"

namespace sluice {

// The type of the numbers. The value of each is its byte in the file: the size plus 16 (unsigned),
// 32 (signed) or 48 (floating point).
enum class SeriesType : std::uint8_t {
  uint8 = 0x11,    // unsigned integers of 1 byte
  uint16 = 0x12,   // unsigned integers of 2 bytes
  uint32 = 0x14,   // unsigned integers of 4 bytes
  uint64 = 0x18,   // unsigned integers of 8 bytes
  int8 = 0x21,     // signed integers of 1 byte
  int16 = 0x22,    // signed integers of 2 bytes
  int32 = 0x24,    // signed integers of 4 bytes
  int64 = 0x28,    // signed integers of 8 bytes
  float32 = 0x34,  // float
  float64 = 0x38,  // double
};

// A type whose values can be a series: an integer of at most 8 bytes (not bool and no character
// type), float or double.
template <typename T>
concept SeriesElement =
    (Integer<T> && sizeof(T) <= 8) || std::same_as<T, float> || std::same_as<T, double>;

// The type of a series of T.
template <SeriesElement T>
constexpr SeriesType series_type() {
  const int kind = std::floating_point<T> ? 3 : std::signed_integral<T> ? 2 : 1;
  return static_cast<SeriesType>(kind * 16 + static_cast<int>(sizeof(T)));
}

// The Codec of a series. Its levels are those of zstd(): -7 to 22, and the default is 1.
//
// It reads only a series of the same type, size and sign. open_decompressed() and
// make_decompressing_source() refuse another one with EINVAL, and name both types. A later frame of
// another type fails with EINVAL when it is read. If `type` is none of SeriesType, every open and
// make call with the Codec fails with EINVAL, and says so.
const Codec& series_of(SeriesType type) noexcept;

// The Codec of a series of T: series_of(series_type<T>()).
template <SeriesElement T>
const Codec& series() noexcept {
  return series_of(series_type<T>());
}

// Reads a series of any type, and writes none.
const Codec& any_series() noexcept;

// The Codec of "series:uint8", "series:uint16", "series:uint32", "series:uint64", "series:int8",
// "series:int16", "series:int32", "series:int64", "series:float" or "series:double". Null for any
// other name.
const Codec* series_named(std::string_view name) noexcept;

}  // namespace sluice
