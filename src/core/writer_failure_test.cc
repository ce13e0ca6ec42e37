// Every system call of a scenario fails in turn, once and for ever. A success with missing bytes
// must never be the result.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sluice/writer.h"
#include "testing/failed_in_turn.h"
#include "testing/faulty_system_calls.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"
#include "testing/writer_model.h"

namespace sluice::testing {
namespace {

struct Setup {
  CreateMode create;
  Durability durability;
  WriteBehind write_behind;
  Transfers transfers;
};

std::string name_of(const Setup& setup) {
  const char* create[] = {"Truncate", "Append", "Exclusive", "Replace"};
  const char* durability[] = {"", "Durable", "DurableFlushes", "DurableWrites"};
  const char* behind = setup.write_behind == WriteBehind::on ? "WriteBehind" : "OneThread";
  return std::string(create[static_cast<std::size_t>(setup.create)]) +
         durability[static_cast<std::size_t>(setup.durability)] + behind + name_of(setup.transfers);
}

void PrintTo(const Setup& setup, std::ostream* out) { *out << name_of(setup); }

std::vector<Setup> every_setup() {
  std::vector<Setup> setups;
  for (const auto create : {CreateMode::truncate, CreateMode::append, CreateMode::exclusive,
                            CreateMode::replace_atomically}) {
    for (const auto durability : {Durability::none, Durability::on_close, Durability::every_flush,
                                  Durability::every_write}) {
      for (const auto write_behind : {WriteBehind::off, WriteBehind::on}) {
        for (const auto transfers :
             {Transfers::whole, Transfers::one_byte, Transfers::halved, Transfers::interrupted}) {
          setups.push_back({create, durability, write_behind, transfers});
        }
      }
    }
  }
  return setups;
}

// Every opened descriptor is closed exactly once.
void expect_no_descriptor_leaked_or_closed_twice(const FaultySystemCalls& calls) {
  std::map<long, int> open_times;
  for (const CallRecord& record : calls.records()) {
    const bool opens =
        record.call == Call::open || record.call == Call::openat || record.call == Call::duplicate;
    if (opens && record.result >= 0) ++open_times[record.result];
    if (record.call == Call::close) --open_times[record.descriptor];
  }
  for (const auto& [descriptor, times] : open_times) {
    EXPECT_EQ(times, 0) << "descriptor " << descriptor;
  }
}

class WriterFailures : public ::testing::TestWithParam<Setup> {
 protected:
  // The result of one run of the scenario.
  struct Outcome {
    Status status;
    std::string added;  // the bytes that were added to the file
  };

  void prepare_file() const {
    if (GetParam().create == CreateMode::exclusive) {
      static_cast<void>(std::remove(path_.c_str()));
    } else {
      make_file(path_, before_);
      // An attribute, if the file system has attributes. The replaced file must keep it.
      static_cast<void>(::setxattr(path_.c_str(), "user.sluice", "kept", 4, 0));
    }
  }

  bool replaces() const { return GetParam().create == CreateMode::replace_atomically; }

  // Writes in all ways: small pieces, full blocks, a large write, and bytes built in place.
  static void write_some_of_everything(WriterModel& model) {
    model.put_many(10);
    model.write(5);
    model.write(60);
    model.flush();
    model.put_many(100);
    model.write(100);
    model.build(8, 5);
    for (int i = 0; i < 40; ++i) model.write(1);
    model.write(17);
    model.put_many(70);
  }

  // Runs the scenario under `calls`, and checks the promises that hold after every failure.
  Outcome run(FaultySystemCalls& calls) {
    set_transfers(calls, GetParam().transfers);
    prepare_file();
    const os::ScopedSystemCalls in_place(calls);
    Outcome outcome;
    Writer writer;
    const Status opened = writer.open(path_, {.create = GetParam().create,
                                              .durability = GetParam().durability,
                                              .write_behind = GetParam().write_behind,
                                              .block_bytes = 32,
                                              .blocks_in_flight = 2,
                                              .write_back_bytes = 100});
    WriterModel model(writer);
    if (opened.ok()) write_some_of_everything(model);
    outcome.status = writer.close();
    if (outcome.status.ok() || outcome.status.operation() != Operation::sync_directory) {
      EXPECT_EQ(writer.close().message(), outcome.status.message());
    }
    if (!opened.ok()) {
      EXPECT_EQ(outcome.status.message(), opened.message());
      outcome.added = "";
    } else if (!replaces()) {
      outcome.added = added_to_file();
      model.expect_honest(outcome.status, outcome.added);
    }
    if (replaces()) expect_replaced_or_untouched(calls, outcome.status, model);
    EXPECT_TRUE(outcome.status.ok() || outcome.status.path() == path_ ||
                outcome.status.path() == directory_.path())
        << outcome.status.message();
    writer = Writer();
    expect_no_descriptor_leaked_or_closed_twice(calls);
    return outcome;
  }

