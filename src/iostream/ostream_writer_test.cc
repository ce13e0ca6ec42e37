// The clauses of [ostream], [streambuf] and [filebuf.virtuals] for an OStreamWriter, and where it
// differs.
#include <gtest/gtest.h>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <locale>
#include <memory>
#include <sstream>
#include <string>

#include "sluice/iostream.h"
#include "testing/pattern.h"
#include "testing/recording_sink.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

constexpr auto end_from = std::ios_base::end;

class OStreamWriterTest : public ::testing::Test {
 protected:
  std::unique_ptr<Sink> sink() { return std::make_unique<RecordingSink>(recording_); }
  void open(const WriterOptions& options = {}) { EXPECT_TRUE(out_.open(sink(), options).ok()); }
  std::string bytes() const { return recording_->bytes(); }

  std::shared_ptr<Recording> recording_ = std::make_shared<Recording>();
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("target");
  OStreamWriter out_;
};

TEST_F(OStreamWriterTest, WritesWhatIsFormatted) {
  open();
  out_ << "text" << '\n' << 42 << ' ' << std::hex << 255 << std::setw(5) << 1.5 << std::endl;
  EXPECT_TRUE(out_.good());
  EXPECT_TRUE(out_.close().ok());
  EXPECT_EQ(bytes(), "text\n42 ff  1.5\n");
}

TEST_F(OStreamWriterTest, WritesEveryMixOfCallsInOrder) {
  for (const std::size_t block_bytes : {1u, 7u, 4096u, 256u * 1024u}) {
    open({.block_bytes = block_bytes});
    const std::size_t before = bytes().size();
    std::string expected;
    for (std::size_t i = 0; i < 3'000; ++i) {
      const std::string piece = pattern(expected.size(), i * 37 % 501);
      switch (i % 4) {
        case 0: out_ << piece; break;
        case 1: out_.write(piece.data(), static_cast<std::streamsize>(piece.size())); break;
        case 2:
          for (const char byte : piece) out_.put(byte);
          break;
        default:
          for (const char byte : piece) out_.rdbuf()->sputc(byte);
      }
      expected += piece;
    }
    ASSERT_TRUE(out_.close().ok());
    EXPECT_TRUE(bytes().substr(before) == expected) << block_bytes;
    recording_ = std::make_shared<Recording>();
  }
}

struct Named {
  operator std::string_view() const { return "as text"; }
  friend std::ostream& operator<<(std::ostream& out, const Named&) { return out << "as named"; }
};

TEST_F(OStreamWriterTest, TheOperatorsOfOtherTypesAreFound) {
  open();
  const unsigned char byte = 'u';
  const signed char text[] = "s";
  char array[] = "array";
  enum Plain { one = 1 };
  out_ << Named() << ' ' << byte << ' ' << text << ' ' << array << ' ' << one << ' ' << true << 'x';
  EXPECT_TRUE(out_.close().ok());
  EXPECT_EQ(bytes(), "as named u s array 1 1x");
}

// The stream has inlined forms of some calls. Each must do what std::ostream's does.
TEST_F(OStreamWriterTest, InlinedCallsDoWhatStandardStreamsDo) {
  const auto write = [](auto& out) {
    const char* null = nullptr;
    const std::string text = "text";
    out << std::setw(6) << "a" << std::setw(3) << 'b' << std::setw(6) << text;
    out << std::left << std::setw(4) << std::string_view("c") << "" << std::string_view() << '|';
    out.write("xyz", 2).put('p').write("", 0);
    // std::setw gives a std::ostream. These widths come to the stream itself.
    out.width(6);
    out << "d";
    out.width(6);
    out << text;
    out.width(3);
    out << 'e';
    out << std::setw(9);
    out.put('q').write("r", 1);
    out << 's' << 't';
    out << std::setiosflags(std::ios::showbase) << std::hex << 16 << "v" << 1.25 << std::endl;
    out << null;
  };
  std::ostringstream standard;
  write(standard);
  open();
  write(out_);
  EXPECT_EQ(out_.rdstate(), standard.rdstate());
  out_.flush();
  EXPECT_EQ(bytes(), standard.str());
  out_ << "no byte after a failure" << 'x';
  out_.put('x').write("x", 1);
  EXPECT_EQ(out_.close().code().value(), EINVAL);
  EXPECT_EQ(bytes(), standard.str());
}

TEST_F(OStreamWriterTest, InlinedCallsGoToABufferThatWasPutInPlace) {
  open();
  std::ostringstream other;
  out_.std::ios::rdbuf(other.rdbuf());
  out_ << "text" << '\n';
  out_.put('p').write("w", 1);
  EXPECT_EQ(other.str(), "text\npw");
  out_.std::ios::rdbuf(out_.rdbuf());
}

TEST_F(OStreamWriterTest, GathersALargeWriteWithTheBytesBeforeIt) {
  open();
  const std::string large = pattern(0, 1'000'000);
  out_ << "head" << large;
  ASSERT_TRUE(out_.close().ok());
  EXPECT_EQ(bytes(), "head" + large);
  EXPECT_LE(recording_->writes().size(), 2u);
}

