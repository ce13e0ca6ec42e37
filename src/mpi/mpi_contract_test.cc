// Runs the contract tests of Sinks and Sources over those of src/mpi, on one rank.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "mpi/held_sink.h"
#include "mpi/part_source.h"
#include "mpi/region_sink.h"
#include "mpi/shared_file.h"
#include "sluice/files.h"
#include "testing/scratch_directory.h"
#include "testing/sink_contract.h"
#include "testing/source_contract.h"

namespace sluice::testing {
namespace {

constexpr std::uint64_t no_end = std::numeric_limits<std::int64_t>::max();

class RegionUnderTest : public SinkUnderTest {
 public:
  explicit RegionUnderTest(Region region) : begin_(region.begin) {
    EXPECT_TRUE(file_.open(MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL).ok());
    sink_ = std::make_unique<RegionSink>(file_, region, true, nullptr);
  }
  ~RegionUnderTest() override { static_cast<void>(file_.close()); }
  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }
  std::string added_bytes() override {
    std::string all;
    EXPECT_TRUE(read_file(file_.path(), all).ok());
    return all.substr(std::min<std::size_t>(begin_, all.size()));
  }

 private:
  ScratchDirectory scratch_;
  SharedFile file_{scratch_.file("shared")};
  const std::uint64_t begin_;
  std::unique_ptr<Sink> sink_;
};

class HeldUnderTest : public SinkUnderTest {
 public:
  explicit HeldUnderTest(std::size_t max_bytes) {
    held_.max_bytes = max_bytes;
    sink_ = std::make_unique<HeldSink>(path_, held_);
  }
  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }
  std::string added_bytes() override { return std::string(held_.bytes.text()); }

 private:
  const std::string path_ = "held";
  Held held_;
  std::unique_ptr<Sink> sink_;
};

const std::vector<SinkCase> sinks = {
    sink_case<RegionUnderTest>("WholeFile", Region{0, no_end}),
    sink_case<RegionUnderTest>("Region", Region{5'000, 1 << 30}),
    sink_case<HeldUnderTest>("Held", std::size_t{1} << 26).without_positions()};
INSTANTIATE_TEST_SUITE_P(Mpi, SinkContract, ::testing::ValuesIn(sinks), name_of_sink_case);

const std::vector<SinkCase> failing = {
    sink_case<RegionUnderTest>("EndOfRegion", Region{5'000, 9'999}),
    sink_case<HeldUnderTest>("TooMuch", std::size_t{4'321}).without_positions()};
INSTANTIATE_TEST_SUITE_P(Mpi, FailingSinkContract, ::testing::ValuesIn(failing), name_of_sink_case);

TEST(MpiWrittenBytes, AreCompleteWhenNoByteIsMissing) {
  constexpr std::uint64_t first = 7;
  constexpr std::size_t count = 60;
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    WrittenBytes written;
    std::vector<bool> model(count);
    for (int piece = 0; piece < 12; ++piece) {
      const std::size_t begin = random() % count;
      const std::size_t end = begin + random() % (count - begin + 1);
      ASSERT_TRUE(written.add({first + begin, first + end}));
      std::fill(model.begin() + static_cast<std::ptrdiff_t>(begin),
                model.begin() + static_cast<std::ptrdiff_t>(end), true);
      const auto missing = std::find(model.begin(), model.end(), false) - model.begin();
      ASSERT_EQ(written.first_missing(first), first + static_cast<std::uint64_t>(missing));
      ASSERT_EQ(written.count(), static_cast<std::uint64_t>(std::ranges::count(model, true)));
    }
  }
}

// A part of a file that has other bytes before and behind it.
class PartUnderTest : public SourceUnderTest {
 public:
  PartUnderTest(const std::string& bytes, std::size_t missing) {
    const std::string behind(missing == 0 ? 77 : 0, 'z');
    const std::string all = std::string(1'234, 'a') + bytes + behind;
    EXPECT_TRUE(write_file(file_.path(), all.substr(0, all.size() - missing)).ok());
    EXPECT_TRUE(file_.open(MPI_MODE_RDONLY, MPI_INFO_NULL).ok());
    source_ = std::make_unique<PartSource>(file_, Region{1'234, 1'234 + bytes.size()});
  }
  ~PartUnderTest() override { static_cast<void>(file_.close()); }
  Source& source() override { return *source_; }

 private:
  ScratchDirectory scratch_;
  SharedFile file_{scratch_.file("shared")};
  std::unique_ptr<Source> source_;
};

INSTANTIATE_TEST_SUITE_P(Mpi, SourceContract,
                         ::testing::Values(source_case<PartUnderTest>("Part", std::size_t{0})),
                         name_of_source_case);
INSTANTIATE_TEST_SUITE_P(Mpi, FailingSourceContract,
                         ::testing::Values(source_case<PartUnderTest>("Shorter", std::size_t{500})),
                         name_of_source_case);

}  // namespace
}  // namespace sluice::testing

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  const int code = RUN_ALL_TESTS();
  MPI_Finalize();
  return code;
}
