// Adds to one field of scattered records of a copy of the table, which it keeps in memory.
#include <stdio.h>
#include <stdlib.h>

struct Record {
  int number;
  int group;
  double value;
  double other;
};

int main(void) {
  static struct Record records[400000];
  if (system("cp table out") != 0) return 1;
  FILE* const file = fopen("out", "r+");
  if (file == NULL) return 1;
  if (fread(records, sizeof *records, 400000, file) != 400000) return 1;
  unsigned state = 1;
  for (int i = 0; i < 200000; ++i) {
    state = state * 1664525 + 1013904223;
    records[state % 400000u].group += 1;
  }
  rewind(file);
  if (fwrite(records, sizeof *records, 400000, file) != 400000) return 1;
  return fclose(file) != 0;
}
