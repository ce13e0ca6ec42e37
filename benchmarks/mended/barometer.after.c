/* barometer: reads readings.txt ("time pressure temperature"), reduces the
 * pressure to sea level, smooths it and writes the trend to trend.txt. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ALTITUDE 412.0

static double sea_level(double p, double t) {
  return p * pow(1 - 0.0065 * ALTITUDE / (t + 0.0065 * ALTITUDE + 273.15), -5.257);
}

static const char* trend(double change) {
  if (change > 0.5) return "rising fast";
  if (change > 0.1) return "rising";
  if (change < -0.5) return "falling fast";
  if (change < -0.1) return "falling";
  return "steady";
}

int main(void) {
  char line[128];
  double slow = 0, fast = 0;
  long count = 0, storms = 0;
  FILE* in = fopen("readings.txt", "r");
  FILE* out = fopen("trend.txt", "w");

  if (!in || !out) {
    perror("barometer");
    return 1;
  }
  while (fgets(line, sizeof line, in)) {
    char* end;
    long when = strtol(line, &end, 10);
    double p = strtod(end, &end), t = strtod(end, &end);
    double q = sea_level(p, t);

    if (count++ == 0) slow = fast = q;
    slow += 0.02 * (q - slow);
    fast += 0.10 * (q - fast);
    if (fast - slow < -0.5 && q < 1000) storms++;
    fprintf(out, "%02ld:%02ld %.1f %s\n", when / 3600 % 24, when / 60 % 60, fast,
            trend(fast - slow));
  }
  fclose(out);
  fclose(in);
  printf("%ld readings, %ld storm warnings\n", count, storms);
  return 0;
}
