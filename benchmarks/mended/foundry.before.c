/* Simulates a foundry: furnaces melt charges, moulds are poured and cool. Every event goes to a
 * journal, castings that fail go to a list of scrap. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { FURNACES = 6, MOULDS = 40, MINUTES = 190000 };

struct furnace {
  double temperature, charge;
  int melting;
};

struct mould {
  double temperature;
  int busy, part, from;
};

static struct furnace furnaces[FURNACES];
static struct mould moulds[MOULDS];
static FILE* journal;
static uint32_t seed = 99;
static long entries;

static double uniform(void) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) / 16777216.0;
}

static void note(int minute, const char* kind, const char* format, ...) {
  va_list args;
  fprintf(journal, "%04d:%02d %-5s ", minute / 60, minute % 60, kind);
  va_start(args, format);
  vfprintf(journal, format, args);
  va_end(args);
  fputc('\n', journal);
  fflush(journal);
  entries++;
}

static void heat(int minute, int i) {
  struct furnace* f = &furnaces[i];
  if (f->charge < 50 && !f->melting) {
    f->charge += 800 + 400 * uniform();
    f->temperature = f->temperature * 0.6;
    f->melting = 1;
    note(minute, "LOAD", "furnace %d has %.0f kg at %.0f C", i, f->charge, f->temperature);
  }
  if (f->melting) {
    f->temperature += (1650 - f->temperature) * (0.06 + 0.03 * uniform());
    if (minute % 2 == i % 2) note(minute, "HEAT", "furnace %d %.1f C", i, f->temperature);
    if (f->temperature > 1500) {
      f->melting = 0;
      note(minute, "READY", "furnace %d %.1f C", i, f->temperature);
    }
  } else
    f->temperature -= 1.5;
}

static int pour(int minute, int m) {
  static int part;
  for (int i = 0; i < FURNACES; i++) {
    struct furnace* f = &furnaces[i];
    double weight = 20 + 25 * uniform();
    if (f->melting || f->charge < weight) continue;
    f->charge -= weight;
    moulds[m] = (struct mould){f->temperature, 1, ++part, i};
    note(minute, "POUR", "mould %d part %d, %.1f kg from furnace %d", m, part, weight, i);
    return 1;
  }
  return 0;
}

int main(void) {
  long good = 0, bad = 0;
  FILE* scrap = fopen("scrap.txt", "w");
  journal = fopen("journal.log", "w");
  if (!journal || !scrap) {
    perror("foundry");
    return 1;
  }
  for (int i = 0; i < FURNACES; i++) furnaces[i].temperature = 400 + 50 * i;
  for (int minute = 0; minute < MINUTES; minute++) {
    for (int i = 0; i < FURNACES; i++) heat(minute, i);
    for (int m = 0; m < MOULDS; m++) {
      struct mould* k = &moulds[m];
      if (!k->busy) {
        pour(minute, m);
        continue;
      }
      k->temperature -= (k->temperature - 20) * 0.055;
      if (k->temperature > 120) continue;
      k->busy = 0;
      double stress = uniform();
      note(minute, "SHAKE", "mould %d part %d, stress %.3f", m, k->part, stress);
      if (stress > 0.93) {
        fprintf(scrap, "part %d from furnace %d\n", k->part, k->from);
        bad++;
      } else
        good++;
    }
  }
  fclose(journal);
  fclose(scrap);
  printf("%ld good castings, %ld scrap, %ld entries\n", good, bad, entries);
  return 0;
}
