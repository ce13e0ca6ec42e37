// Looks up a rate for each line in a file of settings, which it reads anew each time.
#include <stdio.h>
#include <string.h>
static int rate_of(const char* name) {
  FILE* settings = fopen("settings", "r");
  char key[32];
  int rate = 0;
  int value;
  while (fscanf(settings, "%31s %d", key, &value) == 2) {
    if (strcmp(key, name) == 0) rate = value;
  }
  fclose(settings);
  return rate;
}
int main(void) {
  char line[256], key[32];
  FILE* settings = fopen("settings", "w");
  for (int i = 0; i < 25; ++i) fprintf(settings, "rate%d %d\n", i, i * i);
  fclose(settings);
  long sum = 0;
  for (int number = 0; number < 60000 && fgets(line, sizeof line, stdin); ++number) {
    snprintf(key, sizeof key, "rate%d", number % 25);
    sum += rate_of(key);
  }
  printf("%ld\n", sum);
  return 0;
}
