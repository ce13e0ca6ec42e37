// Follows a chain of records through a table.
#include <stdio.h>

int main(void) {
  FILE* const table = fopen("table", "r");
  if (table == NULL) return 1;
  fseek(table, 0, SEEK_END);
  const unsigned records = (unsigned)(ftell(table) / 24);
  unsigned state = 1;
  unsigned long sum = 0;
  for (int step = 0; step < 500000; ++step) {
    int fields[6];
    state = state * 1664525 + 1013904223;
    fseek(table, (long)((state >> 8) % records) * 24, SEEK_SET);
    if (fread(fields, sizeof fields, 1, table) != 1) return 1;
    sum += (unsigned)fields[0];
  }
  printf("%lu\n", sum);
  return fclose(table) != 0;
}
