// Each format: every byte comes back, also by programs of others; damage is never given out.
#include "sluice/codecs.h"

#include <gtest/gtest.h>
#include <lz4frame.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <random>
#include <set>
#include <string>

#include "compression/codec.h"
#include "sluice/gzip.h"
#include "sluice/journal.h"
#include "sluice/lz4.h"
#include "sluice/series.h"
#include "sluice/zstd.h"
#include "testing/compressed_file.h"
#include "testing/foreign_frames.h"
#include "testing/pattern.h"
#include "testing/piecewise_source.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"
#include "testing/series_values.h"

namespace sluice::testing {
namespace {

std::string lz4_frame(const std::string& bytes) {
  LZ4F_preferences_t preferences = LZ4F_INIT_PREFERENCES;
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  std::string frame(LZ4F_compressFrameBound(bytes.size(), &preferences), '\0');
  frame.resize(
      LZ4F_compressFrame(frame.data(), frame.size(), bytes.data(), bytes.size(), &preferences));
  return frame;
}

// By the library of the format itself.
std::string decompressed_by_zstd(const std::string& file) {
  std::string bytes;
  std::string room(1 << 20, '\0');
  ZSTD_DCtx* const context = ZSTD_createDCtx();
  ZSTD_inBuffer in{file.data(), file.size(), 0};
  std::size_t left = 0;
  while (in.pos < in.size) {
    ZSTD_outBuffer out{room.data(), room.size(), 0};
    left = ZSTD_decompressStream(context, &out, &in);
    EXPECT_EQ(ZSTD_isError(left), 0u) << ZSTD_getErrorName(left);
    if (ZSTD_isError(left) != 0) break;
    bytes.append(room, 0, out.pos);
  }
  EXPECT_EQ(left, 0u) << "the last frame is not whole";
  ZSTD_freeDCtx(context);
  return bytes;
}

std::string decompressed_by_lz4(const std::string& file) {
  std::string bytes;
  std::string room(1 << 20, '\0');
  LZ4F_dctx* context = nullptr;
  LZ4F_createDecompressionContext(&context, LZ4F_VERSION);
  std::size_t left = 0;
  for (std::size_t at = 0; at < file.size();) {
    std::size_t produced = room.size();
    std::size_t consumed = file.size() - at;
    left = LZ4F_decompress(context, room.data(), &produced, file.data() + at, &consumed, nullptr);
    EXPECT_EQ(LZ4F_isError(left), 0u) << LZ4F_getErrorName(left);
    if (LZ4F_isError(left) != 0) break;
    bytes.append(room, 0, produced);
    at += consumed;
  }
  EXPECT_EQ(left, 0u) << "the last frame is not whole";
  LZ4F_freeDecompressionContext(context);
  return bytes;
}

std::string doubles(std::size_t bytes) {
  return series_of_values(SeriesType::float64, SeriesValues::noisy, bytes);
}

struct Format {
  std::string name;
  const Codec& (*codec)() noexcept;
  std::string (*plain)(std::size_t bytes);               // what the format makes smaller
  std::string (*frame)(const std::string& bytes);        // of another program; null: there is none
  std::string (*decompressed)(const std::string& file);  // by another program; null: there is none
};

const Format zstd_format{"zstd", zstd, lines, zstd_frame, decompressed_by_zstd};
const Format lz4_format{"lz4", lz4, lines, lz4_frame, decompressed_by_lz4};
const Format gzip_format{"gzip", gzip, lines, gzip_member, nullptr};
const Format series_format{"series", series<double>, doubles, nullptr, nullptr};

std::string name_of(const ::testing::TestParamInfo<Format>& info) { return info.param.name; }
void PrintTo(const Format& format, std::ostream* out) { *out << format.name; }

constexpr std::size_t frame_bytes = 4096;  // of small_frames

class CompressionFormat : public ::testing::TestWithParam<Format> {
 protected:
  static bool compresses() { return GetParam().codec().compresses(); }

  // A file of frames of 4 KiB, and the sizes at which it may be cut without a broken frame.
  static std::string make(const std::string& plain, std::set<std::size_t>* ends = nullptr) {
    if (compresses()) return make_by_library(plain, ends);
    std::string file;
    for (std::size_t at = 0; at < plain.size(); at += frame_bytes) {
      file += GetParam().frame(plain.substr(at, frame_bytes));
      if (ends != nullptr) ends->insert(file.size());
    }
    return file;
  }

