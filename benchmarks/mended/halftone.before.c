/* dithers a grey picture to black and white for the label printer */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float* load(const char* name, int* w, int* h) {
  int max, i;
  FILE* f = fopen(name, "rb");
  if (!f || fscanf(f, "P5 %d %d %d", w, h, &max) != 3) {
    fprintf(stderr, "%s: not a PGM\n", name);
    exit(1);
  }
  getc(f);
  int n = *w * *h;
  unsigned char* raw = malloc(n);
  float* pix = malloc(n * sizeof *pix);
  if (fread(raw, 1, n, f) != (size_t)n) {
    fprintf(stderr, "%s: too short\n", name);
    exit(1);
  }
  fclose(f);
  for (i = 0; i < n; i++) pix[i] = raw[i] * 255.0f / max;
  free(raw);
  return pix;
}

static void dither_row(float* row, float* next, int w) {
  int x;
  for (x = 0; x < w; x++) {
    float v = row[x] < 128 ? 0 : 255;
    float e = row[x] - v;
    row[x] = v;
    if (x + 1 < w) row[x + 1] += e * 7 / 16;
    if (next) {
      if (x > 0) next[x - 1] += e * 3 / 16;
      next[x] += e * 5 / 16;
      if (x + 1 < w) next[x + 1] += e / 16;
    }
  }
}

int main(void) {
  int w, h, x, y;
  long black = 0;
  float* pix = load("photo.pgm", &w, &h);
  FILE* out = fopen("label.pbm", "wb");
  if (!out) {
    perror("label.pbm");
    return 1;
  }
  setvbuf(out, NULL, _IONBF, 0);
  fprintf(out, "P4\n%d %d\n", w, h);
  for (y = 0; y < h; y++) {
    float* row = pix + (long)y * w;
    int byte = 0;
    dither_row(row, y + 1 < h ? row + w : NULL, w);
    for (x = 0; x < w; x++) {
      byte = byte << 1 | (row[x] == 0);
      black += row[x] == 0;
      if ((x & 7) == 7) {
        putc(byte, out);
        byte = 0;
      }
    }
    if (w & 7) putc(byte << (8 - (w & 7)), out);
  }
  fclose(out);
  printf("%dx%d, %.2f %% black\n", w, h, 100.0 * black / w / h);
  return 0;
}
