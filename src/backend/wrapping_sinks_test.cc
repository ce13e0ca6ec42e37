// Sinks that wrap other Sinks: their counts, limits, checksums and copies, and the calls that they
// refuse.
#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "sluice/sinks.h"
#include "sluice/writer.h"
#include "testing/pattern.h"
#include "testing/recording_sink.h"
#include "testing/scarce_memory.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

BytesView bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::unique_ptr<Sink> recording(const std::shared_ptr<Recording>& recording) {
  return std::make_unique<RecordingSink>(recording);
}

struct Recorded {
  std::shared_ptr<Recording> first = std::make_shared<Recording>();
  std::shared_ptr<Recording> second = std::make_shared<Recording>();
  std::unique_ptr<Sink> tee() const { return make_tee_sink(recording(first), recording(second)); }
};

TEST(WrappingSinks, AreNullAroundANullTarget) {
  std::uint64_t bytes = 0;
  Crc32c checksum;
  EXPECT_EQ(make_counting_sink(nullptr, bytes), nullptr);
  EXPECT_EQ(make_limiting_sink(nullptr, 1), nullptr);
  EXPECT_EQ(make_checksumming_sink(nullptr, checksum), nullptr);
  EXPECT_EQ(make_tee_sink(nullptr, make_null_sink()), nullptr);
  EXPECT_EQ(make_tee_sink(make_null_sink(), nullptr), nullptr);
}

TEST(WrappingSinks, PassOnCallsThatTheyDoNotChange) {
  for (const bool yes : {true, false}) {
    auto wrapped = std::make_shared<Recording>();
    wrapped->wants_lines = wrapped->is_staged = wrapped->allows_write_behind = yes;
    wrapped->wants_full_blocks = wrapped->is_compute_bound = yes;
    wrapped->start_position = 7;
    wrapped->sync_error = ENOTSUP;
    wrapped->close_error = EIO;
    wrapped->publish_status = Status::failure(Operation::replace, "x", EXDEV);
    std::uint64_t bytes = 0;
    const auto counting = make_counting_sink(recording(wrapped), bytes);
    EXPECT_EQ(counting->wants_lines(), yes);
    EXPECT_EQ(counting->is_staged(), yes);
    EXPECT_EQ(counting->allows_write_behind(), yes);
    EXPECT_EQ(counting->wants_full_blocks(), yes);
    EXPECT_EQ(counting->is_compute_bound(), yes);
    EXPECT_EQ(counting->start_position(), 7u);
    EXPECT_EQ(counting->path(), "(recording)");
    EXPECT_EQ(counting->sync().code().value(), ENOTSUP);
    EXPECT_EQ(counting->publish().code().value(), EXDEV);
    EXPECT_EQ(counting->close().code().value(), EIO);
  }
}

TEST(NullSink, AcceptsAnyBytesAtAnyPosition) {
  Writer writer;
  ASSERT_TRUE(writer.open(make_null_sink()).ok());
  EXPECT_TRUE(writer.write(std::string(1'000'000, 'x')));
  EXPECT_TRUE(writer.write_at(5, "bytes").ok());
  EXPECT_TRUE(writer.seek(10).ok());
  EXPECT_TRUE(writer.put('x'));
  EXPECT_TRUE(writer.flush(FlushTo::storage).ok());
  EXPECT_EQ(writer.position(), 11u);
  EXPECT_TRUE(writer.close().ok());
}

