// Follows a chain of records through a table that it keeps in memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  FILE* const table = fopen("table", "r");
  if (table == NULL) return 1;
  fseek(table, 0, SEEK_END);
  const size_t bytes = (size_t)ftell(table);
  const unsigned records = (unsigned)(bytes / 24);
  rewind(table);
  char* const all = malloc(bytes);
  if (all == NULL || fread(all, 1, bytes, table) != bytes) return 1;
  unsigned state = 1;
  unsigned long sum = 0;
  for (int step = 0; step < 500000; ++step) {
    int fields[6];
    state = state * 1664525 + 1013904223;
    memcpy(fields, all + (size_t)((state >> 8) % records) * 24, sizeof fields);
    sum += (unsigned)fields[0];
  }
  printf("%lu\n", sum);
  free(all);
  return fclose(table) != 0;
}
