// Writes by several thousand stacks, more than a log has room for. So many descriptors take turns
// that the recorder forgets each before its turn comes again, and looks at the stack again. The
// last write comes from a function of its own.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { descriptors = 900, stacks_log2 = 13 };

static int descriptor[descriptors];
static int writes = 0;

static void write_byte(void) {
  if (write(descriptor[writes++ % descriptors], "x", 1) != 1) _exit(2);
}

// Each bit chooses one of two call sites.
static void write_behind(unsigned bits, int depth) {
  if (depth == 0) {
    write_byte();
  } else if ((bits & 1) != 0) {
    write_behind(bits >> 1, depth - 1);
  } else {
    write_behind(bits >> 1, depth - 1);
  }
}

static void write_at_last(void) { write_byte(); }

int main(void) {
  for (int i = 0; i < descriptors; ++i) {
    descriptor[i] = i == 0 ? open("file", O_WRONLY | O_CREAT, 0666) : dup(descriptor[0]);
    if (descriptor[i] < 0) return 1;
  }
  for (unsigned bits = 0; bits < 1u << stacks_log2; ++bits) write_behind(bits, stacks_log2);
  write_at_last();
  return 0;
}