  // The file is the old one or the whole new one, as the Status says, and no temporary file is
  // left.
  void expect_replaced_or_untouched(const FaultySystemCalls& calls, const Status& status,
                                    const WriterModel& model) const {
    const std::string contents = contents_of(path_);
    if (status.ok() || status.operation() == Operation::sync_directory) {
      EXPECT_TRUE(contents == model.offered()) << "success reported with bytes missing";
    } else {
      EXPECT_EQ(contents, before_)
          << "the old file was replaced, but close() failed: " << status.message();
    }
    const std::vector<Call> injected = calls.injected();
    if (std::count(injected.begin(), injected.end(), Call::unlinkat) == 0) {
      EXPECT_EQ(number_of_files(directory_.path()), 1u) << "a temporary file stays behind";
    } else {
      remove_temporaries();
    }
  }

  void remove_temporaries() const {
    for (const auto& file : std::filesystem::directory_iterator(directory_.path())) {
      if (file.path() != path_) std::filesystem::remove(file.path());
    }
  }

  std::string added_to_file() const {
    const std::string contents = contents_of(path_);
    if (GetParam().create != CreateMode::append) return contents;
    EXPECT_TRUE(contents.starts_with(before_)) << "append changed the old bytes";
    return contents.substr(std::min(contents.size(), before_.size()));
  }

  enum class Report { must, may, must_not };

  // If one of these calls fails, the bytes are not at their positions, so the failure must be
  // reported.
  static Report report_of(const CallRecord& record, int target) {
    switch (record.call) {
      case Call::open:
      case Call::openat:
      case Call::duplicate:
      case Call::fstat:
      case Call::random_bytes:
      case Call::writev:
      case Call::pwritev:
      case Call::sync_file_range:
      case Call::seek_end:
      case Call::truncate:
      case Call::fdatasync:
      case Call::list_attributes:
      case Call::get_attribute:
      case Call::set_attribute:
      case Call::remove_attribute:
      case Call::fchown:
      case Call::fchmod:
      case Call::fsync:
      case Call::renameat: return Report::must;
      case Call::close: return record.descriptor == target ? Report::must : Report::may;
      default: return Report::must_not;
    }
  }

  static void expect_failures_reported(const FaultySystemCalls& calls, const Status& status,
                                       int error) {
    int target = -1;
    bool target_is_closed = false;
    Report report = Report::must_not;
    for (const CallRecord& record : calls.records()) {
      const bool opens = record.call == Call::open || (record.flags & O_EXCL) != 0;
      if (opens && target < 0) target = static_cast<int>(record.result);
      // After a close the descriptor's number may stand for another file.
      const int open_target = target_is_closed ? -1 : target;
      if (record.injected) report = std::min(report, report_of(record, open_target));
      if (record.call == Call::close && record.descriptor == target) target_is_closed = true;
    }
    if (report == Report::must) {
      EXPECT_FALSE(status.ok()) << "the Writer reported success although a call failed";
    } else if (report == Report::must_not) {
      EXPECT_TRUE(status.ok()) << "every call that matters succeeded, but the Writer failed: "
                               << status.message();
    }
    if (!status.ok()) {
      EXPECT_EQ(status.code().value(), error) << status.message();
    }
  }

