#include "os/file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

#include "os/failed_call.h"
#include "os/system_calls.h"

namespace sluice::os {
namespace {

// Retries a call that a signal interrupted, or that would have to wait on a non-blocking
// descriptor. If a blocking descriptor gives EAGAIN, the socket's timeout has passed: this is a
// failure. The flags are read only after EAGAIN, and again after each EAGAIN, because other
// processes may share and change them.
template <typename Call>
CallResult patiently(int descriptor, short events, Call call) {
  for (;;) {
    const CallResult result = call();
    if (result == -EINTR) continue;
    if (result != -EAGAIN) return result;
    const CallResult flags = calls().status_flags(descriptor);
    if (flags < 0) return flags;
    if ((flags & O_NONBLOCK) == 0) return result;
    const CallResult ready = calls().poll(descriptor, events, -1);
    if (ready < 0 && ready != -EINTR) return ready;
  }
}

std::string_view reason_of(int code, std::string_view when_timed_out) {
  if (code == ESPIPE) return no_positions;
  return code == EAGAIN ? when_timed_out : std::string_view();
}

Status regular_size(CallResult result, const FileStat& facts, const std::string& path,
                    std::uint64_t& bytes) {
  if (result < 0) return Status::failure(Operation::stat, path, error_of(result));
  if (S_ISDIR(facts.st_mode)) return Status::failure(Operation::stat, path, EISDIR);
  if (!S_ISREG(facts.st_mode)) {
    return Status::failure(Operation::stat, path, ESPIPE, std::nullopt,
                           "it has no size: it is not a regular file");
  }
  bytes = static_cast<std::uint64_t>(facts.st_size);
  return {};
}

// A target without positions is at position 0. If any other failure were ignored, every offset
// would be wrong.
Status position_from(CallResult result, const std::string& path, std::uint64_t& position) {
  position = result < 0 ? 0 : static_cast<std::uint64_t>(result);
  if (result >= 0 || result == -ESPIPE) return {};
  return Status::failure(Operation::open, path, error_of(result));
}

int open_flags(File::Access access) {
  switch (access) {
    case File::Access::read: return O_RDONLY | O_NOCTTY;
    case File::Access::truncate: return O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY;
    case File::Access::overwrite: return O_WRONLY | O_CREAT | O_NOCTTY;
    case File::Access::append: return O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY;
    case File::Access::exclusive: return O_WRONLY | O_CREAT | O_EXCL | O_NOCTTY;
    case File::Access::update: return O_RDWR | O_CREAT | O_NOCTTY;
    case File::Access::directory: return O_RDONLY | O_DIRECTORY;
  }
  return O_RDONLY;
}

// The pieces of one call: the bytes after the first `skip`, within the limits of one call.
struct Batch {
  // A Writer has 2, a stored frame of 1 MiB in two pieces has 19; the kernel would take 1024.
  static constexpr std::size_t max_pieces = 32;
  iovec pieces[max_pieces];
  int count = 0;

