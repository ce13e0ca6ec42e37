// A Writer over a std::ostream and a Reader over a std::istream. The contract tests of
// src/testing run over the same Sink and Source in src/backend.
#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <string>

#include "sluice/iostream.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

TEST(AdaptedStreams, AWriterWritesToAnyOstream) {
  std::ostringstream target;
  target << "head ";
  Writer writer;
  ASSERT_TRUE(writer.open(make_ostream_sink(target)).ok());
  EXPECT_EQ(writer.position(), 5u);
  writer.write("one two");
  EXPECT_TRUE(writer.flush().ok());
  EXPECT_EQ(target.str(), "head one two");
  EXPECT_TRUE(writer.write_at(5, "ONE").ok());
  EXPECT_TRUE(writer.seek(20).ok());
  writer.write("far");
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(target.str(), "head ONE two" + std::string(8, '\0') + "far");
}

// A file of a file system whose largest position is 1000. It writes zeros to places behind its end.
class SmallFileBuffer final : public std::stringbuf {
 public:
  SmallFileBuffer() : std::stringbuf("head") {}

 private:
  pos_type seekpos(pos_type position, std::ios_base::openmode which) override {
    if (position > 1000) return pos_type(-1);
    if (str().size() < static_cast<std::size_t>(position)) {
      std::string filled = str();
      filled.resize(static_cast<std::size_t>(position));
      str(filled);
    }
    return std::stringbuf::seekpos(position, which);
  }
};

TEST(AdaptedStreams, APositionThatAFileSystemRefusesIsNotFilledWithZeros) {
  SmallFileBuffer file;
  std::ostream target(&file);
  Writer writer;
  ASSERT_TRUE(writer.open(make_ostream_sink(target)).ok());
  EXPECT_TRUE(writer.seek(5000).ok());
  writer.write("far");
  EXPECT_EQ(writer.close().offset(), 5000U);
  EXPECT_LT(file.str().size(), 10U);
}

TEST(AdaptedStreams, AStreamStandsBehindTheLastByteAfterAPatch) {
  std::ostringstream target;
  Writer writer;
  ASSERT_TRUE(writer.open(make_ostream_sink(target)).ok());
  writer.write("one two");
  EXPECT_TRUE(writer.flush().ok());
  EXPECT_TRUE(writer.write_at(0, "ONE").ok());
  EXPECT_TRUE(writer.close().ok());
  target << " tail";
  EXPECT_EQ(target.str(), "ONE two tail");
}

TEST(AdaptedStreams, AStreamThatHasFailedRefusesTheWriter) {
  std::ostringstream target;
  target.setstate(std::ios::badbit);
  Writer writer;
  ASSERT_TRUE(writer.open(make_ostream_sink(target, "the log")).ok());
  writer.write("text");
  const Status status = writer.close();
  EXPECT_EQ(status.code().value(), EIO);
  EXPECT_EQ(status.path(), "the log");
  EXPECT_EQ(target.str(), "");
}

TEST(AdaptedStreams, AFullDeviceBelowTheStreamFailsTheWriter) {
  std::ofstream target("/dev/full");
  Writer writer;
  ASSERT_TRUE(writer.open(make_ostream_sink(target)).ok());
  writer.write("text");
  EXPECT_EQ(writer.flush().code().value(), EIO);
  EXPECT_FALSE(writer.close().ok());
  EXPECT_TRUE(target.bad());
}

TEST(AdaptedStreams, AStreamCannotBeMadeDurable) {
  std::ostringstream target;
  Writer writer;
  ASSERT_TRUE(writer.open(make_ostream_sink(target)).ok());
  writer.write("text");
  EXPECT_EQ(writer.flush(FlushTo::storage).code().value(), ENOTSUP);
  EXPECT_EQ(target.str(), "text");
  EXPECT_TRUE(writer.close().ok());
}

TEST(AdaptedStreams, AReaderReadsFromThePlaceOfAnyIstream) {
  std::istringstream source("head 12 34\nlast");
  std::string head;
  source >> head;
  Reader reader;
  ASSERT_TRUE(reader.open(make_istream_source(source)).ok());
  int number = 0;
  EXPECT_TRUE(reader.next_number(number));
  EXPECT_EQ(number, 12);
  std::uint64_t bytes = 0;
  EXPECT_TRUE(reader.size(bytes).ok());
  EXPECT_EQ(bytes, 11u);
  EXPECT_TRUE(reader.seek(4).ok());
  std::string rest;
  EXPECT_TRUE(reader.read_rest(rest).ok());
  EXPECT_EQ(rest, "34\nlast");
  EXPECT_TRUE(reader.close().ok());
}

TEST(AdaptedStreams, AReaderAndAWriterOverStreamsOverEachOther) {
  ScratchDirectory directory;
  const std::string path = directory.file("file");
  OStreamWriter out(path);
  Writer writer;
  ASSERT_TRUE(writer.open(make_ostream_sink(out)).ok());
  for (int i = 0; i < 100'000; ++i) {
    writer.write_number(i);
    writer.put('\n');
  }
  EXPECT_TRUE(writer.close().ok());
  EXPECT_TRUE(out.close().ok());
  IStreamReader in(path);
  Reader reader;
  ASSERT_TRUE(reader.open(make_istream_source(in)).ok());
  int number = -1;
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_TRUE(reader.next_number(number));
    ASSERT_EQ(number, i);
  }
  EXPECT_FALSE(reader.next_number(number));
  EXPECT_TRUE(reader.close().ok());
}

}  // namespace
}  // namespace sluice::testing
