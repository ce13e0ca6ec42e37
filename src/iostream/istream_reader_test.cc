// The clauses of [istream], [streambuf] and [filebuf.virtuals] for an IStreamReader, and where it
// differs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <iterator>
#include <locale>
#include <memory>
#include <string>
#include <utility>

#include "sluice/iostream.h"
#include "testing/faulty_source.h"
#include "testing/faulty_system_calls.h"
#include "testing/lost_errors.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

class IStreamReaderTest : public ::testing::Test {
 protected:
  std::unique_ptr<Source> source(const std::string& bytes) {
    script_->bytes = bytes;
    return std::make_unique<FaultySource>(script_);
  }
  void open(const std::string& bytes) { EXPECT_TRUE(in_.open(source(bytes)).ok()); }
  // A file has positions.
  void open_file(const std::string& bytes) {
    make_file(path_, bytes);
    EXPECT_TRUE(in_.open(path_).ok());
  }
  std::string rest() { return {std::istreambuf_iterator<char>(in_), {}}; }

  std::shared_ptr<SourceScript> script_ = std::make_shared<SourceScript>();
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("source");
  LostErrors lost_;
  IStreamReader in_;
};

TEST_F(IStreamReaderTest, ParsesNumbersWordsAndLines) {
  open("42 -1.5 word\nthe next line\nlast");
  int number = 0;
  double fraction = 0;
  std::string word;
  std::string line;
  in_ >> number >> fraction >> word >> std::ws;
  EXPECT_EQ(number, 42);
  EXPECT_EQ(fraction, -1.5);
  EXPECT_EQ(word, "word");
  EXPECT_TRUE(std::getline(in_, line));
  EXPECT_EQ(line, "the next line");
  EXPECT_TRUE(std::getline(in_, line));
  EXPECT_EQ(line, "last");
  EXPECT_TRUE(in_.eof());
  EXPECT_FALSE(std::getline(in_, line));
  EXPECT_FALSE(in_.bad());
  EXPECT_TRUE(in_.status().ok());
}

