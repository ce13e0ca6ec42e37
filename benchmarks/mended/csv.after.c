// Counts the fields of a text by their lengths, a block at a time.
#include <stdio.h>

int main(void) {
  static long lengths[256];
  static char block[65536];
  int length = 0;
  for (int repeat = 0; repeat < 3; ++repeat) {
    rewind(stdin);
    size_t count;
    while ((count = fread(block, 1, sizeof block, stdin)) > 0) {
      for (size_t i = 0; i < count; ++i) {
        const char byte = block[i];
        if (byte == ' ' || byte == '\n' || byte == '-') {
          ++lengths[length];
          length = 0;
        } else if (length < 255) {
          ++length;
        }
      }
    }
  }
  for (int i = 0; i < 256; ++i) {
    if (lengths[i] > 0) printf("%d %ld\n", i, lengths[i]);
  }
  return 0;
}