  ScratchDirectory directory_;
  const std::string path_ = directory_.file("out");
  const std::string before_ = "what was there before";
};

TEST_P(WriterFailures, EveryCallFailedInTurnIsSurvivedOrReported) {
  FaultySystemCalls no_faults;
  const Outcome without = run(no_faults);
  ASSERT_TRUE(without.status.ok()) << without.status.message();
  const std::size_t calls_to_fail = no_faults.count_that_can_fail();
  ASSERT_GE(calls_to_fail, 6u);
  const std::vector<CallRecord> calls_made = no_faults.records();
  const bool behind = std::any_of(calls_made.begin(), calls_made.end(), [](const CallRecord& call) {
    return is_transfer(call.call) && call.thread != this_thread();
  });
  const bool each_write_is_durable =
      GetParam().durability == Durability::every_write && !replaces();
  ASSERT_EQ(behind, GetParam().write_behind == WriteBehind::on && !each_write_is_durable)
      << no_faults.log();

  for (const Repeat repeat : {Repeat::once, Repeat::for_ever}) {
    for (const int error : {EIO, ENOSPC}) {
      fail_in_turn(calls_to_fail, error, repeat, [&](FaultySystemCalls& calls) {
        const Outcome outcome = run(calls);
        expect_failures_reported(calls, outcome.status, error);
      });
    }
  }
}

TEST_P(WriterFailures, AFailedWriteIsNeverTriedAgain) {
  for (const Call kind : {Call::writev, Call::pwritev}) {
    for (std::size_t nth = 1; nth <= 3; ++nth) {
      FaultySystemCalls calls;
      calls.fail(kind, nth, EIO);
      const Outcome outcome = run(calls);
      if (calls.injected().empty()) continue;  // this kind of file uses the other call
      EXPECT_EQ(outcome.status.operation(), Operation::write) << outcome.status.message();
      const std::vector<CallRecord> writes = calls.records(kind);
      EXPECT_TRUE(writes.back().injected) << "a write came after the one that failed";
    }
  }
}

std::string name_of_param(const ::testing::TestParamInfo<Setup>& info) {
  return name_of(info.param);
}

INSTANTIATE_TEST_SUITE_P(Writer, WriterFailures, ::testing::ValuesIn(every_setup()), name_of_param);

// ---- single failures, told apart ----

TEST(Writer, KeepsTheUnwrittenTailAfterENOSPC) {
  const ScratchDirectory directory;
  const std::string path = directory.file("out");
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  calls.limit_transfers(10);
  calls.fail(Call::pwritev, 3, ENOSPC);
  Writer writer;
  ASSERT_TRUE(writer.open(path, {.block_bytes = 4096}).ok());
  EXPECT_TRUE(writer.write("0123456789abcdefghijABCDEFGHIJ"));
  EXPECT_FALSE(writer.flush().ok());
  EXPECT_EQ(writer.status().message(), "write " + path + " at byte 20: No space left on device");
  EXPECT_EQ(contents_of(path), "0123456789abcdefghij");
  EXPECT_FALSE(writer.put('x'));
  EXPECT_FALSE(writer.write("more"));
  EXPECT_FALSE(writer.write(""));
  EXPECT_TRUE(writer.reserve(1).empty());
  EXPECT_FALSE(writer.flush(FlushTo::storage).ok());
  EXPECT_EQ(writer.close().message(), "write " + path + " at byte 20: No space left on device");
  EXPECT_EQ(contents_of(path), "0123456789abcdefghij")
      << "after the failure no byte may be written";
}

TEST(Writer, LearnsOfAWriteBehindFailureAtTheNextCallThatNeedsTheTarget) {
  const ScratchDirectory directory;
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  calls.fail(Call::pwritev, 2, EIO);
  Writer writer;
  ASSERT_TRUE(writer
                  .open(directory.file("out"),
                        {.write_behind = WriteBehind::on, .block_bytes = 64, .blocks_in_flight = 1})
                  .ok());
  std::size_t accepted = 0;
  while (writer.put('x') && accepted < 1'000'000) ++accepted;
  EXPECT_LE(accepted, 64u * 4) << "no more than what was in flight and in the block";
  EXPECT_EQ(writer.status().offset(), 64u);
  EXPECT_EQ(writer.close().offset(), 64u);
  EXPECT_EQ(contents_of(directory.file("out")), std::string(64, 'x'));
}

TEST(Writer, FallsBackToItsOwnThreadWhenNoneCanBeStarted) {
  const ScratchDirectory directory;
  const std::string path = directory.file("out");
  // Runs in a child, because the engine of this process may be running already.
  const int code = exit_code_of_child([&] {
    FaultySystemCalls calls;
    const os::ScopedSystemCalls in_place(calls);
    calls.fail(Call::start_thread, 1, EAGAIN, Repeat::for_ever);
    Writer writer;
    const WriterOptions options{.write_behind = WriteBehind::on, .block_bytes = 64};
    if (!writer.open(path, options).ok()) ::_exit(2);
    for (std::size_t i = 0; i < 700; ++i) writer.put(pattern_at(i));
    if (!writer.close().ok()) ::_exit(3);
    if (calls.count(Call::start_thread) == 0) ::_exit(4);  // otherwise the test would test nothing
  });
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(contents_of(path) == pattern(0, 700));
}

TEST(Writer, MakesDoWithTheMemoryThereIs) {
  if (sanitized) GTEST_SKIP() << "a sanitizer needs memory of its own";
  const ScratchDirectory directory;
  const std::string path = directory.file("out");
  const int code = exit_code_of_child([&] {
    const rlimit limit{200 << 20, 200 << 20};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(2);
    Writer writer;
    const WriterOptions options{.write_behind = WriteBehind::on, .block_bytes = 64 << 20};
    if (!writer.open(path, options).ok()) ::_exit(3);
    for (std::size_t i = 0; i < 300 << 20; ++i)
      writer.put('x');  // four blocks of this size do not fit
    if (!writer.close().ok()) ::_exit(4);
    Writer greedy;
    if (!greedy.open(path + ".greedy", {.block_bytes = 1 << 30}).ok()) ::_exit(5);
    greedy.write("pending");
    if (!greedy.reserve(1 << 30).empty()) ::_exit(6);
    if (greedy.status().code().value() != ENOMEM) ::_exit(7);
    if (greedy.close().operation() != Operation::allocate) ::_exit(8);
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(std::filesystem::file_size(path), 300u << 20);
}

TEST(Writer, KeepsTheReasonThatASinkGives) {
  class Refusing final : public Sink {
   public:
    Status write(std::uint64_t, std::span<const BytesView>, std::size_t& written) override {
      written = 3;
      return Status::failure(Operation::write, path_, EIO, std::nullopt, "the frame is damaged");
    }
    Status sync() override { return {}; }
    Status close() override { return {}; }
    const std::string& path() const override { return path_; }

   private:
    std::string path_ = "(refusing)";
  };
  Writer writer;
  ASSERT_TRUE(writer.open(std::make_unique<Refusing>()).ok());
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_EQ(writer.close().message(), "write (refusing) at byte 3: the frame is damaged");
}

TEST(Writer, DoesNotBelieveASinkThatWroteMoreThanAll) {
  class Boastful final : public Sink {
   public:
    Status write(std::uint64_t, std::span<const BytesView> pieces, std::size_t& written) override {
      written = pieces[0].size() + 1;
      return {};
    }
    Status sync() override { return {}; }
    Status close() override { return {}; }
    const std::string& path() const override { return path_; }

   private:
    std::string path_ = "(boastful)";
  };
  Writer writer;
  ASSERT_TRUE(writer.open(std::make_unique<Boastful>()).ok());
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_EQ(writer.close().message(),
            "write (boastful) at byte 5: the Sink reported more bytes than it was given");
}

TEST(Writer, DoesNotBelieveASinkThatWroteLessThanAll) {
  class Forgetful final : public Sink {
   public:
    Status write(std::uint64_t, std::span<const BytesView> pieces, std::size_t& written) override {
      written = pieces[0].size() - forgotten_;
      return {};
    }
    Status write_at(std::uint64_t, BytesView bytes, std::size_t& written) override {
      written = bytes.size() - std::min<std::size_t>(bytes.size(), 1);
      return {};
    }
    explicit Forgetful(std::size_t forgotten) : forgotten_(forgotten) {}
    Status sync() override { return {}; }
    Status close() override { return {}; }
    const std::string& path() const override { return path_; }

   private:
    std::string path_ = "(forgetful)";
    const std::size_t forgotten_;
  };
  Writer writer;
  ASSERT_TRUE(writer.open(std::make_unique<Forgetful>(1)).ok());
  EXPECT_TRUE(writer.write("bytes"));
  const Status status = writer.close();
  EXPECT_EQ(status.code().value(), EIO);
  EXPECT_EQ(status.offset(), 4u);

  Writer patching;
  ASSERT_TRUE(patching.open(std::make_unique<Forgetful>(0)).ok());
  EXPECT_TRUE(patching.write("bytes"));
  EXPECT_TRUE(patching.flush().ok());
  EXPECT_EQ(patching.write_at(1, "abc").message(),
            "write (forgetful) at byte 3: the Sink reported success without having written "
            "everything");
}

TEST(Writer, ReportsAKernelThatTakesNothingWithoutAnError) {
  class TakesNothing final : public os::SystemCalls {
    os::CallResult pwritev(int, const iovec*, int, std::uint64_t) override { return 0; }
  };
  const ScratchDirectory directory;
  TakesNothing calls;
  const os::ScopedSystemCalls in_place(calls);
  Writer writer;
  ASSERT_TRUE(writer.open(directory.file("out")).ok());
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_EQ(writer.close().offset(), 0u);
  EXPECT_FALSE(writer.status().ok());
}

}  // namespace
}  // namespace sluice::testing
