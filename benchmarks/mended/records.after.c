// Adds up the records of a table, which it reads many at a time.
#include <stdio.h>

struct Record {
  int number;
  int kind;
  double value;
  double weight;
};

int main(void) {
  FILE* const table = fopen("large", "r");
  if (table == NULL) return 1;
  double sums[8] = {0};
  static struct Record records[1024];
  for (size_t count = 0; (count = fread(records, sizeof *records, 1024, table)) > 0;) {
    for (size_t i = 0; i < count; ++i) {
      sums[records[i].kind & 7] += records[i].value * records[i].weight;
    }
  }
  for (int i = 0; i < 8; ++i) printf("%d %g\n", i, sums[i]);
  return fclose(table) != 0;
}
