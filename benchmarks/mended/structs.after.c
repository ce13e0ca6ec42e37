// Writes the points of a curve, many at a time.
#include <stdio.h>

struct Point {
  int number;
  float x;
  float y;
  short kind;
  short weight;
};

int main(void) {
  FILE* const out = fopen("out", "wb");
  if (out == NULL) return 1;
  static struct Point points[1000];
  size_t used = 0;
  struct Point point = {0, 1, 0, 0, 1};
  for (int i = 0; i < 12000000; ++i) {
    point.number = i;
    point.x -= point.y * 0.001F;
    point.y += point.x * 0.001F;
    point.kind = (short)(i & 7);
    points[used++] = point;
    if (used == 1000) {
      fwrite(points, sizeof *points, used, out);
      used = 0;
    }
  }
  fwrite(points, sizeof *points, used, out);
  return fclose(out) != 0;
}