TEST(CountingSink, CountsTheBytesThatHaveReachedTheTarget) {
  auto target = std::make_shared<Recording>();
  target->fail_at = 100;
  target->has_positions = true;
  std::uint64_t bytes = 1'000;
  Writer writer;
  ASSERT_TRUE(writer.open(make_counting_sink(recording(target), bytes)).ok());
  writer.write(std::string(60, 'x'));
  EXPECT_EQ(bytes, 1'000u) << "the bytes must still be in the block";
  EXPECT_TRUE(writer.flush().ok());
  EXPECT_TRUE(writer.write_at(0, "patch").ok());
  EXPECT_EQ(bytes, 1'065u);
  writer.write(std::string(60, 'x'));
  EXPECT_FALSE(writer.close().ok());
  EXPECT_EQ(bytes, 1'105u);
}

TEST(LimitingSink, WritesUpToItsLimitAndThenFails) {
  std::string target = "before";
  Writer writer;
  ASSERT_TRUE(writer.open(make_limiting_sink(make_memory_sink(target), 10)).ok());
  writer.write("12345");
  EXPECT_TRUE(writer.flush().ok());
  writer.write("6789");
  writer.write("0abc");
  const Status status = writer.close();
  EXPECT_EQ(status.message(), "write (memory) at byte 16: the limit of 10 bytes is reached");
  EXPECT_EQ(status.code().value(), EFBIG);
  EXPECT_EQ(target, "before1234567890");
}

TEST(LimitingSink, TakesAsMuchAsItsLimit) {
  std::string target;
  Writer writer;
  ASSERT_TRUE(writer.open(make_limiting_sink(make_memory_sink(target), 10)).ok());
  writer.write("1234567890");
  EXPECT_TRUE(writer.write_at(7, "abc").ok());
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(target, "1234567abc");
}

TEST(LimitingSink, StopsPatchesAndBytesBehindASeek) {
  std::string target;
  const auto sink = make_limiting_sink(make_memory_sink(target), 10);
  std::size_t written = 99;
  EXPECT_EQ(sink->write_at(8, bytes_of("abc"), written).offset(), 10u);
  EXPECT_EQ(written, 2u);
  EXPECT_EQ(target.size(), 10u);
  EXPECT_TRUE(sink->seek(50).ok());
  const BytesView piece = bytes_of("x");
  const Status status = sink->write(50, {&piece, 1}, written);
  EXPECT_EQ(status.code().value(), EFBIG);
  EXPECT_EQ(status.offset(), 50u);
  EXPECT_EQ(written, 0u);
  EXPECT_EQ(target.size(), 10u);
}

TEST(LimitingSink, MayHaveALimitThatIsNeverReached) {
  std::string target = "before";
  const auto sink = make_limiting_sink(make_memory_sink(target), UINT64_MAX);
  std::size_t written = 99;
  const BytesView piece = bytes_of("x");
  EXPECT_TRUE(sink->write(6, {&piece, 1}, written).ok());
}

TEST(ChecksummingSink, AddsTheBytesThatHaveReachedTheTarget) {
  auto target = std::make_shared<Recording>();
  target->fail_at = 100'000;
  Crc32c checksum;
  Writer writer;
  ASSERT_TRUE(writer.open(make_checksumming_sink(recording(target), checksum)).ok());
  const std::string bytes = pattern(0, 150'000);
  writer.write(std::string_view(bytes).substr(0, 10'000));
  writer.write(std::string_view(bytes).substr(10'000));
  EXPECT_FALSE(writer.close().ok());
  Crc32c expected;
  expected.add(bytes_of(std::string_view(bytes).substr(0, 100'000)));
  EXPECT_EQ(checksum.value(), expected.value());
}

TEST(ChecksummingSink, RefusesCallsThatWouldFalsifyItsChecksum) {
  std::string target;
  Crc32c checksum;
  Writer writer;
  ASSERT_TRUE(writer.open(make_checksumming_sink(make_memory_sink(target), checksum)).ok());
  writer.write("123456789");
  EXPECT_TRUE(writer.flush().ok());
  const Status status = writer.write_at(0, "x");
  EXPECT_EQ(status.message(),
            "write (memory) at byte 0: it has no positions, because its checksum needs the bytes "
            "in sequence");
  EXPECT_EQ(status.code().value(), ESPIPE);
  EXPECT_EQ(writer.seek(0).code().value(), ESPIPE);
  EXPECT_TRUE(writer.close().ok()) << "the Writer goes on";
  EXPECT_EQ(target, "123456789");
  EXPECT_EQ(checksum.value(), 0xe3069283u);
}

TEST(TeeSink, NamesTheByteOfTheSinkThatFailed) {
  std::string first = "before";
  const auto recording = std::make_shared<Recording>();
  recording->start_position = 1'000;
  recording->fail_at = 1'002;
  Writer writer;
  ASSERT_TRUE(
      writer
          .open(make_tee_sink(make_memory_sink(first), std::make_unique<RecordingSink>(recording)))
          .ok());
  EXPECT_TRUE(writer.write("text"));
  EXPECT_EQ(writer.close().message(),
            "write (memory) and (recording) at byte 8: write (recording) at byte 1002: No space "
            "left on device");
  EXPECT_EQ(writer.position(), 8u);
}

TEST(TeeSink, WritesToBothAndStartsWhereEachEnds) {
  std::string first = "before";
  std::string second;
  Writer writer;
  ASSERT_TRUE(writer.open(make_tee_sink(make_memory_sink(first), make_memory_sink(second))).ok());
  EXPECT_EQ(writer.position(), 6u);
  writer.write(pattern(0, 100'000));
  EXPECT_TRUE(writer.write_at(50'006, "patch").ok());
  EXPECT_EQ(
      writer.write_at(2, "x").message(),
      "write (memory) and (memory) at byte 2: the two Sinks began at different positions, and "
      "the bytes before the beginnings do not correspond")
      << "the second target has no such position";
  EXPECT_EQ(writer.seek(5).code().value(), ESPIPE);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_TRUE(first == "before" + second);
  EXPECT_EQ(second.substr(50'000, 5), "patch");
}

TEST(TeeSink, KeepsBothAlikeWhenTheFirstFails) {
  const Recorded both;
  both.first->fail_at = 1'000;
  both.first->write_error = EIO;
  const auto tee = both.tee();
  const std::string bytes = pattern(0, 1'500);
  const BytesView pieces[] = {bytes_of(bytes).first(700), bytes_of(bytes).subspan(700)};
  std::size_t written = 9'999;
  const Status status = tee->write(0, pieces, written);
  EXPECT_EQ(status.code().value(), EIO);
  EXPECT_EQ(status.offset(), 1'000u);
  EXPECT_EQ(written, 1'000u);
  EXPECT_TRUE(both.second->bytes() == bytes.substr(0, 1'000));
}

TEST(TeeSink, NamesTheFirstByteThatIsMissingInOneTarget) {
  const Recorded both;
  both.first->fail_at = 1'000;
  both.second->fail_at = 900;
  const auto tee = both.tee();
  const std::string bytes = pattern(0, 1'500);
  const BytesView piece = bytes_of(bytes);
  std::size_t written = 9'999;
  both.first->write_error = EIO;
  EXPECT_EQ(tee->write(0, {&piece, 1}, written).message(),
            "write (recording) at byte 900: No space left on device; "
            "write (recording) at byte 1000: Input/output error");
  EXPECT_EQ(written, 900u);
}

// If only one target could take a patch, the two targets would differ afterwards.
TEST(TeeSink, HasPositionsIfBothTargetsHavePositions) {
  for (const bool first_has : {true, false}) {
    const Recorded both;
    both.first->has_positions = first_has;
    both.second->has_positions = !first_has;
    const auto tee = both.tee();
    const BytesView piece = bytes_of("0123456789");
    std::size_t written = 0;
    EXPECT_TRUE(tee->write(0, {&piece, 1}, written).ok());
    EXPECT_EQ(tee->write_at(2, bytes_of("x"), written).code().value(), ESPIPE);
    EXPECT_EQ(tee->seek(2).code().value(), ESPIPE);
    EXPECT_TRUE(tee->write(10, {&piece, 1}, written).ok());
    EXPECT_EQ(both.first->bytes(), "01234567890123456789");
    EXPECT_EQ(both.second->bytes(), "01234567890123456789");
    EXPECT_FALSE(both.first->out_of_turn());
    EXPECT_FALSE(both.second->out_of_turn());
  }
}

TEST(TeeSink, StaysWhereItIsIfItsSecondTargetCannotSeek) {
  const Recorded both;
  both.first->has_positions = both.second->has_positions = true;
  const auto tee = both.tee();
  const BytesView piece = bytes_of("0123456789");
  std::size_t written = 0;
  EXPECT_TRUE(tee->write(0, {&piece, 1}, written).ok());
  EXPECT_TRUE(tee->seek(10).ok());
  both.second->seek_error = EFBIG;
  EXPECT_EQ(tee->seek(2).code().value(), EFBIG);
  EXPECT_TRUE(tee->write(10, {&piece, 1}, written).ok());
  EXPECT_EQ(both.first->bytes(), "01234567890123456789");
  EXPECT_FALSE(both.first->out_of_turn());
  EXPECT_FALSE(both.second->out_of_turn());
}

// "Cannot be made durable" is not a failure of the Writer. If the other target has a real failure,
// the tee must report the real failure.
TEST(TeeSink, ReportsTheWorseFailureOfASync) {
  for (const bool first_is_graver : {true, false}) {
    const Recorded both;
    (first_is_graver ? both.first : both.second)->sync_error = EIO;
    (first_is_graver ? both.second : both.first)->sync_error = ENOTSUP;
    EXPECT_EQ(both.tee()->sync().code().value(), EIO);
    EXPECT_EQ(both.first->syncs(), 1u);
    EXPECT_EQ(both.second->syncs(), 1u);
  }
}

TEST(TeeSink, PublishesTheSecondThoughTheNameOfTheFirstMayBeLost) {
  const Recorded both;
  both.first->is_staged = both.second->is_staged = true;
  both.first->publish_status = Status::failure(Operation::sync_directory, "first", EIO);
  const auto tee = both.tee();
  EXPECT_EQ(tee->publish().operation(), Operation::sync_directory);
  EXPECT_EQ(both.second->publishes(), 1u);
  both.first->publish_status = {};
  EXPECT_TRUE(tee->publish().ok());
  EXPECT_EQ(both.first->publishes(), 2u);
  EXPECT_EQ(both.second->publishes(), 1u) << "the second file must be published only once";
}

// A new file that cannot be made durable is not put in place either.
TEST(TeeSink, PublishesNothingAfterAFailure) {
  for (const auto& [operation, code] :
       {std::pair(Operation::replace, EXDEV), std::pair(Operation::sync, EIO),
        std::pair(Operation::sync, ENOTSUP)}) {
    const Recorded both;
    both.first->is_staged = both.second->is_staged = true;
    both.first->publish_status = Status::failure(operation, "first", code);
    EXPECT_EQ(both.tee()->publish().code().value(), code);
    EXPECT_EQ(both.second->publishes(), 0u);
  }
}

// Says that it has written, and has not.
class ForgetfulSink final : public Sink {
 public:
  Status write(std::uint64_t, std::span<const BytesView>, std::size_t& written) override {
    written = 0;
    return {};
  }
  Status sync() override { return {}; }
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  const std::string path_ = "(forgetful)";
};

TEST(TeeSink, FailsIfItsFirstTargetHasForgottenBytes) {
  std::string second;
  Writer writer;
  ASSERT_TRUE(
      writer.open(make_tee_sink(std::make_unique<ForgetfulSink>(), make_memory_sink(second))).ok());
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_EQ(writer.close().code().value(), EIO);
  EXPECT_EQ(second, "") << "the second target gets the bytes that have reached the first one";
}

// Goes to a position once, and not back.
class OneWaySink final : public Sink {
 public:
  Status write(std::uint64_t, std::span<const BytesView> pieces, std::size_t& written) override {
    written = 0;
    for (const BytesView piece : pieces) written += piece.size();
    return {};
  }
  Status seek(std::uint64_t position) override {
    if (position == place_ || !has_moved_) {
      has_moved_ = position != place_;
      place_ = position;
      return {};
    }
    return Status::failure(Operation::seek, path_, ESPIPE, position);
  }
  Status sync() override { return {}; }
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  const std::string path_ = "(one way)";
  std::uint64_t place_ = 0;
  bool has_moved_ = false;
};

TEST(TeeSink, FailsIfItsFirstTargetCannotGoBack) {
  const auto second = std::make_shared<Recording>();
  second->has_positions = true;
  const auto tee = make_tee_sink(std::make_unique<OneWaySink>(), recording(second));
  EXPECT_TRUE(tee->seek(0).ok());
  second->seek_error = EFBIG;
  const Status status = tee->seek(7);
  EXPECT_EQ(status.code().value(), EIO) << "after EFBIG a Writer goes on";
  EXPECT_EQ(status.message(),
            "seek (one way) at byte 0: it cannot go back to the place of the next byte: Illegal "
            "seek");
}

TEST(TeeSink, HasNoOrdinaryEndBecauseTheOtherTargetMissesBytes) {
  const Recorded both;
  EXPECT_FALSE(both.tee()->is_ordinary_end(Status::failure(Operation::write, "one", EPIPE)));
}

TEST(NullSink, IsNullWithoutMemory) {
  for (std::size_t nth = 1; nth <= 2; ++nth) {
    ScarceMemory memory(nth, ScarceMemory::Lasting::for_ever);
    const bool is_null = memory.in([] { return make_null_sink() == nullptr; });
    EXPECT_EQ(is_null, memory.ran_out()) << nth;
  }
}

TEST(TeeSink, ClosesBothWhicheverFails) {
  const Recorded both;
  both.first->close_error = EIO;
  EXPECT_EQ(both.tee()->close().code().value(), EIO);
  EXPECT_EQ(both.second->closes(), 1u);
}

TEST(TeeSink, HasTheWishesOfBothTargets) {
  for (const bool first : {true, false}) {
    for (const bool second : {true, false}) {
      const Recorded both;
      both.first->wants_lines = both.first->allows_write_behind = first;
      both.second->wants_lines = both.second->allows_write_behind = second;
      both.first->wants_full_blocks = both.first->is_compute_bound = first;
      both.second->wants_full_blocks = both.second->is_compute_bound = second;
      const auto tee = both.tee();
      EXPECT_EQ(tee->wants_lines(), first || second);
      EXPECT_EQ(tee->allows_write_behind(), first && second);
      EXPECT_EQ(tee->wants_full_blocks(), first || second);
      EXPECT_EQ(tee->is_compute_bound(), first || second);
    }
  }
}

TEST(TeeSink, ReplacesTwoFilesOrNone) {
  ScratchDirectory directory;
  const std::string paths[] = {directory.file("first"), directory.file("second")};
  const WriterOptions options{.create = CreateMode::replace_atomically};
  for (const bool closed : {false, true}) {
    std::unique_ptr<Sink> sinks[2];
    for (int i = 0; i < 2; ++i) {
      make_file(paths[i], "old");
      ASSERT_TRUE(open_file_sink(paths[i], options, sinks[i]).ok());
    }
    Writer writer;
    ASSERT_TRUE(writer.open(make_tee_sink(std::move(sinks[0]), std::move(sinks[1]))).ok());
    writer.write("new");
    EXPECT_TRUE((closed ? writer.close() : writer.discard()).ok());
    for (const std::string& path : paths) EXPECT_EQ(contents_of(path), closed ? "new" : "old");
    EXPECT_EQ(number_of_files(directory.path()), 2u);
  }
}

TEST(TeeSink, RefusesAReplacedTargetBesideAnotherKind) {
  for (const bool first_is_staged : {true, false}) {
    for (const std::string_view text : {"", "bytes"}) {
      const Recorded both;
      (first_is_staged ? both.first : both.second)->is_staged = true;
      Writer writer;
      ASSERT_TRUE(writer.open(both.tee()).ok());
      writer.write(text);
      EXPECT_EQ(writer.close().code().value(), EINVAL);
      EXPECT_EQ(both.first->bytes() + both.second->bytes(), "");
      EXPECT_EQ(both.first->publishes() + both.second->publishes(), 0u);
    }
  }
}

}  // namespace
}  // namespace sluice::testing