 private:
  static std::string make_by_library(const std::string& plain, std::set<std::size_t>* ends) {
    const std::string file = compressed_by(GetParam().codec(), plain);
    if (ends == nullptr) return file;
    const std::size_t frames = (plain.size() + frame_bytes - 1) / frame_bytes;
    const std::size_t table = file.size() - ((frames + 1) * 8 + 9);
    std::size_t end = 0;
    for (std::size_t i = 0; i < frames; ++i) {
      for (std::size_t byte = 4; byte-- > 0;) {
        const auto digit = static_cast<unsigned char>(file[table + i * 8 + byte]);
        end += std::size_t{digit} << 8 * byte;
      }
      ends->insert(end);
    }
    ends->insert(end + 16);  // the frame that protects the table
    ends->insert(file.size());
    return file;
  }
};

// A format of other programs.
class ForeignFormat : public CompressionFormat {};
// Such a format in which sluice writes, too.
class WrittenFormat : public CompressionFormat {};

// The seek table and the frame that protects it, in a file of so many frames.
constexpr std::size_t table_bytes(std::size_t frames) { return 16 + 8 + (frames + 1) * 8 + 9; }

TEST_P(CompressionFormat, GivesBackEveryByte) {
  for (const std::size_t bytes : {0u, 1u, 4095u, 4096u, 4097u, 12288u, 100000u, 3000000u}) {
    for (const std::string& plain :
         {GetParam().plain(bytes), pattern(0, bytes), std::string(bytes, '\0')}) {
      const std::string file = make(plain);
      std::string back;
      expect_ok(decompress(file, back));
      EXPECT_TRUE(back == plain) << bytes;
      if (GetParam().decompressed != nullptr) {
        EXPECT_TRUE(GetParam().decompressed(file) == plain) << bytes;
      }
    }
  }
}

TEST_P(WrittenFormat, IsReadWithoutChecksumsAndAtEveryLevel) {
  const std::string plain = lines(70'000) + pattern(0, 70'000);
  for (int level = -10; level <= 22; ++level) {
    for (const bool checksums : {false, true}) {
      std::string target;
      std::unique_ptr<Sink> sink;
      const CompressionOptions options{
          .level = level, .frame_bytes = 50'000, .checksums = checksums};
      const Status made =
          make_compressing_sink(make_memory_sink(target), GetParam().codec(), options, sink);
      if (!made.ok()) {
        EXPECT_EQ(made.code().value(), EINVAL);
        EXPECT_NE(made.message().find("the level of " + GetParam().name), std::string::npos);
        EXPECT_TRUE(level < -7 || level > 12) << made.message();
        continue;
      }
      const std::string file = compressed_by(GetParam().codec(), plain, options);
      EXPECT_TRUE(GetParam().decompressed(file) == plain) << level;
      std::string back;
      expect_ok(decompress(file, back));
      EXPECT_TRUE(back == plain) << level;
    }
  }
}

// Every bit is changed, one after another. Either the change is noticed, or it is where it does no
// harm: in the seek table, or in a part of a gzip header that no checksum covers.
TEST_P(CompressionFormat, NeverGivesADamagedByte) {
  constexpr std::size_t bytes = 6'001;
  for (const std::string& plain : {GetParam().plain(bytes), pattern(0, bytes)}) {
    const std::string file = make(plain);
    std::size_t harmless = 0;
    for (std::size_t bit = 4 * 8; bit < file.size() * 8; ++bit) {
      std::string back;
      const Status status = decompress(with_flipped_bit(file, bit), back);
      ASSERT_TRUE(plain.starts_with(back)) << bit;
      if (status.ok()) {
        ASSERT_EQ(back.size(), plain.size()) << bit;
        const bool is_foreign = GetParam().frame != nullptr;  // such formats ignore some bits
        ASSERT_TRUE(is_foreign || bit / 8 >= file.size() - table_bytes(2)) << bit;
        ++harmless;
      } else {
        ASSERT_TRUE(status.code().value() == EBADMSG || status.code().value() == ENOTSUP)
            << status.message();
        ASSERT_EQ(status.offset(), back.size()) << status.message();
      }
    }
    EXPECT_LT(harmless, 8 * table_bytes(2) + 100);
  }
}

TEST_P(CompressionFormat, IsReadUpToTheLastWholeFrameIfItIsCut) {
  const std::string plain = GetParam().plain(20'000);
  std::set<std::size_t> ends;
  const std::string file = make(plain, &ends);
  ASSERT_EQ(*ends.rbegin(), file.size());
  for (std::size_t bytes = 4; bytes < file.size(); ++bytes) {
    std::string back;
    const Status status = decompress(file.substr(0, bytes), back);
    ASSERT_TRUE(plain.starts_with(back)) << bytes;
    const auto whole =
        static_cast<std::size_t>(std::distance(ends.begin(), ends.upper_bound(bytes)));
    ASSERT_EQ(back.size(), std::min(whole * frame_bytes, plain.size())) << bytes;
    ASSERT_EQ(status.ok(), ends.contains(bytes)) << bytes << status.message();
    if (!status.ok()) {
      ASSERT_EQ(status.code().value(), EBADMSG) << status.message();
      ASSERT_EQ(status.offset(), back.size()) << status.message();
    }
  }
}

// The bytes are found by the seek table, or else by decompressing.
TEST_P(CompressionFormat, IsSoughtInToAnyByte) {
  const std::string plain = GetParam().plain(300'000);
  const std::string whole = make(plain);
  const std::string without_table = whole.substr(0, whole.size() - (compresses() ? 1 : 0));
  for (const std::string& file : {whole, without_table}) {
    Reader reader;
    expect_ok(open_memory(reader, file));
    std::uint64_t bytes = 0;
    const Status sized = reader.size(bytes);
    EXPECT_EQ(sized.ok(), compresses() && file.size() == whole.size());
    EXPECT_EQ(bytes, sized.ok() ? plain.size() : 0);
    std::mt19937 random(1);
    for (int i = 0; i < 500; ++i) {
      const std::size_t position = random() % (plain.size() + 1000);
      const std::size_t wanted = random() % 100;
      expect_ok(reader.seek(position));
      char some[100];
      const std::size_t got = reader.read(some, wanted);
      const bool is_cut = file.size() != whole.size() && position + wanted >= plain.size();
      if (is_cut && !reader.status().ok()) break;
      ASSERT_EQ(std::string(some, got),
                position < plain.size() ? plain.substr(position, wanted) : std::string())
          << position;
    }
  }
}

// Such a frame is larger than what is verified before it is given out.
TEST_P(ForeignFormat, IsReadInFramesOfOtherPrograms) {
  const std::string plain = lines(10'000'000);
  const std::string frame = GetParam().frame(plain);
  const std::string file = frame + GetParam().frame("") + frame;
  std::string back;
  expect_ok(decompress(file, back));
  EXPECT_TRUE(back == plain + plain);
  Reader reader;
  expect_ok(open_memory(reader, file));
  std::string_view line;
  for (const std::size_t at : {plain.size() + 5, std::size_t{7}, plain.size() * 3 / 2}) {
    expect_ok(reader.seek(at));
    EXPECT_TRUE(reader.next_line(line));
    const std::size_t begin = at % plain.size();
    EXPECT_EQ(line, plain.substr(begin, plain.find('\n', begin) - begin));
  }
  std::uint64_t bytes = 0;
  EXPECT_EQ(reader.size(bytes).code().value(), ESPIPE);
}

TEST_P(WrittenFormat, StoresWhatHardlyShrinks) {
  for (const std::size_t percent : {0u, 2u, 5u}) {
    const std::size_t bytes = 1'000'000;
    std::string plain = pattern(0, bytes * (100 - percent) / 100);
    plain.resize(bytes, 'x');
    const std::string file = compressed_by(GetParam().codec(), plain, {});
    EXPECT_EQ(file.size() >= bytes, percent < 3) << percent << ": " << file.size();
    EXPECT_LE(file.size(), bytes + bytes / 1000);
    EXPECT_TRUE(GetParam().decompressed(file) == plain);
    std::string back;
    expect_ok(decompress(file, back));
    EXPECT_TRUE(back == plain);
  }
}

// A frame is made of several pieces of memory; the pieces of a stored frame cross its blocks.
TEST_P(WrittenFormat, IsMadeOfPieces) {
  for (const std::string& plain : {pattern(0, 700'000), lines(700'000)}) {
    for (const std::size_t piece_bytes : {1'000u, 131'072u, 262'144u, 300'000u}) {
      std::vector<BytesView> pieces;
      for (std::size_t at = 0; at < plain.size(); at += piece_bytes) {
        pieces.push_back(view_of(std::string_view(plain).substr(at, piece_bytes)));
      }
      std::string target;
      std::unique_ptr<Sink> sink;
      expect_ok(make_compressing_sink(make_memory_sink(target), GetParam().codec(), {}, sink));
      std::size_t written = 0;
      expect_ok(sink->write(0, pieces, written));
      EXPECT_EQ(written, plain.size());
      EXPECT_TRUE(GetParam().decompressed(target) == plain) << piece_bytes;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, CompressionFormat,
                         ::testing::Values(zstd_format, lz4_format, gzip_format, series_format),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Every, ForeignFormat,
                         ::testing::Values(zstd_format, lz4_format, gzip_format), name_of);
INSTANTIATE_TEST_SUITE_P(Every, WrittenFormat, ::testing::Values(zstd_format, lz4_format), name_of);

TEST(Codecs, AreKnownByName) {
  EXPECT_EQ(all_codecs().size(), 4u);
  EXPECT_EQ(codec_named("series"), &any_series());
  EXPECT_EQ(codec_named("series:double"), &series<double>());
  EXPECT_EQ(codec_named("series:int8"), &series<signed char>());
  EXPECT_EQ(codec_named("series:"), nullptr);
  EXPECT_EQ(codec_named("zstd"), &zstd());
  EXPECT_EQ(codec_named("lz4"), &lz4());
  EXPECT_EQ(codec_named("gzip"), &gzip());
  EXPECT_EQ(codec_named("bzip2"), nullptr);
}

TEST(Codecs, TellTheirLevels) {
  for (const Codec* codec : {&zstd(), &lz4(), &series<double>()}) {
    const std::optional<CompressionLevels> levels = levels_of(*codec);
    ASSERT_TRUE(levels);
    EXPECT_EQ(levels->by_default, 1);
    for (const int level :
         {levels->lowest - 1, levels->lowest, levels->highest, levels->highest + 1}) {
      std::string target;
      std::unique_ptr<Sink> sink;
      const Status status =
          make_compressing_sink(make_memory_sink(target), *codec, {.level = level}, sink);
      EXPECT_EQ(status.ok(), level >= levels->lowest && level <= levels->highest) << level;
    }
  }
  EXPECT_FALSE(levels_of(gzip()));
  EXPECT_FALSE(levels_of(any_series()));
}

// As after `cat a.zst b.lz4 c.gz > all`.
TEST(Codecs, ReadFilesOfSeveralFormatsThatWereJoined) {
  const std::string plain = lines(100'000);
  const std::string file = compressed_by(lz4(), plain) + gzip_member(plain) +
                           compressed_by(zstd(), plain) + lz4_frame(plain) + zstd_frame(plain);
  std::string all;
  for (int i = 0; i < 5; ++i) all += plain;
  std::string back;
  expect_ok(decompress(file, back));
  EXPECT_TRUE(back == all);
  Reader reader;
  expect_ok(open_memory(reader, file));
  for (const std::size_t at : {450'000u, 3u, 150'000u, 250'000u, 199'999u}) {
    expect_ok(reader.seek(at));
    char bytes[100];
    EXPECT_EQ(std::string(bytes, reader.read(bytes, sizeof bytes)), all.substr(at, sizeof bytes));
  }
}

// The first bytes of a frame, which tell its format, come in several reads.
TEST(Codecs, ReadAFewBytesAtATime) {
  const std::string plain = lines(10'000);
  const std::string file = compressed_by(zstd(), plain) + gzip_member(plain) + lz4_frame(plain) +
                           gzip_member("x") + zstd_frame("y");
  for (const std::size_t most : {1u, 2u, 3u, 5u, 7u, 11u, 13u, 100u}) {
    std::string back;
    expect_ok(decompress(std::make_unique<PiecewiseSource>(view_of(file), most), back));
    EXPECT_TRUE(back == plain + plain + plain + "xy") << most;
  }
}

TEST(Codecs, RefuseBytesBehindAFrameThatBeginNoFrame) {
  const std::string plain = lines(5'000);
  for (const std::string& frame : {zstd_frame(plain), lz4_frame(plain), gzip_member(plain)}) {
    for (const std::string behind : {"x", "xyz", "plain text"}) {
      std::string back;
      const Status status = decompress(frame + behind, back);
      EXPECT_EQ(back, plain);
      EXPECT_EQ(status.code().value(), EBADMSG) << status.message();
      EXPECT_EQ(status.offset(), plain.size());
      const std::string place = "byte " + std::to_string(frame.size()) + " of the file";
      const bool is_cut = behind.size() < 4;
      const std::string said = is_cut ? "the file ends within a compressed frame ("
                                      : "no compressed frame begins at " + place + ": ";
      const std::string message = status.message();
      EXPECT_NE(message.find(said), std::string::npos) << message;
      EXPECT_NE(message.find(place), std::string::npos) << message;
      EXPECT_EQ(message.find("in the frame at") != std::string::npos, is_cut) << message;
    }
  }
}

struct File {
  std::string bytes;
  std::string_view format;
};

void expect_refused(std::initializer_list<const Codec*> codecs, const File& file) {
  std::unique_ptr<Source> source;
  const Status status =
      make_decompressing_source(make_memory_source(view_of(file.bytes)), codecs, source);
  EXPECT_EQ(status.code().value(), EINVAL) << file.format;
  EXPECT_NE(status.message().find("is compressed by " + std::string(file.format)),
            std::string::npos)
      << status.message();
  const bool is_old = file.format == "lz4 -l";
  EXPECT_TRUE(status.message().ends_with(is_old ? "which sluice does not read: use lz4 -d"
                                                : "which is not among the codecs of this Reader"))
      << status.message();
}

TEST(Codecs, ReadOnlyTheFormatsThatAreAskedFor) {
  const File lz4_file{lz4_frame("bytes"), "lz4"};
  const File zstd_file{zstd_frame("bytes"), "zstd"};
  const File gzip_file{gzip_member("bytes"), "gzip"};
  const File series_file{compressed_by(series<double>(), "numbers!"), "a sluice series"};
  const File old_file{std::string("\x02\x21\x4c\x18\x05\0\0\0\x40text", 13), "lz4 -l"};
  expect_refused({&zstd(), &gzip()}, lz4_file);
  expect_refused({&lz4(), &series<double>()}, zstd_file);
  expect_refused({&zstd(), &lz4()}, gzip_file);
  expect_refused({&zstd(), &lz4(), &gzip()}, series_file);
  expect_refused(all_codecs(), old_file);
  expect_refused({}, zstd_file);
}

// A file of several series is read if each of its types is in the list.
TEST(Codecs, ReadEachSeriesOfTheList) {
  const std::string doubles = compressed_by(series<double>(), "numbers!");
  const std::string integers = compressed_by(series<int>(), "two ints");
  for (const std::string& file : {doubles, integers, integers + doubles, doubles + integers}) {
    std::string back;
    expect_ok(decompress(file, back, {&series<int>(), &series<double>()}));
    EXPECT_EQ(back.size(), file == doubles || file == integers ? 8 : 16);
  }
}

// These differ in one bit from the beginning of a compressed file, but not of one of this library.
TEST(Codecs, GiveTextsAsTheyAre) {
  for (const std::string text :
       {"eSL 1.0\nmore\n", "eSL\n", "P*M8 text", "Z*MX", "X", "(", "text"}) {
    std::string back;
    expect_ok(decompress(text, back));
    EXPECT_EQ(back, text);
  }
}

// No bit of a file's beginning can change so that the file counts as plain.
TEST(Codecs, RefuseADamagedOrCutBeginning) {
  for (const Codec* codec : {&zstd(), &lz4(), &series<double>()}) {
    for (const std::size_t bytes : {0u, 800u}) {
      const std::string plain = lines(bytes);
      const std::string file = compressed_by(*codec, plain);
      for (std::size_t bit = 0; bit < 32; ++bit) {
        std::string back;
        const Status status = decompress(with_flipped_bit(file, bit), back);
        if (!status.ok() || back != plain) {
          EXPECT_TRUE(status.code().value() == EBADMSG || status.code().value() == EINVAL)
              << bit << status.message();
          EXPECT_EQ(back, "");
        }
      }
      for (const std::size_t kept : {2u, 3u, 4u, 5u}) {
        std::string back;
        EXPECT_EQ(decompress(file.substr(0, kept), back).code().value(), EBADMSG) << kept;
        EXPECT_EQ(back, "");
      }
    }
  }
}

// A list that a program makes at run time. codec_named() may find no Codec.
TEST(Codecs, MayStandInAVector) {
  const ScratchDirectory directory;
  const std::string plain = lines(20'000);
  make_file(directory.file("f"), compressed_by(lz4(), plain));
  std::vector<const Codec*> codecs;
  for (const char* const name : {"zstd", "lz4"}) codecs.push_back(codec_named(name));
  Reader reader;
  ASSERT_TRUE(open_decompressed(reader, directory.file("f"), codecs).ok());
  std::string back;
  EXPECT_TRUE(reader.read_rest(back).ok());
  EXPECT_TRUE(back == plain);
  EXPECT_TRUE(reader.close().ok());
  codecs.push_back(codec_named("none"));
  const Status status = open_decompressed(reader, directory.file("f"), codecs);
  EXPECT_EQ(status.code().value(), EINVAL);
  EXPECT_TRUE(status.message().ends_with("codec 3 of 3 is null")) << status.message();
  EXPECT_EQ(open_decompressed(reader, directory.file("f"), {nullptr, &zstd()}).code().value(),
            EINVAL);
  std::unique_ptr<Source> source;
  EXPECT_TRUE(make_decompressing_source(make_memory_source(plain), {}, source).ok());
}

TEST(Codecs, OfGzipRefusesToCompress) {
  const ScratchDirectory directory;
  make_file(directory.file("f"), "old");
  Writer writer;
  const Status status = open_compressed(writer, directory.file("f"), gzip());
  EXPECT_EQ(status.code().value(), ENOTSUP) << status.message();
  EXPECT_NE(status.message().find("gzip only decompresses"), std::string::npos);
  EXPECT_EQ(contents_of(directory.file("f")), "old");
}

// A Journal has frames of its own, so it goes on in no compressed file.
TEST(Codecs, ThatMadeAFileKeepAJournalOutOfIt) {
  const ScratchDirectory directory;
  for (const Codec* codec : {&zstd(), &lz4(), &series<double>()}) {
    for (const std::size_t bytes : {0u, 10'000u}) {
      for (const Framing framing : {Framing::length_crc32c, Framing::raw}) {
        const std::string file = compressed_by(*codec, lines(bytes));
        make_file(directory.file("f"), file);
        Journal journal;
        const Status status = journal.open(directory.file("f"), {.framing = framing});
        EXPECT_EQ(status.code().value(), EINVAL) << status.message();
        EXPECT_NE(status.message().find("the file is compressed"), std::string::npos)
            << status.message();
        EXPECT_EQ(contents_of(directory.file("f")), file);
      }
    }
  }
}

// ---- Bombs: small files of many bytes ----

// 1 MiB that becomes 32 GiB, the most that zstd can make of it: blocks of one repeated byte.
std::string zstd_bomb() {
  std::string bomb("\x28\xb5\x2f\xfd\x00\x38", 6);  // a window of 128 KiB, and no size
  while (bomb.size() < (1 << 20)) bomb.append("\x02\x00\x10x", 4);
  return bomb;
}

// About 64 KiB that become 64 MiB, and 256 KiB that do. The formats cannot make more of them.
std::string gzip_bomb() { return gzip_member(std::string(std::size_t{64} << 20, 'x')); }
std::string lz4_bomb() { return lz4_frame(std::string(std::size_t{64} << 20, 'x')); }

void expect_bounded_memory(const std::string& bomb) {
  ASSERT_LE(bomb.size(), std::size_t{1100} * 1024);
  if (!reset_peak_resident_bytes()) GTEST_SKIP() << "the kernel does not count";
  const std::size_t before = resident_bytes();
  Reader reader;
  expect_ok(open_memory(reader, bomb));
  constexpr std::size_t enough = std::size_t{256} << 20;
  std::size_t bytes = 0;
  for (BytesView some = reader.peek(1); !some.empty() && bytes < enough; some = reader.peek(1)) {
    EXPECT_EQ(some.front(), std::byte{'x'});
    bytes += some.size();
    reader.skip(some.size());
  }
  EXPECT_GE(bytes, std::size_t{64} << 20);
  if (!sanitized) {
    EXPECT_LT(peak_resident_bytes() - before, std::size_t{20} << 20);  // sluice/compression.h
  }
}

TEST(Codecs, ReadABombOfZstdInBoundedMemory) { expect_bounded_memory(zstd_bomb()); }
TEST(Codecs, ReadABombOfLz4InBoundedMemory) { expect_bounded_memory(lz4_bomb()); }
TEST(Codecs, ReadABombOfGzipInBoundedMemory) {
  if (sanitized) GTEST_SKIP() << "takes long to make";
  expect_bounded_memory(gzip_bomb());
}

// The header says that the frame has 1 TiB, of which a decoder would keep all in its window.
TEST(Codecs, RefuseAFrameThatWantsAllMemory) {
  const std::string frame("\x28\xb5\x2f\xfd\xe0\0\0\0\0\0\1\0\0\x01\x00\x00", 16);
  std::string back;
  const Status status = decompress(frame, back);
  EXPECT_EQ(status.code().value(), ENOTSUP) << status.message();
}

}  // namespace
}  // namespace sluice::testing
