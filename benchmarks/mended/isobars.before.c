/* isobars - reads a grid of sea-level pressures (hPa) from standard input, smooths it,
 * traces the isobars every 4 hPa through the cells of the grid, and writes the segments
 * to isobars.seg and a table of their lengths and of the highs and lows to standard output. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MAXW 800
#define MAXH 800

static double p[MAXH][MAXW], q[MAXH][MAXW];
static int w, h;
static double step_km;

static void readgrid(void) {
  int x, y;

  setvbuf(stdin, NULL, _IONBF, 0);
  if (scanf("%d %d %lf", &w, &h, &step_km) != 3 || w < 2 || h < 2 || w > MAXW || h > MAXH) {
    fprintf(stderr, "isobars: bad size\n");
    exit(1);
  }
  for (y = 0; y < h; y++)
    for (x = 0; x < w; x++)
      if (scanf("%lf", &p[y][x]) != 1) {
        fprintf(stderr, "isobars: grid ends in row %d\n", y);
        exit(1);
      }
}

/* one pass of a 3x3 mean, the edges left as they are */
static void smooth(void) {
  int x, y, i, j;

  for (y = 1; y < h - 1; y++)
    for (x = 1; x < w - 1; x++) {
      double s = 0;
      for (j = -1; j <= 1; j++)
        for (i = -1; i <= 1; i++) s += p[y + j][x + i];
      q[y][x] = s / 9;
    }
  for (y = 1; y < h - 1; y++)
    for (x = 1; x < w - 1; x++) p[y][x] = q[y][x];
}

/* where the level crosses the side from a to b, as a part of the side; -1 if it does not */
static double cross(double a, double b, double level) {
  if ((a < level) == (b < level)) return -1;
  return (level - a) / (b - a);
}

static double trace(FILE* out, double level, long* count) {
  double length = 0;
  int x, y;

  for (y = 0; y + 1 < h; y++)
    for (x = 0; x + 1 < w; x++) {
      double px[4], py[4], t;
      int n = 0, i;
      if ((t = cross(p[y][x], p[y][x + 1], level)) >= 0) px[n] = x + t, py[n++] = y;
      if ((t = cross(p[y][x + 1], p[y + 1][x + 1], level)) >= 0) px[n] = x + 1, py[n++] = y + t;
      if ((t = cross(p[y + 1][x], p[y + 1][x + 1], level)) >= 0) px[n] = x + t, py[n++] = y + 1;
      if ((t = cross(p[y][x], p[y + 1][x], level)) >= 0) px[n] = x, py[n++] = y + t;
      for (i = 0; i + 1 < n; i += 2) {
        length += hypot(px[i + 1] - px[i], py[i + 1] - py[i]) * step_km;
        fprintf(out, "%.0f %.2f %.2f %.2f %.2f\n", level, px[i], py[i], px[i + 1], py[i + 1]);
        ++*count;
      }
    }
  return length;
}

/* prints the centres: points beyond all others within five cells */
static void centres(void) {
  int x, y, i, j;

  for (y = 5; y < h - 5; y++)
    for (x = 5; x < w - 5; x++) {
      int above = 0, below = 0;
      for (j = -5; j <= 5 && !(above && below); j++)
        for (i = -5; i <= 5; i++)
          if (p[y + j][x + i] > p[y][x])
            above = 1;
          else if (p[y + j][x + i] < p[y][x])
            below = 1;
      if (!above || !below) printf("%s %.1f hPa at %d %d\n", above ? "L" : "H", p[y][x], x, y);
    }
}

int main(void) {
  FILE* out;
  int level, pass;

  readgrid();
  for (pass = 0; pass < 24; pass++) smooth();
  if ((out = fopen("isobars.seg", "w")) == NULL) {
    perror("isobars.seg");
    return 1;
  }
  for (level = 960; level <= 1060; level += 4) {
    long n = 0;
    double km = trace(out, level, &n);
    if (n) printf("%4d hPa %6ld segments %10.1f km\n", level, n, km);
  }
  fclose(out);
  centres();
  return 0;
}
