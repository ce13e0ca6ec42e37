/* survey: per-station mean, spread and median of the temperatures in readings.txt */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
  int station;
  double temp, humid;
};

static int by_station(const void* a, const void* b) {
  const struct reading *x = a, *y = b;
  if (x->station != y->station) return x->station < y->station ? -1 : 1;
  return (x->temp > y->temp) - (x->temp < y->temp);
}

static int parse(const char* line, struct reading* r) {
  char* end;
  if (strncmp(line, "st", 2) != 0) return 0;
  r->station = (int)strtol(line + 2, &end, 10);
  r->temp = strtod(end, &end);
  r->humid = strtod(end, &end);
  return 1;
}

int main(void) {
  FILE* fp = fopen("readings.txt", "r");
  if (!fp) {
    perror("readings.txt");
    return 1;
  }
  size_t n = 0, room = 0;
  struct reading* all = NULL;
  char line[256];
  while (fgets(line, sizeof line, fp)) {
    if (n == room) {
      room = room ? room * 2 : 4096;
      all = realloc(all, room * sizeof *all);
      if (!all) return 1;
    }
    if (parse(line, &all[n])) n++;
  }
  fclose(fp);

  qsort(all, n, sizeof *all, by_station);
  for (size_t i = 0; i < n;) {
    size_t j = i;
    double sum = 0, sq = 0, hum = 0;
    while (j < n && all[j].station == all[i].station) {
      sum += all[j].temp;
      sq += all[j].temp * all[j].temp;
      hum += all[j].humid;
      j++;
    }
    double m = sum / (double)(j - i);
    double v = sq / (double)(j - i) - m * m;
    printf("st%03d n=%zu mean=%.3f sd=%.3f median=%.1f humidity=%.2f\n", all[i].station, j - i, m,
           sqrt(v > 0 ? v : 0), all[i + (j - i) / 2].temp, hum / (double)(j - i));
    i = j;
  }
  free(all);
  return 0;
}
