// The life of an OStreamWriter: open, failures, close, direct use of its Writer, move, fork.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sluice/iostream.h"
#include "testing/faulty_system_calls.h"
#include "testing/lost_errors.h"
#include "testing/pattern.h"
#include "testing/pipe.h"
#include "testing/recording_sink.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

// The first byte of a stream goes to the Writer. Only later bytes lie in the put area, so the tests
// write twice.
class OStreamWriterLife : public ::testing::Test {
 protected:
  std::unique_ptr<Sink> sink() { return std::make_unique<RecordingSink>(recording_); }
  void open(const WriterOptions& options = {}) { EXPECT_TRUE(out_.open(sink(), options).ok()); }
  std::string bytes() const { return recording_->bytes(); }

  std::shared_ptr<Recording> recording_ = std::make_shared<Recording>();
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("target");
  LostErrors lost_;
  OStreamWriter out_;
};

TEST_F(OStreamWriterLife, OpenSetsFailbitIfItFailsAndClearsTheStreamIfNot) {
  EXPECT_EQ(out_.open(directory_.file("none/there")).code().value(), ENOENT);
  EXPECT_TRUE(out_.fail());
  EXPECT_FALSE(out_.is_open());
  EXPECT_EQ(out_.status().code().value(), ENOENT);
  EXPECT_TRUE(out_.open(path_).ok());
  EXPECT_TRUE(out_.good());
  EXPECT_TRUE(out_.is_open());
  EXPECT_TRUE(out_.status().ok());
}

TEST_F(OStreamWriterLife, AnOpenStreamRefusesToOpenAgainAndGoesOn) {
  open();
  out_ << "text";
  EXPECT_EQ(out_.open(path_).code().value(), EBUSY);
  EXPECT_TRUE(out_.fail());
  out_.clear();
  out_ << "more";
  EXPECT_TRUE(out_.close().ok());
  EXPECT_EQ(bytes(), "textmore");
}

TEST_F(OStreamWriterLife, TheConstructorOpens) {
  {
    OStreamWriter out(path_);
    out << "text";
  }
  EXPECT_EQ(contents_of(path_), "text");
  OStreamWriter out(directory_.file("none/there"));
  EXPECT_TRUE(out.fail());
}

TEST_F(OStreamWriterLife, AClosedStreamGetsBadbitAndTellsWhy) {
  open();
  EXPECT_TRUE(out_.close().ok());
  EXPECT_TRUE(out_.good());
  out_ << "text";
  EXPECT_TRUE(out_.bad());
  EXPECT_EQ(out_.status().code().value(), EBADF);
}

TEST_F(OStreamWriterLife, AStreamThatWasNeverOpenedGetsBadbit) {
  out_ << "text";
  EXPECT_TRUE(out_.bad());
  EXPECT_EQ(out_.status().code().value(), EBADF);
  OStreamWriter flushed;
  flushed.flush();
  EXPECT_TRUE(flushed.bad());
  EXPECT_FALSE(flushed.close().ok());
  EXPECT_EQ(flushed.tellp(), -1);
}

TEST_F(OStreamWriterLife, AFailureSetsBadbitAtTheLatestAtClose) {
  recording_->fail_at = 3;
  open();
  out_ << "te"
       << "xt";
  EXPECT_TRUE(out_.good());
  const Status status = out_.close();
  EXPECT_EQ(status.code().value(), ENOSPC);
  EXPECT_EQ(status.offset(), 3u);
  EXPECT_TRUE(out_.bad());
  EXPECT_EQ(out_.status().code().value(), ENOSPC);
  EXPECT_EQ(bytes(), "tex");
}

TEST_F(OStreamWriterLife, AFlushThatFailsSetsBadbit) {
  recording_->fail_at = 3;
  open();
  out_ << "te"
       << "xt" << std::flush;
  EXPECT_TRUE(out_.bad());
  EXPECT_EQ(out_.status().code().value(), ENOSPC);
  out_.clear();
  out_ << "more";  // the Writer keeps its failure
  EXPECT_TRUE(out_.bad());
}

