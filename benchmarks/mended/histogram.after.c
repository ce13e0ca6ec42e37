// Reads many records at once.
#include <stdio.h>
static long counts[1000];
static struct record {
  int number, group;
  double value, weight;
} records[1024];
int main(void) {
  double sum = 0;
  for (int pass = 0; pass < 6; ++pass) {
    FILE* in = fopen("table", "rb");
    for (size_t got; (got = fread(records, sizeof records[0], 1024, in)) > 0;) {
      for (size_t i = 0; i < got; ++i) {
        ++counts[records[i].group];
        sum += records[i].value * records[i].weight;
      }
    }
    fclose(in);
  }
  for (int i = 0; i < 1000; ++i) printf("%d %ld\n", i, counts[i]);
  printf("%f\n", sum);
  return 0;
}
