// WriterModel: gives the same bytes to a Writer and to a plain string, and checks the Writer's
// promises.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include "sluice/writer.h"
#include "testing/pattern.h"

namespace sluice::testing {

class WriterModel {
 public:
  explicit WriterModel(Writer& writer) : writer_(writer), start_(writer.position()) {}

  bool put() { return seen(writer_.put(offer(1)[0])); }

  bool write(std::size_t bytes) {
    const bool accepted = writer_.write(std::string_view(offer(bytes)));
    if (bytes == 0) return accepted;  // without bytes a failed Writer may return either result
    return seen(accepted);
  }

  // Builds `used` bytes in place, in room for `reserved` bytes.
  bool build(std::size_t reserved, std::size_t used) {
    const MutableBytesView room = writer_.reserve(reserved);
    if (room.size() < reserved) return seen(false);
    const std::string bytes = offer(used);
    std::transform(bytes.begin(), bytes.end(), room.begin(),
                   [](char byte) { return static_cast<std::byte>(byte); });
    writer_.commit(used);
    return seen(writer_.status().ok());
  }

  // Writes `bytes` bytes one by one. Single bytes fill the block, which large writes bypass.
  bool put_many(std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
      if (!put()) return false;
    }
    return true;
  }

  // If only the name is not durable, no byte is lost. Writing goes on, except with every_write.
  bool flush(FlushTo to = FlushTo::os) {
    const Status status = writer_.flush(to);
    const bool is_name = status.operation() == Operation::sync_directory && writer_.status().ok();
    return seen(status.ok() || is_name);
  }

  // Makes one of the calls above. Small sizes come often; sizes around a block and beyond it come
  // now and then.
  bool random_operation(std::mt19937_64& random, std::size_t block_bytes) {
    const auto any = [&](std::size_t most) { return std::size_t{random() % (most + 1)}; };
    switch (random() % 8) {
      case 0: return put();
      case 1: return put_many(any(std::min<std::size_t>(3 * block_bytes, 10'000)));
      case 2:
      case 3: return write(any(block_bytes / 4 + 1));
      case 4: return write(any(3 * block_bytes));
      case 5: return write(block_bytes - 1 + any(2));
      case 6: {
        const std::size_t reserved = any(block_bytes);
        return build(reserved, any(reserved));
      }
      default: return flush();
    }
  }

  // All bytes that the Writer was asked to write, including the bytes of a failed call.
  const std::string& offered() const { return offered_; }

  // Checks the promises W1 and W2 after close(). `target` has the bytes that were added to the
  // target.
  void expect_honest(const Status& closed, const std::string& target) const {
    ASSERT_LE(target.size(), offered_.size());
    EXPECT_TRUE(offered_.starts_with(target)) << "the target has bytes that were not written";
    EXPECT_TRUE(
        closed.message().starts_with(writer_.status().message()))  // a second failure may follow
        << closed.message() << " and not " << writer_.status().message();
    EXPECT_EQ(writer_.status().code(), closed.code());
    if (closed.ok()) {
      EXPECT_EQ(target.size(), offered_.size()) << "success reported with bytes missing";
      EXPECT_EQ(writer_.position(), start_ + offered_.size());
      EXPECT_FALSE(failed_) << "a call returned false and close() says ok";
    } else if (closed.operation() == Operation::write) {
      ASSERT_TRUE(closed.offset().has_value()) << closed.message();
      EXPECT_EQ(*closed.offset(), start_ + target.size())
          << "the failure names a wrong byte: " << closed.message();
    }
  }

 private:
  // The next bytes of the pattern.
  std::string offer(std::size_t bytes) {
    std::string next = pattern(offered_.size(), bytes);
    offered_ += next;
    return next;
  }

  // A failure stays: after it no bytes are accepted.
  bool seen(bool accepted) {
    if (!accepted) {
      EXPECT_FALSE(writer_.status().ok());
      if (!failed_) failure_message_ = writer_.status().message();
      failed_ = true;
      EXPECT_EQ(writer_.status().message(), failure_message_) << "the failure changed";
    } else {
      EXPECT_FALSE(failed_) << "a call was accepted after a failure";
      EXPECT_EQ(writer_.position(), start_ + offered_.size());
    }
    return accepted;
  }

  Writer& writer_;
  const std::uint64_t start_;
  std::string offered_;
  bool failed_ = false;
  std::string failure_message_;
};

}  // namespace sluice::testing
