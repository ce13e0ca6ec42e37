// A library whose constructor prints and writes, and whose destructor does so. If the library is
// linked to a program, it does so before the constructors of preloaded objects, and after their
// destructors.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "comes_first.h"

static void print(const char* when) {
  printf("printed %s\n", when);
  FILE* const stream = fopen("early", "a");
  fprintf(stream, "%s by the stream\n", when);
  for (int i = 0; i < 1000; ++i) fputs("a line\n", stream);
  fclose(stream);
  const int descriptor = open("early", O_WRONLY);
  lseek(descriptor, 0, SEEK_END);
  for (int i = 0; i < 100; ++i) {
    if (write(descriptor, "written\n", 8) != 8) return;
  }
  close(descriptor);
  char start[6] = "";
  const int again = open("early", O_RDONLY);
  if (read(again, start, sizeof start - 1) != sizeof start - 1) return;
  close(again);
  printf("read %s\n", start);
}

__attribute__((constructor(101))) static void begin(void) {
#ifdef IS_LINKED
  expect_to_come_first();
#endif
  print("at the beginning");
}
__attribute__((destructor(101))) static void end(void) { print("at the end"); }
