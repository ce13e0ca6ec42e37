// Prints each line to a FILE.
#include <fcntl.h>
#include <stdio.h>
int main(void) {
  FILE* out = fopen("out", "w");
  setvbuf(out, NULL, _IOFBF, 65536);
  for (int i = 0; i < 300000; ++i) fprintf(out, "%d: %s %x\n", i, i % 2 ? "odd" : "even", i * 77);
  return fclose(out);
}
