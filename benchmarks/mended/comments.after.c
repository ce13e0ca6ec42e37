// Reads by blocks: the next character is in the block, except at its end.
#include <stdio.h>
static unsigned char block[65537];
int main(void) {
  FILE* in = fopen("lines", "r");
  int depth = 0;
  size_t held = fread(block, 1, 65536, in);
  while (held) {
    int more = fgetc(in);
    block[held] = more == EOF ? 0 : more;
    for (size_t i = 0; i < held; ++i) {
      unsigned char c = block[i];
      if (c == '-' && block[i + 1] >= '5' && block[i + 1] <= '9') depth = 1;
      if (c == '\n') depth = 0;
      if (!depth) fputc(c, stdout);
    }
    if (more == EOF) break;
    block[0] = more;
    held = 1 + fread(block + 1, 1, 65535, in);
  }
  fclose(in);
  return 0;
}
