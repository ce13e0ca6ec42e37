// Every system call of a Writer that seeks and patches fails in turn, once and for ever. All bytes
// that the Writer reports as written are at their positions.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sluice/copy.h"
#include "sluice/writer.h"
#include "testing/failed_in_turn.h"
#include "testing/faulty_system_calls.h"
#include "testing/pattern.h"
#include "testing/placed_bytes.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

enum class Target { truncated, existing, replaced, attached };

struct Setup {
  Target target;
  Durability durability;
  WriteBehind write_behind;
  Transfers transfers;
};

std::string name_of(const Setup& setup) {
  const char* target[] = {"Truncated", "Existing", "Replaced", "Attached"};
  const char* durability[] = {"", "Durable", "DurableFlushes", "DurableWrites"};
  return std::string(target[static_cast<std::size_t>(setup.target)]) +
         durability[static_cast<std::size_t>(setup.durability)] +
         (setup.write_behind == WriteBehind::on ? "WriteBehind" : "OneThread") +
         name_of(setup.transfers);
}

void PrintTo(const Setup& setup, std::ostream* out) { *out << name_of(setup); }

std::vector<Setup> every_setup() {
  std::vector<Setup> setups;
  for (const auto target :
       {Target::truncated, Target::existing, Target::replaced, Target::attached}) {
    for (const auto durability : {Durability::none, Durability::on_close, Durability::every_flush,
                                  Durability::every_write}) {
      for (const auto write_behind : {WriteBehind::off, WriteBehind::on}) {
        for (const auto transfers :
             {Transfers::whole, Transfers::one_byte, Transfers::halved, Transfers::interrupted}) {
          setups.push_back({target, durability, write_behind, transfers});
        }
      }
    }
  }
  return setups;
}

// A Writer, and the positions that its bytes must have. A Writer that has failed must stay failed.
class WriterAndPlaces {
 public:
  WriterAndPlaces(Writer& writer, const std::string& before)
      : writer_(writer), placed_(before, writer.position()) {}

  void write(std::size_t count) {
    if (has_failed()) return;
    const std::string bytes = next(count);
    placed_.write(bytes);
    seen(writer_.write(bytes));
  }

  void put_many(std::size_t count) {
    for (std::size_t i = 0; i < count && !has_failed(); ++i) {
      const std::string byte = next(1);
      placed_.write(byte);
      seen(writer_.put(byte[0]));
    }
  }

  void write_number(int number) {
    if (has_failed()) return;
    placed_.write(std::to_string(number));
    seen(writer_.write_number(number));
  }

  void write_values() {
    if (has_failed()) return;
    const std::string bytes = next(40);
    std::array<std::uint32_t, 10> values;
    std::memcpy(values.data(), bytes.data(), bytes.size());
    placed_.write(bytes);
    seen(writer_.write_values(values));
  }

  void copy_some(std::size_t count) {
    if (has_failed()) return;
    const std::string bytes = next(count);
    Reader from;
    ASSERT_TRUE(from.open(make_memory_source(
                              {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}))
                    .ok());
    placed_.write(bytes);
    seen(copy(from, writer_).ok());
  }

  void write_at(std::uint64_t position, std::size_t count) {
    if (has_failed()) return;
    const std::string bytes = next(count);
    placed_.write_at(position, bytes);
    const Status status = writer_.write_at(position, bytes);
    EXPECT_EQ(status.message(), writer_.status().message());
    patch_failed_ = !status.ok();
  }

  void seek(std::uint64_t position) {
    if (has_failed()) return;
    placed_.seek(position);
    seen(writer_.seek(position).ok());
  }

  void flush() {
    if (!has_failed()) static_cast<void>(writer_.flush());
  }

  bool has_failed() const { return !writer_.status().ok(); }
  const PlacedBytes& placed() const { return placed_; }
  bool patch_failed() const { return patch_failed_; }

 private:
  std::string next(std::size_t count) {
    made_ += count;
    return pattern(made_ - count, count);
  }

  void seen(bool accepted) {
    EXPECT_EQ(accepted, writer_.status().ok());
    if (accepted) {
      EXPECT_EQ(writer_.position(), placed_.position());
    }
  }

  Writer& writer_;
  PlacedBytes placed_;
  std::uint64_t made_ = 0;
  bool patch_failed_ = false;
};

