// Loads a library twice, each time at another place, and lets its function write.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static void* write_by(const char* name, int count) {
  void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) exit(1);
  void (*write_lines_to)(const char*, int) = NULL;
  *(void**)&write_lines_to = dlsym(library, "write_lines_to");
  if (write_lines_to == NULL) exit(1);
  write_lines_to("here", count);
  fflush(stdout);
  void* const place = *(void**)&write_lines_to;
  dlclose(library);
  return place;
}

// The libraries lay here side by side.
static void take(uintptr_t place) {
  const size_t bytes = 1 << 20;
  const uintptr_t page = 4096;
  for (uintptr_t at = place / page * page - bytes; at < place + bytes; at += page) {
    mmap((void*)at, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  }
}

int main(int count, char** words) {
  if (count != 2) return 2;
  take((uintptr_t)write_by(words[1], 3));
  write_by(words[1], 4);
  return 0;
}
