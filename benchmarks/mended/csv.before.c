// Counts the fields of a text by their lengths, a byte at a time.
#include <stdio.h>

int main(void) {
  static long lengths[256];
  int length = 0;
  for (int repeat = 0; repeat < 3; ++repeat) {
    rewind(stdin);
    int byte;
    while ((byte = getc(stdin)) != EOF) {
      if (byte == ' ' || byte == '\n' || byte == '-') {
        ++lengths[length];
        length = 0;
      } else if (length < 255) {
        ++length;
      }
    }
  }
  for (int i = 0; i < 256; ++i) {
    if (lengths[i] > 0) printf("%d %ld\n", i, lengths[i]);
  }
  return 0;
}
