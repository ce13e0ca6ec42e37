// Runs the contract test of Sources over the Sources of files, with faults below them.
#include <fcntl.h>
#include <io.h>

#include "testing/file_source_under_test.h"
#include "testing/source_contract.h"

namespace sluice::testing {
namespace {

class DescriptorSourceUnderTest : public SourceUnderTest {
 public:
  explicit DescriptorSourceUnderTest(const std::string& bytes) {
    make_file(path_, "before" + bytes);
    descriptor_ = ::_open(path_.c_str(), _O_RDONLY | _O_BINARY);
    EXPECT_EQ(::_lseeki64(descriptor_, 6, SEEK_SET), 6);
    const Status status = open_descriptor_source(descriptor_, "a descriptor", source_);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  ~DescriptorSourceUnderTest() override {
    source_.reset();
    EXPECT_EQ(::_close(descriptor_), 0) << "the Source closed a descriptor of the caller's";
  }
  Source& source() override { return *source_; }

 private:
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("source");
  int descriptor_ = -1;
  std::unique_ptr<Source> source_;
};

constexpr ReadAhead automatic = ReadAhead::automatic;

INSTANTIATE_TEST_SUITE_P(
    Windows, SourceContract,
    ::testing::Values(
        source_case<FileSourceUnderTest>("File", automatic, no_faults),
        source_case<FileSourceUnderTest>("FileShort", automatic, at_most_seven_bytes),
        source_case<FileSourceUnderTest>("FileHalfAtATime", ReadAhead::off, half_at_a_time),
        source_case<FileSourceUnderTest>("FileInterrupted", automatic, always_interrupted),
        source_case<FileSourceUnderTest>("FileWithAdviceRefused", automatic, advice_refused),
        source_case<DescriptorSourceUnderTest>("Descriptor")),
    name_of_source_case);

INSTANTIATE_TEST_SUITE_P(Windows, FailingSourceContract,
                         ::testing::Values(source_case<FileSourceUnderTest>("File", automatic,
                                                                            failing_in_the_middle)),
                         name_of_source_case);

}  // namespace
}  // namespace sluice::testing
