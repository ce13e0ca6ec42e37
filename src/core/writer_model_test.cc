// Every size of write, and random sequences of calls, compared with a model in memory.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

#include "sluice/writer.h"
#include "testing/recording_sink.h"
#include "testing/scratch_directory.h"
#include "testing/writer_model.h"

namespace sluice::testing {
namespace {

struct Setup {
  std::size_t block_bytes;
  WriteBehind write_behind;
};

void PrintTo(const Setup& setup, std::ostream* out) {
  *out << setup.block_bytes << (setup.write_behind == WriteBehind::on ? " write-behind" : "");
}

std::string name_of_setup(const ::testing::TestParamInfo<Setup>& info) {
  return (info.param.write_behind == WriteBehind::on ? "WriteBehindBlocksOf"
                                                     : "OneThreadBlocksOf") +
         std::to_string(info.param.block_bytes);
}

class WriterSizes : public ::testing::TestWithParam<Setup> {
 protected:
  // Writes `before` bytes by put, `bytes` bytes by one write, and one more byte.
  void write_between(std::size_t before, std::size_t bytes) const {
    SCOPED_TRACE(std::to_string(before) + " bytes and then " + std::to_string(bytes));
    const auto recording = std::make_shared<Recording>();
    Writer writer;
    ASSERT_TRUE(writer
                    .open(std::make_unique<RecordingSink>(recording),
                          {.write_behind = GetParam().write_behind,
                           .block_bytes = GetParam().block_bytes,
                           .blocks_in_flight = 2})
                    .ok());
    WriterModel model(writer);
    model.put_many(before);
    model.write(bytes);
    model.put();
    const Status closed = writer.close();
    model.expect_honest(closed, recording->bytes());
    EXPECT_FALSE(recording->out_of_turn());
  }
};

TEST_P(WriterSizes, EverySizeUpToThreeBlocksArrives) {
  const std::size_t block = GetParam().block_bytes;
  // With the engine every write costs two thread switches, so large blocks skip some sizes.
  const bool every_size = GetParam().write_behind == WriteBehind::off || block < 1'000;
  for (std::size_t bytes = 0; bytes <= 3 * block + 1; ++bytes) {
    const bool near_block = (bytes + 2) % block < 5 || (bytes + 2) % (block / 8 + 1) < 5;
    if (!every_size && !near_block && bytes % 41 != 0) continue;
    for (const std::size_t before : {std::size_t{0}, std::size_t{1}, block / 2, block - 1,
                                     block < 1'000 ? 2 * block + 1 : 0}) {
      write_between(before, bytes);
      if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Writer, WriterSizes,
                         ::testing::Values(Setup{1, WriteBehind::off}, Setup{2, WriteBehind::off},
                                           Setup{3, WriteBehind::off}, Setup{7, WriteBehind::off},
                                           Setup{16, WriteBehind::off}, Setup{64, WriteBehind::off},
                                           Setup{100, WriteBehind::off},
                                           Setup{4096, WriteBehind::off}, Setup{1, WriteBehind::on},
                                           Setup{2, WriteBehind::on}, Setup{3, WriteBehind::on},
                                           Setup{7, WriteBehind::on}, Setup{16, WriteBehind::on},
                                           Setup{64, WriteBehind::on}, Setup{100, WriteBehind::on},
                                           Setup{4096, WriteBehind::on}),
                         name_of_setup);

// ---- random sequences ----

WriterOptions random_options(std::mt19937_64& random) {
  constexpr std::size_t blocks[] = {1, 2, 3, 7, 8, 9, 16, 63, 64, 100, 4096, 10'000, 40'000};
  return {.write_behind = random() % 2 == 0 ? WriteBehind::on : WriteBehind::off,
          .block_bytes = blocks[random() % std::size(blocks)],
          .blocks_in_flight = 1 + random() % 4};
}

void run_random_operations(std::mt19937_64& random, Writer& writer, WriterModel& model,
                           const WriterOptions& options) {
  const std::size_t operations = random() % 60;
  for (std::size_t i = 0; i < operations; ++i) {
    model.random_operation(random, options.block_bytes);
    if (random() % 16 == 0) {  // moving a Writer changes nothing
      Writer moved(std::move(writer));
      writer = std::move(moved);
    }
  }
}

TEST(Writer, AgreesWithTheModelOnRandomOperations) {
  for (unsigned seed = 0; seed < 1'500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const WriterOptions options = random_options(random);
    const auto recording = std::make_shared<Recording>();
    recording->allows_write_behind = random() % 4 != 0;
    recording->wants_lines = random() % 4 == 0;
    recording->start_position = random() % 3 == 0 ? random() % 10'000 : 0;
    Writer writer;
    ASSERT_TRUE(writer.open(std::make_unique<RecordingSink>(recording), options).ok());
    WriterModel model(writer);
    run_random_operations(random, writer, model, options);
    const Status closed = writer.close();
    model.expect_honest(closed, recording->bytes());
    EXPECT_TRUE(writer.status().ok());
    EXPECT_FALSE(recording->out_of_turn());
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Writer, KeepsExactlyThePrefixWhenTheSinkFailsSomewhere) {
  for (unsigned seed = 0; seed < 1'500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const WriterOptions options = random_options(random);
    const auto recording = std::make_shared<Recording>();
    recording->allows_write_behind = random() % 4 != 0;
    recording->wants_lines = random() % 4 == 0;
    recording->fail_at = random() % (options.block_bytes * 20);
    recording->fail_writes = random() % 2 == 0 ? 1 : SIZE_MAX;  // a second write would succeed
    recording->offset_in_status = random() % 2 == 0;
    Writer writer;
    ASSERT_TRUE(writer.open(std::make_unique<RecordingSink>(recording), options).ok());
    WriterModel model(writer);
    run_random_operations(random, writer, model, options);
    const Status closed = writer.close();
    model.expect_honest(closed, recording->bytes());
    EXPECT_EQ(closed.ok(), model.offered().size() <= recording->fail_at) << closed.message();
    EXPECT_EQ(recording->closes(), 1u);
    EXPECT_FALSE(recording->out_of_turn());
    if (::testing::Test::HasFailure()) return;
  }
}

// Gives the options a place on the disk, past the cache or out of it.
void leave_cache_alone(std::mt19937_64& random, WriterOptions& options) {
  if (random() % 3 == 0) options.cache = Cache::drop;
  if (random() % 3 == 0) return;
  constexpr std::size_t blocks[] = {4096, 8192, 16'384, 65'536};
  options.block_bytes = blocks[random() % std::size(blocks)];
  options.direct = Direct::if_possible;
}

void agree_on_real_files(const ScratchDirectory& directory, bool leaves_cache_alone) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    WriterOptions options = random_options(random);
    if (leaves_cache_alone) leave_cache_alone(random, options);
    const std::string path = directory.file(std::to_string(seed));
    const std::string before = random() % 2 == 0 ? "what was there before" : "";
    make_file(path, before);
    const bool append = random() % 2 == 0;
    if (append) options.create = CreateMode::append;
    Writer writer;
    ASSERT_TRUE(writer.open(path, options).ok());
    WriterModel model(writer);
    run_random_operations(random, writer, model, options);
    const Status closed = writer.close();
    const std::string contents = contents_of(path);
    model.expect_honest(closed, append ? contents.substr(before.size()) : contents);
    EXPECT_TRUE(closed.ok()) << closed.message();
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Writer, AgreesWithTheModelOnRealFiles) { agree_on_real_files(ScratchDirectory(), false); }

TEST(Writer, AgreesWithTheModelOnFilesThatLeaveTheCacheAlone) {
  agree_on_real_files(ScratchDirectory::likely_on_disk(), true);
}

}  // namespace
}  // namespace sluice::testing