  Batch(std::span<const BytesView> all, std::size_t skip) {
    std::size_t room = max_bytes_per_call;
    for (BytesView piece : all) {
      const std::size_t skipped = std::min(skip, piece.size());
      skip -= skipped;
      piece = piece.subspan(skipped);
      piece = piece.first(std::min(room, piece.size()));
      if (piece.empty()) continue;
      if (static_cast<std::size_t>(count) == max_pieces) return;
      pieces[count++] = {const_cast<std::byte*>(piece.data()), piece.size()};
      room -= piece.size();
    }
  }
};

}  // namespace

CallResult facts_of(int descriptor, FileStat& facts) {
  return uninterrupted([&] { return calls().fstat(descriptor, facts); });
}

CallResult facts_at(const std::string& path, FileStat& facts) {
  return uninterrupted([&] { return calls().stat(path.c_str(), facts); });
}

namespace {

bool is_of_scheme(char letter) {
  const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  return is_letter || (letter >= '0' && letter <= '9') || letter == '+' || letter == '-' ||
         letter == '.';
}

// A program may still use a folder whose name ends in a colon.
Status refuse_uri(Operation operation, const std::string& path) {
  constexpr std::string_view separator = "://";
  const std::size_t colon = path.find(separator);
  if (colon == std::string::npos || colon < 2) return {};
  const auto scheme_end = path.begin() + static_cast<std::ptrdiff_t>(colon);
  if (!std::all_of(path.begin(), scheme_end, is_of_scheme)) return {};
  FileStat facts{};
  if (facts_at(path.substr(0, colon + 1), facts) >= 0) return {};
  return Status::failure(operation, path.substr(0, colon + separator.size()) + "...", ENOENT,
                         std::nullopt,
                         "this is a URI, and not a file: for an object, use open_object "
                         "(sluice/object.h)");
}

}  // namespace

Status check_path(Operation operation, const std::string& path) {
  if (path.find('\0') == std::string::npos) return refuse_uri(operation, path);
  return Status::failure(operation, path, EINVAL, std::nullopt, "the name contains a NUL byte");
}

File::File(File&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      owned_(other.owned_),
      path_(std::move(other.path_)) {}

File& File::operator=(File&& other) noexcept {
  if (this == &other) return *this;
  static_cast<void>(close());
  descriptor_ = std::exchange(other.descriptor_, -1);
  owned_ = other.owned_;
  path_ = std::move(other.path_);
  return *this;
}

Status File::open(const std::string& path, Access access, unsigned permissions, File& out,
                  Written written) {
  return open_with(path, open_flags(access), permissions, out, written);
}

Status File::open_old(const std::string& path, Access access, File& out, Written written) {
  return open_with(path, open_flags(access) & ~O_CREAT, 0, out, written);
}

Status File::open_with(const std::string& path, int flags, unsigned permissions, File& out,
                       Written written) {
  if (Status status = check_path(Operation::open, path); !status.ok()) return status;
  if (written == Written::durable) flags |= O_DSYNC;
  File file = adopt(-1, path);  // made first: once the file is opened, no step may fail
  const CallResult descriptor = uninterrupted(  // a FIFO waits for its other end
      [&] { return calls().open(path.c_str(), flags, permissions); });
  if (descriptor < 0) return Status::failure(Operation::open, path, error_of(descriptor));
  file.descriptor_ = static_cast<int>(descriptor);
  out = std::move(file);
  return {};
}

File File::adopt(int descriptor, std::string_view path) {
  File file;
  file.own(descriptor);
  file.path_ = path;
  return file;
}

void File::own(int descriptor) noexcept {
  descriptor_ = descriptor;
  owned_ = true;
}

File File::borrow(int descriptor, std::string name) {
  File file;
  file.descriptor_ = descriptor;
  file.path_ = std::move(name);
  return file;
}

// `mode` is O_RDONLY or O_WRONLY.
Status File::attach(int descriptor, std::string name, int mode, File& out, CallResult& flags) {
  flags = calls().status_flags(descriptor);
  if (flags < 0) return Status::failure(Operation::open, name, error_of(flags));
  const int use = static_cast<int>(flags) & (O_ACCMODE | O_PATH);
  if (use != O_RDWR && use != mode) {
    return Status::failure(Operation::open, name, EBADF, std::nullopt,
                           mode == O_RDONLY ? "the descriptor is not open for reading"
                                            : "the descriptor is not open for writing");
  }
  out = borrow(descriptor, std::move(name));
  return {};
}

Status File::attach_for_reading(int descriptor, std::string name, File& out, std::uint64_t& start) {
  CallResult flags = 0;
  Status status = attach(descriptor, std::move(name), O_RDONLY, out, flags);
  if (!status.ok()) return status;
  return position_from(calls().seek_current(descriptor), out.path(), start);
}

Status File::attach_for_writing(int descriptor, std::string name, File& out, std::uint64_t& start,
                                bool& appends) {
  CallResult flags = 0;
  if (Status status = attach(descriptor, std::move(name), O_WRONLY, out, flags); !status.ok()) {
    return status;
  }
  appends = (flags & O_APPEND) != 0;
  if (!appends) {
    return position_from(calls().seek_current(descriptor), out.path(), start);
  }
  Status status = out.size(start);
  if (status.code().value() != ESPIPE) return status;
  start = 0;
  return {};
}

bool File::is_seekable() const { return calls().seek_current(descriptor_) >= 0; }

Status File::expect_positions(std::uint64_t position) const {
  const CallResult result = calls().seek_current(descriptor_);
  if (result >= 0) return {};
  const int code = error_of(result);
  return Status::failure(Operation::write, path_, code, position, reason_of(code, {}));
}

bool File::is_terminal() const { return calls().is_terminal(descriptor_) == 1; }

bool File::is_regular() const {
  FileStat facts{};
  return facts_of(descriptor_, facts) >= 0 && S_ISREG(facts.st_mode);
}

Status File::seek(std::uint64_t position) {
  const CallResult result = calls().seek_to(descriptor_, position);
  if (result >= 0) return {};
  const int code = error_of(result);
  return Status::failure(Operation::seek, path_, code, position, reason_of(code, {}));
}

Status File::end_position(std::uint64_t& position) const {
  return position_from(calls().seek_end(descriptor_), path_, position);
}

Status File::refuse_directory() const {
  FileStat facts{};
  const CallResult result = facts_of(descriptor_, facts);
  if (result < 0) return Status::failure(Operation::open, path_, error_of(result));
  return S_ISDIR(facts.st_mode) ? Status::failure(Operation::open, path_, EISDIR) : Status();
}

Status File::size(std::uint64_t& bytes) const {
  FileStat facts{};
  return regular_size(facts_of(descriptor_, facts), facts, path_, bytes);
}

Status file_size(const std::string& path, std::uint64_t& bytes) {
  if (Status status = check_path(Operation::stat, path); !status.ok()) return status;
  FileStat facts{};
  return regular_size(facts_at(path, facts), facts, path, bytes);
}

template <typename Call>
Status File::write_all(Call call, std::uint64_t position, std::span<const BytesView> pieces,
                       std::size_t& written) {
  written = 0;
  for (;;) {
    const Batch batch(pieces, written);
    if (batch.count == 0) return {};
    const CallResult result =
        patiently(descriptor_, POLLOUT, [&] { return call(batch, position + written); });
    if (result <= 0) {  // without a check for 0 the loop might never end
      const int code = result == 0 ? EIO : error_of(result);
      return Status::failure(Operation::write, path_, code, position + written,
                             reason_of(code,
                                       "no reader made room within the descriptor's timeout "
                                       "(for a socket, SO_SNDTIMEO)"));
    }
    written += static_cast<std::size_t>(result);
  }
}

// Flattened for the reason that file.h gives at read_at().
[[gnu::flatten]] Status File::write_at(std::uint64_t position, std::span<const BytesView> pieces,
                                       std::size_t& written) {
  return write_all(
      [this](const Batch& batch, std::uint64_t at) {
        return calls().pwritev(descriptor_, batch.pieces, batch.count, at);
      },
      position, pieces, written);
}

Status File::write_next(std::uint64_t position, std::span<const BytesView> pieces,
                        std::size_t& written) {
  return write_all(
      [this](const Batch& batch, std::uint64_t) {
        return calls().writev(descriptor_, batch.pieces, batch.count);
      },
      position, pieces, written);
}

template <typename Call>
Status File::read_once(Call call, std::uint64_t position, std::size_t& got) {
  got = 0;
  const CallResult result = patiently(descriptor_, POLLIN, call);
  if (result < 0) {
    const int code = error_of(result);
    return Status::failure(Operation::read, path_, code, position,
                           reason_of(code,
                                     "no data came within the descriptor's timeout "
                                     "(for a socket, SO_RCVTIMEO)"));
  }
  got = static_cast<std::size_t>(result);
  return {};
}

Status File::read_on_at(CallResult first, std::uint64_t position, MutableBytesView into,
                        std::size_t& got) {
  bool is_first = true;
  const auto call = [&] {
    if (std::exchange(is_first, false)) return first;
    return calls().pread(descriptor_, into.data(), std::min(into.size(), max_bytes_per_call),
                         position);
  };
  return read_once(call, position, got);
}

Status File::read_next(std::uint64_t position, MutableBytesView into, std::size_t& got) {
  const std::size_t bytes = std::min(into.size(), max_bytes_per_call);
  return read_once([&] { return calls().read(descriptor_, into.data(), bytes); }, position, got);
}

void File::will_read_in_sequence() {
  static_cast<void>(calls().will_read_in_sequence(descriptor_));
}

void File::forget_cached(std::uint64_t position, std::uint64_t bytes) {
  static_cast<void>(calls().forget_cached(descriptor_, position, bytes));
}

Status File::find_direct_alignment(DirectAlignment& alignment) const {
  const CallResult result = uninterrupted([&] {
    return calls().direct_alignment(descriptor_, alignment.memory_bytes, alignment.file_bytes);
  });
  const bool is_known = result >= 0 || result == -ENOSYS;
  if (!is_known) return Status::failure(Operation::open, path_, error_of(result));
  if (alignment.memory_bytes != 0 && alignment.file_bytes != 0) return {};
  return Status::failure(Operation::open, path_, ENOTSUP, std::nullopt,
                         "option direct is on, but this kind of file or its file system has no "
                         "direct I/O (or the kernel is older than Linux 6.1): use "
                         "Direct::if_possible");
}

Status File::set_direct(bool is_direct) {
  CallResult result = calls().status_flags(descriptor_);
  if (result >= 0) {
    const int flags = static_cast<int>(result) & ~O_DIRECT;
    result = calls().set_status_flags(descriptor_, flags | (is_direct ? O_DIRECT : 0));
  }
  return result < 0 ? Status::failure(Operation::open, path_, error_of(result)) : Status();
}

Status File::has_its_name(bool& result) const {
  FileStat opened{};
  FileStat named{};
  CallResult code = facts_of(descriptor_, opened);
  if (code >= 0) code = facts_at(path_, named);
  result = code >= 0 && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
  return code < 0 && code != -ENOENT ? Status::failure(Operation::open, path_, error_of(code))
                                     : Status();
}

Status File::map(std::uint64_t bytes, BytesView& out) const {
  void* address = nullptr;
  const CallResult result = calls().map_file(descriptor_, bytes, address);
  if (result < 0) return Status::failure(Operation::map, path_, error_of(result));
  out = {static_cast<const std::byte*>(address), bytes};
  return {};
}

Status File::truncate(std::uint64_t bytes) {
  const CallResult result = uninterrupted([&] { return calls().truncate(descriptor_, bytes); });
  return result < 0 ? Status::failure(Operation::write, path_, error_of(result), bytes) : Status();
}

Status File::drop_bytes() {
  const CallResult result = uninterrupted([&] { return calls().truncate(descriptor_, 0); });
  if (result >= 0) return {};
  FileStat facts{};
  const bool is_special = result == -EINVAL && facts_of(descriptor_, facts) >= 0 &&
                          !S_ISREG(facts.st_mode);  // a pipe or a device
  return is_special ? Status() : Status::failure(Operation::open, path_, error_of(result));
}

Status File::lock() {
  const CallResult result = uninterrupted([&] { return calls().lock(descriptor_); });
  if (result >= 0) return {};
  const int code = result == -EWOULDBLOCK ? EBUSY : error_of(result);
  return Status::failure(Operation::open, path_, code);
}

Status File::unlock() {
  const CallResult result = uninterrupted([&] { return calls().unlock(descriptor_); });
  return result < 0 ? Status::failure(Operation::close, path_, error_of(result)) : Status();
}

Status File::duplicate(File& out) const {
  const CallResult descriptor = calls().duplicate(descriptor_);
  if (descriptor < 0) return Status::failure(Operation::open, path_, error_of(descriptor));
  out = adopt(static_cast<int>(descriptor), path_);
  return {};
}

Status File::close() {
  const int descriptor = std::exchange(descriptor_, -1);
  if (descriptor < 0 || !owned_) return {};
  const CallResult result = calls().close(descriptor);
  // After EINTR Linux has released the descriptor: a second call could close another file's.
  if (result < 0 && result != -EINTR) {
    return Status::failure(Operation::close, path_, error_of(result));
  }
  return {};
}

void unmap_file(BytesView mapped) {
  if (!mapped.empty()) calls().unmap(const_cast<std::byte*>(mapped.data()), mapped.size());
}

}  // namespace sluice::os
