// The calls of os::SystemCalls that take no name.
#include "os/system_calls.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "os/windows/errors.h"
#include "os/windows/handles.h"
#include "os/windows/system.h"

// These are in system libraries, and their headers are not made for C++ or for this purpose.
extern "C" {
BOOLEAN NTAPI SystemFunction036(void* into, ULONG bytes);  // RtlGenRandom
__declspec(dllimport) LONG NTAPI
    NtQueryObject(void* handle, int kind, void* into, ULONG bytes, ULONG* written);
}

namespace sluice::os {
namespace {

// The range that a lock takes. No byte of a file is there, because Windows would refuse to read or
// to write bytes that another opening of the file has locked.
OVERLAPPED locked_range() {
  OVERLAPPED range{};
  range.Offset = 0xfffffffe;
  range.OffsetHigh = 0x7fffffff;
  return range;
}

OVERLAPPED at_position(std::uint64_t position) {
  OVERLAPPED at{};
  at.Offset = static_cast<DWORD>(position);
  at.OffsetHigh = static_cast<DWORD>(position >> 32);
  return at;
}

CallResult move_to(int descriptor, std::uint64_t position, DWORD from) {
  if (!has_positions(descriptor)) return -ESPIPE;
  LARGE_INTEGER distance;
  LARGE_INTEGER reached{};
  distance.QuadPart = static_cast<LONGLONG>(position);
  if (::SetFilePointerEx(handle_of(descriptor), distance, &reached, from) == 0) return last_error();
  return reached.QuadPart;
}

// A read or a write at a position moves the offset of a handle that the program may use too.
class OffsetKept {
 public:
  explicit OffsetKept(int descriptor)
      : descriptor_(descriptor),
        before_(is_own(descriptor) ? -1 : move_to(descriptor, 0, FILE_CURRENT)) {}
  ~OffsetKept() {
    if (before_ >= 0) move_to(descriptor_, static_cast<std::uint64_t>(before_), FILE_BEGIN);
  }
  OffsetKept(const OffsetKept&) = delete;
  OffsetKept& operator=(const OffsetKept&) = delete;

