// Run: one run of a scenario that a power cut or a kill ends, and what it tells about it.
//
// What it acknowledges leaves the process in the same moment, as a line on standard output: that
// much was told to somebody, and has to be there afterwards. Nothing is told any more once the cut
// has begun: a sync that is under way then may say ok and have synced nothing (so does a plain
// fdatasync, on ext4 and xfs), while nobody is left to hear it when the power is really gone.
// Threads: acknowledge() may be called from any thread.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include "sluice/status.h"
#include "testing/faulty_system_calls.h"

namespace sluice::crash {

// What comes and takes away: nothing (the test may do it from outside), a power cut to the file
// system that the folder lies on or to its disk, or SIGKILL.
enum class End : std::uint8_t { none, cut, kill };
// Right after the nth acknowledgement, right before the nth system call of the library, or when the
// nth write or flush reaches a forgetful disk: the run then learns of the cut by a failure.
enum class Moment : std::uint8_t { acknowledgement, call, write, flush };
// What the library leaves out without knowing, to see that the test would notice.
enum class Without : std::uint8_t { nothing, file_sync, directory_sync, write_through };

struct RunOptions {
  std::string folder;
  std::uint64_t seed = 0;
  std::uint64_t steps = 1;    // of the scenario, if nothing ends it before
  std::uint64_t threads = 4;  // of the scenarios that have several
  End end = End::none;
  Moment moment = Moment::acknowledgement;
  std::size_t nth = 0;
  // Of so many writes one is sent to the disk at once, as the kernel may do with any; 0: of none.
  std::uint64_t early_every = 0;
  // Where a forgetful disk takes orders; empty: there is none, a cut shuts the file system down.
  std::string disk = {};
  Without without = Without::nothing;
};

// The real system calls, less what is left out.
class ForgetfulSystemCalls final : public testing::FaultySystemCalls {
 public:
  ForgetfulSystemCalls(Without without, std::uint64_t early_every)
      : without_(without), early_every_(early_every) {}
  long open(const char* path, int flags, unsigned permissions) override;
  long writev(int descriptor, const iovec* pieces, int count) override;
  long pwritev(int descriptor, const iovec* pieces, int count, std::uint64_t position) override;
  long fdatasync(int descriptor) override;
  long fsync(int descriptor) override;

 private:
  long send_early(int descriptor, long result);

  const Without without_;
  const std::uint64_t early_every_;
  std::atomic<std::uint64_t> writes_ = 0;
};

class Run {
 public:
  explicit Run(const RunOptions& options);

  // To be called once, when the files are in place that the scenario starts with. From here on
  // system calls count.
  void begin();
  // Says that `value` (its meaning is the scenario's) is durable.
  void acknowledge(std::uint64_t value, std::uint64_t detail = 0);
  // A failure of the library ends the run: it is what a cut from outside looks like from within.
  void expect_ok(const Status& status);
  // Another name for a file, which nobody syncs.
  void rename(const std::string& from, const std::string& to);

  std::uint64_t steps() const { return options_.steps; }
  std::uint64_t threads() const { return options_.threads; }
  std::string file(const std::string& name) const { return options_.folder + "/" + name; }
  std::size_t any(std::size_t most) { return random_() % (most + 1); }

 private:
  [[noreturn]] void end();
  void order(const std::string& text) const;
  [[noreturn]] static void wait_for_the_end();

  const RunOptions options_;
  const int directory_;
  const int disk_;  // -1 where it is none that takes orders
  std::mt19937_64 random_;
  ForgetfulSystemCalls calls_;
  os::ScopedSystemCalls in_place_;
  std::atomic<std::uint64_t> acknowledged_ = 0;
  std::atomic<bool> ending_ = false;
};

// The exit code of a run whose library has reported a failure.
inline constexpr int exit_code_of_a_failure = 3;

}  // namespace sluice::crash
