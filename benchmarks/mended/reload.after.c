// Reads the settings once, and looks in memory.
#include <stdio.h>
#include <string.h>
static char keys[25][32];
static int values[25];
static void read_settings(void) {
  FILE* settings = fopen("settings", "r");
  for (int i = 0; i < 25 && fscanf(settings, "%31s %d", keys[i], &values[i]) == 2; ++i) {
  }
  fclose(settings);
}
static int rate_of(const char* name) {
  int rate = 0;
  for (int i = 0; i < 25; ++i) {
    if (strcmp(keys[i], name) == 0) rate = values[i];
  }
  return rate;
}
int main(void) {
  char line[256], key[32];
  FILE* settings = fopen("settings", "w");
  for (int i = 0; i < 25; ++i) fprintf(settings, "rate%d %d\n", i, i * i);
  fclose(settings);
  read_settings();
  long sum = 0;
  for (int number = 0; number < 60000 && fgets(line, sizeof line, stdin); ++number) {
    snprintf(key, sizeof key, "rate%d", number % 25);
    sum += rate_of(key);
  }
  printf("%ld\n", sum);
  return 0;
}