 private:
  const int descriptor_;
  const CallResult before_;
};

DWORD length_of(std::size_t bytes) {
  return static_cast<DWORD>(std::min<std::size_t>(bytes, std::size_t{1} << 30));
}

bool is_directory(void* handle) {
  BY_HANDLE_FILE_INFORMATION facts;
  return ::GetFileInformationByHandle(handle, &facts) != 0 &&
         (facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

bool is_pipe(void* handle) {
  DWORD flags = 0;
  return ::GetNamedPipeInfo(handle, &flags, nullptr, nullptr, nullptr) != 0;
}

// A pipe whose writers have gone is at its end. A writer that writes 0 bytes makes a read of the
// pipe return 0 bytes, and the pipe goes on.
CallResult read_bytes(int descriptor, void* into, std::size_t bytes, OVERLAPPED* at) {
  void* const handle = handle_of(descriptor);
  DWORD got = 0;
  while (::ReadFile(handle, into, length_of(bytes), &got, at) != 0) {
    if (got != 0 || bytes == 0 || !is_pipe(handle)) return got;
  }
  const DWORD error = ::GetLastError();
  if (error == ERROR_INVALID_FUNCTION && is_directory(handle)) return -EISDIR;
  return error == ERROR_HANDLE_EOF || error == ERROR_BROKEN_PIPE ? 0 : -errno_of(error);
}

CallResult write_bytes(int descriptor, const iovec& piece, OVERLAPPED* at) {
  DWORD written = 0;
  const DWORD length = length_of(piece.iov_len);
  if (::WriteFile(handle_of(descriptor), piece.iov_base, length, &written, at) == 0) {
    return last_error();
  }
  return written;
}

// Writes piece by piece. A failure after the first bytes shows again in the next call.
template <typename Write>
CallResult write_each(const iovec* pieces, int count, Write write) {
  CallResult written = 0;
  for (int i = 0; i < count; ++i) {
    const CallResult result = write(pieces[i], static_cast<std::uint64_t>(written));
    if (result < 0) return written > 0 ? written : result;
    written += result;
    if (static_cast<std::size_t>(result) < pieces[i].iov_len) return written;
  }
  return written;
}

unsigned mode_of(const BY_HANDLE_FILE_INFORMATION& facts, void* handle) {
  const bool is_read_only = (facts.dwFileAttributes & FILE_ATTRIBUTE_READONLY) != 0;
  const unsigned permissions = is_read_only ? 0444 : 0666;
  if ((facts.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
    FILE_ATTRIBUTE_TAG_INFO tag{};
    const bool known =
        ::GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &tag, sizeof tag) != 0;
    if (known && tag.ReparseTag == IO_REPARSE_TAG_SYMLINK) return symbolic_link_mode | permissions;
  }
  const bool is_directory = (facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  return (is_directory ? S_IFDIR | 0111U : S_IFREG) | permissions;
}

std::uint64_t joined(DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; }

}  // namespace

CallResult SystemCalls::close(int descriptor) {
  return result_of(::CloseHandle(handle_of(descriptor)));
}

CallResult SystemCalls::duplicate(int descriptor) {
  void* const process = ::GetCurrentProcess();
  void* copy = nullptr;
  const int done = ::DuplicateHandle(process, handle_of(descriptor), process, &copy, 0, FALSE,
                                     DUPLICATE_SAME_ACCESS);
  return done != 0 ? descriptor_of(copy) : last_error();
}

CallResult SystemCalls::read(int descriptor, void* into, std::size_t bytes) {
  return read_bytes(descriptor, into, bytes, nullptr);
}

CallResult SystemCalls::pread(int descriptor, void* into, std::size_t bytes,
                              std::uint64_t position) {
  if (!has_positions(descriptor)) return -ESPIPE;
  const OffsetKept kept(descriptor);
  OVERLAPPED at = at_position(position);
  return read_bytes(descriptor, into, bytes, &at);
}

CallResult SystemCalls::writev(int descriptor, const iovec* pieces, int count) {
  return write_each(pieces, count, [descriptor](const iovec& piece, std::uint64_t) {
    return write_bytes(descriptor, piece, nullptr);
  });
}

CallResult SystemCalls::pwritev(int descriptor, const iovec* pieces, int count,
                                std::uint64_t position) {
  if (!has_positions(descriptor)) return -ESPIPE;
  const OffsetKept kept(descriptor);
  return write_each(pieces, count, [=](const iovec& piece, std::uint64_t written) {
    OVERLAPPED at = at_position(position + written);
    return write_bytes(descriptor, piece, &at);
  });
}

CallResult SystemCalls::fstat(int descriptor, FileStat& into) {
  void* const handle = handle_of(descriptor);
  into = FileStat();
  const DWORD type = ::GetFileType(handle);
  if (type == FILE_TYPE_UNKNOWN && ::GetLastError() != NO_ERROR) return last_error();
  if (type != FILE_TYPE_DISK) {
    into.st_mode = (type == FILE_TYPE_PIPE ? S_IFIFO : S_IFCHR) | 0666U;
    return 0;
  }
  BY_HANDLE_FILE_INFORMATION facts;
  if (::GetFileInformationByHandle(handle, &facts) == 0) return last_error();
  into.st_dev = facts.dwVolumeSerialNumber;
  into.st_ino = joined(facts.nFileIndexHigh, facts.nFileIndexLow);
  into.st_mode = mode_of(facts, handle);
  into.st_nlink = facts.nNumberOfLinks;
  into.st_size = static_cast<std::int64_t>(joined(facts.nFileSizeHigh, facts.nFileSizeLow));
  return 0;
}

CallResult SystemCalls::seek_current(int descriptor) {
  return move_to(descriptor, 0, FILE_CURRENT);
}

CallResult SystemCalls::seek_to(int descriptor, std::uint64_t position) {
  return move_to(descriptor, position, FILE_BEGIN);
}

CallResult SystemCalls::seek_end(int descriptor) { return move_to(descriptor, 0, FILE_END); }

// Tells from the rights of the handle what it was opened for.
CallResult SystemCalls::status_flags(int descriptor) {
  struct {
    ULONG attributes;
    ACCESS_MASK rights;
    ULONG other[12];
  } facts{};
  if (::NtQueryObject(handle_of(descriptor), 0, &facts, sizeof facts, nullptr) < 0) return -EBADF;
  const bool reads = (facts.rights & FILE_READ_DATA) != 0;
  const bool overwrites = (facts.rights & FILE_WRITE_DATA) != 0;
  const bool appends = !overwrites && (facts.rights & FILE_APPEND_DATA) != 0;
  const int flags = appends ? O_APPEND : 0;
  if (!overwrites && !appends) return reads ? O_RDONLY : O_PATH;
  return (reads ? O_RDWR : O_WRONLY) | flags;
}

CallResult SystemCalls::is_terminal(int descriptor) {
  DWORD mode = 0;
  return ::GetConsoleMode(handle_of(descriptor), &mode) != 0 ? 1 : 0;
}

CallResult SystemCalls::fdatasync(int descriptor) { return SystemCalls::fsync(descriptor); }

// On a pipe FlushFileBuffers() would wait until the other end has read everything. A directory has
// no sync, and needs none: see names_need_a_sync.
CallResult SystemCalls::fsync(int descriptor) {
  if (!has_positions(descriptor)) return -EINVAL;
  void* const handle = handle_of(descriptor);
  if (::FlushFileBuffers(handle) != 0) return 0;
  const CallResult failure = last_error();
  return is_directory(handle) ? 0 : failure;
}

CallResult SystemCalls::sync_file_range(int, std::uint64_t, std::uint64_t, unsigned) {
  return -ENOSYS;
}

CallResult SystemCalls::random_bytes(void* into, std::size_t bytes) {
  const bool done = ::SystemFunction036(into, static_cast<ULONG>(bytes)) != 0;
  return done ? static_cast<CallResult>(bytes) : -EIO;
}

CallResult SystemCalls::truncate(int descriptor, std::uint64_t bytes) {
  if (!has_positions(descriptor)) return -EINVAL;
  FILE_END_OF_FILE_INFO end;
  end.EndOfFile.QuadPart = static_cast<LONGLONG>(bytes);
  return result_of(
      ::SetFileInformationByHandle(handle_of(descriptor), FileEndOfFileInfo, &end, sizeof end));
}

CallResult SystemCalls::lock(int descriptor) {
  OVERLAPPED range = locked_range();
  constexpr DWORD flags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
  if (::LockFileEx(handle_of(descriptor), flags, 0, 1, 0, &range) != 0) return 0;
  const DWORD error = ::GetLastError();
  const bool is_locked = error == ERROR_LOCK_VIOLATION || error == ERROR_IO_PENDING;
  return is_locked ? -EWOULDBLOCK : -errno_of(error);
}

CallResult SystemCalls::unlock(int descriptor) {
  OVERLAPPED range = locked_range();
  return result_of(::UnlockFileEx(handle_of(descriptor), 0, 1, 0, &range));
}

CallResult SystemCalls::map_file(int descriptor, std::size_t bytes, void*& address) {
  void* const mapping =
      ::CreateFileMappingW(handle_of(descriptor), nullptr, PAGE_READONLY, 0, 0, nullptr);
  if (mapping == nullptr) return last_error();
  address = ::MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, bytes);
  const CallResult result = address != nullptr ? 0 : last_error();
  ::CloseHandle(mapping);  // the view keeps the mapping
  return result;
}

CallResult SystemCalls::map_memory(std::size_t bytes, void*& address) {
  address = ::VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  return address != nullptr ? 0 : last_error();
}

CallResult SystemCalls::remap_memory(void* old, std::size_t old_bytes, std::size_t bytes,
                                     void*& address) {
  const CallResult result = SystemCalls::map_memory(bytes, address);
  if (result < 0) return result;
  std::memcpy(address, old, std::min(old_bytes, bytes));
  return SystemCalls::unmap(old, old_bytes);
}

// VirtualFree() refuses an address that is a view of a file.
CallResult SystemCalls::unmap(void* address, std::size_t) {
  if (::VirtualFree(address, 0, MEM_RELEASE) != 0) return 0;
  return result_of(::UnmapViewOfFile(address));
}

CallResult SystemCalls::processors() {
  DWORD_PTR allowed = 0;
  DWORD_PTR present = 0;
  if (::GetProcessAffinityMask(::GetCurrentProcess(), &allowed, &present) == 0) return last_error();
  return std::popcount(allowed);
}

CallResult SystemCalls::start_thread(void* (*body)(void*), void* argument, pthread_t& thread) {
  return -::pthread_create(&thread, nullptr, body, argument);
}

CallResult SystemCalls::join_thread(pthread_t thread) { return -::pthread_join(thread, nullptr); }

}  // namespace sluice::os
