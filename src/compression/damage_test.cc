// Compressed files that are damaged, cut or still growing: what a Reader of them says.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <string>
#include <vector>

#include "compression/codec.h"
#include "sluice/codecs.h"
#include "sluice/compression.h"
#include "sluice/lz4.h"
#include "sluice/series.h"
#include "sluice/zstd.h"
#include "testing/compressed_file.h"
#include "testing/lost_errors.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

const std::vector<const Codec*>& writing_codecs() {
  static const std::vector<const Codec*> codecs{&zstd(), &lz4(), &series<double>()};
  return codecs;
}

TEST(CompressedFile, IsReadOnAfterASeekToTheEndIfItHasGrown) {
  const ScratchDirectory directory;
  const std::string path = directory.file("f");
  for (const Codec* codec : writing_codecs()) {
    SCOPED_TRACE(codec->name());
    Writer writer;
    ASSERT_TRUE(open_compressed(writer, path, *codec).ok());
    Reader reader;
    for (int i = 0; i < 5; ++i) {
      const std::string line = "line " + std::to_string(i * i) + "\n";
      writer.write(line);
      ASSERT_TRUE(writer.flush().ok());
      const Status status =
          i == 0 ? open_decompressed(reader, path, all_codecs()) : reader.seek(reader.position());
      ASSERT_TRUE(status.ok()) << status.message();
      std::string got;
      EXPECT_TRUE(reader.read_rest(got).ok()) << reader.status().message();
      EXPECT_EQ(got, line);
      EXPECT_EQ(reader.get(), Reader::end);
    }
    EXPECT_TRUE(writer.close().ok());
    std::string got;
    EXPECT_TRUE(reader.seek(reader.position()).ok());
    EXPECT_TRUE(reader.read_rest(got).ok()) << reader.status().message();
    EXPECT_EQ(got, "") << "the seek table has no bytes";
  }
}

// The first bytes tell the format, also those that come after the open.
TEST(CompressedFile, IsReadOnAfterASeekIfItWasEmptyAtTheOpen) {
  const ScratchDirectory directory;
  const std::string path = directory.file("f");
  for (const Codec* codec : writing_codecs()) {
    SCOPED_TRACE(codec->name());
    Writer writer;
    ASSERT_TRUE(open_compressed(writer, path, *codec).ok());
    Reader reader;
    ASSERT_TRUE(open_decompressed(reader, path, all_codecs()).ok());
    EXPECT_EQ(reader.get(), Reader::end);
    std::uint64_t bytes = 1;
    EXPECT_TRUE(reader.size(bytes).ok());
    EXPECT_EQ(bytes, 0u);
    ASSERT_TRUE(reader.seek(5).ok());
    EXPECT_EQ(reader.get(), Reader::end);
    writer.write("a line\n");
    ASSERT_TRUE(writer.flush().ok());
    EXPECT_EQ(reader.size(bytes).code().value(), ESPIPE)
        << "the Reader has not looked at the bytes";
    ASSERT_TRUE(reader.seek(2).ok());
    std::string got;
    EXPECT_TRUE(reader.read_rest(got).ok()) << reader.status().message();
    EXPECT_EQ(got, "line\n");
    ASSERT_TRUE(reader.seek(0).ok());
    EXPECT_EQ(reader.get(), 'a');
    EXPECT_TRUE(reader.close().ok());
    EXPECT_TRUE(writer.close().ok());
  }
}

TEST(CompressedFile, ThatWasEmptyAtTheOpenMayGetPlainBytesOrBytesOfAFormatThatIsRefused) {
  const ScratchDirectory directory;
  const std::string path = directory.file("f");
  const auto reader_of_an_empty_file = [&](Reader& reader) {
    make_file(path, "");
    ASSERT_TRUE(open_decompressed(reader, path, {&lz4()}).ok());
    ASSERT_EQ(reader.get(), Reader::end);
  };
  Reader plain;
  reader_of_an_empty_file(plain);
  make_file(path, "plain bytes");
  ASSERT_TRUE(plain.seek(6).ok());
  std::string got;
  EXPECT_TRUE(plain.read_rest(got).ok()) << plain.status().message();
  EXPECT_EQ(got, "bytes");
  Reader refusing;
  reader_of_an_empty_file(refusing);
  make_file(path, compressed_by(zstd(), "a line\n"));
  ASSERT_TRUE(refusing.seek(0).ok());
  EXPECT_EQ(refusing.get(), Reader::end);
  EXPECT_EQ(refusing.status().code().value(), EINVAL);
  EXPECT_EQ(refusing.status().path(), path);
  EXPECT_EQ(refusing.close().code().value(), EINVAL);
}

