/* lottery: reads tickets.txt ("number a b c d e f") and checks all tickets
 * against 52 weekly draws.  Prints the winners and the prizes by class. */
#include <stdio.h>
#include <stdlib.h>

#define DRAWS 52

static unsigned long long draws[DRAWS];
static unsigned seed = 2024;

static unsigned next(void) {
  seed = seed * 1103515245u + 12345u;
  return seed >> 16 & 0x7fff;
}

static void make_draws(void) {
  for (int i = 0; i < DRAWS; i++)
    while (__builtin_popcountll(draws[i]) < 6) draws[i] |= 1ull << (1 + next() % 49);
}

int main(void) {
  char line[128];
  long classes[7] = {0}, tickets = 0;
  FILE* in = fopen("tickets.txt", "r");

  if (!in) {
    perror("tickets.txt");
    return 1;
  }
  make_draws();
  while (fgets(line, sizeof line, in)) {
    char* p = line;
    long number = strtol(p, &p, 10);
    unsigned long long mask = 0;

    for (int i = 0; i < 6; i++) mask |= 1ull << strtol(p, &p, 10);
    for (int i = 0; i < DRAWS; i++) {
      int hits = __builtin_popcountll(mask & draws[i]);

      classes[hits]++;
      if (hits >= 4) printf("ticket %06ld, week %d: %d right\n", number, i + 1, hits);
    }
    tickets++;
  }
  fclose(in);
  for (int i = 0; i < 7; i++) printf("%d right: %ld\n", i, classes[i]);
  printf("%ld tickets\n", tickets);
  return 0;
}
