/* height and slope of the ground at a list of points, from a height raster */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define WIDTH 2048
#define CELL 30.0
#define ROWBYTES (WIDTH * sizeof(int16_t))

static int fd;
static int rows;

static void open_raster(const char* name) {
  struct stat st;
  fd = open(name, O_RDONLY);
  if (fd < 0 || fstat(fd, &st) < 0) {
    perror(name);
    exit(1);
  }
  rows = st.st_size / ROWBYTES;
}

static int sample(double x, double y, double* height, double* slope) {
  int c = (int)x, r = (int)y;
  double fx = x - c, fy = y - r;
  if (c < 1 || c + 2 > WIDTH - 1 || r < 1 || r + 2 > rows - 1) return 0;

  /* rows r-1 .. r+2; a row is exactly a page */
  int16_t* win = mmap(NULL, 4 * ROWBYTES, PROT_READ, MAP_SHARED, fd, (off_t)(r - 1) * ROWBYTES);
  if (win == MAP_FAILED) {
    perror("mmap");
    exit(1);
  }
#define Z(dr, dc) ((double)win[((dr) + 1) * WIDTH + c + (dc)])
  *height =
      (Z(0, 0) * (1 - fx) + Z(0, 1) * fx) * (1 - fy) + (Z(1, 0) * (1 - fx) + Z(1, 1) * fx) * fy;
  double gx = (Z(0, 1) - Z(0, -1)) * (1 - fx) + (Z(0, 2) - Z(0, 0)) * fx;
  double gy = (Z(1, 0) - Z(-1, 0)) * (1 - fy) + (Z(2, 0) - Z(0, 0)) * fy;
#undef Z
  *slope = atan(hypot(gx, gy) / (2 * CELL)) * 180 / M_PI;
  munmap(win, 4 * ROWBYTES);
  return 1;
}

int main(void) {
  char id[32];
  double x, y, h, s, sum = 0, steepest = 0;
  long n = 0, outside = 0;
  FILE* in = fopen("points.txt", "r");
  FILE* out = fopen("points.out", "w");
  if (!in || !out) {
    perror("points");
    return 1;
  }
  open_raster("heights.raw");
  while (fscanf(in, "%31s %lf %lf", id, &x, &y) == 3) {
    if (!sample(x, y, &h, &s)) {
      outside++;
      continue;
    }
    fprintf(out, "%s %.1f %.2f\n", id, h, s);
    sum += h;
    if (s > steepest) steepest = s;
    n++;
  }
  fclose(in);
  fclose(out);
  close(fd);
  printf("%ld points, %ld outside, mean height %.2f, steepest %.2f\n", n, outside, sum / n,
         steepest);
  return 0;
}
