// Adds up the records of a table, which it reads one by one.
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
  struct Record record;
  while (fread(&record, sizeof record, 1, table) == 1) {
    sums[record.kind & 7] += record.value * record.weight;
  }
  for (int i = 0; i < 8; ++i) printf("%d %g\n", i, sums[i]);
  return fclose(table) != 0;
}
