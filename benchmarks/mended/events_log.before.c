// Writes an event log, and flushes each line.
#include <stdio.h>

int main(void) {
  FILE* const out = fopen("out", "w");
  if (out == NULL) return 1;
  unsigned state = 1;
  for (int event = 0; event < 400000; ++event) {
    state = state * 1664525 + 1013904223;
    fprintf(out, "%06d level=%u value=%u\n", event, state >> 30, state >> 12);
    fflush(out);
  }
  return fclose(out) != 0;
}
