// A Writer that fails: every byte that was accepted before the named one is in the target, in the
// order of the calls (W1, W12).
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sluice/writer.h"
#include "testing/faulty_system_calls.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

// One call that gave bytes to the Writer. The bytes of each call have a value of their own.
struct Given {
  std::uint64_t position;
  std::size_t count;
};

char value_of(std::size_t call) { return static_cast<char>(call + 1); }

class WriterAndCalls {
 public:
  WriterAndCalls(const std::string& path, unsigned seed) : random_(seed) {
    const WriteBehind ways[] = {WriteBehind::off, WriteBehind::on};
    EXPECT_TRUE(writer_.open(path, {.write_behind = ways[any(1)], .block_bytes = 64}).ok());
  }

  // Returns the first failure, if there is one.
  Status run(std::size_t calls) {
    while (given_.size() < calls && writer_.status().ok()) step();
    return writer_.close();
  }

  // True if the byte at `named` is the first byte, in the order of the calls, that `found` lacks.
  bool explains(std::uint64_t named, const std::string& found) const {
    for (std::size_t call = 0; call < given_.size(); ++call) {
      const auto [position, count] = given_[call];
      if (named < position || named >= position + count) continue;
      const bool is_there = named < found.size() && found[named] == value_of(call);
      if (!is_there && holds_all_before(call, named, found)) return true;
    }
    return false;
  }

 private:
  std::size_t any(std::size_t most) { return random_() % (most + 1); }

  void step() {
    const std::uint64_t at = writer_.position();
    const std::string bytes(1 + any(any(1) == 0 ? 10 : 100), value_of(given_.size()));
    switch (any(3)) {
      case 0:
      case 1:
        given_.push_back({at, bytes.size()});
        writer_.write(bytes);
        break;
      case 2: {
        const std::uint64_t position = any(end_);
        given_.push_back({position, bytes.size()});
        static_cast<void>(writer_.write_at(position, bytes));
        break;
      }
      case 3: static_cast<void>(writer_.seek(any(end_))); return;
    }
    end_ = std::max(end_, writer_.position());
  }

  // A byte that a later call has written over may be there in either form.
  bool holds_all_before(std::size_t call, std::uint64_t named, const std::string& found) const {
    for (std::size_t earlier = 0; earlier <= call; ++earlier) {
      const auto [position, count] = given_[earlier];
      const std::uint64_t end = earlier == call ? named : position + count;
      for (std::uint64_t at = position; at < end; ++at) {
        if (at >= found.size() || found[at] < value_of(earlier)) return false;
      }
    }
    return true;
  }

  std::mt19937_64 random_;
  Writer writer_;
  std::vector<Given> given_;
  std::uint64_t end_ = 0;
};

TEST(WriterOrder, HoldsEveryByteThatWasAcceptedBeforeTheNamedOne) {
  const ScratchDirectory directory;
  const std::string path = directory.file("out");
  for (unsigned seed = 0; seed < 4'000; ++seed) {
    SCOPED_TRACE(seed);
    FaultySystemCalls calls;
    calls.fail(Call::pwritev, 1 + seed % 40, EIO, seed % 3 == 0 ? Repeat::for_ever : Repeat::once);
    if (seed % 2 == 0) calls.limit_transfers(7);
    const os::ScopedSystemCalls in_place(calls);
    WriterAndCalls writer(path, seed);
    const Status closed = writer.run(40);
    if (closed.ok()) continue;
    ASSERT_TRUE(closed.offset()) << closed.message();
    ASSERT_TRUE(writer.explains(*closed.offset(), contents_of(path))) << closed.message();
  }
}

class WriterPatch : public ::testing::TestWithParam<Repeat> {};

// The pending bytes were accepted before the patch. If the pending bytes cannot be written either,
// the failure names the first of them.
TEST_P(WriterPatch, ThatFailsLeavesTheBytesThatWereAcceptedBeforeIt) {
  const ScratchDirectory directory;
  const std::string path = directory.file("out");
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Writer writer;
  ASSERT_TRUE(writer.open(path).ok());
  ASSERT_TRUE(writer.write("written ") && writer.flush().ok() && writer.write("pending"));
  calls.fail(Call::pwritev, 1, EIO, GetParam());
  const bool is_once = GetParam() == Repeat::once;
  const Status patched = writer.write_at(1, "no");
  EXPECT_EQ(patched.offset(), is_once ? 1u : 8u) << patched.message();
  EXPECT_EQ(writer.position(), *patched.offset());
  EXPECT_EQ(writer.close().message(), patched.message());
  EXPECT_EQ(contents_of(path), is_once ? "written pending" : "written ");
}

INSTANTIATE_TEST_SUITE_P(Failing, WriterPatch, ::testing::Values(Repeat::once, Repeat::for_ever),
                         [](const auto& repeat) {
                           return repeat.param == Repeat::once ? "Once" : "ForEver";
                         });

}  // namespace
}  // namespace sluice::testing
