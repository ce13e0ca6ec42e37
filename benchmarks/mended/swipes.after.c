/* swipes - reads the swipes of badges at the doors of a building from "doors" (lines: time
 * in seconds since 1970, badge, door, in or out) and works out how long each badge was in
 * on each day of the month, by the clock of the building; hours.txt has a line for each
 * badge, and standard output the busiest hours and the swipes that make no sense. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BADGES 1000
#define DOORS 20

static long inside[BADGES][32];
static time_t since[BADGES];
static int sinceday[BADGES];
static long byhour[7][24], bydoor[DOORS], odd, overnight;
static const char* const dayname[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

/* "in" and "out" of one visit; a visit over midnight is counted on the day it began */
static void swipe(time_t t, int badge, int door, int in) {
  struct tm* tm = localtime(&t);

  byhour[tm->tm_wday][tm->tm_hour]++;
  bydoor[door]++;
  if (in) {
    if (since[badge]) odd++;
    since[badge] = t;
    sinceday[badge] = tm->tm_mday;
  } else if (!since[badge]) {
    odd++;
  } else {
    if (sinceday[badge] != tm->tm_mday) overnight++;
    inside[badge][sinceday[badge]] += t - since[badge];
    since[badge] = 0;
  }
}

/* reads a number and leaves *p behind it and the blanks that follow */
static long number(char** p) {
  long n = strtol(*p, p, 10);

  while (**p == ' ') ++*p;
  return n;
}

static int readall(const char* name) {
  char line[200], *p;
  long t, badge, door;
  FILE* f = fopen(name, "r");

  if (f == NULL) {
    perror(name);
    return -1;
  }
  while (fgets(line, sizeof line, f)) {
    p = line;
    t = number(&p);
    badge = number(&p);
    door = number(&p);
    if (badge < 0 || badge >= BADGES || door < 0 || door >= DOORS)
      odd++;
    else
      swipe(t, badge, door, *p == 'i');
  }
  fclose(f);
  return 0;
}

static int writehours(const char* name) {
  int b, d;
  FILE* f = fopen(name, "w");

  if (f == NULL) {
    perror(name);
    return -1;
  }
  for (b = 0; b < BADGES; b++) {
    long sum = 0;
    for (d = 1; d <= 31; d++) sum += inside[b][d];
    if (!sum) continue;
    fprintf(f, "%03d %4ld:%02ld ", b, sum / 3600, sum / 60 % 60);
    for (d = 1; d <= 31; d++) fprintf(f, " %ld.%ld", inside[b][d] / 3600, inside[b][d] / 360 % 10);
    putc('\n', f);
  }
  return fclose(f);
}

int main(void) {
  int d, h;

  /* the clock of the building, whatever zone the user has asked for */
  setenv("TZ", ":/etc/localtime", 1);
  if (readall("doors") < 0 || writehours("hours.txt") < 0) return 1;
  printf("hour");
  for (d = 0; d < 7; d++) printf(" %7s", dayname[d]);
  for (h = 0; h < 24; h++) {
    printf("\n%02d  ", h);
    for (d = 0; d < 7; d++) printf(" %7ld", byhour[d][h]);
  }
  putchar('\n');
  for (d = 0; d < DOORS; d++)
    if (bydoor[d]) printf("door %2d: %ld\n", d, bydoor[d]);
  printf("%ld swipes make no sense, %ld visits over midnight\n", odd, overnight);
  return 0;
}
