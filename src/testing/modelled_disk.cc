#include "testing/modelled_disk.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sluice::testing {
namespace {

constexpr std::size_t block_bytes = 64;   // small, so that small files have many
constexpr std::size_t direct_unit = 512;  // the alignment of direct writes
constexpr int first_descriptor = 1'000'000;

char byte_of(const std::string& bytes, std::size_t at) {
  return at < bytes.size() ? bytes[at] : '\0';
}

std::string bytes_of(const iovec* pieces, int count) {
  std::string bytes;
  for (const iovec* piece = pieces; piece != pieces + count; ++piece) {
    bytes.append(static_cast<const char*>(piece->iov_base), piece->iov_len);
  }
  return bytes;
}

}  // namespace

std::string ModelledDisk::path_of(std::string_view name) {
  return std::string(folder) + "/" + std::string(name);
}

void ModelledDisk::load(const Image& image) {
  const Lock lock(mutex_);
  seen_names_.clear();
  for (const auto& [name, file] : image) {
    seen_names_[name] = std::make_shared<Node>(Node{file, file});
  }
  durable_names_ = seen_names_;
  name_changes_.clear();
  opened_.clear();
  after_cut_.reset();
  changes_until_cut_ = 0;
}

void ModelledDisk::cut_power_at(std::size_t change, std::function<void()> note) {
  const Lock lock(mutex_);
  changes_until_cut_ = change;
  note_ = std::move(note);
}

void ModelledDisk::fail_sync_at(std::size_t sync) {
  const Lock lock(mutex_);
  syncs_until_failure_ = sync;
  has_failed_a_sync_ = false;
}

void ModelledDisk::fail_write_at(std::size_t write) {
  const Lock lock(mutex_);
  writes_until_failure_ = write;
}

bool ModelledDisk::has_failed_a_sync() const {
  const Lock lock(mutex_);
  return has_failed_a_sync_;
}

std::optional<ModelledDisk::Image> ModelledDisk::after_cut() const {
  const Lock lock(mutex_);
  return after_cut_;
}

ModelledDisk::Image ModelledDisk::cut_power_now() {
  const Lock lock(mutex_);
  return cut();
}

// ---- the cut ----

void ModelledDisk::before_change() {
  if (changes_until_cut_ == 0 || --changes_until_cut_ != 0) return;
  note_();  // before the image is made: the image must have everything that was promised by now
  after_cut_ = cut();
}

ModelledDisk::Image ModelledDisk::cut() {
  Names names = durable_names_;
  const std::size_t kept = random_() % (name_changes_.size() + 1);
  for (std::size_t i = 0; i < kept; ++i) apply(name_changes_[i], names);
  Image image;
  for (const auto& [name, node] : names) image[name] = after_cut_of(*node);
  return image;
}

ModelledDisk::File ModelledDisk::after_cut_of(const Node& node) {
  const std::string& old = node.durable.bytes;
  const std::string now = bytes_to_become_durable(node);
  const std::size_t least = std::min(old.size(), now.size());
  const std::size_t most = std::max(old.size(), now.size());
  const std::size_t sizes[] = {old.size(), now.size(), least + random_() % (most - least + 1)};
  File left{std::string(sizes[random_() % 3], '\0'),
            one_in(2) ? node.durable.mode : node.seen.mode};
  for (std::size_t block = 0; block < left.bytes.size(); block += block_bytes) {
    const std::size_t end = std::min(block + block_bytes, left.bytes.size());
    const auto fate = random_() % 4;  // new, old, torn, or zeros if the block was to change
    const std::size_t torn_at = block + (fate == 0 ? block_bytes : random_() % block_bytes);
    for (std::size_t i = block; i < end; ++i) {
      const char before = byte_of(old, i), after = byte_of(now, i);
      const bool is_new = fate == 0 || (fate == 2 && i < torn_at);
      left.bytes[i] = is_new ? after : fate == 3 && before != after ? '\0' : before;
    }
  }
  return left;
}

std::string ModelledDisk::bytes_to_become_durable(const Node& node) {
  std::string bytes = node.seen.bytes;
  for (const std::size_t block : node.lost) {
    const std::size_t end = std::min((block + 1) * block_bytes, bytes.size());
    for (std::size_t i = block * block_bytes; i < end; ++i) {
      bytes[i] = byte_of(node.durable.bytes, i);
    }
  }
  return bytes;
}

// ---- names ----

void ModelledDisk::apply(const NameChange& change, Names& names) {
  for (const auto& [name, node] : change) {
    if (node) {
      names[name] = node;
    } else {
      names.erase(name);
    }
  }
}

