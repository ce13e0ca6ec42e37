/* canal: sorts passages.txt ("lock minute boat tons") into one log book for
 * each lock (locks/NN.log) and prints the dues of each lock. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOCKS 12

static double dues[LOCKS + 1];

static double due(const char* boat, int tons) {
  double d = 3.5 + 0.042 * tons;

  if (strncmp(boat, "NL", 2) != 0) d *= 1.15;
  if (tons > 600) d += 0.01 * (tons - 600);
  return d;
}

static void log_passage(int lock, const char* text) {
  static FILE* books[LOCKS + 1];
  char name[32];

  if (!books[lock]) {
    snprintf(name, sizeof name, "locks/%02d.log", lock);
    books[lock] = fopen(name, "a");
    if (!books[lock]) {
      perror(name);
      exit(1);
    }
  }
  fputs(text, books[lock]);
}

int main(void) {
  char line[128], boat[16], text[128], name[32];
  int lock, minute, tons;
  FILE* in = fopen("passages.txt", "r");

  if (!in) {
    perror("passages.txt");
    return 1;
  }
  for (lock = 1; lock <= LOCKS; lock++) {
    snprintf(name, sizeof name, "locks/%02d.log", lock);
    remove(name);
  }
  while (fgets(line, sizeof line, in)) {
    if (sscanf(line, "%d %d %15s %d", &lock, &minute, boat, &tons) != 4 || lock < 1 || lock > LOCKS)
      continue;
    dues[lock] += due(boat, tons);
    snprintf(text, sizeof text, "day %d %02d:%02d %s %d t %.2f\n", minute / 1440, minute / 60 % 24,
             minute % 60, boat, tons, due(boat, tons));
    log_passage(lock, text);
  }
  fclose(in);
  for (lock = 1; lock <= LOCKS; lock++) printf("lock %2d %10.2f\n", lock, dues[lock]);
  return 0;
}
