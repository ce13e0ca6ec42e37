// A copy that copy_file() promised to be durable is whole after every power cut, with its holes.
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>

#include "os/system_calls.h"
#include "sluice/copy.h"
#include "testing/crash_cases.h"
#include "testing/modelled_disk.h"
#include "testing/pattern.h"

namespace sluice::testing {
namespace {

using Sync = ModelledDisk::Sync;

const std::string original = "original";
const std::string copied = "copy";

class CopyCase {
 public:
  CopyCase(std::uint64_t seed, Sync left_out) : random_(seed), disk_(seed) {
    constexpr Durability durabilities[] = {Durability::none, Durability::on_close,
                                           Durability::every_flush, Durability::every_write};
    constexpr CreateMode modes[] = {CreateMode::truncate, CreateMode::append, CreateMode::exclusive,
                                    CreateMode::existing, CreateMode::replace_atomically};
    options_.durability = durabilities[any(4)];
    options_.create = modes[any(5)];
    make_original();
    const bool must_exist = options_.create == CreateMode::existing;
    const bool may_exist = options_.create != CreateMode::exclusive;
    if (must_exist || (may_exist && any(2) == 0)) old_ = pattern(1'000'000, any(600));
    ModelledDisk::Image image{{original, {original_, 0600}}};
    if (old_) image[copied] = {*old_, 0600};
    disk_.load(image);
    disk_.leave_out(left_out);
  }

  std::string broken_promise() {
    const os::ScopedSystemCalls in_place(disk_);
    disk_.cut_power_at(1 + any(20), [] {});
    const Status status =
        copy_file(ModelledDisk::path_of(original), ModelledDisk::path_of(copied), options_);
    if (!status.ok()) return status.message();
    if (const auto cut_before_the_end = disk_.after_cut()) {
      return broken_in(*cut_before_the_end, false);
    }
    return broken_in(disk_.cut_power_now(), is_staged() || options_.durability != Durability::none);
  }

 private:
  std::size_t any(std::size_t count) { return random_() % count; }
  bool is_staged() const { return options_.create == CreateMode::replace_atomically; }

  // Bytes and holes in turn. Often a hole is the last.
  void make_original() {
    for (std::size_t pieces = any(6); pieces > 0; --pieces) {
      if (any(2) == 0) original_ += pattern(original_.size(), any(300));
      original_.append(any(400), '\0');
    }
  }

  std::string expected() const {
    const std::string old = old_.value_or("");
    if (options_.create == CreateMode::append) return old + original_;
    if (options_.create != CreateMode::existing || old.size() < original_.size()) return original_;
    return original_ + old.substr(original_.size());
  }

  std::string broken_in(const ModelledDisk::Image& image, bool promised) const {
    if (image.at(original).bytes != original_) return "the original has changed";
    const auto found = image.find(copied);
    if (found == image.end()) return promised || old_ ? "the file is gone" : "";
    const std::string& bytes = found->second.bytes;
    if (promised) return bytes == expected() ? "" : "the copy is not whole";
    const bool is_whole = bytes == original_ || (old_ && bytes == *old_);
    return is_staged() && !is_whole ? "the file is neither the old file nor the copy" : "";
  }

  std::mt19937_64 random_;
  ModelledDisk disk_;
  CopyOptions options_;
  std::string original_;
  std::optional<std::string> old_;
};

std::string copy_case(std::uint64_t seed, Sync left_out) {
  return CopyCase(seed, left_out).broken_promise();
}

constexpr std::uint64_t copy_cases = 10'000;

TEST(CrashOfACopy, LeavesAPromisedCopyWhole) { expect_kept(copy_case, copy_cases); }

TEST(CrashOfACopy, IsNoticedWithoutOneOfTheSyncs) {
  for (const Sync sync : {Sync::fdatasync, Sync::fsync, Sync::directory, Sync::each_write}) {
    SCOPED_TRACE(static_cast<int>(sync));
    expect_noticed(copy_case, sync, copy_cases);
  }
}

}  // namespace
}  // namespace sluice::testing
