// A library whose function writes lines by a function without a name: the library is stripped.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int lines;

// The code in a file has the order of the source. So the function without a name comes after this
// one, the only one whose name is known.
__attribute__((noinline)) int lines_left(void) { return lines; }

__attribute__((noinline)) static void write_lines(int descriptor) {
  for (int i = 0; i < lines; ++i) {
    if (write(descriptor, "a line\n", 7) != 7) abort();
  }
  lines = 0;
}

__attribute__((noinline)) void write_lines_to(const char* path, int count) {
  lines = count;
  const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  write_lines(descriptor);
  close(descriptor);
}