// The seek table in memory says that the bytes must be there.
TEST(CompressedFile, ThatIsCutWhileItIsOpenFailsBehindTheCut) {
  const ScratchDirectory directory;
  const std::string path = directory.file("f");
  const LostErrors lost;
  const std::string plain = lines(200'000);
  for (const Codec* codec : writing_codecs()) {
    SCOPED_TRACE(codec->name());
    const std::string file = compressed_by(*codec, plain);
    make_file(path, file);
    Reader reader;
    ASSERT_TRUE(open_decompressed(reader, path, std::span(&codec, 1)).ok());
    ASSERT_TRUE(reader.seek(10'000).ok());
    ASSERT_NE(reader.get(), Reader::end);
    ASSERT_EQ(::truncate(path.c_str(), static_cast<off_t>(file.size() / 4)), 0);
    ASSERT_TRUE(reader.seek(150'000).ok());
    std::string got;
    const Status status = reader.read_rest(got);
    EXPECT_EQ(got, "");
    EXPECT_EQ(status.code().value(), EBADMSG) << status.message();
    EXPECT_EQ(status.offset(), 150'000u);
    const std::string said = "the file was cut: its seek table had a frame at byte ";
    const std::size_t found = status.message().find(said);
    ASSERT_NE(found, std::string::npos) << status.message();
    EXPECT_GE(std::stoul(status.message().substr(found + said.size())), file.size() / 4);
    EXPECT_TRUE(status.message().ends_with(" of the file")) << status.message();
  }
}

TEST(CompressedFile, ThatEndsAtTheLastFrameOfItsTableIsWhole) {
  for (const Codec* codec : writing_codecs()) {
    const std::string file = compressed_by(*codec, lines(20'000));
    Reader reader;
    ASSERT_TRUE(open_memory(reader, file).ok());
    for (const std::uint64_t position : {20'000u, 90'000u}) {
      ASSERT_TRUE(reader.seek(position).ok());
      EXPECT_EQ(reader.get(), Reader::end);
      EXPECT_TRUE(reader.status().ok()) << reader.status().message();
    }
  }
}

// A header of lz4 has 7 bytes here, and one of a series 24, of which each has a checksum. In the
// header of zstd the window may become larger than a Reader allows, which is no damage to it.
TEST(CompressedFile, IsDamagedIfABitOfAHeaderIs) {
  const std::string plain = lines(3'000);
  for (const Codec* codec : {&lz4(), &series<double>()}) {
    const std::string file = compressed_by(*codec, plain);
    const std::size_t header_bits = codec == &lz4() ? 15 * 8 : 24 * 8;
    for (std::size_t bit = 0; bit < header_bits; ++bit) {
      std::string back;
      const Status status = decompress(with_flipped_bit(file, bit), back, {codec});
      EXPECT_EQ(back, "");
      EXPECT_EQ(status.code().value(), EBADMSG) << codec->name() << bit << status.message();
    }
  }
}

TEST(CompressedFile, OfZstdWithAWrongReservedBitIsDamaged) {
  std::string back;
  const Status status =
      decompress(with_flipped_bit(compressed_by(zstd(), lines(3'000)), 4 * 8 + 3), back);
  EXPECT_EQ(status.code().value(), EBADMSG) << status.message();
}

// The names that the libraries have for their failures say nothing to a user.
TEST(CompressedFile, SaysInPlainWordsThatItIsDamaged) {
  const std::string plain = lines(3'000);
  for (const Codec* codec : writing_codecs()) {
    const std::string file = compressed_by(*codec, plain);
    std::size_t wrong_checksums = 0;
    for (std::size_t bit = 4 * 8; bit < file.size() * 8; bit += 7) {
      std::string back;
      const Status status = decompress(with_flipped_bit(file, bit), back);
      if (status.ok()) continue;  // a bit of the seek table
      const std::string message = status.message();
      wrong_checksums += message.find("its checksum does not fit its bytes") != std::string::npos;
      EXPECT_TRUE(message.find("the frame is damaged") != std::string::npos ||
                  message.find("the file ends within a compressed frame") != std::string::npos ||
                  message.find("no compressed frame begins at byte") != std::string::npos ||
                  message.find("needs a window above 128 MiB") != std::string::npos)
          << message;
    }
    EXPECT_GT(wrong_checksums, 0u) << codec->name();
  }
}

TEST(CompressedFile, SaysWhyItsSizeIsNotKnown) {
  const std::string two = compressed_by(zstd(), "one") + compressed_by(zstd(), "two");
  Reader reader;
  ASSERT_TRUE(open_memory(reader, two).ok());
  std::uint64_t bytes = 0;
  const Status status = reader.size(bytes);
  EXPECT_EQ(status.code().value(), ESPIPE);
  EXPECT_NE(status.message().find("the file has no seek table of sluice"), std::string::npos)
      << status.message();
}

TEST(CompressedFile, IsNotOpenedWithOptionsThatMakeNoSense) {
  const ScratchDirectory directory;
  const std::string path = directory.file("f");
  make_file(path, "old");
  for (const WriterOptions& options :
       {WriterOptions{.block_bytes = 0}, WriterOptions{.blocks_in_flight = 65},
        WriterOptions{.block_bytes = 5000, .direct = Direct::if_possible}}) {
    Writer writer;
    const Status status = open_compressed(writer, path, zstd(), {}, options);
    EXPECT_EQ(status.code().value(), EINVAL) << status.message();
    EXPECT_EQ(status.message(), Writer().open(path, options).message());
    EXPECT_EQ(contents_of(path), "old");
  }
}

}  // namespace
}  // namespace sluice::testing
