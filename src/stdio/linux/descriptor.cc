#include "stdio/descriptor.h"

#include <fcntl.h>
#include <langinfo.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "stdio/stream.h"

namespace sluice::stdio {
namespace {

constexpr unsigned created_permissions = 0666;

// What GNU's strerror_r() has returned, or POSIX's.
[[maybe_unused]] const char* text_of(const char* text, const char* /*memory*/) { return text; }
[[maybe_unused]] const char* text_of(int, const char* memory) { return memory; }

// The destructors of a program run after the functions of atexit(), and destructors with a small
// number run last.
__attribute__((destructor(101))) void finish_at_end() { finish_streams(); }

}  // namespace

const int begin_of_append = SEEK_END;
const int flags_of_exec = O_CLOEXEC;

bool parse_letter_of_system(char letter, int& flags) {
  if (letter == 'e') flags |= O_CLOEXEC;
  return true;
}

int open_file(const char* path, const Mode& mode) {
  return open(path, mode.flags, created_permissions);
}

int open_again(int descriptor, const Mode& mode) {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return open_file(path, mode);
}

int open_temporary() {
  // The lowest free descriptor, as with glibc.
  const int unnamed = open(P_tmpdir, O_RDWR | O_EXCL | O_TMPFILE, 0600);
  if (unnamed >= 0) return unnamed;
  FILE* const model = std::tmpfile();  // for file systems without O_TMPFILE
  if (model == nullptr) return -1;
  const int descriptor = fcntl(fileno(model), F_DUPFD, 0);
  std::fclose(model);
  return descriptor;
}

// POSIX lets close() be cancelled, and then nobody knows whether the descriptor is closed. glibc
// does not look for that while the process has one thread.
int close_descriptor(int descriptor) {
  if (is_alone()) return close(descriptor);
  int state = 0;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  const int result = close(descriptor);
  pthread_setcancelstate(state, &state);
  return result;
}

void close_on_exec(int descriptor) { fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

int duplicate_for_this_process(int descriptor, const Mode& /*mode*/) {
  return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

int replace_descriptor(int fresh, int old, int flags) {
  if (fresh < 0 || old < 0 || fresh == old) return fresh;
  const int result = dup3(fresh, old, flags & O_CLOEXEC);
  const int saved_errno = errno;
  close_descriptor(fresh);
  errno = saved_errno;
  return result;
}

bool fits_descriptor(int descriptor, const Mode& mode) {
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0) return false;
  const int access = flags & O_ACCMODE;
  if ((mode.reads && access == O_WRONLY) || (mode.writes && access == O_RDONLY)) {
    errno = EINVAL;
    return false;
  }
  const bool must_append = mode.appends && (flags & O_APPEND) == 0;
  return !must_append || fcntl(descriptor, F_SETFL, flags | O_APPEND) == 0;
}

Target look_at(int descriptor) {
  Target target;
  struct stat status;
  if (fstat(descriptor, &status) != 0) return target;
  target.bytes = status.st_size;
  target.is_regular = S_ISREG(status.st_mode);
  target.is_terminal = S_ISCHR(status.st_mode) && isatty(descriptor) == 1;
  target.may_have_positions =
      !target.is_terminal && !S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode);
  return target;
}

bool find_size(int descriptor, std::int64_t& bytes) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return false;
  bytes = status.st_size;
  return true;
}

bool always_appends(int descriptor) {
  return (std::max(fcntl(descriptor, F_GETFL), 0) & O_APPEND) != 0;
}

bool translates_lines(int /*descriptor*/) { return false; }

std::int64_t seek(int descriptor, std::int64_t offset, int whence) {
  return lseek(descriptor, offset, whence);
}

std::ptrdiff_t read_next(int descriptor, void* into, std::size_t bytes) {
  return read(descriptor, into, bytes);
}

std::ptrdiff_t write_next(int descriptor, const void* from, std::size_t bytes) {
  return write(descriptor, from, bytes);
}

std::ptrdiff_t write_at_end(int descriptor, const void* from, std::size_t bytes) {
  return write(descriptor, from, bytes);
}

std::ptrdiff_t read_at(int descriptor, void* into, std::size_t bytes, std::int64_t position,
                       std::int64_t& /*offset*/) {
  return pread(descriptor, into, bytes, position);
}

std::ptrdiff_t write_at(int descriptor, const void* from, std::size_t bytes, std::int64_t position,
                        std::int64_t& /*offset*/) {
  return pwrite(descriptor, from, bytes, position);
}

namespace {

// What fegetround() asks. That call would need one more library, and an addition that shows how
// numbers are rounded would raise FE_INEXACT.
bool rounds_to_nearest() {
#if defined(__x86_64__)
  return (__builtin_ia32_stmxcsr() & 0x6000) == 0;
#elif defined(__aarch64__)
  std::uint64_t control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return (control & 0xC00000) == 0;
#else
  return false;
#endif
}

}  // namespace

bool numbers_are_plain() {
  const char* const point = nl_langinfo(RADIXCHAR);
  if (point[0] != '.' || point[1] != '\0') return false;
  return rounds_to_nearest();
}

bool long_numbers_are_plain() {
#if defined(__x86_64__)
  std::uint16_t control = 0;
  asm volatile("fnstcw %0" : "=m"(control));
  return (control & 0x0f00) == 0x0300;
#else
  return false;
#endif
}

bool groups_are_plain() { return *nl_langinfo(THOUSEP) == '\0'; }

bool wide_ascii_is_plain() {
  const char* const name = nl_langinfo(CODESET);
  return std::strcmp(name, "UTF-8") == 0 || std::strcmp(name, "ANSI_X3.4-1968") == 0;
}

const char* text_of_error(int code, char* memory, std::size_t bytes) {
  return text_of(strerror_r(code, memory, bytes), memory);
}

const unsigned char* last_newline(const unsigned char* from, std::size_t bytes) {
  return static_cast<const unsigned char*>(memrchr(from, '\n', bytes));
}

std::ptrdiff_t call_with_cleanup(std::ptrdiff_t (*call)(void*), void* call_argument,
                                 void (*clean_up)(void*), void* argument) {
  volatile std::ptrdiff_t result = 0;  // the macros use setjmp()
  pthread_cleanup_push(clean_up, argument);
  result = call(call_argument);
  pthread_cleanup_pop(0);
  return result;
}

bool on_each_fork(void (*before)(), void (*in_parent)(), void (*in_child)()) {
  return pthread_atfork(before, in_parent, in_child) == 0;
}

}  // namespace sluice::stdio
