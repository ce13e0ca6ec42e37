// Adds to one field of scattered records of a copy of the table.
#include <stdio.h>
#include <stdlib.h>

struct Record {
  int number;
  int group;
  double value;
  double other;
};

int main(void) {
  if (system("cp table out") != 0) return 1;
  FILE* const file = fopen("out", "r+");
  if (file == NULL) return 1;
  unsigned state = 1;
  for (int i = 0; i < 200000; ++i) {
    struct Record record;
    state = state * 1664525 + 1013904223;
    const long at = (long)(state % 400000u) * (long)sizeof record;
    fseek(file, at, SEEK_SET);
    if (fread(&record, sizeof record, 1, file) != 1) return 1;
    record.group += 1;
    fseek(file, at, SEEK_SET);
    if (fwrite(&record, sizeof record, 1, file) != 1) return 1;
  }
  return fclose(file) != 0;
}
