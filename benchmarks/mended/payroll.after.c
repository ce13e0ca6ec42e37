/* payroll: price time cards against the employee master file */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct employee {
  int32_t id, dept;
  char name[24], deptname[12];
  int32_t rate_cents, grade, years, flags;
};

static struct employee* table;
static long ntable;

static int load_employees(FILE* f) {
  fseek(f, 0, SEEK_END);
  ntable = ftell(f) / (long)sizeof *table;
  rewind(f);
  table = malloc((size_t)ntable * sizeof *table);
  return table && fread(table, sizeof *table, (size_t)ntable, f) == (size_t)ntable;
}

static int get_employee(int id, struct employee* e) {
  long i = id - 100000L;
  if (i < 0 || i >= ntable) return 0;
  *e = table[i];
  return e->id == id;
}

static long price(const struct employee* e, int day, int minutes, int night) {
  static const int pct[5] = {100, 104, 109, 117, 130};
  long normal = minutes > 480 ? 480 : minutes, over = minutes - normal;
  long c = normal * e->rate_cents * pct[e->grade % 5] / 100;
  c += over * e->rate_cents * 3 / 2 * pct[e->grade % 5] / 100;
  if (day % 7 == 0) c = c * 3 / 2;
  if (night) c = c * 5 / 4;
  c += c * e->years / 400;
  return (c + 30) / 60;
}

int main(void) {
  FILE* master = fopen("employees.dat", "rb");
  FILE *in = fopen("timecards.txt", "r"), *out = fopen("paylines.txt", "w");
  if (!master || !in || !out) {
    perror("open");
    return 1;
  }
  if (!load_employees(master)) {
    perror("employees.dat");
    return 1;
  }
  char line[128];
  long dept[40] = {0}, mins[40] = {0}, n = 0, unknown = 0;
  while (fgets(line, sizeof line, in)) {
    int id, day, minutes, night;
    struct employee e;
    if (sscanf(line, "%d %d %d %d", &id, &day, &minutes, &night) != 4) continue;
    if (!get_employee(id, &e)) {
      unknown++;
      continue;
    }
    long c = price(&e, day, minutes, night);
    fprintf(out, "%d %-12s %02d %4d %c %6ld.%02ld\n", id, e.name, day, minutes, night ? 'N' : '-',
            c / 100, c % 100);
    dept[e.dept] += c;
    mins[e.dept] += minutes;
    n++;
  }
  fclose(out);
  for (int i = 0; i < 40; i++)
    printf("dept %2d: %8ld min %10ld.%02ld\n", i, mins[i], dept[i] / 100, dept[i] % 100);
  printf("%ld cards, %ld unknown\n", n, unknown);
  return 0;
}
