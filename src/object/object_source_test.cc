// The Source of an object, over a store that counts and delays what it is asked for.
#include "object/object_source.h"

#include <arrow/io/interfaces.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include "sluice/reader.h"
#include "testing/allocation_counter.h"
#include "testing/fake_store.h"
#include "testing/pattern.h"

namespace sluice::testing {
namespace {

constexpr std::size_t small_range = 4096;

struct Requests {
  std::atomic<int> now = 0;
  std::atomic<int> most = 0;
  std::atomic<int> all = 0;
  std::atomic<int> ended = 0;
  std::atomic<int> failing = -1;   // this request fails, counted from 0
  std::atomic<int> cut = -1;       // this request gives a byte less
  std::atomic<int> waiting = -1;   // this request waits for the request after the next one
  std::atomic<bool> met = false;   // it has come
  std::atomic<bool> held = false;  // no request ends
};

// Requests that a Source has left may run when the test has ended, so they own the object.
struct CountedObject {
  std::string bytes = pattern(0, 3'000'000);
  Requests requests;
};

// An object in memory that counts the requests for its bytes.
class CountedFile final : public arrow::io::RandomAccessFile {
 public:
  explicit CountedFile(std::shared_ptr<CountedObject> object) : object_(std::move(object)) {}

  arrow::Result<std::int64_t> ReadAt(std::int64_t position, std::int64_t count,
                                     void* out) override {
    const int number = requests_.all++;
    const int now = ++requests_.now;
    int most = requests_.most;
    while (most < now && !requests_.most.compare_exchange_weak(most, now)) {
    }
    if (number == requests_.waiting) wait_for(number + 2);
    requests_.held.wait(true);
    const std::string part =
        bytes_.substr(static_cast<std::size_t>(position), static_cast<std::size_t>(count));
    std::copy(part.begin(), part.end(), static_cast<char*>(out));
    --requests_.now;
    ++requests_.ended;
    if (number == requests_.failing) return arrow::Status::IOError("NETWORK_CONNECTION lost");
    return static_cast<std::int64_t>(part.size()) - (number == requests_.cut ? 1 : 0);
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(std::int64_t position,
                                                       std::int64_t count) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateResizableBuffer(count));
    ARROW_ASSIGN_OR_RAISE(const std::int64_t got, ReadAt(position, count, buffer->mutable_data()));
    ARROW_RETURN_NOT_OK(buffer->Resize(got));
    return std::shared_ptr<arrow::Buffer>(std::move(buffer));
  }
  arrow::Result<std::int64_t> GetSize() override {
    return static_cast<std::int64_t>(bytes_.size());
  }
  arrow::Result<std::int64_t> Read(std::int64_t, void*) override { return unused(); }
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(std::int64_t) override { return unused(); }
  arrow::Status Seek(std::int64_t) override { return unused(); }
  arrow::Result<std::int64_t> Tell() const override { return unused(); }
  arrow::Status Close() override { return arrow::Status::OK(); }
  bool closed() const override { return false; }

 private:
  // Gives up after a while, so that a Source which fetches nothing ahead fails the test.
  void wait_for(int number) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (requests_.all <= number && std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
    }
    requests_.met = requests_.all > number;
  }

  static arrow::Status unused() { return arrow::Status::NotImplemented("not used"); }

  const std::shared_ptr<CountedObject> object_;
  const std::string& bytes_ = object_->bytes;
  Requests& requests_ = object_->requests;
};

class CountedStore : public FakeStore {
 public:
  using MockFileSystem::OpenInputFile;
  arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenInputFile(
      const std::string& /*path*/) override {
    return std::make_shared<CountedFile>(object_);
  }

  const std::shared_ptr<CountedObject> object_ = std::make_shared<CountedObject>();
  std::string& bytes = object_->bytes;
  Requests& requests = object_->requests;
};

class ObjectSource : public ::testing::Test {
 protected:
  void open(const ObjectOptions& options, const ReaderOptions& of_reader = {}) {
    std::unique_ptr<Source> source;
    ASSERT_TRUE(object::open_source(store_.place(object::Staging::upload), options, source).ok());
    ASSERT_TRUE(reader_.open(std::move(source), of_reader).ok());
  }

  CountedStore store_;
  Reader reader_;
};

