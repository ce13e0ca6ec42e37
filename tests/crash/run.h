// Run: one run of a scenario that a power cut or a kill ends, and the acknowledgements that it
// makes.
//
// An acknowledgement leaves the process at once, as a line on standard output. The bytes that it is
// about must be there afterwards. Once the cut has begun the run acknowledges nothing: a sync that
// is under way then may say ok and have synced nothing (a plain fdatasync does so too, on ext4 and
// xfs), while nobody would hear that ok if the power were really gone.
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

// The end of the run: none (the test may end it from outside), a power cut to the folder's file
// system or to its disk, or SIGKILL.
enum class End : std::uint8_t { none, cut, kill };
// When the end comes: right after the nth acknowledgement, right before the nth system call of the
// library, or when the nth write or flush reaches a forgetful disk. In the last case the run learns
// of the cut from a failure.
enum class Moment : std::uint8_t { acknowledgement, call, write, flush };
// The syncs that are left out without the library's knowledge, to see that the test would notice.
enum class Without : std::uint8_t { nothing, file_sync, directory_sync, write_through };

struct RunOptions {
  std::string folder;
  std::uint64_t seed = 0;
  std::uint64_t steps = 1;    // of the scenario, if it is not ended before
  std::uint64_t threads = 4;  // for scenarios that have several
  End end = End::none;
  Moment moment = Moment::acknowledgement;
  std::size_t nth = 0;
  // One in so many writes is sent to the disk at once, as the kernel may do; 0: none.
  std::uint64_t early_every = 0;
  // The file that takes a forgetful disk's orders. Empty: there is no such disk, and a cut shuts
  // the file system down.
  std::string disk = {};
  Without without = Without::nothing;
};

// The real system calls, without those that are left out.
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

  // To be called once, when the scenario's first files exist. From here on system calls count.
  void begin();
  // Acknowledges that `value` is durable. The scenario gives the value its meaning.
  void acknowledge(std::uint64_t value, std::uint64_t detail = 0);
  // Ends the run after a failure of the library: from within, a cut from outside looks like this.
  void expect_ok(const Status& status);
  // Gives a file another name, and does not sync the name.
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
  const int disk_;  // -1 if the disk takes no orders
  std::mt19937_64 random_;
  ForgetfulSystemCalls calls_;
  os::ScopedSystemCalls in_place_;
  std::atomic<std::uint64_t> acknowledged_ = 0;
  std::atomic<bool> ending_ = false;
};

// The exit code of a run whose library has reported a failure.
inline constexpr int exit_code_of_a_failure = 3;

}  // namespace sluice::crash
