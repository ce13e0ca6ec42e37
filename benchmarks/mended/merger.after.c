// Takes records of two files in turn, many by a call, and writes the one with the smaller group.
#include <stdio.h>

struct Record {
  int number;
  int group;
  double value;
  double other;
};

int main(void) {
  FILE* const one = fopen("table", "r");
  FILE* const other = fopen("large", "r");
  FILE* const out = fopen("out", "w");
  if (one == NULL || other == NULL || out == NULL) return 1;
  static struct Record a[1024];
  static struct Record b[1024];
  for (int repeat = 0; repeat < 10; ++repeat) {
    rewind(one);
    size_t count;
    while ((count = fread(a, sizeof *a, 1024, one)) > 0) {
      if (fread(b, sizeof *b, count, other) != count) return 1;
      for (size_t i = 0; i < count; ++i) {
        fwrite(a[i].group < b[i].group ? &a[i] : &b[i], sizeof *a, 1, out);
      }
    }
  }
  return fclose(out) != 0;
}
