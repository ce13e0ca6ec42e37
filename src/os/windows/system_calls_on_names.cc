// The calls of os::SystemCalls that take a name.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "os/system_calls.h"
#include "os/windows/errors.h"
#include "os/windows/handles.h"
#include "os/windows/paths.h"
#include "os/windows/retries.h"
#include "os/windows/system.h"

namespace sluice::os {
namespace {

// Other programs may read, write, rename and remove a file that this library has open.
constexpr DWORD share_everything = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

bool is_busy(CallResult result) { return result == -EBUSY; }

// Windows gives one of two errors if another program has the file open that a new name would
// replace.
bool may_be_in_use(CallResult result) { return result == -EBUSY || result == -EACCES; }

DWORD access_of(int flags) {
  if ((flags & O_PATH) != 0) return FILE_READ_ATTRIBUTES;
  switch (flags & O_ACCMODE) {
    case O_RDWR: return GENERIC_READ | GENERIC_WRITE;
    // Without FILE_WRITE_DATA every write goes to the end of the file.
    case O_WRONLY: return (flags & O_APPEND) != 0 ? FILE_APPEND_DATA | SYNCHRONIZE : GENERIC_WRITE;
    default: return GENERIC_READ;
  }
}

DWORD disposition_of(int flags) {
  if ((flags & O_CREAT) == 0) return OPEN_EXISTING;
  return (flags & O_EXCL) != 0 ? CREATE_NEW : OPEN_ALWAYS;
}

// Windows opens a directory only with FILE_FLAG_BACKUP_SEMANTICS. Without this flag the opening for
// writing fails as it does on Linux.
DWORD attributes_of(int flags) {
  DWORD attributes = FILE_ATTRIBUTE_NORMAL;
  const bool may_be_directory = (flags & O_PATH) != 0 || (flags & O_ACCMODE) == O_RDONLY;
  if (may_be_directory) attributes |= FILE_FLAG_BACKUP_SEMANTICS;
  if ((flags & O_NOFOLLOW) != 0) attributes |= FILE_FLAG_OPEN_REPARSE_POINT;
  if ((flags & O_DSYNC) != 0) attributes |= FILE_FLAG_WRITE_THROUGH;
  return attributes;
}

// Behind ERROR_ACCESS_DENIED there may be reasons that Linux tells apart.
CallResult open_failed() {
  if (::GetLastError() != ERROR_ACCESS_DENIED) return last_error();
  const LastStatus status = last_status();
  if (status == LastStatus::is_directory) return -EISDIR;
  return status == LastStatus::delete_pending ? -EBUSY : last_error();
}

CallResult close_and_return(void* handle, CallResult result) {
  ::CloseHandle(handle);
  return result;
}

CallResult expect_directory(void* handle) {
  BY_HANDLE_FILE_INFORMATION facts;
  if (::GetFileInformationByHandle(handle, &facts) == 0) return last_error();
  return (facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? 0 : -ENOTDIR;
}

// A device (such as NUL) has no bytes to drop.
CallResult drop_bytes(void* handle) {
  FILE_END_OF_FILE_INFO end{};
  if (::GetFileType(handle) != FILE_TYPE_DISK) return 0;
  return result_of(::SetFileInformationByHandle(handle, FileEndOfFileInfo, &end, sizeof end));
}

CallResult open_wide(const WidePath& path, int flags) {
  const DWORD disposition = disposition_of(flags);
  void* const handle = ::CreateFileW(path.c_str(), access_of(flags), share_everything, nullptr,
                                     disposition, attributes_of(flags), nullptr);
  if (handle == INVALID_HANDLE_VALUE) return open_failed();
  const bool existed = disposition == OPEN_EXISTING || ::GetLastError() == ERROR_ALREADY_EXISTS;
  CallResult result = (flags & O_DIRECTORY) != 0 ? expect_directory(handle) : 0;
  if (result >= 0 && existed && (flags & O_TRUNC) != 0) result = drop_bytes(handle);
  return result < 0 ? close_and_return(handle, result) : descriptor_of(handle);
}

CallResult open_patiently(const WidePath& path, int flags) {
  if (path.error() < 0) return path.error();
  return with_retries([&] { return open_wide(path, flags); }, is_busy);
}

// FILE_RENAME_INFO with room for the longest name.
struct Renaming {
  DWORD flags;
  void* directory;
  DWORD name_bytes;
  wchar_t name[max_path_units];
};
static_assert(offsetof(Renaming, name) == 20);

constexpr DWORD replace_if_exists = 1;
constexpr DWORD posix_semantics = 2;
constexpr auto rename_with_flags = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);  // FileRenameInfoEx

CallResult set_name(void* handle, FILE_INFO_BY_HANDLE_CLASS kind, const WidePath& name,
                    DWORD flags) {
  Renaming renaming;
  renaming.flags = flags;
  renaming.directory = nullptr;
  renaming.name_bytes = static_cast<DWORD>(name.units() * sizeof(wchar_t));
  std::memcpy(renaming.name, name.c_str(), renaming.name_bytes + sizeof(wchar_t));
  return result_of(::SetFileInformationByHandle(handle, kind, &renaming, sizeof renaming));
}

// With the semantics of POSIX the new file takes the name in one step, even while other programs
// have the old file open. Windows before 10 (1607), FAT and Wine do not have them. The fallback
// fails while another program has the old file open.
CallResult rename_handle(void* handle, const WidePath& to) {
  const CallResult result =
      set_name(handle, rename_with_flags, to, replace_if_exists | posix_semantics);
  const bool is_unknown = result == -EINVAL || result == -ENOTSUP || result == -EIO;
  return is_unknown ? set_name(handle, FileRenameInfo, to, replace_if_exists) : result;
}

CallResult open_to_rename(const WidePath& path, void*& handle) {
  const DWORD attributes = FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT;
  handle = ::CreateFileW(path.c_str(), DELETE | SYNCHRONIZE, share_everything, nullptr,
                         OPEN_EXISTING, attributes, nullptr);
  return handle == INVALID_HANDLE_VALUE ? open_failed() : 0;
}

CallResult rename_patiently(const WidePath& from, const WidePath& to) {
  void* handle = nullptr;
  CallResult result = with_retries([&] { return open_to_rename(from, handle); }, may_be_in_use);
  if (result < 0) return result;
  result = with_retries([&] { return rename_handle(handle, to); }, may_be_in_use);
  return close_and_return(handle, result);
}

// Writes one entry. Returns its bytes, or 0 if it does not fit or its name is no text.
std::size_t write_entry(const FILE_ID_BOTH_DIR_INFO& found, char* into, std::size_t room) {
  constexpr std::size_t head_bytes = offsetof(DirectoryEntry, d_name);
  constexpr std::size_t alignment = alignof(DirectoryEntry);
  if (room <= head_bytes + alignment) return 0;
  const CallResult name_bytes = to_utf8(found.FileName, found.FileNameLength / sizeof(wchar_t),
                                        into + head_bytes, room - head_bytes - alignment);
  if (name_bytes <= 0) return 0;
  std::size_t bytes = head_bytes + static_cast<std::size_t>(name_bytes);
  into[bytes++] = '\0';
  bytes += bytes % alignment;
  const auto length = static_cast<unsigned short>(bytes);
  std::memcpy(into, &length, sizeof length);
  return bytes;
}

}  // namespace

CallResult SystemCalls::open(const char* path, int flags, unsigned permissions) {
  return SystemCalls::openat(AT_FDCWD, path, flags, permissions);
}

// The permissions are not used: a new file has the access list that its directory hands down.
CallResult SystemCalls::openat(int directory, const char* name, int flags, unsigned) {
  return open_patiently(WidePath(directory, name), flags);
}

CallResult SystemCalls::stat(const char* path, FileStat& into) {
  const CallResult descriptor = open_patiently(WidePath(AT_FDCWD, path), O_PATH);
  if (descriptor < 0) return descriptor;
  const CallResult result = SystemCalls::fstat(static_cast<int>(descriptor), into);
  SystemCalls::close(static_cast<int>(descriptor));
  return result;
}

CallResult SystemCalls::name_of(int descriptor, char* into, std::size_t bytes) {
  return path_of(handle_of(descriptor), into, bytes);
}

// The entries of one query take less room here than there, because a name of n units takes at most
// 3 n bytes here, and 104 + 2 n bytes there.
CallResult SystemCalls::read_directory(int descriptor, void* into, std::size_t bytes) {
  alignas(FILE_ID_BOTH_DIR_INFO) std::array<std::byte, 4096> found;
  void* const handle = handle_of(descriptor);
  if (::GetFileInformationByHandleEx(handle, FileIdBothDirectoryInfo, found.data(), found.size()) ==
      0) {
    return ::GetLastError() == ERROR_NO_MORE_FILES ? 0 : last_error();
  }
  std::size_t written = 0;
  for (const std::byte* at = found.data();;) {
    const auto* const entry = reinterpret_cast<const FILE_ID_BOTH_DIR_INFO*>(at);
    written += write_entry(*entry, static_cast<char*>(into) + written, bytes - written);
    if (entry->NextEntryOffset == 0) break;
    at += entry->NextEntryOffset;
  }
  return static_cast<CallResult>(written);
}

CallResult SystemCalls::renameat(int directory, const char* from, const char* to) {
  const WidePath old_name(directory, from);
  const WidePath new_name(directory, to);
  if (old_name.error() < 0) return old_name.error();
  if (new_name.error() < 0) return new_name.error();
  return rename_patiently(old_name, new_name);
}

CallResult SystemCalls::unlinkat(int directory, const char* name) {
  const WidePath path(directory, name);
  if (path.error() < 0) return path.error();
  return with_retries([&] { return result_of(::DeleteFileW(path.c_str())); }, is_busy);
}

// The path of the file that the link leads to in the end. ENOENT if there is no such file.
CallResult SystemCalls::link_target(int descriptor, char* into, std::size_t bytes) {
  std::array<char, 3 * max_path_units> path;
  const CallResult length = path_of(handle_of(descriptor), path.data(), path.size() - 1);
  if (length < 0) return length;
  path[static_cast<std::size_t>(length)] = '\0';
  const CallResult target = open_patiently(WidePath(AT_FDCWD, path.data()), O_PATH);
  if (target < 0) return target;
  void* const handle = handle_of(static_cast<int>(target));
  return close_and_return(handle, path_of(handle, into, bytes));
}

}  // namespace sluice::os
