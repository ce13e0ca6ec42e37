// Series: every bit of every number comes back, and damage is never given out.
#include "sluice/series.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "sluice/zstd.h"
#include "testing/compressed_file.h"
#include "testing/piecewise_source.h"
#include "testing/scratch_directory.h"
#include "testing/series_values.h"

namespace sluice::testing {
namespace {

void expect_back(const std::string& plain, const Codec& codec,
                 const CompressionOptions& compression) {
  const std::string file = compressed_by(codec, plain, compression);
  for (const Codec* reading : {&codec, &any_series()}) {
    std::string back;
    expect_ok(decompress(file, back, {reading}));
    ASSERT_TRUE(back == plain) << plain.size() << " bytes";
  }
}

double ratio(const std::string& plain, const Codec& codec) {
  return static_cast<double>(plain.size()) /
         static_cast<double>(compressed_by(codec, plain, {.frame_bytes = 1 << 20}).size());
}

TEST(Series, GivesBackEveryBitOfEveryTypeAndLength) {
  for (const SeriesType type : all_series_types) {
    for (const SeriesValues values : all_series_values) {
      for (const std::size_t bytes : {0u, 1u, 7u, 8u, 9u, 63u, 511u, 513u, 1027u, 4095u, 4096u,
                                      4099u, 8191u, 40'000u, 40'005u}) {
        SCOPED_TRACE(std::to_string(static_cast<int>(type)) + ", values " +
                     std::to_string(static_cast<int>(values)));
        expect_back(series_of_values(type, values, bytes), series_of(type), small_frames);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Series, GivesBackLargeFrames) {
  for (const SeriesType type : all_series_types) {
    for (const SeriesValues values : all_series_values) {
      expect_back(series_of_values(type, values, 500'001), series_of(type),
                  {.frame_bytes = 300'003});
      if (HasFatalFailure()) return;
    }
  }
}

// Frames begin and end anywhere, and pieces of one frame lie in different places.
TEST(Series, GivesBackBytesThatWereWrittenInAnyPieces) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const SeriesType type = all_series_types[random() % std::size(all_series_types)];
    const SeriesValues values = all_series_values[random() % std::size(all_series_values)];
    const std::string plain = series_of_values(type, values, random() % 60'000);
    std::string target;
    std::unique_ptr<Sink> sink;
    const CompressionOptions compression{.frame_bytes = 4096 + random() % 20'000,
                                         .frames_at_a_time = 1 + random() % 4,
                                         .checksums = random() % 2 == 0};
    expect_ok(make_compressing_sink(make_memory_sink(target), series_of(type), compression, sink));
    Writer writer;
    expect_ok(writer.open(std::move(sink), {.block_bytes = std::size_t{4096} << random() % 5}));
    for (std::size_t at = 0; at < plain.size();) {
      const std::size_t bytes = std::min<std::size_t>(random() % 30'000, plain.size() - at);
      writer.write(plain.substr(at, bytes));
      if (random() % 4 == 0) {
        expect_ok(writer.flush());
      }
      at += bytes;
    }
    expect_ok(writer.close());
    std::string back;
    expect_ok(decompress(target, back, {&series_of(type)}));
    ASSERT_TRUE(back == plain) << round;
  }
}

// The numbers of the first frame begin behind a head. The second frame is shorter than this head.
TEST(Series, GivesBackAShortFrameBehindAHead) {
  for (const SeriesType type : all_series_types) {
    for (const std::size_t head : {1u, 2u, 3u, 5u, 7u}) {
      for (std::size_t bytes = 500; bytes < 540; ++bytes) {
        const std::string plain =
            std::string(head, 'x') + series_of_values(type, SeriesValues::smooth, bytes);
        std::string target;
        std::unique_ptr<Sink> sink;
        expect_ok(make_compressing_sink(make_memory_sink(target), series_of(type),
                                        {.frames_at_a_time = 1}, sink));
        Writer writer;
        expect_ok(writer.open(std::move(sink)));
        writer.write(plain);
        expect_ok(writer.flush());
        for (const std::string_view more : {"ab", "c", "defghij"}) {
          writer.write(more);
          expect_ok(writer.flush());
        }
        expect_ok(writer.close());
        std::string back;
        expect_ok(decompress(target, back, {&series_of(type)}));
        ASSERT_TRUE(back == plain + "abcdefghij") << head << ", " << bytes;
      }
    }
  }
}

template <typename T>
void expect_typed(const std::vector<T>& values) {
  const ScratchDirectory directory;
  const std::string path = directory.file("values");
  Writer writer;
  expect_ok(open_compressed(writer, path, series<T>()));
  for (const T& value : values) writer.write_value(value);
  expect_ok(writer.close());
  Reader reader;
  expect_ok(open_decompressed(reader, path, {&series<T>()}));
  std::vector<T> back;
  for (T value; reader.read_value(value);) back.push_back(value);
  expect_ok(reader.status());
  ASSERT_EQ(back.size(), values.size());
  EXPECT_EQ(std::memcmp(back.data(), values.data(), values.size() * sizeof(T)), 0);
  std::size_t records = 0;
  Reader again;
  expect_ok(open_decompressed(again, path, {&series<T>()}));
  for (const std::span<const T> some : again.records<T>()) records += some.size();
  EXPECT_EQ(records, values.size());
}

TEST(Series, ReadsValuesAndRecords) {
  std::vector<double> doubles;
  std::vector<float> floats;
  std::vector<long> longs;
  std::vector<unsigned char> bytes;
  for (int i = 0; i < 300'000; ++i) {
    doubles.push_back(std::sin(i * 0.001));
    floats.push_back(static_cast<float>(doubles.back()));
    longs.push_back(i * 12345L * (i % 2 == 0 ? 1 : -1));
    bytes.push_back(static_cast<unsigned char>(i / 7));
  }
  expect_typed(doubles);
  expect_typed(floats);
  expect_typed(longs);
  expect_typed(bytes);
}

TEST(Series, RefusesAnotherTypeWhenItOpens) {
  const std::string file = compressed_by(
      series<int>(), series_of_values(SeriesType::int32, SeriesValues::counter, 10'000));
  for (const auto& [codec, name] :
       {std::pair(&series<double>(), "double"), std::pair(&series<unsigned>(), "uint32"),
        std::pair(&series<short>(), "int16"), std::pair(&series<float>(), "float")}) {
    Reader reader;
    const Status status = open_memory(reader, file, {codec});
    EXPECT_EQ(status.code().value(), EINVAL);
    EXPECT_NE(
        status.message().find("the file is a series of int32, and not of " + std::string(name)),
        std::string::npos)
        << status.message();
  }
}

TEST(Series, RefusesALaterFrameOfAnotherType) {
  const std::string numbers = series_of_values(SeriesType::int32, SeriesValues::counter, 4096);
  const std::string file =
      compressed_by(series<int>(), numbers) + compressed_by(series<float>(), numbers);
  std::string back;
  const Status status = decompress(file, back, {&series<int>()});
  EXPECT_EQ(status.code().value(), EINVAL);
  EXPECT_EQ(status.offset(), numbers.size());
  EXPECT_NE(status.message().find("the frame is a series of float, not of int32"),
            std::string::npos)
      << status.message();
  EXPECT_TRUE(back == numbers);
  expect_ok(decompress(file, back, {&any_series()}));
  EXPECT_TRUE(back == numbers + numbers);
}

TEST(Series, IsReadByNoOtherProgramByMistake) {
  const std::string file = compressed_by(series<int>(), std::string(20'000, 'x'));
  std::string room(100'000, '\0');
  EXPECT_NE(ZSTD_isError(ZSTD_decompress(room.data(), room.size(), file.data(), file.size())), 0u);
  std::string back;
  const Status status = decompress(file, back, {&zstd()});
  EXPECT_EQ(status.code().value(), EINVAL);
  EXPECT_NE(status.message().find("is compressed by a sluice series"), std::string::npos)
      << status.message();
}

// Headers and payloads end within any read.
TEST(Series, ReadsAFileInPiecesOfAnySize) {
  const std::string plain = series_of_values(SeriesType::float64, SeriesValues::noisy, 20'000);
  const std::string file = compressed_by(series<double>(), plain);
  for (std::size_t at_a_time = 1; at_a_time < 1200; at_a_time += 1 + at_a_time / 50) {
    std::string back;
    expect_ok(decompress(std::make_unique<PiecewiseSource>(view_of(file), at_a_time), back,
                         {&series<double>()}));
    ASSERT_TRUE(back == plain) << at_a_time;
  }
}

// A file without numbers has only its seek table.
TEST(Series, ReadsAFileWithoutNumbers) {
  const std::string file = compressed_by(series<double>(), "");
  EXPECT_FALSE(file.empty());
  std::string back = "before";
  expect_ok(decompress(file, back, {&series<double>()}));
  EXPECT_EQ(back, "");
}

// The figures are those of the format with libzstd 1.5.4, a little lower.
TEST(Series, CompressesWhatItIsMadeFor) {
  const auto of = [](SeriesType type, SeriesValues values) {
    return ratio(series_of_values(type, values, 1 << 20), series_of(type));
  };
  EXPECT_GT(of(SeriesType::uint64, SeriesValues::counter), 100);
  EXPECT_GT(of(SeriesType::float64, SeriesValues::noisy), 3.8);
  EXPECT_GT(of(SeriesType::float64, SeriesValues::smooth), 3);
  EXPECT_GT(of(SeriesType::float64, SeriesValues::records), 2.5);
  EXPECT_GT(of(SeriesType::float64, SeriesValues::steps), 8);
  EXPECT_GT(of(SeriesType::int16, SeriesValues::noisy), 1.3);
  const double random_bytes = of(SeriesType::uint64, SeriesValues::random);
  EXPECT_GT(random_bytes, 0.999);
  EXPECT_LE(random_bytes, 1);
}

// The doubles 20.37 and 20.38 agree only in their first 18 bits.
TEST(Series, IsFarSmallerForHundredthsThanForDecimalFractions) {
  std::mt19937_64 random(1);
  std::vector<double> fractions;
  std::vector<std::int32_t> hundredths;
  for (int i = 0; i < 100'000; ++i) {
    const double exact = 2000 + 500 * std::sin(i * 1e-4) + static_cast<double>(random() % 16);
    hundredths.push_back(static_cast<std::int32_t>(exact));
    fractions.push_back(hundredths.back() / 100.0);
  }
  const auto size = [](const auto& numbers, const Codec& codec) {
    const BytesView bytes = std::as_bytes(std::span(numbers));
    return compressed_by(codec, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}).size();
  };
  EXPECT_LT(size(hundredths, series<std::int32_t>()) * 3, size(fractions, series<double>()) * 2);
}

// For example, a file with a header of 3 bytes.
TEST(Series, FindsWhereNumbersBegin) {
  for (const SeriesType type : {SeriesType::float64, SeriesType::int32}) {
    for (const SeriesValues values : {SeriesValues::smooth, SeriesValues::records}) {
      const std::string numbers = series_of_values(type, values, 1 << 20);
      EXPECT_GT(ratio("abc" + numbers, series_of(type)), ratio(numbers, series_of(type)) * 0.9);
    }
  }
  const std::string plain =
      "abc" + series_of_values(SeriesType::float64, SeriesValues::noisy, 1 << 20);
  expect_back(plain, series<double>(), {.frame_bytes = 100'000});
}

// The numbers change their kind within a file.
TEST(Series, ChoosesAnotherFilterWhenTheNumbersChange) {
  constexpr CompressionOptions one_after_another{.frame_bytes = 1 << 18, .frames_at_a_time = 1};
  std::string all;
  std::size_t bytes_of_each = 0;
  for (const SeriesValues values :
       {SeriesValues::smooth, SeriesValues::random, SeriesValues::records, SeriesValues::counter}) {
    const std::string numbers = series_of_values(SeriesType::float64, values, 1 << 19);
    bytes_of_each += compressed_by(series<double>(), numbers, one_after_another).size();
    all += numbers;
  }
  EXPECT_LT(compressed_by(series<double>(), all, one_after_another).size(),
            bytes_of_each * 51 / 50);
}

TEST(Series, MakesTheSameFileAgain) {
  const std::string plain = series_of_values(SeriesType::float64, SeriesValues::noisy, 1 << 20);
  const std::string file = compressed_by(series<double>(), plain);
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(compressed_by(series<double>(), plain) == file);
  }
}

TEST(Series, OfNoTypeIsNeitherWrittenNorRead) {
  const std::string mistake = "series_of() was given a value that is none of SeriesType";
  const std::string file = compressed_by(series<std::uint8_t>(), "numbers");
  for (const int value : {0, 0x13, 0x31, 255}) {
    const Codec& codec = series_of(static_cast<SeriesType>(value));
    EXPECT_FALSE(levels_of(codec));
    std::string target;
    std::unique_ptr<Sink> sink;
    const Status written = make_compressing_sink(make_memory_sink(target), codec, {}, sink);
    EXPECT_EQ(written.code().value(), EINVAL);
    EXPECT_TRUE(written.message().ends_with(": " + mistake)) << written.message();
    for (const std::string& bytes : {file, std::string("plain")}) {
      std::string back;
      const Status read = decompress(bytes, back, {&series<std::uint8_t>(), &codec});
      EXPECT_EQ(read.code().value(), EINVAL);
      EXPECT_TRUE(read.message().ends_with(": codec 2 of 2: " + mistake)) << read.message();
    }
  }
}

TEST(Series, RefusesOptionsThatMakeNoSense) {
  std::unique_ptr<Sink> sink;
  std::string target;
  EXPECT_EQ(make_compressing_sink(make_memory_sink(target), any_series(), {}, sink).code().value(),
            ENOTSUP);
  const Status status =
      make_compressing_sink(make_memory_sink(target), series<double>(), {.level = 23}, sink);
  EXPECT_EQ(status.code().value(), EINVAL);
  EXPECT_NE(status.message().find("the level of series:double: 23 is not between -7 and 22"),
            std::string::npos)
      << status.message();
}

}  // namespace
}  // namespace sluice::testing
