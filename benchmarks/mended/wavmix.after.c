/* Makes an interleaved stereo WAV, with some echo, from the recorder's own
 * format, in which all of the left channel comes before all of the right. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ECHO 8000

struct planar_head {
  char magic[4];
  uint32_t rate;
  uint32_t frames;
};

struct channel {
  double echo[ECHO];
  int at;
  double low;
  int peak;
};

static void put16(FILE* f, unsigned v) {
  putc(v & 255, f);
  putc(v >> 8 & 255, f);
}

static void put32(FILE* f, uint32_t v) {
  put16(f, v & 0xffff);
  put16(f, v >> 16);
}

static void wav_head(FILE* f, uint32_t rate, uint32_t frames) {
  fwrite("RIFF", 1, 4, f);
  put32(f, 36 + frames * 4);
  fwrite("WAVEfmt ", 1, 8, f);
  put32(f, 16);
  put16(f, 1);
  put16(f, 2);
  put32(f, rate);
  put32(f, rate * 4);
  put16(f, 4);
  put16(f, 16);
  fwrite("data", 1, 4, f);
  put32(f, frames * 4);
}

static int process(struct channel* c, int16_t in) {
  double y = in + 0.4 * c->echo[c->at];
  c->low += 0.6 * (y - c->low);
  c->echo[c->at] = c->low;
  c->at = (c->at + 1) % ECHO;
  int v = (int)(c->low * 0.8);
  if (v > 32767) v = 32767;
  if (v < -32768) v = -32768;
  if (abs(v) > c->peak) c->peak = abs(v);
  return v;
}

int main(void) {
  static struct channel left, right;
  struct planar_head h;
  uint32_t i;
  FILE* in = fopen("take1.pcm", "rb");
  if (!in || fread(&h, sizeof h, 1, in) != 1 || memcmp(h.magic, "PLAN", 4)) {
    fprintf(stderr, "not a planar recording\n");
    return 1;
  }
  FILE* in2 = fopen("take1.pcm", "rb"); /* reads the right channel */
  if (!in2 || fseek(in2, sizeof h + 2L * h.frames, SEEK_SET) != 0) {
    perror("take1.pcm");
    return 1;
  }
  FILE* out = fopen("take1.wav", "wb");
  if (!out) {
    perror("take1.wav");
    return 1;
  }
  wav_head(out, h.rate, h.frames);
  for (i = 0; i < h.frames; i++) {
    int16_t l, r;
    if (fread(&l, 2, 1, in) != 1) break;
    if (fread(&r, 2, 1, in2) != 1) break;
    put16(out, process(&left, l));
    put16(out, process(&right, r));
  }
  fclose(out);
  fclose(in);
  fclose(in2);
  printf("%u frames at %u Hz, peaks %d and %d\n", i, h.rate, left.peak, right.peak);
  return 0;
}
