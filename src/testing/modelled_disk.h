// ModelledDisk: a folder in memory below every system call, whose power can be cut at any step.
//
// The disk knows which bytes were synced. A power cut keeps these bytes. Of all other changes it
// keeps whatever a real disk may keep: of each block of a file the old bytes, the new ones, the
// beginning of the new ones, or zeros; any size between the old and the new; of the changes to
// names the first few. Writes stop short and calls are interrupted now and then. Attributes survive
// an fsync, not an fdatasync. After a failed sync, memory shows bytes that no later sync puts on
// the disk, as Linux does. Blocks of zeros are holes. The kernel's copies and clones wait for no
// disk, also in a file whose writes are durable. Direct writes must be aligned to 512 bytes; a
// power cut treats them as it treats other writes.
// Threads: every method may be called from any thread, except load() and the methods marked as
// settings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/system_calls.h"

namespace sluice::testing {

using os::CallResult;
using os::FileStat;

class ModelledDisk final : public os::SystemCalls {
 public:
  static constexpr std::string_view folder = "/modelled-disk";
  static std::string path_of(std::string_view name);

  struct File {
    std::string bytes;
    unsigned mode = 0644;
  };
  using Image = std::map<std::string, File>;  // by name

  enum class Sync : std::uint8_t { none, fdatasync, fsync, directory, each_write };

  explicit ModelledDisk(std::uint64_t seed) : random_(seed) {}

  // Settings. Everything in `image` exists and is durable, and no file is open.
  void load(const Image& image);
  // From now on the syncs of this kind do nothing, and report success.
  void leave_out(Sync sync) { left_out_ = sync; }
  // At the given change from now on (1: the first) `note` is called and the power is cut. The disk
  // that the program sees goes on.
  void cut_power_at(std::size_t change, std::function<void()> note);

  // The given sync of a file from now on (1: the first) fails with EIO.
  void fail_sync_at(std::size_t sync);
  bool has_failed_a_sync() const;  // since fail_sync_at()

  // The given write from now on (1: the first) fails with ENOSPC and changes nothing.
  void fail_write_at(std::size_t write);

  // The contents of the disk after the ordered cut; nothing before the cut.
  std::optional<Image> after_cut() const;
  // The contents of the disk if the power were cut now.
  Image cut_power_now();

  CallResult open(const char* path, int flags, unsigned permissions) override;
  CallResult close(int descriptor) override;
  CallResult duplicate(int descriptor) override;
  CallResult read(int descriptor, void* into, std::size_t bytes) override;
  CallResult pread(int descriptor, void* into, std::size_t bytes, std::uint64_t position) override;
  CallResult writev(int descriptor, const iovec* pieces, int count) override;
  CallResult pwritev(int descriptor, const iovec* pieces, int count,
                     std::uint64_t position) override;
  CallResult fstat(int descriptor, FileStat& result) override;
  CallResult seek_current(int descriptor) override;
  CallResult seek_end(int descriptor) override;
  CallResult name_of(int descriptor, char* into, std::size_t bytes) override;
  CallResult fdatasync(int descriptor) override;
  CallResult fsync(int descriptor) override;
  CallResult sync_file_range(int descriptor, std::uint64_t position, std::uint64_t bytes,
                             unsigned flags) override;
  CallResult openat(int directory, const char* name, int flags, unsigned permissions) override;
  CallResult renameat(int directory, const char* from, const char* to) override;
  CallResult unlinkat(int directory, const char* name) override;
  CallResult status_flags(int descriptor) override;
  CallResult set_status_flags(int descriptor, int flags) override;
  CallResult direct_alignment(int descriptor, std::size_t& memory_bytes,
                              std::size_t& file_bytes) override;
  CallResult fixed_attributes(int descriptor, std::uint64_t& attributes) override;
  CallResult fchmod(int descriptor, unsigned mode) override;
  CallResult list_attributes(int descriptor, char* into, std::size_t bytes) override;
  CallResult get_attribute(int descriptor, const char* name, void* into,
                           std::size_t bytes) override;
  CallResult remove_attribute(int descriptor, const char* name) override;
  CallResult truncate(int descriptor, std::uint64_t bytes) override;
  CallResult clone_file(int from, int to) override;
  CallResult copy_range(int from, int to, std::uint64_t position, std::size_t bytes) override;
  CallResult seek_data(int descriptor, std::uint64_t position) override;
  CallResult seek_hole(int descriptor, std::uint64_t position) override;
  CallResult lock(int descriptor) override;
  CallResult unlock(int descriptor) override;
  CallResult stat(const char* path, FileStat& result) override;
  CallResult forget_cached(int descriptor, std::uint64_t position, std::uint64_t bytes) override;
  CallResult random_bytes(void* into, std::size_t bytes) override;  // from the seed

 private:
  struct Node {
    File seen;     // as programs see it
    File durable;  // as it is on the disk
    int locked_by = 0;
    // Blocks that programs see, but that are not on the disk and will never be written to it.
    std::set<std::size_t> lost = {};
  };
  using Names = std::map<std::string, std::shared_ptr<Node>>;
  struct Opened {
    std::shared_ptr<Node> node;  // null: the folder
    std::string name;
    int description = 0;  // duplicates have the same one, and share a lock
    bool appends = false;
    bool writes_are_durable = false;
    bool is_direct = false;
  };
  // One change of names, which happens whole or not at all. A null node stands for no file.
  using NameChange = std::vector<std::pair<std::string, std::shared_ptr<Node>>>;

  using Lock = std::lock_guard<std::mutex>;
  bool one_in(unsigned count) { return random_() % count == 0; }
  void before_change();
  Image cut();
  File after_cut_of(const Node& node);
  static void set_facts(const Node* node, FileStat& result);
  static std::string bytes_to_become_durable(const Node& node);
  CallResult write_back(Node& node, Sync sync);
  CallResult open_name(const std::string& name, int flags, unsigned permissions);
  CallResult add(Opened opened);
  bool is_open(int description) const;
  void change_names(NameChange change);
  CallResult unlink_name(const std::string& name);
  CallResult put(Opened& opened, const iovec* pieces, int count, std::uint64_t position);
  std::size_t place(Node& node, std::string bytes, std::uint64_t position, std::size_t unit);
  std::uint64_t find_block(int descriptor, std::uint64_t position, bool is_hole) const;
  static void apply(const NameChange& change, Names& names);

  mutable std::mutex mutex_;
  // Guarded by mutex_:
  std::mt19937_64 random_;
  Sync left_out_ = Sync::none;
  std::size_t changes_until_cut_ = 0;  // 0: no cut is ordered
  std::size_t syncs_until_failure_ = 0;
  bool has_failed_a_sync_ = false;
  std::size_t writes_until_failure_ = 0;
  std::function<void()> note_;
  std::optional<Image> after_cut_;
  Names seen_names_;
  Names durable_names_;
  std::vector<NameChange> name_changes_;  // from the durable names to the visible ones
  std::map<int, Opened> opened_;
  int next_descriptor_ = 1'000'000;  // no real descriptor
};

}  // namespace sluice::testing