TEST_F(IStreamReaderTest, GivesTheBytesInOrderByEveryMixOfCalls) {
  script_->max_bytes_per_read = 1'000;
  const std::string bytes = pattern(0, 300'000);
  open(bytes);
  std::string got;
  for (std::size_t i = 0; got.size() < bytes.size(); ++i) {
    char piece[700];
    const auto wanted = static_cast<std::streamsize>(i * 37 % 601);
    switch (i % 3) {
      case 0:
        in_.read(piece, wanted);
        got.append(piece, static_cast<std::size_t>(in_.gcount()));
        break;
      case 1:
        for (std::streamsize j = 0; j < wanted && in_.get(piece[0]); ++j) got += piece[0];
        break;
      default: got += in_.peek() == EOF ? std::string() : std::string(1, char(in_.get()));
    }
  }
  EXPECT_TRUE(got == bytes);
  EXPECT_FALSE(script_->out_of_turn);
}

TEST_F(IStreamReaderTest, GivesTheCharacter255AndNotTheEnd) {
  open("\xff\xfe");
  EXPECT_EQ(in_.get(), 255);
  EXPECT_EQ(in_.peek(), 254);
  EXPECT_EQ(in_.get(), 254);
  EXPECT_EQ(in_.get(), EOF);
}

TEST_F(IStreamReaderTest, TheGetAreaIsTheBlock) {
  open_file(pattern(0, 100'000));
  in_.get();
  const std::streamsize available = in_.rdbuf()->in_avail();
  EXPECT_EQ(static_cast<std::size_t>(available), in_.reader().peek(0).size());
  EXPECT_GT(available, 10'000);
}

TEST_F(IStreamReaderTest, AnEmptyInputIsAtTheEnd) {
  open("");
  EXPECT_EQ(in_.get(), EOF);
  EXPECT_TRUE(in_.eof());
  EXPECT_FALSE(in_.bad());
}

TEST_F(IStreamReaderTest, ShowsHowManyCharactersAreThere) {
  EXPECT_EQ(in_.rdbuf()->in_avail(), -1);  // not open
  open_file("0123456789");
  EXPECT_EQ(in_.rdbuf()->in_avail(), 10);  // the size of the file
  in_.get();
  EXPECT_EQ(in_.rdbuf()->in_avail(), 9);
  char rest[20];
  EXPECT_EQ(in_.readsome(rest, 20), 9);
  EXPECT_EQ(in_.rdbuf()->in_avail(), 0);
}

TEST_F(IStreamReaderTest, ShowsNoCharactersIfTheSizeIsNotKnown) {
  open("text");
  EXPECT_EQ(in_.rdbuf()->in_avail(), 0);
  in_.peek();
  EXPECT_EQ(in_.rdbuf()->in_avail(), 4);
}

TEST_F(IStreamReaderTest, TellsAndSeeksFromEveryPlace) {
  open_file("0123456789");
  EXPECT_EQ(in_.tellg(), 0);
  EXPECT_EQ(in_.get(), '0');
  EXPECT_EQ(in_.tellg(), 1);
  EXPECT_EQ(in_.seekg(3, std::ios::cur).get(), '4');
  EXPECT_EQ(in_.seekg(-2, std::ios::end).get(), '8');
  EXPECT_EQ(in_.seekg(2).get(), '2');
  EXPECT_EQ(in_.seekg(-1, std::ios::cur).get(), '2');
  in_.seekg(0, std::ios::end);
  EXPECT_EQ(in_.tellg(), 10);
  EXPECT_EQ(in_.get(), EOF);
  in_.clear();  // get() has set failbit
  EXPECT_EQ(in_.seekg(9).get(), '9');
  in_.peek();  // sets eofbit alone, which seekg clears
  EXPECT_EQ(in_.seekg(8).get(), '8');
}

TEST_F(IStreamReaderTest, ASeekBeyondTheEndFindsTheEnd) {
  open_file("0123456789");
  in_.seekg(100);
  EXPECT_EQ(in_.tellg(), 100);
  EXPECT_EQ(in_.get(), EOF);
  EXPECT_TRUE(in_.eof());
}

TEST_F(IStreamReaderTest, ASeekBeforeTheBeginningFailsAndChangesNothing) {
  open_file("0123456789");
  in_.get();
  in_.seekg(-2, std::ios::cur);
  EXPECT_TRUE(in_.fail());
  EXPECT_EQ(in_.status().code().value(), EINVAL);
  in_.clear();
  EXPECT_EQ(in_.get(), '1');
}

TEST_F(IStreamReaderTest, ASeekWithoutPositionsSetsFailbitAndTheStreamGoesOn) {
  open(pattern(0, 100'000));
  in_.get();
  in_.seekg(90'000);
  EXPECT_TRUE(in_.fail());
  EXPECT_FALSE(in_.bad());
  EXPECT_EQ(in_.status().code().value(), ESPIPE);
  in_.clear();
  in_.seekg(0, std::ios::end);
  EXPECT_TRUE(in_.fail());
  in_.clear();
  EXPECT_EQ(rest(), pattern(0, 100'000).substr(1));
}

TEST_F(IStreamReaderTest, ASeekOfThePutAreaFails) {
  open_file("text");
  EXPECT_EQ(in_.rdbuf()->pubseekoff(0, std::ios::cur, std::ios::out), -1);
  EXPECT_EQ(in_.rdbuf()->pubseekpos(0, std::ios::out), -1);
}

TEST_F(IStreamReaderTest, PositionsAboveFourGibibytesWork) {
  const std::streamoff far = (std::streamoff{5} << 30) + 1;
  make_file(path_, "");
  std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(far));
  ASSERT_TRUE(in_.open(path_).ok());
  in_.seekg(-1, std::ios::end);
  EXPECT_EQ(in_.tellg(), far - 1);
  EXPECT_EQ(in_.get(), 0);
  EXPECT_EQ(in_.tellg(), far);
}

TEST_F(IStreamReaderTest, PutsBackEveryByteOfAFile) {
  const std::string bytes = pattern(0, 600'000);
  open_file(bytes);
  in_.ignore(600'000);
  for (std::size_t i = bytes.size(); i > 0; --i) {
    ASSERT_TRUE(in_.unget()) << i;
    if (i % 1'000 != 0) continue;
    ASSERT_EQ(in_.peek(), static_cast<unsigned char>(bytes[i - 1])) << i;
  }
  EXPECT_EQ(in_.tellg(), 0);
  EXPECT_FALSE(in_.unget());
  in_.clear();
  EXPECT_TRUE(rest() == bytes);
}

TEST_F(IStreamReaderTest, PutsBackOneByteAtEachPlaceOfASourceWithoutPositions) {
  script_->max_bytes_per_read = 3;
  const std::string bytes = pattern(0, 1'000);
  open(bytes);
  std::string got;
  for (char byte = 0; in_.get(byte);) {
    in_.unget();
    ASSERT_EQ(in_.tellg(), static_cast<std::streamoff>(got.size()));
    ASSERT_EQ(in_.get(), static_cast<unsigned char>(byte));
    got += byte;
  }
  EXPECT_TRUE(got == bytes);
}

// After the peek() the get area begins behind the byte.
TEST_F(IStreamReaderTest, PutsBackTheByteBeforeTheGetArea) {
  script_->max_bytes_per_read = 3;
  const std::string bytes = pattern(0, 1'000);
  open(bytes);
  std::string got;
  for (char byte = 0; in_.get(byte);) {
    if (in_.peek() == EOF) in_.clear();
    ASSERT_TRUE(in_.unget()) << got.size();
    ASSERT_EQ(in_.tellg(), static_cast<std::streamoff>(got.size()));
    ASSERT_EQ(in_.get(), static_cast<unsigned char>(byte));
    got += byte;
  }
  EXPECT_TRUE(got == bytes);
}

TEST_F(IStreamReaderTest, PutsBackTheLastByteOfAReadThatPassedTheBlock) {
  const std::string bytes = pattern(0, 1'000);
  ASSERT_TRUE(in_.open(source(bytes), {.block_bytes = 16}).ok());
  char read[900];
  in_.read(read, 900);
  EXPECT_TRUE(in_.unget());
  EXPECT_EQ(in_.tellg(), 899);
  EXPECT_EQ(rest(), bytes.substr(899));
}

TEST_F(IStreamReaderTest, PutsBackTheLastByteOfARead) {
  script_->max_bytes_per_read = 4;
  open("01234567");
  char read[4];
  in_.read(read, 4);
  EXPECT_TRUE(in_.putback('3'));
  EXPECT_EQ(in_.get(), '3');
  EXPECT_EQ(in_.get(), '4');
}

TEST_F(IStreamReaderTest, PutsBackAnotherCharacterAndLeavesTheSource) {
  open_file("0123");
  in_.get();
  in_.get();
  EXPECT_TRUE(in_.putback('x'));
  EXPECT_EQ(in_.tellg(), 1);
  EXPECT_EQ(in_.get(), 'x');
  EXPECT_TRUE(in_.unget());
  EXPECT_FALSE(in_.putback('y'));  // only one
  in_.clear();
  EXPECT_EQ(rest(), "x23");
  in_.seekg(0);
  EXPECT_EQ(rest(), "0123");
}

TEST_F(IStreamReaderTest, ABorrowedReaderGoesOnBeforeTheCharacterThatWasPutBack) {
  for (const char byte : {'1', 'Z'}) {
    Reader reader;
    ASSERT_TRUE(reader.open(source("01234")).ok());
    {
      IStreamReader in(reader);
      in.get();
      in.get();
      EXPECT_TRUE(in.putback(byte));
      EXPECT_EQ(in.tellg(), 1);
    }
    EXPECT_EQ(reader.position(), 1u) << byte;
    EXPECT_EQ(reader.get(), '1') << "the source stays as it is";
  }
}

TEST_F(IStreamReaderTest, PutsNothingBackBeforeTheFirstByte) {
  open("text");
  EXPECT_FALSE(in_.putback('x'));
  EXPECT_TRUE(in_.bad());
  in_.clear();
  EXPECT_EQ(rest(), "text");
}

TEST_F(IStreamReaderTest, ACharacterThatWasPutBackSurvivesASyncAndAMove) {
  open("0123");
  in_.get();
  in_.putback('x');
  EXPECT_EQ(in_.sync(), 0);
  IStreamReader moved(std::move(in_));
  EXPECT_EQ(moved.get(), 'x');
  EXPECT_EQ(moved.get(), '1');
}

TEST_F(IStreamReaderTest, AFailedReadSetsBadbitAndTheEndDoesNot) {
  script_->fail_at = 6;
  open("line\ncut off");
  std::string line;
  EXPECT_TRUE(std::getline(in_, line));
  EXPECT_FALSE(std::getline(in_, line));
  EXPECT_EQ(line, "c");
  EXPECT_TRUE(in_.bad());
  EXPECT_EQ(in_.status().code().value(), EIO);
  EXPECT_EQ(in_.status().offset(), 6u);
  EXPECT_FALSE(in_.close().ok());
}

TEST_F(IStreamReaderTest, AFailedReadOfManyBytesSetsBadbit) {
  script_->fail_at = 6;
  open("line\ncut off");
  char bytes[20];
  in_.read(bytes, 20);
  EXPECT_EQ(in_.gcount(), 6);
  EXPECT_TRUE(in_.bad());
}

TEST_F(IStreamReaderTest, ThrowsIfExceptionsAskForIt) {
  script_->fail_at = 3;
  open("12345");
  in_.exceptions(std::ios::badbit);
  int number = 0;
  EXPECT_THROW(in_ >> number, std::ios_base::failure);
  EXPECT_EQ(in_.status().code().value(), EIO);
}

TEST_F(IStreamReaderTest, DoesNotThrowAtTheEndIfExceptionsAskForBadbitAlone) {
  open("12");
  in_.exceptions(std::ios::badbit);
  int number = 0;
  EXPECT_TRUE(in_ >> number);
  EXPECT_FALSE(in_ >> number);
}

TEST_F(IStreamReaderTest, AFailureBelowAFileSetsBadbit) {
  make_file(path_, pattern(0, 1'000'000));
  FaultySystemCalls calls;
  calls.fail(Call::pread, 2, EIO, Repeat::for_ever);
  calls.fail(Call::read, 2, EIO, Repeat::for_ever);
  const os::ScopedSystemCalls in_place(calls);
  ASSERT_TRUE(in_.open(path_).ok());
  in_.ignore(2'000'000);
  EXPECT_TRUE(in_.bad());
  EXPECT_EQ(in_.status().code().value(), EIO);
}

TEST_F(IStreamReaderTest, AFailureThatWasNotAskedForIsTold) {
  script_->fail_at = 3;
  {
    IStreamReader in;
    ASSERT_TRUE(in.open(source("12345")).ok());
    in.ignore(10);
    EXPECT_TRUE(in.bad());
  }
  ASSERT_EQ(lost_.take().size(), 1u);
  {
    IStreamReader in;
    ASSERT_TRUE(in.open(source("12345")).ok());
    in.ignore(10);
    EXPECT_FALSE(in.status().ok());
  }
  EXPECT_TRUE(lost_.take().empty());
}

// These calls of the stream return no Status, so they tell the program nothing.
TEST_F(IStreamReaderTest, AFailureIsUntoldAlsoAfterASeekAndAnUnget) {
  script_->fail_at = 3;
  const std::function<void(IStreamReader&)> calls[] = {
      [](IStreamReader& in) { in.seekg(0); },
      [](IStreamReader& in) { in.seekg(1, std::ios::cur); },
      [](IStreamReader& in) { in.seekg(0, std::ios::end); },
      [](IStreamReader& in) { in.rdbuf()->pubseekoff(2, std::ios::beg); },
      [](IStreamReader& in) { in.unget(); },
      [](IStreamReader& in) { in.rdbuf()->in_avail(); },
  };
  for (const auto& call : calls) {
    {
      IStreamReader in;
      ASSERT_TRUE(in.open(source("12345")).ok());
      in.ignore(10);
      EXPECT_TRUE(in.bad());
      in.clear();
      call(in);
    }
    EXPECT_EQ(lost_.take().size(), 1u) << "call " << &call - &calls[0];
  }
}

TEST_F(IStreamReaderTest, AClosedStreamGetsBadbitAndTellsWhy) {
  open("text");
  EXPECT_TRUE(in_.close().ok());
  EXPECT_TRUE(in_.good());
  EXPECT_EQ(in_.get(), EOF);
  EXPECT_TRUE(in_.bad());
  EXPECT_EQ(in_.status().code().value(), EBADF);
  IStreamReader never_opened;
  EXPECT_EQ(never_opened.get(), EOF);
  EXPECT_TRUE(never_opened.bad());
  EXPECT_EQ(never_opened.status().code().value(), EBADF);
}

TEST_F(IStreamReaderTest, OpenSetsFailbitIfItFailsAndClearsTheStreamIfNot) {
  EXPECT_EQ(in_.open(path_).code().value(), ENOENT);
  EXPECT_TRUE(in_.fail());
  make_file(path_, "text");
  EXPECT_TRUE(in_.open(path_).ok());
  EXPECT_TRUE(in_.good());
  EXPECT_EQ(in_.open(path_).code().value(), EBUSY);
  EXPECT_TRUE(in_.fail());
  in_.clear();
  EXPECT_EQ(rest(), "text");
  EXPECT_TRUE(IStreamReader(directory_.file("none")).fail());
}

TEST_F(IStreamReaderTest, OwnsAReaderThatIsGivenByMove) {
  Reader reader;
  ASSERT_TRUE(reader.open(source("0123")).ok());
  reader.get();
  {
    IStreamReader in(std::move(reader));
    EXPECT_EQ(in.tellg(), 1);
    EXPECT_EQ(in.get(), '1');
  }
  EXPECT_EQ(script_->closes, 1u);
}

TEST_F(IStreamReaderTest, LeavesABorrowedReaderAtItsPosition) {
  Reader reader;
  ASSERT_TRUE(reader.open(source("12 34 56")).ok());
  {
    IStreamReader in(reader);
    int number = 0;
    in >> number;
    EXPECT_EQ(number, 12);
  }
  EXPECT_TRUE(reader.is_open());
  EXPECT_EQ(reader.position(), 2u);
  int number = 0;
  EXPECT_TRUE(reader.next_number(number));
  EXPECT_EQ(number, 34);
}

TEST_F(IStreamReaderTest, DirectUseThroughReaderKeepsTheOrder) {
  open("1 2 3 4 5 6");
  for (int expected = 1; expected <= 6; expected += 2) {
    int number = 0;
    in_ >> number;
    EXPECT_EQ(number, expected);
    EXPECT_TRUE(in_.reader().next_number(number));
    EXPECT_EQ(number, expected + 1);
  }
}

TEST_F(IStreamReaderTest, ABorrowedReaderMayBeUsedDirectlyAfterASync) {
  Reader reader;
  ASSERT_TRUE(reader.open(source("012345")).ok());
  IStreamReader in(reader);
  EXPECT_EQ(in.get(), '0');
  EXPECT_EQ(in.sync(), 0);
  EXPECT_EQ(reader.get(), '1');
  EXPECT_EQ(in.get(), '2');
}

TEST_F(IStreamReaderTest, MovesAndSwapsWithItsPosition) {
  open("0123");
  in_.get();
  IStreamReader moved(std::move(in_));
  EXPECT_EQ(moved.get(), '1');
  EXPECT_FALSE(in_.is_open());  // NOLINT(bugprone-use-after-move): the standard defines it
  make_file(path_, "abcd");
  IStreamReader other(path_);
  other.get();
  swap(moved, other);
  EXPECT_EQ(moved.get(), 'b');
  EXPECT_EQ(other.get(), '2');
  moved = std::move(other);
  EXPECT_EQ(moved.get(), '3');
  EXPECT_EQ(moved.get(), EOF);
}

TEST_F(IStreamReaderTest, AMovedStreamGetsTheBadbitOfItsReads) {
  script_->fail_at = 2;
  open("0123");
  IStreamReader moved(std::move(in_));
  moved.ignore(10);
  EXPECT_TRUE(moved.bad());
  EXPECT_FALSE(in_.bad());  // NOLINT(bugprone-use-after-move): the standard defines it
}

struct CommaIsSpace : std::ctype<char> {
  CommaIsSpace() : ctype(table()) {}
  static const mask* table() {
    static mask masks[table_size];
    std::copy(classic_table(), classic_table() + table_size, masks);
    masks[std::size_t{','}] = space;
    return masks;
  }
};

TEST_F(IStreamReaderTest, ImbueChangesTheParsingOfWhatFollows) {
  open("1 2,3");
  int number = 0;
  in_ >> number;
  in_.imbue(std::locale(std::locale::classic(), new CommaIsSpace));
  in_ >> number >> number;
  EXPECT_EQ(number, 3);
  EXPECT_EQ(in_.rdbuf()->getloc(), in_.getloc());
}

TEST_F(IStreamReaderTest, ATiedStreamIsFlushedBeforeARead) {
  OStreamWriter out(path_);
  out << "prompt";
  open("answer");
  in_.tie(&out);
  in_.get();
  EXPECT_EQ(contents_of(path_), "prompt");
}

TEST_F(IStreamReaderTest, TheSentrySkipsWhitespaceUnlessToldNotTo) {
  open("  x y");
  char byte = 0;
  in_ >> byte;
  EXPECT_EQ(byte, 'x');
  in_ >> std::noskipws >> byte;
  EXPECT_EQ(byte, ' ');
}

}  // namespace
}  // namespace sluice::testing
