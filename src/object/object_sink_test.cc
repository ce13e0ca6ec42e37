// The Sink of an object, over a store that fails where a test says so.
#include "object/object_sink.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "sluice/writer.h"
#include "testing/fake_store.h"
#include "testing/lost_errors.h"
#include "testing/process_facts.h"
#include "testing/scarce_memory.h"

namespace sluice::testing {
namespace {

using object::part_bytes;
using object::Staging;

class ObjectSink : public ::testing::TestWithParam<Staging> {
 protected:
  ObjectSink() { EXPECT_TRUE(store_.put("bucket/object", "old").ok()); }

  void open(const ObjectOptions& options = {}, std::uint64_t max_bytes = UINT64_MAX) {
    std::unique_ptr<Sink> sink;
    ASSERT_TRUE(object::open_sink(store_.place(GetParam(), max_bytes), options, sink).ok());
    ASSERT_TRUE(writer_.open(std::move(sink)).ok());
  }

  void write_parts(int parts) {
    const std::string piece(part_bytes / 4, 'x');
    for (int i = 0; i < parts * 4; ++i) writer_.write(piece);
  }

  // The old object is there alone, and nothing else is in the store.
  void expect_untouched() {
    EXPECT_EQ(store_.listed(), "object=old;");
    EXPECT_EQ(store_.counts.unfinished_uploads, 0);
  }

  // A thread of the Sink may flush when the Sink has gone.
  void wait_for_flush() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (store_.counts.ended_flushes == 0) {
      ASSERT_LT(std::chrono::steady_clock::now(), end);
      std::this_thread::yield();
    }
  }