void ModelledDisk::change_names(NameChange change) {
  before_change();
  apply(change, seen_names_);
  name_changes_.push_back(std::move(change));
}

CallResult ModelledDisk::add(Opened opened) {
  if (opened.description == 0) opened.description = next_descriptor_;
  opened_[next_descriptor_] = std::move(opened);
  return next_descriptor_++;
}

CallResult ModelledDisk::open_name(const std::string& name, int flags, unsigned permissions) {
  const auto found = seen_names_.find(name);
  std::shared_ptr<Node> node = found == seen_names_.end() ? nullptr : found->second;
  if (!node && (flags & O_CREAT) == 0) return -ENOENT;
  if (node && (flags & O_EXCL) != 0) return -EEXIST;
  if (!node) {
    const File empty{"", permissions & 0777};
    node = std::make_shared<Node>(Node{empty, empty});
    change_names({{name, node}});
  }
  if ((flags & O_TRUNC) != 0) {
    before_change();
    node->seen.bytes.clear();
  }
  return add({.node = node,
              .name = name,
              .appends = (flags & O_APPEND) != 0,
              .writes_are_durable = (flags & O_DSYNC) != 0});
}

CallResult ModelledDisk::open(const char* path, int flags, unsigned permissions) {
  const std::string_view whole = path;
  if (!whole.starts_with(folder)) return SystemCalls::open(path, flags, permissions);
  const Lock lock(mutex_);
  if (whole == folder) return add({});
  return open_name(std::string(whole.substr(folder.size() + 1)), flags, permissions);
}

CallResult ModelledDisk::openat(int, const char* name, int flags, unsigned permissions) {
  const Lock lock(mutex_);
  return name == folder ? add({}) : open_name(name, flags, permissions);
}

CallResult ModelledDisk::renameat(int, const char* from, const char* to) {
  const Lock lock(mutex_);
  const auto found = seen_names_.find(from);
  if (found == seen_names_.end()) return -ENOENT;
  change_names({{to, found->second}, {from, nullptr}});
  return 0;
}

CallResult ModelledDisk::unlinkat(int, const char* path) {
  const Lock lock(mutex_);
  const std::string name = path;
  if (name.starts_with(folder)) return unlink_name(name.substr(folder.size() + 1));
  return unlink_name(name);
}

CallResult ModelledDisk::unlink_name(const std::string& name) {
  if (seen_names_.count(name) == 0) return -ENOENT;
  change_names({{name, nullptr}});
  return 0;
}

CallResult ModelledDisk::name_of(int descriptor, char* into, std::size_t bytes) {
  const Lock lock(mutex_);
  const std::string path = path_of(opened_.at(descriptor).name);
  return static_cast<CallResult>(path.copy(into, bytes));
}

// ---- bytes ----

CallResult ModelledDisk::put(Opened& opened, const iovec* pieces, int count,
                             std::uint64_t position) {
  if (one_in(16)) return -EINTR;
  if (writes_until_failure_ != 0 && --writes_until_failure_ == 0) return -ENOSPC;
  std::string bytes = bytes_of(pieces, count);
  if (opened.is_direct) {
    if (position % direct_unit != 0 || bytes.size() % direct_unit != 0) return -EINVAL;
    for (int i = 0; i < count; ++i) {
      if (reinterpret_cast<std::uintptr_t>(pieces[i].iov_base) % direct_unit != 0) return -EINVAL;
    }
  }
  before_change();
  const std::size_t unit = opened.is_direct ? direct_unit : 1;
  const std::size_t placed = place(*opened.node, std::move(bytes), position, unit);
  if (opened.writes_are_durable && left_out_ != Sync::each_write) {
    opened.node->durable.bytes = opened.node->seen.bytes;
  }
  return static_cast<CallResult>(placed);
}

// Stops short now and then, at a multiple of `unit`. Returns the number of bytes that it has
// placed.
std::size_t ModelledDisk::place(Node& node, std::string bytes, std::uint64_t position,
                                std::size_t unit) {
  const std::size_t units = bytes.size() / unit;
  if (units > 1 && one_in(8)) bytes.resize((1 + random_() % (units - 1)) * unit);
  std::string& seen = node.seen.bytes;
  seen.resize(std::max<std::size_t>(seen.size(), position + bytes.size()));
  seen.replace(position, bytes.size(), bytes);
  node.lost.erase(node.lost.lower_bound(position / block_bytes),
                  node.lost.upper_bound((position + bytes.size() - 1) / block_bytes));
  return bytes.size();
}

CallResult ModelledDisk::pwritev(int descriptor, const iovec* pieces, int count,
                                 std::uint64_t position) {
  const Lock lock(mutex_);
  return put(opened_.at(descriptor), pieces, count, position);
}

