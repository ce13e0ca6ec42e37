/* dos2unix: strip carriage returns, expand tabs, count words and sum the text */
#include <stdint.h>
#include <stdio.h>

static uint32_t crc_table[256];

static void crc_init(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    crc_table[i] = c;
  }
}

int main(void) {
  FILE *in = fopen("notes.txt", "rb"), *out = fopen("notes.unix", "wb");
  if (!in || !out) {
    perror("open");
    return 1;
  }
  long lines = 0, words = 0, chars = 0;
  int col = 0, inword = 0, c;
  uint32_t crc = 0xffffffffu;
  crc_init();
  while ((c = fgetc(in)) != EOF) {
    chars++;
    if (c == '\r') continue;
    if (c == '\t') {
      do fputc(' ', out);
      while (++col % 8);
      inword = 0;
      continue;
    }
    fputc(c, out);
    crc = crc_table[(crc ^ (uint32_t)c) & 255] ^ (crc >> 8);
    if (c == '\n') {
      lines++;
      col = 0;
      inword = 0;
      continue;
    }
    col++;
    if (c == ' ')
      inword = 0;
    else if (!inword) {
      inword = 1;
      words++;
    }
  }
  fclose(in);
  fclose(out);
  printf("%ld lines %ld words %ld chars crc %08x\n", lines, words, chars, crc ^ 0xffffffffu);
  return 0;
}
