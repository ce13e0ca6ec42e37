/* Renders a four-part chorale to one WAV file for each voice and one for the whole choir. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATE 22050
#define BLOCK 256

struct wav {
  FILE* file;
  uint32_t bytes;
};

static void put32(unsigned char* p, uint32_t v) {
  for (int i = 0; i < 4; i++) p[i] = v >> 8 * i;
}

static void write_header(struct wav* w) {
  unsigned char h[44] = "RIFF....WAVEfmt ";
  put32(h + 4, 36 + w->bytes);
  put32(h + 16, 16);
  put32(h + 20, 1 | 1 << 16);
  put32(h + 24, RATE);
  put32(h + 28, RATE * 2);
  put32(h + 32, 2 | 16 << 16);
  memcpy(h + 36, "data", 4);
  put32(h + 40, w->bytes);
  fseek(w->file, 0, SEEK_SET);
  fwrite(h, 1, sizeof h, w->file);
}

static void wav_open(struct wav* w, const char* name) {
  w->file = fopen(name, "wb");
  if (!w->file) {
    perror(name);
    exit(1);
  }
  w->bytes = 0;
  write_header(w);
}

static void wav_write(struct wav* w, const int16_t* samples, int count) {
  fwrite(samples, 2, count, w->file);
  w->bytes += 2 * count;
}

static void wav_close(struct wav* w) {
  write_header(w);
  fclose(w->file);
}

static const char* voices[] = {"soprano", "alto", "tenor", "bass"};
static const int tune[4][16] = {{72, 72, 74, 76, 76, 74, 72, 71, 72, 74, 76, 77, 76, 74, 74, 72},
                                {67, 67, 67, 67, 69, 67, 67, 67, 67, 67, 67, 69, 67, 67, 65, 64},
                                {64, 64, 62, 60, 60, 62, 64, 62, 60, 59, 60, 60, 60, 60, 59, 55},
                                {48, 52, 55, 48, 53, 55, 57, 55, 52, 55, 48, 53, 55, 57, 55, 48}};

int main(void) {
  static float sine[4096];
  struct wav out[4], all;
  double phase[4] = {0};
  const int length = RATE * 2 / 3;
  int loudest = 0;

  for (int i = 0; i < 4096; i++)
    sine[i] = sin(2 * M_PI * i / 4096) + 0.4 * sin(4 * M_PI * i / 4096);
  for (int v = 0; v < 4; v++) {
    char name[32];
    snprintf(name, sizeof name, "%s.wav", voices[v]);
    wav_open(&out[v], name);
  }
  wav_open(&all, "choir.wav");

  for (int verse = 0; verse < 40; verse++)
    for (int note = 0; note < 16; note++)
      for (int at = 0; at < length; at += BLOCK) {
        int16_t block[BLOCK], sum[BLOCK] = {0};
        int count = at + BLOCK > length ? length - at : BLOCK;
        for (int v = 0; v < 4; v++) {
          double turn = 4096 * 440 * pow(2, (tune[v][note] - 69) / 12.0) / RATE;
          for (int i = 0; i < count; i++) {
            float swell = 1 - (float)(at + i) / length;
            block[i] = 4500 * swell * sine[(int)phase[v]];
            sum[i] += block[i];
            phase[v] += turn;
            if (phase[v] >= 4096) phase[v] -= 4096;
          }
          wav_write(&out[v], block, count);
        }
        for (int i = 0; i < count; i++)
          if (abs(sum[i]) > loudest) loudest = abs(sum[i]);
        wav_write(&all, sum, count);
      }
  for (int v = 0; v < 4; v++) wav_close(&out[v]);
  printf("%u bytes of sound, loudest sample %d\n", all.bytes, loudest);
  wav_close(&all);
  return 0;
}
