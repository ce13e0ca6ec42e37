// Writes with system calls that are odd in the way that argv[2] names, and says what each call of
// stdio has told. Only the switched program makes the calls below.
// usage: odd_calls FILE half|nothing|close
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char* oddity;

static size_t odd(size_t bytes) {
  if (strcmp(oddity, "nothing") == 0) return 0;
  return strcmp(oddity, "half") == 0 ? (bytes + 1) / 2 : bytes;
}

ssize_t write(int descriptor, const void* from, size_t bytes) {
  if (descriptor > 2) bytes = odd(bytes);
  return bytes == 0 ? 0 : syscall(SYS_write, descriptor, from, bytes);
}

ssize_t pwrite(int descriptor, const void* from, size_t bytes, off_t position) {
  bytes = odd(bytes);
  return bytes == 0 ? 0 : syscall(SYS_pwrite64, descriptor, from, bytes, position);
}

// As on Linux: the descriptor is closed although the call fails.
int close(int descriptor) {
  const int result = (int)syscall(SYS_close, descriptor);
  if (strcmp(oddity, "close") != 0) return result;
  errno = EIO;
  return -1;
}

static void tell(const char* call, int result) {
  printf("%s: %d %s\n", call, result, result == 0 ? "" : strerror(errno));
}

int main(int count, char** arguments) {
  if (count != 3) return 2;
  oddity = arguments[2];
  FILE* const file = fopen(arguments[1], "w+");
  if (file == NULL) return 1;
  for (int i = 0; i < 100000; ++i) putc('a' + i % 26, file);
  tell("fflush", fflush(file));
  clearerr(file);
  tell("fseek", fseek(file, 10, SEEK_SET));
  fputs("0123456789", file);
  tell("fclose", fclose(file));
  return 0;
}
