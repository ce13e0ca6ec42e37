// Runs the contract tests of Sinks and Sources over those of objects.
#include <memory>
#include <string>

#include "object/object_sink.h"
#include "object/object_source.h"
#include "sluice/object.h"
#include "testing/fake_store.h"
#include "testing/scratch_directory.h"
#include "testing/sink_contract.h"
#include "testing/source_contract.h"

namespace sluice::testing {
namespace {

using object::Staging;

class ObjectUnderTest : public SinkUnderTest {
 public:
  // The store refuses the bytes from `refused_byte` on; the object may have `max_bytes`.
  ObjectUnderTest(Staging staging, std::uint64_t refused_byte, std::uint64_t max_bytes) {
    EXPECT_TRUE(store_.put("bucket/object", "old").ok());
    store_.faults.refused_byte = refused_byte;
    const Status status = object::open_sink(store_.place(staging, max_bytes), {}, sink_);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }
  std::string added_bytes() override {
    const std::string listed = store_.listed();
    if (listed == "object=old;") return "";
    EXPECT_TRUE(listed.starts_with("object=") && listed.ends_with(';')) << listed.substr(0, 100);
    return listed.substr(7, listed.size() - 8);
  }

 private:
  FakeStore store_;
  std::unique_ptr<Sink> sink_;
};

class FileObjectUnderTest : public SinkUnderTest {
 public:
  FileObjectUnderTest() { EXPECT_TRUE(make_object_sink("file://" + path_, {}, sink_).ok()); }
  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }
  std::string added_bytes() override { return file_exists(path_) ? contents_of(path_) : ""; }

 private:
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("target");
  std::unique_ptr<Sink> sink_;
};

INSTANTIATE_TEST_SUITE_P(
    Object, SinkContract,
    ::testing::Values(sink_case<ObjectUnderTest>("Upload", Staging::upload, UINT64_MAX, UINT64_MAX)
                          .without_positions(),
                      sink_case<ObjectUnderTest>("Beside", Staging::beside, UINT64_MAX, UINT64_MAX)
                          .without_positions(),
                      sink_case<FileObjectUnderTest>("File")),
    name_of_sink_case);

INSTANTIATE_TEST_SUITE_P(
    Object, FailingSinkContract,
    ::testing::Values(sink_case<ObjectUnderTest>("Upload", Staging::upload, 30'000u, UINT64_MAX)
                          .without_positions(),
                      sink_case<ObjectUnderTest>("Beside", Staging::beside, 30'000u, UINT64_MAX)
                          .without_positions(),
                      sink_case<ObjectUnderTest>("Limit", Staging::upload, UINT64_MAX, 30'000u)
                          .without_positions()),
    name_of_sink_case);

// object_source_test.cc has a source that fails.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FailingSourceContract);

class ObjectSourceUnderTest : public SourceUnderTest {
 public:
  ObjectSourceUnderTest(const std::string& bytes, ObjectOptions options) {
    EXPECT_TRUE(store_.put("bucket/object", bytes).ok());
    const Status status = object::open_source(store_.place(Staging::upload), options, source_);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  Source& source() override { return *source_; }

 private:
  FakeStore store_;
  std::unique_ptr<Source> source_;
};

class FileSourceOfUri : public SourceUnderTest {
 public:
  explicit FileSourceOfUri(const std::string& bytes) {
    make_file(path_, bytes);
    EXPECT_TRUE(make_object_source("file://" + path_, {}, source_).ok());
  }
  Source& source() override { return *source_; }

 private:
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("source");
  std::unique_ptr<Source> source_;
};

INSTANTIATE_TEST_SUITE_P(
    Object, SourceContract,
    ::testing::Values(
        source_case<ObjectSourceUnderTest>("Default", ObjectOptions{}),
        source_case<ObjectSourceUnderTest>("OneAtATime",
                                           ObjectOptions{.ranges_ahead = 0, .range_bytes = 4096}),
        source_case<ObjectSourceUnderTest>("SmallRanges",
                                           ObjectOptions{.ranges_ahead = 3, .range_bytes = 4096}),
        source_case<FileSourceOfUri>("File")),
    name_of_source_case);

}  // namespace
}  // namespace sluice::testing
