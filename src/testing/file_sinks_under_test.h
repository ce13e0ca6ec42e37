// The Sinks of files for the contract test of Sinks, with faults below them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include "testing/faulty_system_calls.h"
#include "testing/scratch_directory.h"
#include "testing/sink_contract.h"

namespace sluice::testing {

using Faults = void (*)(FaultySystemCalls& calls);

inline void no_faults(FaultySystemCalls&) {}
inline void one_byte_at_a_time(FaultySystemCalls& calls) { calls.limit_transfers(1); }
inline void half_at_a_time(FaultySystemCalls& calls) { calls.halve_transfers(); }
inline void always_interrupted(FaultySystemCalls& calls) { calls.interrupt_every_call(); }
inline void slow(FaultySystemCalls& calls) { calls.delay_transfers(10); }
inline void short_then_full(FaultySystemCalls& calls) {
  calls.limit_transfers(701);
  calls.fail(Call::writev, 10, ENOSPC, Repeat::for_ever);
  calls.fail(Call::pwritev, 10, ENOSPC, Repeat::for_ever);
}
// What direct I/O meets: the kernel stops only at a page.
inline void page_at_a_time(FaultySystemCalls& calls) { calls.limit_transfers(4096); }
inline void full(FaultySystemCalls& calls) {
  calls.fail(Call::pwritev, 10, ENOSPC, Repeat::for_ever);
}
inline void failing_once(FaultySystemCalls& calls) {
  calls.fail(Call::writev, 5, EIO);
  calls.fail(Call::pwritev, 5, EIO);
}

// Files on a disk, written directly or with pages that leave the cache.
inline WriterOptions written_directly(CreateMode create) {
  return {.create = create, .direct = Direct::if_possible};
}
inline WriterOptions dropped_from_cache(CreateMode create) {
  return {.create = create, .cache = Cache::drop};
}

class FileSinkUnderTest : public SinkUnderTest {
 public:
  FileSinkUnderTest(CreateMode create, Faults faults)
      : FileSinkUnderTest(WriterOptions{.create = create}, faults) {}
  FileSinkUnderTest(WriterOptions options, Faults faults)
      : directory_(options.direct == Direct::off ? ScratchDirectory()
                                                 : ScratchDirectory::likely_on_disk()) {
    const CreateMode create = options.create;
    faults(calls_);
    if (create == CreateMode::append) make_file(path_, before_ = "what was there before");
    if (create == CreateMode::existing) make_file(path_, "");
    const Status status = open_file_sink(path_, options, sink_);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(sink_->start_position(), before_.size());
  }

  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }

  std::string added_bytes() override {
    const std::string contents = contents_of(path_);
    EXPECT_TRUE(contents.starts_with(before_));
    return contents.substr(std::min(before_.size(), contents.size()));
  }

 private:
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("target");
  std::string before_;
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
  std::unique_ptr<Sink> sink_;
};

// Replaces an existing file, or makes a new one.
class ReplacingSinkUnderTest : public SinkUnderTest {
 public:
  ReplacingSinkUnderTest(std::string before, Faults faults)
      : ReplacingSinkUnderTest(std::move(before), faults,
                               {.create = CreateMode::replace_atomically}) {}
  ReplacingSinkUnderTest(std::string before, Faults faults, WriterOptions options)
      : directory_(options.direct == Direct::off ? ScratchDirectory()
                                                 : ScratchDirectory::likely_on_disk()),
        before_(std::move(before)) {
    faults(calls_);
    if (!before_.empty()) make_file(path_, before_);
    const Status status = open_file_sink(path_, options, sink_);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_TRUE(sink_->is_staged());
  }

  Sink& sink() override { return *sink_; }
  void destroy_sink() override { sink_.reset(); }

  std::string added_bytes() override {
    EXPECT_LE(number_of_files(directory_.path()), 1u) << "a temporary file stays behind";
    const std::string contents = file_exists(path_) ? contents_of(path_) : "";
    return contents == before_ ? "" : contents;
  }

 private:
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("target");
  const std::string before_;
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
  std::unique_ptr<Sink> sink_;
};

}  // namespace sluice::testing