TEST_F(OStreamWriterLife, SputnSaysHowManyBytesWereWritten) {
  recording_->fail_at = 100'003;
  open();
  out_ << "abc";
  const std::string large = pattern(0, 500'000);
  EXPECT_EQ(out_.rdbuf()->sputn(large.data(), 500'000), 100'000);
  EXPECT_EQ(out_.rdbuf()->sputn("x", 1), 0);
  EXPECT_EQ(out_.rdbuf()->sputc('x'), EOF);
}

TEST_F(OStreamWriterLife, ThrowsIfExceptionsAskForIt) {
  recording_->fail_at = 3;
  open();
  out_.exceptions(std::ios::badbit);
  out_ << "text";
  EXPECT_THROW(out_.flush(), std::ios_base::failure);
  EXPECT_EQ(out_.status().code().value(), ENOSPC);
  EXPECT_THROW(static_cast<void>(out_.close()), std::ios_base::failure);
}

TEST_F(OStreamWriterLife, AFullDiskBelowAFileSetsBadbit) {
  FaultySystemCalls calls;
  calls.limit_transfers(701);
  calls.fail(Call::pwritev, 10, ENOSPC, Repeat::for_ever);
  const os::ScopedSystemCalls in_place(calls);
  ASSERT_TRUE(out_.open(path_).ok());
  const std::string text = pattern(0, 1'000'000);
  for (const char byte : text) out_.put(byte);
  EXPECT_EQ(out_.close().code().value(), ENOSPC);
  EXPECT_TRUE(out_.bad());
  const std::string written = contents_of(path_);
  EXPECT_EQ(out_.status().offset(), written.size());
  EXPECT_TRUE(text.starts_with(written));
}

TEST_F(OStreamWriterLife, TheDestructorWritesTheBytesAndTellsWhatIsLost) {
  {
    OStreamWriter out;
    ASSERT_TRUE(out.open(sink()).ok());
    out << "te"
        << "xt";
  }
  EXPECT_EQ(bytes(), "text");
  EXPECT_TRUE(lost_.take().empty());
  recording_ = std::make_shared<Recording>();
  recording_->fail_at = 0;
  {
    OStreamWriter out;
    ASSERT_TRUE(out.open(sink()).ok());
    out << "te"
        << "xt";
  }
  const std::vector<Status> lost = lost_.take();
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].code().value(), ENOSPC);
}

// badbit does not say what has failed.
TEST_F(OStreamWriterLife, AFailureThatWasShownByBadbitAloneIsLost) {
  const std::array<void (*)(OStreamWriter&), 4> calls = {
      [](OStreamWriter& out) { EXPECT_TRUE(out.flush().bad()); },
      [](OStreamWriter& out) { EXPECT_TRUE(out.seekp(1).fail()); },
      [](OStreamWriter& out) {
        out.flush();
        EXPECT_EQ(out.status().code().value(), ENOSPC);
      },
      [](OStreamWriter& out) { EXPECT_EQ(out.close().code().value(), ENOSPC); },
  };
  const std::array<std::size_t, 4> expected = {1, 1, 0, 0};
  for (std::size_t i = 0; i < calls.size(); ++i) {
    recording_ = std::make_shared<Recording>();
    recording_->fail_at = 0;
    {
      OStreamWriter out;
      ASSERT_TRUE(out.open(sink()).ok());
      out << "text";
      calls.at(i)(out);
    }
    EXPECT_EQ(lost_.take().size(), expected.at(i)) << i;
  }
}

TEST_F(OStreamWriterLife, AFileThatIsReplacedStaysUnlessTheStreamIsClosed) {
  make_file(path_, "old");
  {
    OStreamWriter out(path_, {.create = CreateMode::replace_atomically});
    out << "ne"
        << "w";
  }
  EXPECT_EQ(contents_of(path_), "old");
  EXPECT_EQ(lost_.take().size(), 1u);
  OStreamWriter out(path_, {.create = CreateMode::replace_atomically});
  out << "ne"
      << "w";
  EXPECT_TRUE(out.close().ok());
  EXPECT_EQ(contents_of(path_), "new");
}

TEST_F(OStreamWriterLife, AnAssignmentTellsOfDroppedText) {
  OStreamWriter out(path_);
  out << "kept";
  out.setstate(std::ios::badbit);
  out << "dropped";
  out = OStreamWriter();
  EXPECT_EQ(lost_.take().size(), 1u);
}

TEST_F(OStreamWriterLife, OwnsAWriterThatIsGivenByMove) {
  Writer writer;
  ASSERT_TRUE(writer.open(sink()).ok());
  writer.write("head ");
  {
    OStreamWriter out(std::move(writer));
    EXPECT_EQ(out.tellp(), 5);
    out << "te"
        << "xt";
  }
  EXPECT_EQ(bytes(), "head text");
  EXPECT_EQ(recording_->closes(), 1u);
}

TEST_F(OStreamWriterLife, LeavesABorrowedWriterOpenWithAllBytes) {
  Writer writer;
  ASSERT_TRUE(writer.open(sink()).ok());
  {
    OStreamWriter out(writer);
    EXPECT_EQ(out.open(path_).code().value(), EBUSY);
    out.clear();
    out << "te"
        << "xt";
  }
  EXPECT_TRUE(writer.is_open());
  writer.write(" tail");
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(bytes(), "text tail");
}

TEST_F(OStreamWriterLife, DirectUseThroughWriterKeepsTheOrder) {
  open();
  for (int i = 0; i < 1'000; ++i) {
    out_ << i << ' ';
    out_.writer().write_number(i);
    out_.writer().put('\n');
  }
  EXPECT_TRUE(out_.close().ok());
  std::string expected;
  for (int i = 0; i < 1'000; ++i) {
    expected += std::to_string(i) + ' ' + std::to_string(i) + '\n';
  }
  EXPECT_EQ(bytes(), expected);
}