TEST_F(OStreamWriterTest, KeepsBytesUntilTheBlockIsFull) {
  open();
  for (int i = 0; i < 100'000; ++i) out_ << 'x';
  EXPECT_TRUE(recording_->writes().empty());
  out_.flush();
  EXPECT_EQ(recording_->writes().size(), 1u);
  out_ << "behind the flush";
  EXPECT_TRUE(out_.close().ok());
  EXPECT_EQ(bytes(), std::string(100'000, 'x') + "behind the flush");
}

TEST_F(OStreamWriterTest, BlocksEndAtPagesAfterAFlush) {
  open({.write_behind = WriteBehind::off});
  for (int i = 0; i < 70'000; ++i) out_ << "12345678";
  out_.flush();
  for (int i = 0; i < 100'000; ++i) out_ << "12345678";
  for (const SinkCall& call : recording_->writes()) {
    const std::uint64_t end = call.position + call.piece_bytes.at(0);
    if (call.position < 560'000) continue;
    EXPECT_EQ(end % 4096, 0u);
  }
}

TEST_F(OStreamWriterTest, SyncMakesTheBytesVisible) {
  open();
  out_ << "text";
  EXPECT_EQ(bytes(), "");
  EXPECT_EQ(out_.rdbuf()->pubsync(), 0);
  EXPECT_EQ(bytes(), "text");
  out_ << std::unitbuf << "more";
  EXPECT_EQ(bytes(), "textmore");
  out_ << 'x';
  EXPECT_EQ(bytes(), "textmorex");
  out_.put('y');
  EXPECT_EQ(bytes(), "textmorexy");
  out_.write("z", 1);
  EXPECT_EQ(bytes(), "textmorexyz");
}

TEST_F(OStreamWriterTest, OverflowOfNoCharacterSucceedsAndWritesNone) {
  open();
  EXPECT_NE(out_.rdbuf()->sputc('\xff'), EOF);  // the character 255 is not the end
  EXPECT_EQ(out_.rdbuf()->sputn("", 0), 0);
  EXPECT_EQ(out_.rdbuf()->sputn("x", -1), 0);
  EXPECT_TRUE(out_.close().ok());
  EXPECT_EQ(bytes(), "\xff");
}

TEST_F(OStreamWriterTest, ATerminalGetsEachLine) {
  recording_->wants_lines = true;
  open();
  out_ << "one";
  EXPECT_EQ(bytes(), "");
  out_ << " line" << '\n';
  EXPECT_EQ(bytes(), "one line\n");
  out_.rdbuf()->sputc('x');
  out_.rdbuf()->sputc('\n');
  EXPECT_EQ(bytes(), "one line\nx\n");
}

TEST_F(OStreamWriterTest, EachWriteIsDurableIfTheOptionsSaySo) {
  open({.durability = Durability::every_write});
  out_ << "text";
  EXPECT_EQ(bytes(), "text");
  EXPECT_EQ(recording_->syncs(), 1u);
  out_.put('x');
  EXPECT_EQ(recording_->syncs(), 2u);
}

TEST_F(OStreamWriterTest, SetbufOfNoMemoryMakesTheStreamUnbuffered) {
  open();
  out_ << "kept";
  EXPECT_EQ(out_.rdbuf()->pubsetbuf(nullptr, 0), out_.rdbuf());
  out_ << 'x';
  EXPECT_EQ(bytes(), "keptx");
  out_.put('y');
  EXPECT_EQ(bytes(), "keptxy");
}

TEST_F(OStreamWriterTest, SetbufOfMemoryChangesNothing) {
  open();
  char memory[10];
  EXPECT_EQ(out_.rdbuf()->pubsetbuf(memory, 10), out_.rdbuf());
  out_ << "more than ten characters";
  EXPECT_EQ(bytes(), "");
}

TEST_F(OStreamWriterTest, TellsThePosition) {
  open();
  EXPECT_EQ(out_.tellp(), 0);
  out_ << "te"
       << "xt";
  EXPECT_EQ(out_.tellp(), 4);
  EXPECT_EQ(bytes(), "");  // asking writes nothing
}

TEST_F(OStreamWriterTest, SeeksFromTheBeginningThePresentPlaceAndTheEnd) {
  ASSERT_TRUE(out_.open(path_).ok());
  out_ << "0123456789";
  out_.seekp(2) << 'b';
  EXPECT_EQ(out_.tellp(), 3);
  out_.seekp(2, std::ios::cur) << 'c';
  out_.seekp(-1, end_from) << 'e';
  EXPECT_EQ(out_.tellp(), 10);
  out_.seekp(0, end_from) << 'f';
  out_.seekp(-3, std::ios::cur) << 'g';
  EXPECT_TRUE(out_.close().ok());
  EXPECT_EQ(contents_of(path_), "01b34c67gef");
}

// The same calls of std::ofstream give the same file.
template <typename Stream>
std::string seeks_to_ends(const std::string& path, Stream& out) {
  std::string places;
  const auto note = [&] { places += std::to_string(out.tellp()) + " "; };
  out << "abc";
  out.seekp(100).seekp(0, end_from);
  note();
  out.seekp(10).seekp(5) << "x";
  out.seekp(50).flush();
  out.seekp(0, end_from) << "END";
  note();
  out.seekp(-2, end_from);
  note();
  static_cast<void>(out.close());
  return places + contents_of(path);
}

TEST_F(OStreamWriterTest, ASeekAloneDoesNotMoveTheEnd) {
  std::ofstream standard(path_);
  const std::string expected = seeks_to_ends(path_, standard);
  ASSERT_TRUE(out_.open(path_).ok());
  EXPECT_EQ(seeks_to_ends(path_, out_), expected);
  ASSERT_TRUE(out_.open(path_, {.create = CreateMode::append}).ok());
  out_ << "more";
  EXPECT_EQ(out_.tellp(), 13);
  EXPECT_TRUE(out_.close().ok());
}

TEST_F(OStreamWriterTest, TheEndOfAnExistingFileIsThatOfItsOldBytes) {
  make_file(path_, "old bytes");
  ASSERT_TRUE(out_.open(path_, {.create = CreateMode::existing}).ok());
  out_ << "N";
  out_.seekp(0, end_from) << "!";
  EXPECT_TRUE(out_.close().ok());
  EXPECT_EQ(contents_of(path_), "Nld bytes!");
}

TEST_F(OStreamWriterTest, TheEndOfAGivenSinkIsNotKnown) {
  recording_->has_positions = true;
  open();
  out_ << "text";
  out_.seekp(0, end_from);
  EXPECT_TRUE(out_.fail());
  EXPECT_FALSE(out_.bad());
  EXPECT_EQ(out_.status().code().value(), ESPIPE);
  out_.clear();
  out_ << "more";
  EXPECT_TRUE(out_.close().ok());
  EXPECT_EQ(bytes(), "textmore");
}

TEST_F(OStreamWriterTest, ASeekBeforeTheBeginningFailsAndChangesNothing) {
  recording_->has_positions = true;
  open();
  out_ << "text";
  for (const std::streamoff offset : {std::streamoff{-5}, std::streamoff{INT64_MIN}}) {
    out_.seekp(offset, std::ios::cur);
    EXPECT_TRUE(out_.fail());
    EXPECT_EQ(out_.status().code().value(), EINVAL);
    out_.clear();
  }
  EXPECT_EQ(out_.tellp(), 4);
  out_.seekp(-4, std::ios::cur);
  EXPECT_EQ(out_.tellp(), 0);
}

TEST_F(OStreamWriterTest, ASeekWithoutPositionsSetsFailbitAndTheStreamGoesOn) {
  open();
  out_ << "text";
  out_.seekp(0);
  EXPECT_TRUE(out_.fail());
  EXPECT_FALSE(out_.bad());
  EXPECT_EQ(out_.status().code().value(), ESPIPE);
  out_.clear();
  out_ << "more";
  EXPECT_TRUE(out_.close().ok());
  EXPECT_TRUE(out_.status().ok());
  EXPECT_EQ(bytes(), "textmore");
}

TEST_F(OStreamWriterTest, ASeekOfTheGetAreaFails) {
  open();
  EXPECT_EQ(out_.rdbuf()->pubseekoff(0, std::ios::cur, std::ios::in), -1);
  EXPECT_EQ(out_.rdbuf()->pubseekpos(0, std::ios::in), -1);
}

TEST_F(OStreamWriterTest, PositionsAboveFourGibibytesWork) {
  ASSERT_TRUE(out_.open(path_).ok());
  const std::streamoff far = (std::streamoff{5} << 30) + 1;
  out_.seekp(far) << "far";
  EXPECT_EQ(out_.tellp(), far + 3);
  out_.seekp(-far, end_from);
  EXPECT_EQ(out_.tellp(), 3);
  EXPECT_TRUE(out_.close().ok());
  EXPECT_EQ(std::filesystem::file_size(path_), static_cast<std::uintmax_t>(far) + 3);
}

struct Thousands : std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST_F(OStreamWriterTest, ImbueChangesTheFormatOfWhatFollows) {
  open();
  out_ << 1'000'000 << ' ';
  out_.imbue(std::locale(std::locale::classic(), new Thousands));
  out_ << 1'000'000;
  EXPECT_EQ(out_.rdbuf()->getloc(), out_.getloc());
  EXPECT_TRUE(out_.close().ok());
  EXPECT_EQ(bytes(), "1000000 1.000.000");
}

TEST_F(OStreamWriterTest, ATiedStreamIsFlushedFirst) {
  open();
  OStreamWriter first(path_);
  first << "prompt";
  out_.tie(&first);
  out_ << "text";
  EXPECT_EQ(contents_of(path_), "prompt");
  first << "1";
  out_ << 'x';
  EXPECT_EQ(contents_of(path_), "prompt1");
  first << "2";
  out_.put('x');
  EXPECT_EQ(contents_of(path_), "prompt12");
  first << "3";
  out_.write("x", 1);
  EXPECT_EQ(contents_of(path_), "prompt123");
}

}  // namespace
}  // namespace sluice::testing
