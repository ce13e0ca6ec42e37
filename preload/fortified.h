// Functions of the C library that its headers declare in fortified programs only.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

extern "C" {
ssize_t __read_chk(int descriptor, void* data, size_t bytes, size_t data_bytes);
ssize_t __pread_chk(int descriptor, void* data, size_t bytes, off_t offset, size_t data_bytes);
ssize_t __pread64_chk(int descriptor, void* data, size_t bytes, off64_t offset, size_t data_bytes);
int __open_2(const char* path, int flags);
int __open64_2(const char* path, int flags);
int __openat_2(int folder, const char* path, int flags);
int __openat64_2(int folder, const char* path, int flags);
int __vdprintf_chk(int descriptor, int flag, const char* format, va_list list);
int __dprintf_chk(int descriptor, int flag, const char* format, ...);
}
