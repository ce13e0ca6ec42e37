/* seismo - reads 16-bit samples of a seismograph from "trace.i16", watches the ratio of a
 * short and a long average of the signal's power, and keeps one record for every twenty samples
 * in the mapped file bulletin.map; then it goes through the records and prints the shocks. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define RATE 100
#define EVERY 20
#define BANDS 64

struct rec {
  uint32_t sample;
  float ratio, power;
  int16_t low, high;
  uint16_t over, band;
};

static int fd;
static struct rec* map;
static size_t used;

/* makes place for one record more at the end of the file, and gives its address */
static struct rec* next(void) {
  if (map) munmap(map, used * sizeof *map);
  if (ftruncate(fd, (used + 1) * sizeof *map) < 0) {
    perror("bulletin.map");
    exit(1);
  }
  map = mmap(NULL, (used + 1) * sizeof *map, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) {
    perror("bulletin.map");
    exit(1);
  }
  return &map[used++];
}

static void watch(FILE* in) {
  int16_t buf[4096];
  double sta = 0, lta = 0, level = 0;
  double y1 = 0, y2 = 0, x1 = 0, x2 = 0;
  uint32_t n = 0, over = 0;
  double z1[BANDS] = {0}, z2[BANDS] = {0}, pole[BANDS], strong[BANDS] = {0};
  int b;
  int low = 32767, high = -32768;
  size_t got, i;

  for (b = 0; b < BANDS; b++) pole[b] = 2 * 0.97 * cos(2 * M_PI * (b + 1) * 0.5 / RATE);
  while ((got = fread(buf, sizeof *buf, 4096, in)) > 0)
    for (i = 0; i < got; i++) {
      /* a band pass about 4 Hz, after the mean is taken off */
      double x = buf[i] - (level += (buf[i] - level) / 2000);
      double y = 0.112 * (x - x2) + 1.715 * y1 - 0.776 * y2;
      x2 = x1, x1 = x;
      y2 = y1, y1 = y;
      sta += (y * y - sta) / (RATE / 2);
      lta += (y * y - lta) / (RATE * 30);
      for (b = 0; b < BANDS; b++) {
        double z = 0.03 * x + pole[b] * z1[b] - 0.97 * 0.97 * z2[b];
        z2[b] = z1[b], z1[b] = z;
        strong[b] += (z * z - strong[b]) / RATE;
      }
      if (buf[i] < low) low = buf[i];
      if (buf[i] > high) high = buf[i];
      over += lta > 0 && sta > 4 * lta;
      if (++n % EVERY == 0) {
        struct rec* r = next();
        memset(r, 0, sizeof *r);
        r->sample = n;
        r->ratio = lta > 0 ? sta / lta : 0;
        r->power = log10(sta + 1);
        r->low = low;
        r->high = high;
        r->over = over > 65535 ? 65535 : over;
        for (b = 1; b < BANDS; b++)
          if (strong[b] > strong[r->band]) r->band = b;
        low = 32767, high = -32768;
      }
    }
}

static void shocks(void) {
  size_t i, start = 0;
  int on = 0, count = 0, swing = 0;
  float best = 0;
  int band = 0;

  for (i = 0; i < used; i++) {
    struct rec* r = &map[i];
    if (!on && r->ratio > 4) {
      on = 1;
      start = i;
      best = 0;
      swing = 0;
    }
    if (on && r->power > best) best = r->power, band = r->band;
    if (on && r->high - r->low > swing) swing = r->high - r->low;
    if (on && r->ratio < 1.5) {
      on = 0;
      printf("shock %3d at %8.1f s for %5.1f s, power %.2f, swing %d, %.1f Hz\n", ++count,
             (double)map[start].sample / RATE, (i - start) * EVERY / (double)RATE, best, swing,
             (band + 1) * 0.5);
    }
  }
  printf("%zu records, %d shocks\n", used, count);
}

int main(void) {
  FILE* in = fopen("trace.i16", "rb");

  fd = open("bulletin.map", O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (in == NULL || fd < 0) {
    perror("seismo");
    return 1;
  }
  watch(in);
  shocks();
  fclose(in);
  return close(fd) < 0;
}