TEST_F(OStreamWriterLife, ABorrowedWriterMayBeUsedDirectlyAfterAFlush) {
  Writer writer;
  ASSERT_TRUE(writer.open(sink()).ok());
  OStreamWriter out(writer);
  out << "o"
      << "ne " << std::flush;
  writer.write("two ");
  out << "three";
  EXPECT_TRUE(out.close().ok());
  EXPECT_EQ(bytes(), "one two three");
}

TEST_F(OStreamWriterLife, MovesWithItsBytesFormatAndState) {
  open();
  out_ << std::hex << "te"
       << "xt";
  OStreamWriter moved(std::move(out_));
  moved << 255;
  EXPECT_FALSE(out_.is_open());  // NOLINT(bugprone-use-after-move): the standard defines it
  OStreamWriter assigned(path_);
  assigned << "fir"
           << "st";
  assigned = std::move(moved);
  EXPECT_EQ(contents_of(path_), "first");
  assigned << 254;
  EXPECT_TRUE(assigned.close().ok());
  EXPECT_EQ(bytes(), "textfffe");
  out_ << "refused";
  EXPECT_TRUE(out_.bad());
  EXPECT_FALSE(out_.status().ok());
}

TEST_F(OStreamWriterLife, MovesWithABorrowedWriter) {
  Writer writer;
  ASSERT_TRUE(writer.open(sink()).ok());
  OStreamWriter out(writer);
  out << "o"
      << "ne ";
  OStreamWriter moved(std::move(out));
  moved << "two";
  EXPECT_TRUE(moved.close().ok());
  EXPECT_FALSE(writer.is_open());
  EXPECT_EQ(bytes(), "one two");
}

TEST_F(OStreamWriterLife, SwapsBytesFormatAndState) {
  open();
  OStreamWriter other(path_);
  out_ << std::hex << "o"
       << "ne ";
  other << "t"
        << "wo ";
  swap(out_, other);
  other << 255;
  out_ << 255;
  EXPECT_TRUE(out_.close().ok());
  EXPECT_TRUE(other.close().ok());
  EXPECT_EQ(bytes(), "one ff");
  EXPECT_EQ(contents_of(path_), "two 255");
}

TEST_F(OStreamWriterLife, TellsThePositionInATargetWithoutPositions) {
  Pipe pipe;
  EXPECT_TRUE(out_.attach(pipe.writing(), "a pipe").ok());
  out_ << "text";
  EXPECT_EQ(out_.tellp(), 4);
  EXPECT_TRUE(out_.close().ok());
}

TEST_F(OStreamWriterLife, AForkedChildWritesNothingAndIsSilent) {
  ASSERT_TRUE(out_.open(path_).ok());
  out_ << "paren"
       << "t's";
  const pid_t child = ::fork();
  if (child == 0) {
    int lost = 0;
    set_lost_error_handler([](const Status&, void* count) { ++*static_cast<int*>(count); }, &lost);
    {
      OStreamWriter out(std::move(out_));
      out << "chil"
          << "d's" << std::flush;
      if (!out.bad() || out.status().code().value() != ECANCELED) ::_exit(1);
    }
    ::_exit(lost == 0 ? 0 : 2);
  }
  int result = 0;
  ASSERT_EQ(::waitpid(child, &result, 0), child);
  EXPECT_EQ(result, 0);
  EXPECT_TRUE(out_.close().ok());
  EXPECT_EQ(contents_of(path_), "parent's");
}

// std::ostream drops what is inserted after failbit, without a call to the stream buffer.
TEST_F(OStreamWriterLife, ClosingAStreamThatHasDroppedBytesFails) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  std::istringstream empty;
  OStreamWriter out(path);
  out << "header\n" << empty.rdbuf() << "footer\n";
  const Status status = out.close();
  EXPECT_EQ(status.code().value(), EINVAL) << status.message();
  EXPECT_EQ(status.offset(), 7U);
  EXPECT_EQ(contents_of(path), "header\n");
  OStreamWriter cleared(path);
  cleared << "header\n" << empty.rdbuf();
  cleared.clear();
  cleared << "footer\n";
  EXPECT_TRUE(cleared.close().ok());
  EXPECT_EQ(contents_of(path), "header\nfooter\n");
}

TEST_F(OStreamWriterLife, DestroyingAStreamThatHasDroppedBytesTellsSo) {
  const ScratchDirectory directory;
  {
    OStreamWriter out(directory.file("file"));
    out << static_cast<const char*>(nullptr) << "dropped";
  }
  EXPECT_EQ(lost_.take().size(), 1U);
  Writer writer;
  ASSERT_TRUE(writer.open(directory.file("borrowed")).ok());
  {
    OStreamWriter out(writer);
    out << static_cast<const char*>(nullptr);
  }
  EXPECT_TRUE(writer.close().ok());
}

TEST_F(OStreamWriterLife, AStreamThatHasDroppedBytesReplacesNoFile) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  make_file(path, "old");
  WriterOptions options;
  options.create = CreateMode::replace_atomically;
  OStreamWriter out(path, options);
  out << "new";
  out.setstate(std::ios_base::failbit);
  EXPECT_FALSE(out.close().ok());
  EXPECT_EQ(contents_of(path), "old");
}

}  // namespace
}  // namespace sluice::testing
