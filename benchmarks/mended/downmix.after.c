/* Mixes a stereo sound file (16 bits) down to mono at half the rate, with a low-pass filter, and
 * prints the loudness of each second. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wav {
  FILE* file;
  unsigned channels, rate, bits;
  uint32_t frames;
  size_t at, filled;
  unsigned char block[16384];
};

struct lowpass {
  double b0, b1, b2, a1, a2;
  double x1, x2, y1, y2;
};

static void fail(const char* what) {
  fprintf(stderr, "downmix: %s\n", what);
  exit(1);
}

/* Little-endian numbers, whatever the machine is. */

static unsigned read_byte(FILE* f) {
  unsigned char b;
  if (fread(&b, 1, 1, f) != 1) fail("file too short");
  return b;
}

static unsigned read_u16(FILE* f) {
  unsigned low = read_byte(f);
  return low | read_byte(f) << 8;
}

static uint32_t read_u32(FILE* f) {
  uint32_t low = read_u16(f);
  return low | (uint32_t)read_u16(f) << 16;
}

static void write_u16(FILE* f, unsigned v) {
  unsigned char b[2] = {(unsigned char)(v & 255), (unsigned char)(v >> 8 & 255)};
  fwrite(b, 1, 2, f);
}

static void write_u32(FILE* f, uint32_t v) {
  write_u16(f, v & 0xffff);
  write_u16(f, v >> 16);
}

static void expect(FILE* f, const char* tag) {
  for (; *tag; tag++)
    if (read_byte(f) != (unsigned char)*tag) fail("not a sound file");
}

static void wav_open(struct wav* w, const char* path) {
  w->file = fopen(path, "rb");
  if (!w->file) fail("cannot open input");
  expect(w->file, "RIFF");
  read_u32(w->file);
  expect(w->file, "WAVEfmt ");
  uint32_t size = read_u32(w->file);
  if (read_u16(w->file) != 1) fail("compressed");
  w->channels = read_u16(w->file);
  w->rate = read_u32(w->file);
  read_u32(w->file);
  read_u16(w->file);
  w->bits = read_u16(w->file);
  while (size-- > 16) read_byte(w->file);
  expect(w->file, "data");
  w->frames = read_u32(w->file) / (w->channels * w->bits / 8);
  if (w->bits != 16 || w->channels < 1 || w->channels > 8) fail("unknown format");
  w->at = w->filled = 0;
}

/* Reads one frame, a sample for each channel. */
static void wav_read_frame(struct wav* w, int16_t* samples) {
  size_t size = w->channels * 2;
  if (w->filled - w->at < size) {
    w->filled = fread(w->block, 1, sizeof w->block / size * size, w->file);
    w->at = 0;
    if (w->filled < size) fail("file too short");
  }
  for (unsigned i = 0; i < w->channels; i++, w->at += 2)
    samples[i] = (int16_t)(w->block[w->at] | w->block[w->at + 1] << 8);
}

static void wav_create(struct wav* w, const char* path, unsigned rate, uint32_t frames) {
  w->file = fopen(path, "wb");
  if (!w->file) fail("cannot create output");
  w->channels = 1;
  w->rate = rate;
  w->bits = 16;
  w->frames = frames;
  fputs("RIFF", w->file);
  write_u32(w->file, 36 + frames * 2);
  fputs("WAVEfmt ", w->file);
  write_u32(w->file, 16);
  write_u16(w->file, 1);
  write_u16(w->file, 1);
  write_u32(w->file, rate);
  write_u32(w->file, rate * 2);
  write_u16(w->file, 2);
  write_u16(w->file, 16);
  fputs("data", w->file);
  write_u32(w->file, frames * 2);
}

static void lowpass_init(struct lowpass* p, double frequency, double rate) {
  double w = 2 * M_PI * frequency / rate, alpha = sin(w) / (2 * 0.7071), a0 = 1 + alpha;
  memset(p, 0, sizeof *p);
  p->b0 = p->b2 = (1 - cos(w)) / 2 / a0;
  p->b1 = (1 - cos(w)) / a0;
  p->a1 = -2 * cos(w) / a0;
  p->a2 = (1 - alpha) / a0;
}

static double lowpass_run(struct lowpass* p, double x) {
  double y = p->b0 * x + p->b1 * p->x1 + p->b2 * p->x2 - p->a1 * p->y1 - p->a2 * p->y2;
  p->x2 = p->x1;
  p->x1 = x;
  p->y2 = p->y1;
  p->y1 = y;
  return y;
}

static int clip(double x) {
  long v = lrint(x);
  return v > 32767 ? 32767 : v < -32768 ? -32768 : (int)v;
}

int main(void) {
  struct wav in, out;
  struct lowpass first, second;
  int16_t samples[8];
  double energy = 0;
  int peak = 0;
  wav_open(&in, "concert.wav");
  wav_create(&out, "mono.wav", in.rate / 2, in.frames / 2);
  lowpass_init(&first, 9000, in.rate);
  lowpass_init(&second, 9500, in.rate);
  printf("%u channels, %u Hz, %lu frames\n", in.channels, in.rate, (unsigned long)in.frames);
  for (uint32_t i = 0; i < in.frames / 2 * 2; i++) {
    double sum = 0;
    wav_read_frame(&in, samples);
    for (unsigned c = 0; c < in.channels; c++) sum += samples[c];
    double y = lowpass_run(&second, lowpass_run(&first, sum / in.channels));
    if (i % 2 == 1) {
      int v = clip(y);
      write_u16(out.file, (unsigned)v);
      energy += (double)v * v;
      if (abs(v) > peak) peak = abs(v);
    }
    if ((i + 1) % in.rate == 0) {
      printf("%4lu s  rms %8.2f  peak %5d\n", (unsigned long)((i + 1) / in.rate),
             sqrt(energy / (in.rate / 2)), peak);
      energy = 0;
      peak = 0;
    }
  }
  fclose(in.file);
  if (fclose(out.file) != 0) fail("cannot write");
  return 0;
}