CallResult ModelledDisk::writev(int descriptor, const iovec* pieces, int count) {
  const Lock lock(mutex_);
  Opened& opened = opened_.at(descriptor);
  if (!opened.appends) return -EINVAL;  // nothing else is written in sequence in these tests
  return put(opened, pieces, count, opened.node->seen.bytes.size());
}

CallResult ModelledDisk::pread(int descriptor, void* into, std::size_t bytes,
                               std::uint64_t position) {
  const Lock lock(mutex_);
  const std::string& seen = opened_.at(descriptor).node->seen.bytes;
  if (position >= seen.size()) return 0;
  return static_cast<CallResult>(seen.copy(static_cast<char*>(into), bytes, position));
}

CallResult ModelledDisk::read(int descriptor, void* into, std::size_t bytes) {
  if (descriptor < first_descriptor) return SystemCalls::read(descriptor, into, bytes);
  return -EINVAL;
}

CallResult ModelledDisk::truncate(int descriptor, std::uint64_t bytes) {
  const Lock lock(mutex_);
  if (one_in(16)) return -EINTR;
  before_change();
  opened_.at(descriptor).node->seen.bytes.resize(bytes);
  return 0;
}

// ---- copies by the kernel ----

CallResult ModelledDisk::clone_file(int from, int to) {
  const Lock lock(mutex_);
  if (one_in(2)) return -EOPNOTSUPP;
  before_change();
  Node& node = *opened_.at(to).node;
  node.seen.bytes = opened_.at(from).node->seen.bytes;
  node.lost.clear();
  return 0;
}

CallResult ModelledDisk::copy_range(int from, int to, std::uint64_t position, std::size_t bytes) {
  const Lock lock(mutex_);
  if (one_in(16)) return -EINTR;
  if (one_in(8)) return -EXDEV;
  const std::string& seen = opened_.at(from).node->seen.bytes;
  if (position >= seen.size() || bytes == 0) return 0;
  before_change();
  return static_cast<CallResult>(
      place(*opened_.at(to).node, seen.substr(position, bytes), position, 1));
}

CallResult ModelledDisk::seek_data(int descriptor, std::uint64_t position) {
  const Lock lock(mutex_);
  const std::uint64_t found = find_block(descriptor, position, false);
  return found < opened_.at(descriptor).node->seen.bytes.size() ? static_cast<CallResult>(found)
                                                                : -ENXIO;
}

CallResult ModelledDisk::seek_hole(int descriptor, std::uint64_t position) {
  const Lock lock(mutex_);
  return static_cast<CallResult>(find_block(descriptor, position, true));
}

// Returns the first place from `position` on that lies in a block of this kind, or the end.
std::uint64_t ModelledDisk::find_block(int descriptor, std::uint64_t position, bool is_hole) const {
  const std::string& seen = opened_.at(descriptor).node->seen.bytes;
  while (position < seen.size()) {
    const std::uint64_t begin = position / block_bytes * block_bytes;
    const std::string block = seen.substr(begin, block_bytes);
    if ((block.find_first_not_of('\0') == std::string::npos) == is_hole) return position;
    position = begin + block_bytes;
  }
  return seen.size();
}

// ---- syncs ----

CallResult ModelledDisk::write_back(Node& node, Sync sync) {
  if (syncs_until_failure_ != 0 && --syncs_until_failure_ == 0) {
    has_failed_a_sync_ = true;
    const std::size_t blocks = (node.seen.bytes.size() + block_bytes - 1) / block_bytes;
    for (std::size_t block = 0; block < blocks; ++block) node.lost.insert(block);
    return -EIO;
  }
  if (left_out_ != sync) node.durable.bytes = bytes_to_become_durable(node);
  return 0;
}

CallResult ModelledDisk::forget_cached(int descriptor, std::uint64_t, std::uint64_t) {
  const Lock lock(mutex_);
  Node& node = *opened_.at(descriptor).node;
  node.seen.bytes = bytes_to_become_durable(node);
  node.lost.clear();
  return 0;
}

CallResult ModelledDisk::fdatasync(int descriptor) {
  const Lock lock(mutex_);
  if (one_in(16)) return -EINTR;
  before_change();
  const std::shared_ptr<Node>& node = opened_.at(descriptor).node;
  if (!node) return -EINVAL;  // no code syncs a folder that way
  return write_back(*node, Sync::fdatasync);
}

CallResult ModelledDisk::fsync(int descriptor) {
  const Lock lock(mutex_);
  if (one_in(16)) return -EINTR;
  before_change();
  const Opened& opened = opened_.at(descriptor);
  if (opened.node) {
    const CallResult result = write_back(*opened.node, Sync::fsync);
    if (left_out_ != Sync::fsync) opened.node->durable.mode = opened.node->seen.mode;
    return result;
  }
  if (left_out_ != Sync::directory) {
    durable_names_ = seen_names_;
    name_changes_.clear();
  }
  return 0;
}

