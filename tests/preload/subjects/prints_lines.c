// A library whose function writes lines to a stream.
#include <stdio.h>

void write_lines_to(const char* path, int count) {
  FILE* const stream = fopen(path, "w");
  for (int i = 0; i < count; ++i) fputs("a line\n", stream);
  fclose(stream);
}