// Patches bytes in the block, before the block, across its beginning and after it. Seeks back and
// past the end.
void go_everywhere(WriterAndPlaces& writer) {
  writer.put_many(40);
  writer.write_at(33, 4);
  writer.write_at(0, 8);
  writer.write(60);
  writer.write_number(-12'345);
  writer.write_at(20, 100);
  writer.seek(10);
  writer.put_many(70);
  writer.write_at(85, 3);
  writer.flush();
  writer.seek(300);
  writer.write_values();
  writer.write_at(400, 5);
  writer.copy_some(150);
  writer.seek(200);
  writer.put_many(33);
  writer.write_at(5, 2);
}

class PositionFailures : public ::testing::TestWithParam<Setup> {
 protected:
  static bool replaces() { return GetParam().target == Target::replaced; }

  // The target's bytes before the Writer begins.
  std::string before() const {
    const bool is_kept =
        GetParam().target == Target::existing || GetParam().target == Target::attached;
    return is_kept ? old_ : "";
  }

  Status open(Writer& writer, int descriptor) const {
    WriterOptions options{.durability = GetParam().durability,
                          .write_behind = GetParam().write_behind,
                          .block_bytes = 32,
                          .blocks_in_flight = 2,
                          .write_back_bytes = 100};
    if (GetParam().target == Target::attached) return writer.attach(descriptor, path_, options);
    if (GetParam().target == Target::existing) options.create = CreateMode::existing;
    if (replaces()) options.create = CreateMode::replace_atomically;
    return writer.open(path_, options);
  }

  // Runs the scenario under `calls`, and checks the promises that hold after every failure.
  Status run(FaultySystemCalls& calls) {
    make_file(path_, old_);
    const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    Status closed;
    {
      set_transfers(calls, GetParam().transfers);
      const os::ScopedSystemCalls in_place(calls);
      Writer writer;
      const Status opened = open(writer, descriptor);
      WriterAndPlaces places(writer, before());
      if (opened.ok()) go_everywhere(places);
      closed = writer.close();
      if (opened.ok()) expect_in_place(places, closed);
    }
    ::close(descriptor);
    remove_temporaries();
    return closed;
  }

  void expect_in_place(const WriterAndPlaces& places, const Status& closed) const {
    const std::string found = contents_of(path_);
    const bool is_whole = closed.ok() || closed.operation() == Operation::sync_directory;
    if (is_whole) {
      EXPECT_TRUE(found == places.placed().bytes()) << "success reported with bytes missing";
    } else if (replaces()) {
      EXPECT_EQ(found, old_) << "the old file was replaced, but close() failed: "
                             << closed.message();
    } else {
      EXPECT_EQ(places.placed().broken_by(closed, places.patch_failed(), found), "");
    }
  }

  void remove_temporaries() const {
    for (const auto& file : std::filesystem::directory_iterator(directory_.path())) {
      if (file.path() != path_) std::filesystem::remove(file.path());
    }
  }

  // If one of these calls fails, the bytes are not at their positions.
  static bool must_be_reported(Call call) {
    return call == Call::writev || call == Call::pwritev || call == Call::fdatasync ||
           call == Call::fsync || call == Call::sync_file_range || call == Call::truncate ||
           call == Call::renameat || call == Call::seek_to;
  }

  void expect_reported(const FaultySystemCalls& calls, const Status& closed, int error) const {
    const std::vector<Call> injected = calls.injected();
    if (std::any_of(injected.begin(), injected.end(), must_be_reported)) {
      EXPECT_FALSE(closed.ok()) << "the Writer reported success although a call failed";
    }
    if (!closed.ok()) {
      EXPECT_EQ(closed.code().value(), error) << closed.message();
    }
  }

  const ScratchDirectory directory_;
  const std::string path_ = directory_.file("out");
  const std::string old_ = pattern(1'000'000, 250);
};

TEST_P(PositionFailures, EveryCallFailedInTurnIsSurvivedOrReported) {
  FaultySystemCalls no_faults;
  const Status without = run(no_faults);
  ASSERT_TRUE(without.ok()) << without.message();
  const std::size_t calls_to_fail = no_faults.count_that_can_fail();
  ASSERT_GE(calls_to_fail, 8u);
  // With one byte per transfer there are a thousand calls that differ little, so most are skipped.
  const std::size_t step = GetParam().transfers == Transfers::one_byte ? 7 : 1;
  for (const Repeat repeat : {Repeat::once, Repeat::for_ever}) {
    for (const int error : {EIO, ENOSPC}) {
      const auto expect_survived = [&](FaultySystemCalls& calls) {
        expect_reported(calls, run(calls), error);
      };
      fail_in_turn(calls_to_fail, error, repeat, expect_survived, step);
    }
  }
}

std::string name_of_param(const ::testing::TestParamInfo<Setup>& info) {
  return name_of(info.param);
}

INSTANTIATE_TEST_SUITE_P(Writer, PositionFailures, ::testing::ValuesIn(every_setup()),
                         name_of_param);

}  // namespace
}  // namespace sluice::testing