CallResult ModelledDisk::sync_file_range(int, std::uint64_t, std::uint64_t, unsigned) {
  return 0;  // write-back promises nothing
}

// ---- open descriptors ----

CallResult ModelledDisk::close(int descriptor) {
  if (descriptor < first_descriptor) return SystemCalls::close(descriptor);
  const Lock lock(mutex_);
  const auto found = opened_.find(descriptor);
  if (found == opened_.end()) return -EBADF;
  const Opened closed = std::move(found->second);
  opened_.erase(found);
  if (closed.node && closed.node->locked_by == closed.description && !is_open(closed.description)) {
    closed.node->locked_by = 0;
  }
  return 0;
}

bool ModelledDisk::is_open(int description) const {
  return std::any_of(opened_.begin(), opened_.end(), [description](const auto& opened) {
    return opened.second.description == description;
  });
}

CallResult ModelledDisk::duplicate(int descriptor) {
  const Lock lock(mutex_);
  return add(opened_.at(descriptor));
}

CallResult ModelledDisk::fstat(int descriptor, FileStat& result) {
  const Lock lock(mutex_);
  set_facts(opened_.at(descriptor).node.get(), result);
  return 0;
}

void ModelledDisk::set_facts(const Node* node, FileStat& result) {
  result = {};
  result.st_nlink = 1;
  result.st_ino = reinterpret_cast<std::uintptr_t>(node);
  result.st_mode = node != nullptr ? S_IFREG | node->seen.mode : S_IFDIR | 0755;
  if (node != nullptr) result.st_size = static_cast<off_t>(node->seen.bytes.size());
}

CallResult ModelledDisk::stat(const char* path, FileStat& result) {
  const std::string_view whole = path;
  if (!whole.starts_with(folder)) return SystemCalls::stat(path, result);
  const Lock lock(mutex_);
  const auto found = seen_names_.find(std::string(whole.substr(folder.size() + 1)));
  if (found == seen_names_.end()) return -ENOENT;
  set_facts(found->second.get(), result);
  return 0;
}

CallResult ModelledDisk::seek_current(int) { return 0; }

CallResult ModelledDisk::seek_end(int descriptor) {
  const Lock lock(mutex_);
  return static_cast<CallResult>(opened_.at(descriptor).node->seen.bytes.size());
}

CallResult ModelledDisk::fixed_attributes(int, std::uint64_t&) { return -ENOSYS; }

CallResult ModelledDisk::status_flags(int descriptor) {
  if (descriptor < first_descriptor) return SystemCalls::status_flags(descriptor);
  const Lock lock(mutex_);
  return opened_.at(descriptor).is_direct ? O_DIRECT : 0;
}

CallResult ModelledDisk::set_status_flags(int descriptor, int flags) {
  const Lock lock(mutex_);
  opened_.at(descriptor).is_direct = (flags & O_DIRECT) != 0;
  return 0;
}

CallResult ModelledDisk::direct_alignment(int, std::size_t& memory_bytes, std::size_t& file_bytes) {
  memory_bytes = file_bytes = direct_unit;
  return 0;
}

CallResult ModelledDisk::fchmod(int descriptor, unsigned mode) {
  const Lock lock(mutex_);
  before_change();
  opened_.at(descriptor).node->seen.mode = mode;
  return 0;
}

CallResult ModelledDisk::list_attributes(int, char*, std::size_t) { return -ENOTSUP; }

CallResult ModelledDisk::get_attribute(int, const char*, void*, std::size_t) { return -ENOTSUP; }

CallResult ModelledDisk::remove_attribute(int, const char*) { return -ENOTSUP; }

CallResult ModelledDisk::lock(int descriptor) {
  const Lock lock(mutex_);
  const Opened& opened = opened_.at(descriptor);
  int& holder = opened.node->locked_by;
  if (holder != 0 && holder != opened.description) return -EWOULDBLOCK;
  holder = opened.description;
  return 0;
}

CallResult ModelledDisk::unlock(int descriptor) {
  const Lock lock(mutex_);
  opened_.at(descriptor).node->locked_by = 0;
  return 0;
}

CallResult ModelledDisk::random_bytes(void* into, std::size_t bytes) {
  const Lock lock(mutex_);
  std::generate_n(static_cast<char*>(into), bytes, [this] { return static_cast<char>(random_()); });
  return static_cast<CallResult>(bytes);
}

}  // namespace sluice::testing
