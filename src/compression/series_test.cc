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

#include "sluice/sinks.h"
#include "sluice/zstd.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"
#include "testing/series_values.h"

namespace sluice::testing {
namespace {

constexpr CompressionOptions small_frames{.frame_bytes = 4096, .frames_at_a_time = 3};

void expect_ok(const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); }

std::string compress(const std::string& bytes, const Codec& codec,
                     const CompressionOptions& compression = small_frames) {
  std::string target;
  std::unique_ptr<Sink> sink;
  expect_ok(make_compressing_sink(make_memory_sink(target), codec, compression, sink));
  Writer writer;
  expect_ok(writer.open(std::move(sink), {.block_bytes = std::size_t{1} << 20}));
  EXPECT_TRUE(writer.write(bytes));
  expect_ok(writer.close());
  return target;
}

// The file must outlive the Reader.
Status open_memory(Reader& reader, const std::string& file, const Codec& codec) {
  std::unique_ptr<Source> source;
  Status status = make_decompressing_source(make_memory_source(std::as_bytes(std::span(file))),
                                            {&codec}, source);
  return status.ok() ? reader.open(std::move(source)) : status;
}

Status decompress(const std::string& file, const Codec& codec, std::string& bytes) {
  Reader reader;
  bytes.clear();
  if (Status status = open_memory(reader, file, codec); !status.ok()) return status;
  return reader.read_rest(bytes);
}

void expect_back(const std::string& plain, const Codec& codec,
                 const CompressionOptions& compression) {
  const std::string file = compress(plain, codec, compression);
  for (const Codec* reading : {&codec, &any_series()}) {
    std::string back;
    expect_ok(decompress(file, *reading, back));
    ASSERT_TRUE(back == plain) << plain.size() << " bytes";
  }
}

double ratio(const std::string& plain, const Codec& codec) {
  return static_cast<double>(plain.size()) /
         static_cast<double>(compress(plain, codec, {.frame_bytes = 1 << 20}).size());
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
    expect_ok(decompress(target, series_of(type), back));
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
        expect_ok(decompress(target, series_of(type), back));
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
  const std::string file =
      compress(series_of_values(SeriesType::int32, SeriesValues::counter, 10'000), series<int>());
  for (const auto& [codec, name] :
       {std::pair(&series<double>(), "double"), std::pair(&series<unsigned>(), "uint32"),
        std::pair(&series<short>(), "int16"), std::pair(&series<float>(), "float")}) {
    Reader reader;
    const Status status = open_memory(reader, file, *codec);
    EXPECT_EQ(status.code().value(), EINVAL);
    EXPECT_NE(
        status.message().find("the file is a series of int32, and not of " + std::string(name)),
        std::string::npos)
        << status.message();
  }
}

TEST(Series, RefusesALaterFrameOfAnotherType) {
  const std::string numbers = series_of_values(SeriesType::int32, SeriesValues::counter, 4096);
  const std::string file = compress(numbers, series<int>()) + compress(numbers, series<float>());
  std::string back;
  const Status status = decompress(file, series<int>(), back);
  EXPECT_EQ(status.code().value(), EINVAL);
  EXPECT_EQ(status.offset(), numbers.size());
  EXPECT_NE(status.message().find("the frame is a series of float, not of int32"),
            std::string::npos)
      << status.message();
  EXPECT_TRUE(back == numbers);
  expect_ok(decompress(file, any_series(), back));
  EXPECT_TRUE(back == numbers + numbers);
}

TEST(Series, IsReadByNoOtherProgramByMistake) {
  const std::string file = compress(std::string(20'000, 'x'), series<int>());
  std::string room(100'000, '\0');
  EXPECT_NE(ZSTD_isError(ZSTD_decompress(room.data(), room.size(), file.data(), file.size())), 0u);
  std::string back;
  const Status status = decompress(file, zstd(), back);
  EXPECT_EQ(status.code().value(), EINVAL);
  EXPECT_NE(status.message().find("is compressed by a sluice series"), std::string::npos)
      << status.message();
}

// Every bit is changed, one after another. Either the change is noticed, or it is in the seek table
// and does no harm.
TEST(Series, NeverGivesADamagedByte) {
  for (const SeriesValues values : {SeriesValues::smooth, SeriesValues::random}) {
    const std::string plain = series_of_values(SeriesType::float64, values, 6'001);
    const std::string file = compress(plain, series<double>());
    const std::size_t table_bytes = 16 + 8 + 3 * 8 + 9;
    for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
      std::string damaged = file;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      std::string back;
      const Status status = decompress(damaged, series<double>(), back);
      ASSERT_TRUE(back == plain.substr(0, back.size())) << bit;
      if (status.ok()) {
        ASSERT_EQ(back.size(), plain.size()) << bit;
        ASSERT_GE(bit / 8, file.size() - table_bytes) << bit;
      } else {
        ASSERT_EQ(status.code().value(), EBADMSG) << status.message();
        ASSERT_EQ(status.offset(), back.size()) << status.message();
      }
    }
  }
}

TEST(Series, ReadsACutFileUpToItsLastWholeFrame) {
  const std::string plain = series_of_values(SeriesType::float64, SeriesValues::noisy, 20'000);
  const std::string file = compress(plain, series<double>());
  std::size_t so_far = 0;
  int frame_ends = 0;
  for (std::size_t bytes = 4; bytes < file.size(); ++bytes) {
    std::string back;
    const Status status = decompress(file.substr(0, bytes), series<double>(), back);
    ASSERT_TRUE(back == plain.substr(0, back.size())) << bytes;
    ASSERT_TRUE(back.size() % 4096 == 0 || back.size() == plain.size()) << bytes;
    ASSERT_GE(back.size(), so_far) << bytes;
    frame_ends += back.size() != so_far;
    so_far = back.size();
    if (!status.ok()) {
      ASSERT_EQ(status.code().value(), EBADMSG) << status.message();
      ASSERT_EQ(status.offset(), back.size()) << status.message();
    }
  }
  EXPECT_EQ(so_far, plain.size());
  EXPECT_EQ(frame_ends, 5);
}

// Gives few bytes at a time, as a pipe may.
class PiecewiseSource final : public Source {
 public:
  PiecewiseSource(const std::string& file, std::size_t at_a_time)
      : from_(make_memory_source(std::as_bytes(std::span(file)))), at_a_time_(at_a_time) {}
  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    return from_->read(position, into.first(std::min(into.size(), at_a_time_)), got);
  }
  Status close() override { return {}; }
  const std::string& path() const override { return from_->path(); }

 private:
  const std::unique_ptr<Source> from_;
  const std::size_t at_a_time_;
};

// Headers and payloads end within any read.
TEST(Series, ReadsAFileInPiecesOfAnySize) {
  const std::string plain = series_of_values(SeriesType::float64, SeriesValues::noisy, 20'000);
  const std::string file = compress(plain, series<double>());
  for (std::size_t at_a_time = 1; at_a_time < 1200; at_a_time += 1 + at_a_time / 50) {
    std::unique_ptr<Source> source;
    expect_ok(make_decompressing_source(std::make_unique<PiecewiseSource>(file, at_a_time),
                                        {&series<double>()}, source));
    Reader reader;
    expect_ok(reader.open(std::move(source)));
    std::string back;
    expect_ok(reader.read_rest(back));
    ASSERT_TRUE(back == plain) << at_a_time;
  }
}

TEST(Series, SeeksToAnyByte) {
  const std::string plain = series_of_values(SeriesType::float64, SeriesValues::smooth, 300'000);
  const std::string file = compress(plain, series<double>());
  Reader reader;
  expect_ok(open_memory(reader, file, series<double>()));
  std::uint64_t size = 0;
  expect_ok(reader.size(size));
  EXPECT_EQ(size, plain.size());
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    const std::size_t position = random() % (plain.size() + 1000);
    expect_ok(reader.seek(position));
    char bytes[100];
    const std::size_t wanted = random() % sizeof bytes;
    ASSERT_EQ(std::string(bytes, reader.read(bytes, wanted)),
              position < plain.size() ? plain.substr(position, wanted) : std::string());
  }
}

// A file without numbers has only its seek table.
TEST(Series, ReadsAFileWithoutNumbers) {
  const std::string file = compress("", series<double>());
  EXPECT_FALSE(file.empty());
  std::string back = "before";
  expect_ok(decompress(file, series<double>(), back));
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
    return compress({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, codec).size();
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
    bytes_of_each += compress(numbers, series<double>(), one_after_another).size();
    all += numbers;
  }
  EXPECT_LT(compress(all, series<double>(), one_after_another).size(), bytes_of_each * 51 / 50);
}

TEST(Series, MakesTheSameFileAgain) {
  const std::string plain = series_of_values(SeriesType::float64, SeriesValues::noisy, 1 << 20);
  const std::string file = compress(plain, series<double>());
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(compress(plain, series<double>()) == file);
  }
}

TEST(Series, OfNoTypeIsNeitherWrittenNorRead) {
  for (const int value : {0, 0x13, 0x31, 255}) {
    const Codec& codec = series_of(static_cast<SeriesType>(value));
    std::string target;
    std::unique_ptr<Sink> sink;
    EXPECT_EQ(make_compressing_sink(make_memory_sink(target), codec, {}, sink).code().value(),
              ENOTSUP);
    std::string back;
    const Status status = decompress(compress("numbers", series<std::uint8_t>()), codec, back);
    EXPECT_EQ(status.code().value(), EINVAL);
    EXPECT_NE(status.message().find("a series of uint8, and not of an unknown type"),
              std::string::npos)
        << status.message();
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
