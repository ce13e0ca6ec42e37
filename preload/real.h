// The C library's functions behind the hooks.
#pragma once

#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stdio_calls.h"

// The C library has these, and its headers name them in fortified programs only, or never.
extern "C" {
std::size_t __fread_chk(void* data, std::size_t data_bytes, std::size_t size, std::size_t count,
                        FILE* stream);
std::size_t __fread_unlocked_chk(void* data, std::size_t data_bytes, std::size_t size,
                                 std::size_t count, FILE* stream);
char* __fgets_chk(char* line, std::size_t line_bytes, int count, FILE* stream);
char* __fgets_unlocked_chk(char* line, std::size_t line_bytes, int count, FILE* stream);
int __overflow(FILE* stream, int byte);
int __uflow(FILE* stream);
int __vdprintf_chk(int descriptor, int flag, const char* format, va_list list);
int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list list);
int __isoc99_vfscanf(FILE* stream, const char* format, va_list list);
int __isoc23_vfscanf(FILE* stream, const char* format, va_list list);
__ssize_t __getdelim(char** line, std::size_t* line_bytes, int delimiter, FILE* stream);
}

// clang-format off
// The other functions that are called here, in the form of the lists of stdio_calls.h.
#define SLUICE_OTHER_CALLS(X) \
  X(, write) X(, execve) X(, execvpe) X(, posix_spawn) X(, system) X(, kill) \
  X(, syscall) X(, mmap) X(, vdprintf) X(, __vdprintf_chk) X(, vfprintf) X(, __vfprintf_chk) \
  X(, vfscanf) X(, __isoc99_vfscanf) X(, __isoc23_vfscanf) \
  X(, __overflow) X(, __uflow) X(, fflush) X(, fflush_unlocked) \
  X(, ungetc) X(, fileno) X(, fileno_unlocked)
// clang-format on

namespace sluice::preload {

struct RealFunctions {
#define SLUICE_DECLARE_REAL(LOCKING, NAME, ...) decltype(&::NAME) NAME;
  SLUICE_STDIO_CALLS(SLUICE_DECLARE_REAL)
  SLUICE_OTHER_CALLS(SLUICE_DECLARE_REAL)
#undef SLUICE_DECLARE_REAL
};

// Each function is looked up when it is first called.
[[gnu::visibility("hidden")]] extern RealFunctions real_functions;
inline const RealFunctions& real() { return real_functions; }

// What the loader knows of this object.
const link_map& own_object();

struct RealFunction {
  void* address;
  bool stays;  // false if dlclose() may end its library
};

// The next definition of a function after this object's. If no loaded object has one, gives a
// function that fails with ENOSYS. Any thread may call this, at any time: a hook may be called
// before this object's constructor, or in a signal handler.
RealFunction find_real_function(const char* name);

// True if the kernel can read a word there.
bool is_readable(const void* address);

// Before glibc 2.33 the headers made fstat() a call of another function.
inline int real_fstat(int descriptor, struct stat& status) {
  return static_cast<int>(real().syscall(SYS_fstat, descriptor, &status));
}

}  // namespace sluice::preload
