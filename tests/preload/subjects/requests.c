// A library that a program loads by dlopen(). It calls a library that only itself can see.
#include <stdio.h>

int io_setup(unsigned count, void* context);

void write_lines_to(const char* path, int count) {
  printf("%s: %d\n", path, io_setup((unsigned)count, NULL));
}
