// Reading from a store that answers with fewer bytes, while Arrow says that all have come.
#include "object/checked_read.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "object/object_source.h"
#include "sluice/reader.h"
#include "testing/fake_store.h"
#include "testing/pattern.h"

namespace sluice::testing {
namespace {

// Like Arrow's file on S3: it knows the size that the object had when it was opened, and returns
// the number of bytes that it asks for.
class ReplacedFile final : public arrow::io::RandomAccessFile {
 public:
  ReplacedFile(std::string bytes, std::size_t size) : bytes_(std::move(bytes)), size_(size) {}

  arrow::Result<std::int64_t> ReadAt(std::int64_t position, std::int64_t count,
                                     void* out) override {
    ++requests;
    const auto begin = static_cast<std::size_t>(position);
    const auto most = static_cast<std::size_t>(count);
    if (begin >= bytes_.size()) return arrow::Status::IOError("AWS Error (HTTP status 416)");
    if (takes_bytes_from_memory) bytes_.replace(begin, most, static_cast<const char*>(out), most);
    std::memcpy(out, bytes_.data() + begin, std::min(most, bytes_.size() - begin));
    return count;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(std::int64_t, std::int64_t) override {
    return unused();
  }
  arrow::Result<std::int64_t> GetSize() override { return static_cast<std::int64_t>(size_); }
  arrow::Result<std::int64_t> Read(std::int64_t, void*) override { return unused(); }
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(std::int64_t) override { return unused(); }
  arrow::Status Seek(std::int64_t) override { return unused(); }
  arrow::Result<std::int64_t> Tell() const override { return unused(); }
  arrow::Status Close() override { return arrow::Status::OK(); }
  bool closed() const override { return false; }

  int requests = 0;
  bool takes_bytes_from_memory = false;  // the object has what the memory had before the request

 private:
  static arrow::Status unused() { return arrow::Status::NotImplemented("not used"); }

  std::string bytes_;
  const std::size_t size_;
};

class ReplacedStore : public FakeStore {
 public:
  explicit ReplacedStore(std::shared_ptr<ReplacedFile> file) : file_(std::move(file)) {}
  using MockFileSystem::OpenInputFile;
  arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenInputFile(
      const std::string& /*path*/) override {
    return file_;
  }

 private:
  const std::shared_ptr<ReplacedFile> file_;
};

constexpr std::size_t size = 5'000;

// Reads as many bytes as `part` has.
arrow::Result<std::int64_t> read(ReplacedFile& file, std::size_t position, std::string& part) {
  return object::read_checked(file, static_cast<std::int64_t>(position),
                              static_cast<std::int64_t>(part.size()),
                              reinterpret_cast<std::byte*>(part.data()));
}

// The second request may begin where the store has nothing, and then fails.
bool notices(const arrow::Result<std::int64_t>& got, std::size_t bytes) {
  return !got.ok() || static_cast<std::size_t>(*got) < bytes;
}

TEST(CheckedRead, NoticesEachNumberOfMissingBytes) {
  for (std::size_t missing = 1; missing < 300; ++missing) {
    ReplacedFile file(pattern(0, size - missing), size);
    for (const std::size_t bytes : {std::size_t{301}, std::size_t{1'000}, size}) {
      std::string part(bytes, ' ');
      ASSERT_TRUE(notices(read(file, size - bytes, part), bytes)) << missing << " of " << bytes;
    }
  }
}

TEST(CheckedRead, NoticesAMissingByteInTheShortestRanges) {
  for (std::size_t bytes = 2; bytes < 40; ++bytes) {
    ReplacedFile file(pattern(0, size - 1), size);
    std::string part(bytes, ' ');
    EXPECT_TRUE(notices(read(file, size - bytes, part), bytes)) << bytes;
  }
}

TEST(CheckedRead, TakesARangeWithOneRequest) {
  ReplacedFile file(pattern(0, size), size);
  std::string part(size, ' ');
  const arrow::Result<std::int64_t> got = read(file, 0, part);
  EXPECT_TRUE(got.ok() && *got == static_cast<std::int64_t>(size));
  EXPECT_EQ(part, pattern(0, size));
  EXPECT_EQ(file.requests, 1);
}

// The bytes of an object may be those that mark the memory.
TEST(CheckedRead, TakesARangeThatEndsAsMemoryIsMarked) {
  ReplacedFile file(std::string(size, 'x'), size);
  file.takes_bytes_from_memory = true;
  std::string part(100, ' ');
  EXPECT_TRUE(notices(read(file, 0, part), part.size())) << "the second request gave other bytes";
  EXPECT_EQ(file.requests, 2);
  // Now `part` has the mark at its end, and so has this object.
  ReplacedFile same(part, part.size());
  const arrow::Result<std::int64_t> got = read(same, 0, part);
  EXPECT_TRUE(got.ok() && *got == 100);
  EXPECT_EQ(same.requests, 2);
}

TEST(CheckedRead, IsWhatASourceDoesWhereArrowDoesNotCount) {
  const auto file = std::make_shared<ReplacedFile>(pattern(0, size - 1'000), size);
  ReplacedStore store(file);
  object::Place place = store.place(object::Staging::upload);
  place.counts_what_it_asks_for = true;
  std::unique_ptr<Source> source;
  ASSERT_TRUE(object::open_source(std::move(place), {}, source).ok());
  Reader reader;
  ASSERT_TRUE(reader.open(std::move(source)).ok());
  std::string all;
  EXPECT_FALSE(reader.read_rest(all).ok());
  EXPECT_EQ(reader.status().code().value(), EIO);
  EXPECT_EQ(reader.status().message(),
            "read fake://bucket/object at byte 0: the store has fewer bytes than the object had "
            "when it was opened: it may have been replaced by a shorter one");
  EXPECT_EQ(all, "");
}

// At exit Arrow's variables for S3 would end before the call that ends S3.
TEST(ObjectPlaceDeathTest, OfAFileBeforeOneOfS3DoesNoHarmAtExit) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto find_both_and_end = [] {
    for (const char* const text :
         {"file:///name", "s3://bucket/name?region=x&scheme=http&endpoint_override=127.0.0.1:1"}) {
      object::ObjectUri uri;
      object::Place place;
      if (!object::parse_uri(text, uri).ok() || !object::find_place(uri, place).ok()) std::exit(2);
    }
    std::exit(0);
  };
  EXPECT_EXIT(find_both_and_end(), ::testing::ExitedWithCode(0), "");
}

TEST(CheckedRead, IsWhatASourceDoesOnS3) {
  for (const auto& [text, expected] :
       {std::pair("s3://bucket/name?region=x&scheme=http&endpoint_override=127.0.0.1:1", true),
        std::pair("file:///name", false)}) {
    object::ObjectUri uri;
    object::Place place;
    ASSERT_TRUE(object::parse_uri(text, uri).ok());
    ASSERT_TRUE(object::find_place(uri, place).ok());
    EXPECT_EQ(place.counts_what_it_asks_for, expected) << text;
  }
}

}  // namespace
}  // namespace sluice::testing