  FakeStore store_;
  Writer writer_;
};

INSTANTIATE_TEST_SUITE_P(Both, ObjectSink, ::testing::Values(Staging::upload, Staging::beside),
                         [](const auto& of_case) {
                           return of_case.param == Staging::upload ? "Upload" : "Beside";
                         });

TEST_P(ObjectSink, ShowsNothingBeforeCloseAndEverythingAfter) {
  open();
  writer_.write("new");
  EXPECT_TRUE(writer_.flush(FlushTo::storage).ok());
  EXPECT_EQ(store_.listed(), "object=old;");
  EXPECT_TRUE(writer_.close().ok());
  EXPECT_EQ(store_.listed(), "object=new;");
  EXPECT_EQ(store_.counts.unfinished_uploads, 0);
}

TEST_P(ObjectSink, LeavesTheStoreAloneAfterDiscardFailureOrDestruction) {
  open();
  writer_.write("new");
  EXPECT_TRUE(writer_.discard().ok());
  expect_untouched();
  {
    LostErrors lost;
    open();
    writer_.write("new");
    writer_ = Writer();
    EXPECT_EQ(lost.take_messages().size(), 1u);
  }
  expect_untouched();
  store_.faults.refused_byte = 100;
  open();
  writer_.write(std::string(200, 'x'));
  const Status status = writer_.close();
  EXPECT_EQ(status.code().value(), EACCES);
  EXPECT_EQ(status.message(),
            "write fake://bucket/object at byte 0: AWS Error ACCESS_DENIED: no more of this");
  expect_untouched();
}

TEST_P(ObjectSink, IsGivenUpWhenAnExceptionLeavesTheWriter) {
  LostErrors lost;
  try {
    Writer writer;
    std::unique_ptr<Sink> sink;
    ASSERT_TRUE(object::open_sink(store_.place(GetParam()), {}, sink).ok());
    ASSERT_TRUE(writer.open(std::move(sink)).ok());
    writer.write("new");
    throw std::runtime_error("the program has failed");
  } catch (const std::runtime_error&) {
  }
  expect_untouched();
  EXPECT_EQ(lost.take_messages().size(), 1u);
}

TEST_P(ObjectSink, FailsSoonAfterAPartHasFailed) {
  store_.faults.failing_part = 2;
  open({.parts_in_flight = 3});
  write_parts(20);
  EXPECT_FALSE(writer_.status().ok());
  EXPECT_LE(store_.counts.taken_bytes, 6 * part_bytes);
  const Status status = writer_.close();
  EXPECT_EQ(status.operation(), Operation::write);
  EXPECT_GT(status.offset().value_or(0), 2 * part_bytes);
  EXPECT_LE(status.offset().value_or(0), 3 * part_bytes);
  expect_untouched();
}

TEST_P(ObjectSink, QueuesAsManyPartsAsTheOptionsSay) {
  store_.keeps_bytes = false;
  open({.parts_in_flight = 3});
  write_parts(20);
  writer_.write(std::string(part_bytes * 20, 'x'));
  EXPECT_TRUE(writer_.flush().ok());
  EXPECT_EQ(store_.counts.taken_bytes, 40 * part_bytes);
  EXPECT_LE(store_.counts.max_queued_bytes, 3 * part_bytes);
}

TEST_P(ObjectSink, GivesTheUploadUpWhenTheLastPartFails) {
  store_.faults.last_part_fails = true;
  open();
  writer_.write("new");
  EXPECT_EQ(
      writer_.close().message(),
      "close fake://bucket/object: AWS Error SLOW_DOWN during UploadPart operation: try later");
  expect_untouched();
}

TEST_P(ObjectSink, FailsWithoutMemory) {
  store_.faults.memory_runs_out = true;
  std::unique_ptr<Sink> sink;
  ASSERT_TRUE(object::open_sink(store_.place(GetParam()), {}, sink).ok());
  const std::string text = "new";
  const BytesView piece = std::as_bytes(std::span(text));
  std::size_t written = 99;
  EXPECT_EQ(sink->write(0, {&piece, 1}, written).code().value(), ENOMEM);
  EXPECT_EQ(written, 0u);
  EXPECT_TRUE(sink->close().ok());
  expect_untouched();
}

TEST_P(ObjectSink, RefusesTheFirstByteBeyondTheLargestObject) {
  store_.keeps_bytes = false;
  constexpr std::uint64_t largest = 10'000 * std::uint64_t{part_bytes};
  std::unique_ptr<Sink> sink;
  ASSERT_TRUE(object::open_sink(store_.place(GetParam(), largest), {}, sink).ok());
  // The same GiB again and again.
  const std::vector<std::byte> gib(std::size_t{1} << 30);
  const std::vector<BytesView> pieces(98, gib);
  std::size_t written = 0;
  const Status status = sink->write(0, pieces, written);
  EXPECT_EQ(written, largest);
  EXPECT_EQ(status.code().value(), EFBIG);
  EXPECT_EQ(status.message(),
            "write fake://bucket/object at byte 104857600000: the limit of 104857600000 bytes is "
            "reached");
  EXPECT_EQ(store_.counts.taken_bytes, largest);
}

TEST_P(ObjectSink, LeavesTheUploadToTheParentInAForkedChild) {
  open();
  writer_.write("new");
  const int code = exit_code_of_child([&] {
    writer_ = Writer();
    const bool is_left = store_.counts.unfinished_uploads == 1;
    if (store_.listed() != "object=old;" || !is_left) ::_exit(1);
  });
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(writer_.close().ok());
  EXPECT_EQ(store_.listed(), "object=new;");
}

// Parts on their way may never arrive, as where the network drops them.
TEST_P(ObjectSink, IsGivenUpAfterAWhileThoughPartsAreOnTheirWay) {
  store_.longest_wait = std::chrono::milliseconds(20);
  open();
  writer_.write("new");
  store_.faults.parts_hang = true;
  const Status status = writer_.discard();
  EXPECT_EQ(status.code().value(), ETIMEDOUT);
  EXPECT_EQ(status.message(),
            "discard fake://bucket/object: parts were still on their way to the store after 1 s, "
            "and may stay there");
  EXPECT_EQ(store_.listed(), "object=old;");
  // A stream is for one thread at a time, and only the one of an upload can be aborted meanwhile.
  EXPECT_EQ(store_.counts.unfinished_uploads, GetParam() == Staging::upload ? 0 : 1);
  store_.faults.parts_hang = false;
  store_.faults.parts_hang.notify_all();
  wait_for_flush();
  EXPECT_FALSE(store_.latest_upload.expired()) << "its destructor could publish";
  EXPECT_EQ(store_.listed(), "object=old;");
}

TEST_P(ObjectSink, IsGivenUpAlthoughTheLibraryOfTheStoreThrows) {
  open();
  writer_.write("new");
  store_.faults.flush_throws = true;
  EXPECT_TRUE(writer_.discard().ok());
  wait_for_flush();
  expect_untouched();
}

TEST(KeptForEver, NeedsNoMemory) {
  // Static, so that what is kept for ever can be reached to the end.
  static const auto owner = std::make_shared<int>(7);
  ScarceMemory memory(1, ScarceMemory::Lasting::for_ever);
  memory.in([&] { object::keep_for_ever(owner); });
  EXPECT_TRUE(memory.ran_out());
  EXPECT_EQ(owner.use_count(), 2);
}

class ObjectBeside : public ObjectSink {};
INSTANTIATE_TEST_SUITE_P(Alone, ObjectBeside, ::testing::Values(Staging::beside));

TEST_P(ObjectBeside, IsRemovedWhenTheAbortOfItsStreamPublishes) {
  store_.faults.aborting_publishes = true;
  open();
  writer_.write("new");
  EXPECT_TRUE(writer_.discard().ok());
  expect_untouched();
}

TEST_P(ObjectBeside, IsCopiedWhereTheStoreCannotMove) {
  store_.faults.cannot_move = true;
  open();
  writer_.write("new");
  EXPECT_TRUE(writer_.close().ok());
  EXPECT_EQ(store_.listed(), "object=new;");
}

// gs:// copies and removes, and says that the move has failed if the removal has.
TEST_P(ObjectBeside, IsThereAlthoughTheRemovalAfterACopyFails) {
  LostErrors lost;
  store_.is_moved_in_steps = store_.faults.cannot_remove = true;
  store_.faults.losing_answer_to_move = true;
  open();
  writer_.write("new");
  EXPECT_TRUE(writer_.close().ok());
  EXPECT_EQ(lost.take_messages().size(), 1u);
}

TEST_P(ObjectBeside, LeavesTheOldObjectIfTheStoreHasLostItsBytes) {
  store_.faults.object_gets_lost = true;
  open();
  writer_.write("new");
  EXPECT_EQ(writer_.close().message(),
            "close fake://bucket/object: the store said that it has the bytes, but has no object "
            "of 3 bytes");
  EXPECT_EQ(store_.listed(), "object=old;");
}

TEST_P(ObjectBeside, IsNamedIfItMayStay) {
  store_.faults.cannot_remove = true;
  store_.faults.aborting_publishes = true;
  open();
  writer_.write("new");
  const std::string message = writer_.discard().message();
  EXPECT_NE(message.find("; the object bucket/.sluice-"), std::string::npos) << message;
  EXPECT_TRUE(message.ends_with(" may stay in the store")) << message;
}

// gs:// sends each write by a request of its own.
TEST_P(ObjectBeside, GetsSmallWritesTogether) {
  constexpr std::size_t piece_bytes = 20'000;
  store_.least_write_bytes = 5 * piece_bytes;
  std::unique_ptr<Sink> sink;
  ASSERT_TRUE(object::open_sink(store_.place(GetParam()), {}, sink).ok());
  ASSERT_TRUE(writer_.open(std::move(sink), {.block_bytes = piece_bytes}).ok());
  std::string all;
  for (char letter = 'a'; letter < 'm'; ++letter) {
    all.append(piece_bytes, letter);
    writer_.write(std::string(piece_bytes, letter));
  }
  EXPECT_TRUE(writer_.close().ok());
  EXPECT_EQ(store_.listed(), "object=" + all + ";");
  EXPECT_LE(store_.counts.writes, 6);
}

TEST_P(ObjectBeside, MayBeThereWhenTheMoveGotNoAnswer) {
  store_.faults.losing_answer_to_move = true;
  open();
  writer_.write("new");
  EXPECT_EQ(writer_.close().message(),
            "replace fake://bucket/object: no answer (the store may have the object, by a request "
            "that got no answer)");
  EXPECT_EQ(store_.listed(), "object=new;");
}

TEST_P(ObjectBeside, ThatStaysAfterTheCopyIsALostError) {
  LostErrors lost;
  store_.faults.cannot_move = store_.faults.cannot_remove = true;
  open();
  writer_.write("new");
  EXPECT_TRUE(writer_.close().ok());
  EXPECT_NE(store_.listed().find("object=new;"), std::string::npos) << store_.listed();
  const std::vector<std::string> messages = lost.take_messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_TRUE(messages[0].starts_with(
      "discard fake://bucket/object: the object is complete, but the object bucket/.sluice-"))
      << messages[0];
}

class ObjectUpload : public ObjectSink {};
INSTANTIATE_TEST_SUITE_P(Alone, ObjectUpload, ::testing::Values(Staging::upload));

TEST_P(ObjectUpload, IsNeverPublishedWhenItCannotBeAborted) {
  store_.faults.aborting_fails = true;
  open();
  writer_.write("new");
  const Status status = writer_.discard();
  EXPECT_EQ(status.operation(), Operation::discard);
  EXPECT_EQ(status.code().value(), EHOSTUNREACH);
  writer_ = Writer();
  EXPECT_EQ(store_.listed(), "object=old;");
}

TEST_P(ObjectUpload, SaysOnceWhyTheStoreIsNotReached) {
  store_.faults.is_unreachable = true;
  open();
  writer_.write("new");
  EXPECT_EQ(writer_.close().message(),
            "write fake://bucket/object at byte 0: AWS Error NETWORK_CONNECTION during UploadPart "
            "operation: curlCode: 28, Timeout was reached; discard fake://bucket/object: AWS Error "
            "NETWORK_CONNECTION during AbortMultipartUpload; the parts that were sent may stay in "
            "the store");
  open();
  EXPECT_EQ(writer_.discard().message(),
            "discard fake://bucket/object: AWS Error NETWORK_CONNECTION during "
            "AbortMultipartUpload operation: curlCode: 28, Timeout was reached; the parts that "
            "were sent may stay in the store");
}

// Nine requests that get no answer take five minutes.
TEST_P(ObjectUpload, RepeatsNoRequestForLongWhenItIsGivenUpOrHasFailedOrIsComplete) {
  using Watch = object::RequestWatch;
  const auto is_repeated = [&] { return store_.watch->ShouldRetry({0, "", "", true}, 0); };
  for (const bool is_closed : {true, false}) {
    store_.watch = std::make_shared<Watch>(std::chrono::milliseconds(0));
    open();
    writer_.write("new");
    EXPECT_TRUE(is_repeated());
    EXPECT_TRUE(is_closed ? writer_.close().ok() : writer_.discard().ok());
    EXPECT_FALSE(is_repeated());
  }
  store_.watch = std::make_shared<Watch>(std::chrono::milliseconds(0));
  store_.faults.completing_fails = true;
  open();
  writer_.write("new");
  EXPECT_FALSE(writer_.close().ok());
  EXPECT_EQ(store_.counts.repeatable_aborts, 0);
  EXPECT_FALSE(is_repeated());
}

TEST_P(ObjectUpload, IsGivenUpByRequestsThatAreRepeatedForSomeSeconds) {
  store_.watch = std::make_shared<object::RequestWatch>();
  open();
  EXPECT_TRUE(writer_.discard().ok());
  EXPECT_EQ(store_.counts.repeatable_aborts, 1);
}

// Arrow sends 8 parts at the same time, and the ninth one should not wait as long again.
TEST_P(ObjectUpload, RepeatsNoPartForLongAfterAPartWasRepeatedInVain) {
  store_.watch = std::make_shared<object::RequestWatch>(std::chrono::milliseconds(0));
  open();
  EXPECT_TRUE(store_.watch->ShouldRetry({0, "", "", true}, 7));
  EXPECT_FALSE(store_.watch->ShouldRetry({0, "", "", true}, 8));
  EXPECT_FALSE(store_.watch->ShouldRetry({0, "", "", true}, 0));
}

// A store that takes bytes and answers nothing makes each attempt last long.
TEST_P(ObjectUpload, RepeatsNoRequestForLongAfterItsFirstFailure) {
  constexpr std::chrono::milliseconds longest(20);
  object::RequestWatch watch(std::chrono::seconds(10), longest);
  const auto is_repeated = [&](std::int64_t attempted) {
    return watch.ShouldRetry({0, "", "", true}, attempted);
  };
  EXPECT_TRUE(is_repeated(0));
  std::this_thread::sleep_for(2 * longest);
  EXPECT_FALSE(is_repeated(1));
  EXPECT_TRUE(is_repeated(0));  // another request
}

// The library below Arrow repeats some requests, and nobody else knows.
TEST_P(ObjectUpload, AsksForTheObjectAlthoughNoRepetitionWasSeen) {
  store_.watch = std::make_shared<object::RequestWatch>();
  for (const bool is_seen : {true, false}) {
    store_.faults.object_gets_lost = true;
    store_.faults.completing_is_repeated = is_seen;
    open();
    writer_.write("new");
    EXPECT_EQ(writer_.close().code().value(), EIO);
  }
}

// A store that is still copying the parts may say to a repeated request that all is well.
TEST_P(ObjectUpload, WaitsForAnObjectThatComesLater) {
  store_.watch = std::make_shared<object::RequestWatch>();
  store_.faults.completing_is_repeated = true;
  store_.faults.hiding_answers = 3;
  open();
  writer_.write("new");
  EXPECT_TRUE(writer_.close().ok());
  EXPECT_EQ(store_.faults.hiding_answers, 0);
}

// A store that has once said that there is no object must say that it is there.
TEST_P(ObjectUpload, FailsIfTheStoreHasNoObjectAndThenGivesNoAnswer) {
  store_.watch = std::make_shared<object::RequestWatch>();
  store_.faults.completing_is_repeated = store_.faults.answers_fail = true;
  open();
  writer_.write("new");
  EXPECT_TRUE(writer_.close().ok());
  store_.faults.hiding_answers = 1;
  open();
  writer_.write("new");
  EXPECT_EQ(writer_.close().code().value(), EIO);
}

TEST_P(ObjectUpload, SaysThatPartsMayStayWhenItCannotBeCompleted) {
  store_.faults.completing_fails = true;
  open();
  writer_.write("new");
  EXPECT_EQ(writer_.close().message(),
            "close fake://bucket/object: AWS Error SLOW_DOWN: try later (the store may keep the "
            "parts of the upload, or may have the object)");
  EXPECT_EQ(store_.listed(), "object=old;");
}

// Without its last part no object was made.
TEST_P(ObjectUpload, CannotBeThereIfItsLastPartFailedAfterRepetitions) {
  store_.watch = std::make_shared<object::RequestWatch>();
  store_.faults.last_part_fails = true;
  open();
  writer_.write("new");
  EXPECT_EQ(
      writer_.close().message(),
      "close fake://bucket/object: AWS Error SLOW_DOWN during UploadPart operation: try later");
}

TEST_P(ObjectUpload, FailsWhenTheStoreHasNotTheObjectThatItAccepted) {
  store_.faults.object_gets_lost = true;
  open();
  writer_.write("new");
  EXPECT_EQ(writer_.close().message(),
            "close fake://bucket/object: the store said that it has the object, but has no object "
            "of 3 bytes with this name; the parts that were sent may stay in the store");
}

// The store knows no such upload if the answer to the first abort was lost.
TEST_P(ObjectUpload, IsGivenUpAlthoughTheAbortWasDoneBefore) {
  store_.faults.aborting_was_done = true;
  open();
  writer_.write("new");
  EXPECT_TRUE(writer_.discard().ok());
}

// The request that got no answer may have completed the upload.
TEST_P(ObjectUpload, SaysThatTheObjectMayBeThereAfterARepeatedRequest) {
  store_.watch = std::make_shared<object::RequestWatch>();
  store_.faults.completing_fails = true;
  for (const bool is_repeated : {true, false}) {
    store_.faults.completing_is_repeated = is_repeated;
    open();
    writer_.write("new");
    EXPECT_EQ(writer_.close().message(),
              std::string("close fake://bucket/object: AWS Error SLOW_DOWN: try later") +
                  (is_repeated ? " (the store may have the object, by a request that got no answer)"
                               : ""));
  }
}

}  // namespace
}  // namespace sluice::testing
