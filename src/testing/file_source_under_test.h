// The Source of a file for the contract test of Sources, with faults below it.
#pragma once

#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <string>

#include "testing/faulty_system_calls.h"
#include "testing/scratch_directory.h"
#include "testing/source_contract.h"

namespace sluice::testing {

using Faults = void (*)(FaultySystemCalls& calls);

inline void no_faults(FaultySystemCalls&) {}
inline void at_most_seven_bytes(FaultySystemCalls& calls) { calls.limit_transfers(7); }
inline void half_at_a_time(FaultySystemCalls& calls) { calls.halve_transfers(); }
inline void always_interrupted(FaultySystemCalls& calls) { calls.interrupt_every_call(); }
inline void advice_refused(FaultySystemCalls& calls) {
  calls.fail(Call::will_read_in_sequence, 1, EINVAL, Repeat::for_ever);
}
// What direct I/O meets: the kernel stops only at a page.
inline void page_at_a_time(FaultySystemCalls& calls) { calls.limit_transfers(4096); }
inline void failing_in_the_middle(FaultySystemCalls& calls) {
  calls.fail(Call::pread, 11, EIO, Repeat::for_ever);
  calls.fail(Call::read, 11, EIO, Repeat::for_ever);
}

class FileSourceUnderTest : public SourceUnderTest {
 public:
  FileSourceUnderTest(const std::string& bytes, ReadAhead read_ahead, Faults faults)
      : FileSourceUnderTest(bytes, ReaderOptions{.read_ahead = read_ahead}, faults) {}
  FileSourceUnderTest(const std::string& bytes, ReaderOptions options, Faults faults)
      : directory_(options.direct == Direct::off ? ScratchDirectory()
                                                 : ScratchDirectory::likely_on_disk()) {
    faults(calls_);
    make_file(path_, bytes);
    const Status status = open_file_source(path_, options, source_);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  Source& source() override { return *source_; }

 private:
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("source");
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
  std::unique_ptr<Source> source_;
};

}  // namespace sluice::testing
