// usage: mapped HOW FILE
//
// Looks at every page of FILE, and first makes sure that the file is not in memory. HOW:
//   random  by a mapping, in random order
//   whole   by a mapping that was read beforehand
//   read    by read(2)
//   warm    by a mapping of a file that is in memory
//   exec    maps the file and executes another program
//   fork    maps the file in a child, after the parent has done so
// The exit code is 77 if the file cannot be dropped from memory.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { page_bytes = 4096 };

static long sum;

static size_t pages_in_memory(char* mapping, size_t pages) {
  unsigned char* const in_memory = malloc(pages);
  size_t count = 0;
  mincore(mapping, pages * page_bytes, in_memory);
  for (size_t i = 0; i < pages; ++i) count += in_memory[i] & 1;
  free(in_memory);
  return count;
}

static void make_cold(int descriptor, size_t bytes) {
  fsync(descriptor);
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  // This mapping may be written to, so `sluice trace` does not look at its pages beforehand.
  char* const mapping = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0);
  if (pages_in_memory(mapping, bytes / page_bytes) > bytes / page_bytes / 10) exit(77);
  munmap(mapping, bytes);
}

static void touch(const char* mapping, size_t pages, size_t step) {
  for (size_t i = 0; i < pages; ++i) sum += mapping[i * step % pages * page_bytes];
}

static void read_all(int descriptor) {
  static char block[1 << 18];
  while (read(descriptor, block, sizeof block) > 0) sum += block[0];
}

int main(int count, char** words) {
  if (count != 3) return 2;
  const char* const how = words[1];
  const int descriptor = open(words[2], O_RDWR);
  struct stat status;
  if (fstat(descriptor, &status) != 0) return 1;
  const size_t bytes = (size_t)status.st_size;
  if (strcmp(how, "warm") == 0) {
    read_all(descriptor);
  } else {
    make_cold(descriptor, bytes);
  }
  if (strcmp(how, "read") == 0) {
    read_all(descriptor);
    return 0;
  }
  char* mapping = mmap(NULL, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  if (strcmp(how, "whole") == 0) madvise(mapping, bytes, MADV_POPULATE_READ);
  if (strcmp(how, "fork") == 0) {
    if (fork() > 0) return wait(NULL) < 0;
    mapping = mmap(NULL, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  }
  madvise(mapping, bytes, MADV_RANDOM);
  touch(mapping, bytes / page_bytes, 7919);
  if (strcmp(how, "exec") == 0) execlp("true", "true", (char*)NULL);
  return 0;
}
