#include "os/windows/errors.h"

#include <algorithm>
#include <iterator>

#include "os/windows/system.h"

// These are in ntdll, and in no header of mingw-w64 beside the one for drivers.
extern "C" __declspec(dllimport) LONG NTAPI RtlGetLastNtStatus(void);

namespace sluice::os {
namespace {

struct Meaning {
  DWORD error;
  int code;
};

constexpr DWORD disk_quota_exceeded = 1295;  // missing in mingw-w64

constexpr Meaning meanings[] = {
    {ERROR_ACCESS_DENIED, EACCES},
    {ERROR_ALREADY_EXISTS, EEXIST},
    {ERROR_BAD_NETPATH, ENOENT},
    {ERROR_BAD_NET_NAME, ENOENT},
    {ERROR_BAD_PATHNAME, ENOENT},
    {ERROR_BROKEN_PIPE, EPIPE},
    {ERROR_CANT_ACCESS_FILE, EACCES},
    {ERROR_CANT_RESOLVE_FILENAME, ELOOP},
    {ERROR_COMMITMENT_LIMIT, ENOMEM},
    {ERROR_DELETE_PENDING, EBUSY},
    {ERROR_DIRECTORY, ENOTDIR},
    {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
    {ERROR_DISK_FULL, ENOSPC},
    {disk_quota_exceeded, ENOSPC},
    {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
    {ERROR_FILE_EXISTS, EEXIST},
    {ERROR_FILE_NOT_FOUND, ENOENT},
    {ERROR_FILE_TOO_LARGE, EFBIG},
    {ERROR_HANDLE_DISK_FULL, ENOSPC},
    {ERROR_INVALID_DRIVE, ENOENT},
    {ERROR_INVALID_FUNCTION, ENOTSUP},
    {ERROR_INVALID_HANDLE, EBADF},
    {ERROR_INVALID_NAME, EINVAL},
    {ERROR_INVALID_PARAMETER, EINVAL},
    {ERROR_LOCK_VIOLATION, EBUSY},
    {ERROR_NEGATIVE_SEEK, EINVAL},
    {ERROR_NOACCESS, EFAULT},
    {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
    {ERROR_NOT_SAME_DEVICE, EXDEV},
    {ERROR_NOT_SUPPORTED, ENOTSUP},
    {ERROR_NO_DATA, EPIPE},
    {ERROR_NO_SYSTEM_RESOURCES, ENOMEM},
    {ERROR_NO_UNICODE_TRANSLATION, EILSEQ},
    {ERROR_OPERATION_ABORTED, ECANCELED},
    {ERROR_OUTOFMEMORY, ENOMEM},
    {ERROR_PATH_NOT_FOUND, ENOENT},
    {ERROR_PIPE_BUSY, EBUSY},
    {ERROR_PRIVILEGE_NOT_HELD, EPERM},
    {ERROR_SHARING_VIOLATION, EBUSY},
    {ERROR_TOO_MANY_LINKS, EMLINK},
    {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
    {ERROR_USER_MAPPED_FILE, EBUSY},
    {ERROR_WRITE_PROTECT, EROFS},
};

}  // namespace

int errno_of(unsigned long error) noexcept {
  const auto* const found =
      std::find_if(std::begin(meanings), std::end(meanings),
                   [error](const Meaning& one) { return one.error == error; });
  return found != std::end(meanings) ? found->code : EIO;
}

CallResult last_error() noexcept { return -errno_of(::GetLastError()); }

LastStatus last_status() noexcept {
  constexpr auto file_is_a_directory = static_cast<LONG>(0xc00000ba);
  constexpr auto delete_pending = static_cast<LONG>(0xc0000056);
  const LONG status = ::RtlGetLastNtStatus();
  if (status == file_is_a_directory) return LastStatus::is_directory;
  return status == delete_pending ? LastStatus::delete_pending : LastStatus::other;
}

}  // namespace sluice::os
