// Building bytes in place: the arguments that commit() accepts, and the arguments that it refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "sluice/writer.h"
#include "testing/recording_sink.h"

namespace sluice::testing {
namespace {

using Steps = std::function<void(Writer&)>;

// Says when the Writer looks at the bytes: when a block is full, or at every byte (for lines, or
// with every_write).
enum class Looking : std::uint8_t { at_blocks, at_lines, at_every_write };
constexpr Looking lookings[] = {Looking::at_blocks, Looking::at_lines, Looking::at_every_write};

// Opens a Writer, runs the steps and closes it. The last step is a mistake of the program.
Status status_after(Looking looking, const std::shared_ptr<Recording>& recording,
                    const Steps& steps) {
  recording->wants_lines = looking == Looking::at_lines;
  const bool every_write = looking == Looking::at_every_write;
  Writer writer;
  Status status =
      writer.open(std::make_unique<RecordingSink>(recording),
                  {.durability = every_write ? Durability::every_write : Durability::none});
  EXPECT_TRUE(status.ok());
  steps(writer);
  EXPECT_FALSE(writer.write("x"));
  return writer.close();
}

// A debug build of the library ends the program at the mistake. Any other build fails the Writer
// with this reason, and writes no byte but those that were `accepted` before.
void expect_refused(Looking looking, const std::string& reason, const Steps& steps,
                    [[maybe_unused]] const std::string& accepted = "") {
  const auto recording = std::make_shared<Recording>();
#ifdef NDEBUG
  const Status status = status_after(looking, recording, steps);
  EXPECT_EQ(status.code().value(), EINVAL) << status.message();
  EXPECT_TRUE(status.message().ends_with(reason)) << status.message();
  EXPECT_EQ(status.offset(), recording->bytes().size()) << "the first byte that is not there";
  EXPECT_EQ(recording->bytes(), accepted);
#else
  EXPECT_DEATH(static_cast<void>(status_after(looking, recording, steps)),
               "commit of more bytes than are reserved")
      << reason;
#endif
}

void reserve_and_fill(Writer& writer, std::size_t bytes) {
  const MutableBytesView room = writer.reserve(bytes);
  EXPECT_EQ(room.size(), bytes);
  std::fill(room.begin(), room.end(), std::byte{'0'});
}

TEST(WriterReserve, RefusesACommitOfMoreThanIsReserved) {
  for (const Looking looking : lookings) {
    expect_refused(
        looking, ": commit of 500 bytes, but only 10 are reserved",
        [](Writer& writer) {
          writer.write("0123");
          reserve_and_fill(writer, 10);
          writer.commit(500);
        },
        "0123");
    expect_refused(looking, ": commit of 11 bytes, but only 10 are reserved", [](Writer& writer) {
      reserve_and_fill(writer, 10);
      writer.commit(11);
    });
    expect_refused(looking, " bytes, but only 10 are reserved", [](Writer& writer) {
      reserve_and_fill(writer, 10);
      writer.commit(static_cast<std::size_t>(-1));  // for example an error of snprintf
    });
    expect_refused(
        looking,
        ": commit of 1 bytes, but no room is reserved, or a later call has ended the reservation",
        [](Writer& writer) { writer.commit(1); });
  }
}

TEST(WriterReserve, RefusesACommitOfBytesThatAreNoLongerReserved) {
  const std::pair<Steps, std::string> calls[] = {
      {[](Writer& writer) { writer.commit(1); }, "0"},
      {[](Writer& writer) { writer.put('0'); }, "0"},
      {[](Writer& writer) { writer.write("0123"); }, "0123"},
      {[](Writer& writer) { static_cast<void>(writer.flush()); }, ""},
      {[](Writer& writer) { EXPECT_TRUE(writer.reserve(1 << 30).empty()); }, ""},
      {[](Writer& writer) { EXPECT_TRUE(writer.reserve(0).empty()); }, ""}};
  for (const Looking looking : lookings) {
    for (const std::pair<Steps, std::string>& call : calls) {
      expect_refused(
          looking,
          ": commit of 2 bytes, but no room is reserved, or a later call has ended the reservation",
          [&](Writer& writer) {
            reserve_and_fill(writer, 10);
            call.first(writer);
            writer.commit(2);
          },
          call.second);
    }
  }
}

TEST(WriterReserve, TakesAnyPartOfTheReservedBytes) {
  for (const std::size_t used : {0u, 1u, 9u, 10u}) {
    const auto recording = std::make_shared<Recording>();
    Writer writer;
    ASSERT_TRUE(writer.open(std::make_unique<RecordingSink>(recording)).ok());
    reserve_and_fill(writer, 10);
    writer.commit(used);
    writer.commit(0);
    EXPECT_TRUE(writer.close().ok());
    EXPECT_EQ(recording->bytes(), std::string(used, '0'));
  }
}

TEST(WriterReserve, MovesWithTheWriter) {
  const auto recording = std::make_shared<Recording>();
  Writer writer;
  ASSERT_TRUE(writer.open(std::make_unique<RecordingSink>(recording)).ok());
  reserve_and_fill(writer, 3);
  Writer other(std::move(writer));
  Writer third;
  third = std::move(other);
  third.commit(2);
  EXPECT_TRUE(third.close().ok());
  EXPECT_EQ(recording->bytes(), "00");
}

}  // namespace
}  // namespace sluice::testing
