/* fractal: render a Julia set with smooth colours as an ASCII PPM (P3) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define W 1800
#define H 1260

static void colour(double t, int* rgb) {
  rgb[0] = (int)(9 * (1 - t) * t * t * t * 255);
  rgb[1] = (int)(15 * (1 - t) * (1 - t) * t * t * 255);
  rgb[2] = (int)(8.5 * (1 - t) * (1 - t) * (1 - t) * t * 255);
}

static char num[256][5];
static int numlen[256];

int main(void) {
  static char row[W * 12 + 2];
  for (int i = 0; i < 256; i++) numlen[i] = sprintf(num[i], "%d ", i);
  FILE* f = fopen("julia.ppm", "w");
  if (!f) {
    perror("julia.ppm");
    return 1;
  }
  fprintf(f, "P3\n%d %d\n255\n", W, H);
  long inside = 0, sum[3] = {0};
  for (int y = 0; y < H; y++) {
    char* p = row;
    for (int x = 0; x < W; x++) {
      double a = (x - W / 2) * 3.4 / W, b = (y - H / 2) * 2.4 / H;
      int i = 0, rgb[3];
      while (i < 150 && a * a + b * b < 16) {
        double t = a * a - b * b - 0.74543;
        b = 2 * a * b + 0.11301;
        a = t;
        i++;
      }
      if (i == 150) inside++;
      colour(i / 150.0, rgb);
      for (int k = 0; k < 3; k++) {
        memcpy(p, num[rgb[k]], 4);
        p += numlen[rgb[k]];
        sum[k] += rgb[k];
      }
    }
    *p++ = '\n';
    fwrite(row, 1, (size_t)(p - row), f);
  }
  fclose(f);
  printf("inside %ld mean %.2f %.2f %.2f\n", inside, sum[0] / (double)(W * H),
         sum[1] / (double)(W * H), sum[2] / (double)(W * H));
  return 0;
}
