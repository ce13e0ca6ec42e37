/* soundings: grid the depth soundings of a survey ship for a chart.
 * soundings.xyz has lines "longitude latitude travel-time"; prints the median,
 * least and greatest depth of each cell of the chart that has soundings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CELLS 24
#define CELL_SIZE 250.0

struct cell {
  int n, room;
  double* depths;
};

static struct cell chart[CELLS][CELLS];

/* reads a line without its newline; returns its length, or -1 at the end */
static int read_line(FILE* f, char* buf, int size) {
  int n = 0;
  int c;

  while ((c = getc(f)) != EOF) {
    if (c == '\n') {
      buf[n] = 0;
      return n;
    }
    if (n < size - 1) buf[n++] = c;
  }
  buf[n] = 0;
  return n ? n : -1;
}

/* metres on the Mercator chart with its origin at 5 E 54 N */
static void project(double lon, double lat, double* x, double* y) {
  const double rad = M_PI / 180, radius = 6378137 * cos(54 * rad);

  *x = radius * (lon - 5) * rad;
  *y = radius * (log(tan(M_PI / 4 + lat * rad / 2)) - log(tan(M_PI / 4 + 27 * rad)));
}

/* depth from the travel time (ms); the water is colder at the bottom */
static double depth_of(double ms) {
  double depth = 0.5 * ms * 1.5;

  for (int i = 0; i < 4; i++) {
    double t = 6 + 9 * exp(-depth / 40);
    double v = 1448.96 + 4.591 * t - 0.05304 * t * t + 0.0163 * depth;

    depth = 0.5 * ms / 1000 * v;
  }
  return depth;
}

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;

  return (x > y) - (x < y);
}

static void add(double x, double y, double depth) {
  int i = (int)(x / CELL_SIZE), j = (int)(y / CELL_SIZE);

  if (i < 0 || j < 0 || i >= CELLS || j >= CELLS) return;
  struct cell* c = &chart[j][i];

  if (c->n == c->room) {
    c->room = c->room ? 2 * c->room : 64;
    c->depths = realloc(c->depths, c->room * sizeof *c->depths);
    if (!c->depths) exit(1);
  }
  c->depths[c->n++] = depth;
}

int main(void) {
  char line[256];
  FILE* f = fopen("soundings.xyz", "r");

  if (!f) {
    perror("soundings.xyz");
    return 1;
  }
  while (read_line(f, line, sizeof line) >= 0) {
    char* p = line;

    if (*p == '#' || *p == 0) continue;
    double lon = strtod(p, &p);
    double lat = strtod(p, &p);
    double ms = strtod(p, &p);
    double x, y;

    project(lon, lat, &x, &y);
    add(x, y, depth_of(ms));
  }
  fclose(f);
  for (int j = 0; j < CELLS; j++)
    for (int i = 0; i < CELLS; i++) {
      struct cell* c = &chart[j][i];

      if (c->n == 0) continue;
      qsort(c->depths, c->n, sizeof *c->depths, compare);
      printf("%2d %2d %5d %7.2f %7.2f %7.2f\n", i, j, c->n, c->depths[c->n / 2], c->depths[0],
             c->depths[c->n - 1]);
    }
  return 0;
}
