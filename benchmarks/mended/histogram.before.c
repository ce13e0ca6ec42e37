// Counts the groups of a table, which it reads field by field.
#include <stdio.h>
static long counts[1000];
int main(void) {
  double sum = 0;
  for (int pass = 0; pass < 6; ++pass) {
    FILE* in = fopen("table", "rb");
    int number, group;
    double value, weight;
    while (fread(&number, sizeof number, 1, in) == 1) {
      if (fread(&group, sizeof group, 1, in) != 1) return 1;
      if (fread(&value, sizeof value, 1, in) != 1) return 1;
      if (fread(&weight, sizeof weight, 1, in) != 1) return 1;
      ++counts[group];
      sum += value * weight;
    }
    fclose(in);
  }
  for (int i = 0; i < 1000; ++i) printf("%d %ld\n", i, counts[i]);
  printf("%f\n", sum);
  return 0;
}
