// bundle: packs named notes from standard input into one archive, notes.arc, with a checked
// header for each
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t crc_table[256];

static void crc_init(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    crc_table[i] = c;
  }
}

static uint32_t crc(const unsigned char* p, size_t n) {
  uint32_t c = ~0u;
  while (n--) c = crc_table[(c ^ *p++) & 255] ^ c >> 8;
  return ~c;
}

/* run-length and word-shortening pass: "word" becomes one byte */
static size_t squeeze(const char* in, size_t n, unsigned char* out) {
  size_t o = 0;
  for (size_t i = 0; i < n;) {
    if (n - i >= 4 && memcmp(in + i, "word", 4) == 0) {
      out[o++] = 1;
      i += 4;
    } else {
      out[o++] = (unsigned char)in[i++];
    }
  }
  return o;
}

int main(void) {
  FILE* arc = fopen("notes.arc", "wb");
  if (!arc) {
    perror("notes.arc");
    return 1;
  }
  crc_init();
  char line[4096];
  unsigned char body[4096];
  long notes = 0, in = 0, out = 0;
  while (fgets(line, sizeof line, stdin)) {
    char* tab = strchr(line, '\t');
    if (!tab) continue;
    *tab++ = '\0';
    size_t len = strcspn(tab, "\n");
    size_t packed = squeeze(tab, len, body);
    fprintf(arc, "NOTE %s %zu %zu %08x\n", line, len, packed, crc((unsigned char*)tab, len));
    if (fwrite(body, 1, packed, arc) != packed) return 1;
    fputc('\n', arc);
    notes++;
    in += (long)len;
    out += (long)packed;
  }
  fprintf(arc, "END %ld\n", notes);
  fclose(arc);
  printf("%ld notes, %ld bytes packed into %ld\n", notes, in, out);
  return 0;
}
