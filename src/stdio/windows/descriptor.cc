// Every call works on the descriptor's bytes as they are, and leaves the descriptor's mode alone.
// The mode (_O_TEXT or _O_BINARY, see _setmode()) says whether the stream translates line ends. A
// program may change it, and a source that is not switched may write to the same descriptor.
#include "stdio/descriptor.h"

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "stdio/stream.h"

namespace sluice::stdio {
namespace {

constexpr int created_permissions = _S_IREAD | _S_IWRITE;
constexpr DWORD max_path_units = 32768;

// The functions that the program gives to atexit() are called before the ones that were given
// earlier, and this one is given before the program's first constructor runs.
__attribute__((constructor(101))) void finish_at_end() { std::atexit(finish_streams); }

// Null with EBADF if there is no such descriptor, or if a standard stream leads nowhere (-2).
// INVALID_HANDLE_VALUE would stand for the process itself in some calls.
HANDLE handle_of(int descriptor) {
  const std::intptr_t handle = descriptor >= 0 ? _get_osfhandle(descriptor) : -1;
  if (handle >= 0) return reinterpret_cast<HANDLE>(handle);
  errno = EBADF;
  return nullptr;
}

bool is_console(HANDLE handle) {
  DWORD mode = 0;
  return ::GetConsoleMode(handle, &mode) != 0;
}

bool is_inherited(int descriptor) {
  DWORD flags = 0;
  return ::GetHandleInformation(handle_of(descriptor), &flags) == 0 ||
         (flags & HANDLE_FLAG_INHERIT) != 0;
}

// The mode of a new descriptor. Without a letter in the program's mode _fmode decides.
int with_mode(int descriptor, int flags) {
  if (descriptor < 0) return descriptor;
  if ((flags & (_O_TEXT | _O_BINARY)) == 0) flags = _fmode;
  _setmode(descriptor, (flags & _O_BINARY) != 0 ? _O_BINARY : _O_TEXT);
  return descriptor;
}

// With _O_TEXT the C library would cut off a ^Z at the end of the file.
int flags_to_open(int flags) { return (flags & ~_O_TEXT) | _O_BINARY; }

unsigned one_call(std::size_t bytes) {
  return static_cast<unsigned>(std::min<std::size_t>(bytes, INT_MAX));
}

// Makes a call on the bytes as they are.
template <typename Call>
std::ptrdiff_t on_bytes(int descriptor, Call call) {
  if (descriptor < 0) {
    errno = EBADF;
    return -1;
  }
  const int mode = _setmode(descriptor, _O_BINARY);
  if (mode < 0) return -1;
  const std::ptrdiff_t result = call();
  if (mode != _O_BINARY) _setmode(descriptor, mode);
  return result;
}

bool move(int descriptor, std::int64_t position, std::int64_t& offset) {
  if (_lseeki64(descriptor, position, SEEK_SET) < 0) return false;
  offset = position;
  return true;
}

}  // namespace

const int begin_of_append = SEEK_CUR;
const int flags_of_exec = _O_NOINHERIT;

// As with Microsoft's fopen(). A mode with ",ccs=" asks for another encoding of the text.
bool parse_letter_of_system(char letter, int& flags) {
  switch (letter) {
    case 'b': flags = (flags & ~_O_TEXT) | _O_BINARY; break;
    case 't': flags = (flags & ~_O_BINARY) | _O_TEXT; break;
    case 'e':
    case 'N': flags |= _O_NOINHERIT; break;
    case 'S': flags |= _O_SEQUENTIAL; break;
    case 'R': flags |= _O_RANDOM; break;
    case 'T': flags |= _O_SHORT_LIVED; break;
    case 'D': flags |= _O_TEMPORARY; break;
    default: return letter != ',';
  }
  return true;
}

int open_file(const char* path, const Mode& mode) {
  if (path == nullptr) {
    errno = EINVAL;
    return -1;
  }
  return with_mode(_open(path, flags_to_open(mode.flags), created_permissions), mode.flags);
}

// A pipe and a console cannot be opened by name. A copy of the descriptor has the same bytes.
int open_again(int descriptor, const Mode& mode) {
  const HANDLE handle = handle_of(descriptor);
  if (handle == nullptr) return -1;
  if (::GetFileType(handle) != FILE_TYPE_DISK) return with_mode(_dup(descriptor), mode.flags);
  auto* const path = static_cast<wchar_t*>(std::malloc(max_path_units * sizeof(wchar_t)));
  if (path == nullptr) return -1;
  const DWORD units = ::GetFinalPathNameByHandleW(handle, path, max_path_units, 0);
  int opened = -1;
  if (units == 0 || units >= max_path_units) {
    errno = ENOENT;
  } else {
    opened = _wopen(path, flags_to_open(mode.flags), created_permissions);
  }
  std::free(path);
  return with_mode(opened, mode.flags);
}

int open_temporary() {
  wchar_t folder[MAX_PATH + 1];
  wchar_t path[MAX_PATH + 1];
  if (::GetTempPathW(MAX_PATH + 1, folder) == 0 ||
      ::GetTempFileNameW(folder, L"slu", 0, path) == 0) {
    errno = EACCES;
    return -1;
  }
  const int descriptor = _wopen(
      path, _O_RDWR | _O_CREAT | _O_BINARY | _O_TEMPORARY | _O_SHORT_LIVED, created_permissions);
  if (descriptor < 0) ::DeleteFileW(path);
  return descriptor;
}

int close_descriptor(int descriptor) {
  if (descriptor >= 0) return _close(descriptor);
  errno = EBADF;
  return -1;
}

void close_on_exec(int descriptor) {
  ::SetHandleInformation(handle_of(descriptor), HANDLE_FLAG_INHERIT, 0);
}

int duplicate_for_this_process(int descriptor, const Mode& mode) {
  HANDLE copy = nullptr;
  const HANDLE self = ::GetCurrentProcess();
  if (::DuplicateHandle(self, handle_of(descriptor), self, &copy, 0, FALSE,
                        DUPLICATE_SAME_ACCESS) == 0) {
    errno = EBADF;
    return -1;
  }
  const int result =
      _open_osfhandle(reinterpret_cast<std::intptr_t>(copy), _O_NOINHERIT | _O_BINARY);
  if (result < 0) ::CloseHandle(copy);
  return with_mode(result, mode.flags);
}

int replace_descriptor(int fresh, int old, int flags) {
  if (fresh < 0 || old < 0 || fresh == old) return fresh;
  const bool inherited = is_inherited(old) && (flags & _O_NOINHERIT) == 0;
  const int result = _dup2(fresh, old) == 0 ? old : -1;
  const int saved_errno = errno;
  _close(fresh);
  errno = saved_errno;
  if (result >= 0 && !inherited) {
    ::SetHandleInformation(handle_of(result), HANDLE_FLAG_INHERIT, 0);
  }
  return result;
}

// As with Microsoft's fdopen(), the first call shows what the descriptor allows.
bool fits_descriptor(int descriptor, const Mode& /*mode*/) {
  return handle_of(descriptor) != nullptr;
}

Target look_at(int descriptor) {
  Target target;
  const HANDLE handle = handle_of(descriptor);
  if (handle == nullptr) return target;
  const DWORD type = ::GetFileType(handle);
  target.is_regular = type == FILE_TYPE_DISK;
  target.is_terminal = type == FILE_TYPE_CHAR && is_console(handle);
  target.may_have_positions = type != FILE_TYPE_PIPE && !target.is_terminal;
  if (target.is_regular) find_size(descriptor, target.bytes);
  return target;
}

bool find_size(int descriptor, std::int64_t& bytes) {
  LARGE_INTEGER size;
  if (::GetFileSizeEx(handle_of(descriptor), &size) == 0) return false;
  bytes = size.QuadPart;
  return true;
}

// The C library does not tell whether a descriptor has _O_APPEND.
bool always_appends(int /*descriptor*/) { return false; }

bool translates_lines(int descriptor) {
  const int saved_errno = errno;
  const int mode = descriptor < 0 ? -1 : _setmode(descriptor, _O_BINARY);
  if (mode >= 0 && mode != _O_BINARY) _setmode(descriptor, mode);
  errno = saved_errno;
  return mode == _O_TEXT;
}

// Windows gives a pipe an offset, which means nothing.
std::int64_t seek(int descriptor, std::int64_t offset, int whence) {
  const HANDLE handle = handle_of(descriptor);
  if (handle == nullptr) return -1;
  if (whence != SEEK_SET && ::GetFileType(handle) == FILE_TYPE_PIPE) {
    errno = ESPIPE;
    return -1;
  }
  return _lseeki64(descriptor, offset, whence);
}

std::ptrdiff_t read_next(int descriptor, void* into, std::size_t bytes) {
  return on_bytes(descriptor, [&] { return _read(descriptor, into, one_call(bytes)); });
}

std::ptrdiff_t write_next(int descriptor, const void* from, std::size_t bytes) {
  return on_bytes(descriptor, [&] { return _write(descriptor, from, one_call(bytes)); });
}

std::ptrdiff_t write_at_end(int descriptor, const void* from, std::size_t bytes) {
  return _lseeki64(descriptor, 0, SEEK_END) < 0 ? -1 : write_next(descriptor, from, bytes);
}

std::ptrdiff_t read_at(int descriptor, void* into, std::size_t bytes, std::int64_t position,
                       std::int64_t& offset) {
  if (!move(descriptor, position, offset)) return -1;
  const std::ptrdiff_t got = read_next(descriptor, into, bytes);
  offset += std::max<std::ptrdiff_t>(got, 0);
  return got;
}

std::ptrdiff_t write_at(int descriptor, const void* from, std::size_t bytes, std::int64_t position,
                        std::int64_t& offset) {
  if (!move(descriptor, position, offset)) return -1;
  const std::ptrdiff_t written = write_next(descriptor, from, bytes);
  offset += std::max<std::ptrdiff_t>(written, 0);
  return written;
}

// Other C runtimes round in other ways.
bool numbers_are_plain() { return false; }

bool long_numbers_are_plain() { return false; }

bool groups_are_plain() { return false; }

bool wide_ascii_is_plain() { return false; }

const char* text_of_error(int code, char* memory, std::size_t bytes) {
  return strerror_s(memory, bytes, code) == 0 ? memory : "";
}

const unsigned char* last_newline(const unsigned char* from, std::size_t bytes) {
  for (const unsigned char* at = from + bytes; at != from; --at) {
    if (at[-1] == '\n') return at - 1;
  }
  return nullptr;
}

// Windows does not cancel a thread in a call.
std::ptrdiff_t call_with_cleanup(std::ptrdiff_t (*call)(void*), void* call_argument,
                                 void (* /*clean_up*/)(void*), void* /*argument*/) {
  return call(call_argument);
}

// Windows has no fork().
bool on_each_fork(void (* /*before*/)(), void (* /*in_parent*/)(), void (* /*in_child*/)()) {
  return true;
}

}  // namespace sluice::stdio