TEST_F(ObjectSource, GivesTheBytesAtEachPosition) {
  std::mt19937 random(7);
  open({.ranges_ahead = 5, .range_bytes = 32 * 1024}, {.block_bytes = 10'000});
  std::string part;
  for (int i = 0; i < 2'000; ++i) {
    const std::size_t position = random() % (store_.bytes.size() + 1'000);
    const std::size_t count = random() % (i % 10 == 0 ? 300'000 : 3'000);
    ASSERT_TRUE(reader_.seek(position).ok());
    part.resize(count);
    part.resize(reader_.read(std::as_writable_bytes(std::span(part))));
    ASSERT_EQ(part, position < store_.bytes.size() ? store_.bytes.substr(position, count) : "");
  }
  EXPECT_TRUE(reader_.status().ok());
}

TEST_F(ObjectSource, FetchesAheadWhileItIsReadOn) {
  store_.requests.waiting = 100;
  open({.ranges_ahead = 6, .range_bytes = small_range});
  std::string all;
  EXPECT_TRUE(reader_.read_rest(all).ok());
  EXPECT_TRUE(all == store_.bytes);
  EXPECT_EQ(store_.requests.all, 733);  // ranges of 4096 bytes
  EXPECT_TRUE(store_.requests.met);
  EXPECT_LE(store_.requests.most, 6);
}

TEST_F(ObjectSource, FetchesNothingAheadWithoutRangesAhead) {
  open({.ranges_ahead = 0, .range_bytes = small_range}, {.block_bytes = 1000});
  EXPECT_EQ(reader_.get(), static_cast<unsigned char>(store_.bytes[0]));
  EXPECT_EQ(store_.requests.all, 1);
  EXPECT_EQ(reader_.skip(small_range * 3), small_range * 3);
  EXPECT_LE(store_.requests.all, 5);
  EXPECT_EQ(store_.requests.most, 1);
}

TEST_F(ObjectSource, FetchesLittleForOneRead) {
  open({});
  std::string part(8, ' ');
  ASSERT_TRUE(reader_.seek(1'000'000).ok());
  EXPECT_EQ(reader_.read(std::as_writable_bytes(std::span(part))), 8u);
  EXPECT_EQ(part, store_.bytes.substr(1'000'000, 8));
  EXPECT_EQ(store_.requests.all, 1);
}

TEST_F(ObjectSource, KeepsNothingOfRangesThatItHasLeft) {
  open({.range_bytes = small_range}, {.block_bytes = 100});
  const std::size_t before = heap_bytes_in_use();
  for (std::size_t i = 0; i < 20'000; ++i) {
    ASSERT_TRUE(reader_.seek((i * 7'919) % store_.bytes.size()).ok());
    ASSERT_GE(reader_.get(), 0);
  }
  EXPECT_LE(heap_bytes_in_use(), before + 500'000);
}

TEST_F(ObjectSource, FetchesTheBeginningInOneGo) {
  store_.requests.waiting = 0;  // for the third request
  open({}, {.block_bytes = 1000});
  EXPECT_EQ(reader_.get(), static_cast<unsigned char>(store_.bytes[0]));
  // The request that waits may be one for a later range, and end when the reader has its byte.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!store_.requests.met && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_TRUE(store_.requests.met);
  EXPECT_EQ(store_.requests.all, 3);
}

TEST_F(ObjectSource, FetchesNothingThatIsNoLongerWanted) {
  constexpr int read = 60;
  constexpr int ahead = 64;
  open({.ranges_ahead = ahead, .range_bytes = small_range}, {.block_bytes = small_range});
  std::string part(read * small_range, ' ');
  ASSERT_EQ(reader_.read(std::as_writable_bytes(std::span(part))), part.size());
  // A range that was asked for may still wait for a thread, when no request is under way.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (store_.requests.ended < read + ahead) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << "only " << store_.requests.ended;
    std::this_thread::yield();
  }
  const int before = store_.requests.all;
  store_.requests.held = true;  // all that is asked for now waits for a thread, or for its answer
  ASSERT_EQ(reader_.read(std::as_writable_bytes(std::span(part))), part.size());
  ASSERT_TRUE(reader_.seek(2'000'000).ok());
  const std::jthread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    store_.requests.held = false;
    store_.requests.held.notify_all();
  });
  EXPECT_EQ(reader_.get(), static_cast<unsigned char>(store_.bytes[2'000'000]));
  EXPECT_LE(store_.requests.all - before, arrow::io::GetIOThreadPoolCapacity() + 2);
}

TEST_F(ObjectSource, NamesTheByteThatCouldNotBeFetched) {
  store_.requests.failing = 3;
  open({.ranges_ahead = 4, .range_bytes = small_range});
  std::string all;
  EXPECT_FALSE(reader_.read_rest(all).ok());
  const Status& status = reader_.status();
  EXPECT_EQ(status.operation(), Operation::read);
  EXPECT_EQ(status.code().value(), EHOSTUNREACH);
  ASSERT_TRUE(status.offset().has_value());
  EXPECT_EQ(*status.offset() % small_range, 0u);
  EXPECT_EQ(all, store_.bytes.substr(0, *status.offset()));
}

TEST_F(ObjectSource, FailsWhenTheStoreGivesFewerBytes) {
  store_.requests.cut = 2;
  open({.ranges_ahead = 0, .range_bytes = small_range});
  std::string all;
  EXPECT_FALSE(reader_.read_rest(all).ok());
  EXPECT_EQ(reader_.status().code().value(), EIO);
  EXPECT_EQ(all, store_.bytes.substr(0, 2 * small_range));
}

TEST_F(ObjectSource, ReadsLinesAndNumbers) {
  store_.bytes.clear();
  for (int i = 0; i < 100'000; ++i) store_.bytes += std::to_string(i) + "\n";
  open({.ranges_ahead = 3, .range_bytes = small_range});
  int expected = 0;
  std::string_view line;
  while (expected < 50'000 && reader_.next_line(line)) {
    ASSERT_EQ(line, std::to_string(expected));
    ++expected;
  }
  for (int number = 0; reader_.next_number(number); ++expected) ASSERT_EQ(number, expected);
  EXPECT_EQ(expected, 100'000);
}

}  // namespace
}  // namespace sluice::testing
