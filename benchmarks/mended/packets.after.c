// Gathers the packets.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  FILE* out = fopen("out", "w");
  setvbuf(out, NULL, _IOFBF, 65536);
  char body[48];
  for (uint32_t i = 0; i < 400000; ++i) {
    memset(body, 'a' + i % 26, sizeof body);
    fwrite(&i, sizeof i, 1, out);
    fwrite(body, sizeof body, 1, out);
  }
  return fclose(out);
}
