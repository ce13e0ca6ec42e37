// Writes the points of a curve, one by one.
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
  struct Point point = {0, 1, 0, 0, 1};
  for (int i = 0; i < 12000000; ++i) {
    point.number = i;
    point.x -= point.y * 0.001F;
    point.y += point.x * 0.001F;
    point.kind = (short)(i & 7);
    fwrite(&point, sizeof point, 1, out);
  }
  return fclose(out) != 0;
}
