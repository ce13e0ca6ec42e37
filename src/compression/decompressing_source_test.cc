// A decompressing Source above a Source that reads at a place of its own, as a descriptor does.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "os/system_calls.h"
#include "sluice/compression.h"
#include "sluice/zstd.h"
#include "testing/allocation_counter.h"
#include "testing/compressed_file.h"
#include "testing/faulty_source.h"
#include "testing/faulty_system_calls.h"
#include "testing/foreign_frames.h"
#include "testing/lost_errors.h"
#include "testing/memory_sweep.h"
#include "testing/pattern.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

Status open_descriptor(Reader& reader, int descriptor, const std::string& name) {
  std::unique_ptr<Source> from;
  std::unique_ptr<Source> source;
  Status status = open_descriptor_source(descriptor, name, from);
  if (status.ok()) status = make_decompressing_source(std::move(from), {&zstd()}, source);
  return status.ok() ? reader.open(std::move(source)) : status;
}

// Reads all bytes that follow. Reader::read_rest() would ask for the size once more.
Status read_on(Reader& reader, std::string& bytes) {
  for (BytesView some = reader.peek(1); !some.empty(); some = reader.peek(1)) {
    bytes.append(reinterpret_cast<const char*>(some.data()), some.size());
    reader.skip(some.size());
  }
  return reader.status();
}

