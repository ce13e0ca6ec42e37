// Takes records of two files in turn, and writes the one with the smaller group.
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
  for (int repeat = 0; repeat < 10; ++repeat) {
    struct Record a;
    struct Record b;
    rewind(one);
    while (fread(&a, sizeof a, 1, one) == 1 && fread(&b, sizeof b, 1, other) == 1) {
      fwrite(a.group < b.group ? &a : &b, sizeof a, 1, out);
    }
  }
  return fclose(out) != 0;
}
