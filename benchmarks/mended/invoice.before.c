// Writes an invoice line for every second order, through a line-buffered stream.
#include <stdio.h>
int main(void) {
  char name[64], line[256];
  int amount;
  FILE* out = fopen("out", "w");
  setvbuf(out, NULL, _IOLBF, BUFSIZ);
  for (long number = 0; fgets(line, sizeof line, stdin); ++number) {
    if (number % 2 || sscanf(line, "%63s %d", name, &amount) != 2) continue;
    fprintf(out, "invoice %ld to %s: %d.%02d EUR\n", number, name, amount / 100, amount % 100);
  }
  return fclose(out);
}