// The Reader goes on after a size() or a seek() that has failed, and after those that have not.
TEST(OutOfMemory, WhileADescriptorIsDecompressed) {
  const std::string plain = lines(50'000);
  const std::string file = compressed_by(zstd(), plain);
  const LostErrors lost;
  for (const bool seeks : {false, true}) {
    sweep([&](Attempt& attempt) {
      make_file(attempt.path, file);
      const int descriptor = ::open(attempt.path.c_str(), O_RDONLY | O_CLOEXEC);
      std::optional<Reader> reader(std::in_place);
      if (attempt.succeeds([&] { return open_descriptor(*reader, descriptor, attempt.path); })) {
        std::uint64_t bytes = 0;
        const bool is_done =
            attempt.succeeds([&] { return seeks ? reader->seek(30'000) : reader->size(bytes); });
        std::string back;
        back.reserve(2 * plain.size());
        if (attempt.succeeds([&] { return read_on(*reader, back); })) {
          EXPECT_TRUE(back == plain.substr(seeks && is_done ? 30'000 : 0));
        }
      }
      attempt.memory.in([&] { reader.reset(); });
      ::close(descriptor);
    });
  }
}

// The compressed bytes are more than are fetched at once, so the Source must go back to the next.
TEST(DecompressingSource, ReadsOnWhereItWasIfItCannotSeek) {
  const ScratchDirectory directory;
  const std::string path = directory.file("f");
  const std::string plain = pattern(0, 300'000);
  make_file(path, compressed_by(zstd(), plain));
  const LostErrors lost;
  for (const Repeat repeat : {Repeat::once, Repeat::for_ever}) {
    for (const bool seeks : {false, true}) {
      bool has_failed = true;
      for (std::size_t nth = 1; has_failed; ++nth) {
        SCOPED_TRACE("call " + std::to_string(nth));
        ASSERT_LT(nth, 100u);
        const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        FaultySystemCalls calls;
        calls.fail(Call::seek_to, nth, EIO, repeat);
        const os::ScopedSystemCalls in_place(calls);
        Reader reader;
        ASSERT_TRUE(open_descriptor(reader, descriptor, path).ok());
        std::uint64_t bytes = 0;
        const Status status = seeks ? reader.seek(30'000) : reader.size(bytes);
        std::string back;
        const Status read = read_on(reader, back);
        const std::string expected = plain.substr(seeks && status.ok() ? 30'000 : 0);
        EXPECT_TRUE(read.ok() ? back == expected : expected.starts_with(back)) << calls.log();
        EXPECT_TRUE(read.ok() || read.code().value() == EIO) << read.message();
        EXPECT_TRUE(read.ok() || repeat == Repeat::for_ever || status.ok()) << read.message();
        has_failed = !calls.injected().empty();
        ::close(descriptor);
      }
    }
  }
}

// A read takes the whole next record, and its bytes that do not fit into the room are lost.
TEST(DecompressingSource, LosesNoByteOfRecords) {
  const std::string plain = lines(50'000);
  for (const std::string& file : {plain, compressed_by(zstd(), plain), std::string("abc")}) {
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    for (std::size_t at = 0; at < file.size(); at += 1000) {
      const std::string record = file.substr(at, 1000);
      ASSERT_EQ(::send(ends[0], record.data(), record.size(), 0),
                static_cast<ssize_t>(record.size()));
    }
    ::close(ends[0]);
    Reader reader;
    ASSERT_TRUE(open_descriptor(reader, ends[1], "(records)").ok());
    std::string back;
    EXPECT_TRUE(read_on(reader, back).ok()) << reader.status().message();
    EXPECT_TRUE(back == (file == "abc" ? file : plain)) << back.size();
    ::close(ends[1]);
  }
}

std::unique_ptr<Source> decompressing(std::unique_ptr<Source> from) {
  std::unique_ptr<Source> source;
  const Status status = make_decompressing_source(std::move(from), {&zstd()}, source);
  EXPECT_TRUE(status.ok()) << status.message();
  return source;
}

// Reads so many bytes, or up to the first failure.
Status read_some(Source& source, std::uint64_t position, std::size_t wanted, std::string& bytes) {
  bytes.resize(wanted);
  std::size_t read = 0;
  Status status;
  while (read < wanted) {
    std::size_t got = 0;
    const auto into = std::as_writable_bytes(std::span(bytes)).subspan(read);
    status = source.read(position + read, into, got);
    if (!status.ok() || got == 0) break;
    read += got;
  }
  bytes.resize(read);
  return status;
}

// The compressed bytes of the frame are more than are fetched at once, and the second fetch fails.
TEST(DecompressingSource, GivesTheRightBytesAfterAFailureInTheMiddleOfAFrame) {
  const std::string plain = lines(1'000'000);
  const auto script = std::make_shared<SourceScript>();
  script->bytes = compressed_by(zstd(), plain, {.frame_bytes = 1 << 20});
  script->has_positions = script->reads_anywhere = true;
  const std::unique_ptr<Source> source = decompressing(std::make_unique<FaultySource>(script));
  script->fail_at = 200'000;
  std::string bytes;
  EXPECT_EQ(read_some(*source, 0, plain.size(), bytes).code().value(), EIO);
  EXPECT_EQ(bytes, "");
  script->fail_at = UINT64_MAX;
  EXPECT_EQ(read_some(*source, 0, plain.size(), bytes).code().value(), EIO) << "without a seek";
  for (const std::size_t position : {0u, 300'000u}) {
    ASSERT_TRUE(source->seek(position).ok());
    EXPECT_TRUE(read_some(*source, position, 500'000, bytes).ok());
    EXPECT_TRUE(bytes == plain.substr(position, 500'000)) << position;
  }
}

TEST(DecompressingSource, ReadsWhatWasAppendedBehindItsSeekTable) {
  const std::string plain = lines(50'000);
  const std::string more = "more of it\n" + lines(20'000);
  const auto script = std::make_shared<SourceScript>();
  script->bytes = compressed_by(zstd(), plain);
  script->size = script->bytes.size();
  script->has_positions = script->reads_anywhere = true;
  const std::unique_ptr<Source> source = decompressing(std::make_unique<FaultySource>(script));
  ASSERT_TRUE(source->seek(40'000).ok());
  script->bytes += compressed_by(zstd(), more);
  for (const std::size_t position : {40'000u, 60'000u, 10'000u}) {
    std::string bytes;
    ASSERT_TRUE(source->seek(position).ok());
    EXPECT_TRUE(read_some(*source, position, 100'000, bytes).ok()) << position;
    EXPECT_TRUE(bytes == (plain + more).substr(position)) << position;
  }
}

// Every frame has 1 MiB, of which the last 8 bytes are its number. Compressed it has about 8 KiB.
TEST(DecompressingSource, RemembersFramesInBoundedMemory) {
  if (sanitized) GTEST_SKIP() << "decompresses 3 GiB";
  constexpr std::size_t frame_bytes = 1 << 20;
  constexpr std::uint64_t frames = 3000;
  const auto script = std::make_shared<SourceScript>();
  std::string frame = pattern(0, 8 * 1024);
  frame.resize(frame_bytes);
  for (std::uint64_t i = 0; i < frames; ++i) {
    std::memcpy(frame.data() + frame_bytes - sizeof i, &i, sizeof i);
    script->bytes += zstd_frame(frame);
  }
  script->has_positions = script->reads_anywhere = true;
  Reader reader;
  ASSERT_TRUE(reader.open(decompressing(std::make_unique<FaultySource>(script))).ok());
  reader.skip(1200 * frame_bytes);
  const std::size_t before = heap_bytes_in_use();
  reader.skip((frames - 1200) * frame_bytes);
  EXPECT_LE(heap_bytes_in_use(), before + 1024);
  for (const std::uint64_t i : {std::uint64_t{2999}, std::uint64_t{3}, std::uint64_t{1500}}) {
    const std::size_t reads = script->reads;
    std::uint64_t number = 0;
    ASSERT_TRUE(reader.seek((i + 1) * frame_bytes - sizeof number).ok());
    ASSERT_EQ(reader.read(&number, sizeof number), sizeof number);
    EXPECT_EQ(number, i);
    EXPECT_LE(script->reads, reads + 3) << "the whole file was decompressed";
  }
}

}  // namespace
}  // namespace sluice::testing
