// Sorts more records than it wants to hold in memory: writes sorted runs, and merges them.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
enum { kRuns = 16, kRecords = 50000 };
struct record {
  int number, group;
  double value, weight;
};
static struct record block[kRecords];
static int by_value(const void* left, const void* right) {
  double a = ((const struct record*)left)->value, b = ((const struct record*)right)->value;
  return (a > b) - (a < b);
}
int main(void) {
  int in = open("large", O_RDONLY), run[kRuns];
  for (int i = 0; i < kRuns; ++i) {
    if (read(in, block, sizeof block) != sizeof block) return 1;
    qsort(block, kRecords, sizeof block[0], by_value);
    char name[32];
    snprintf(name, sizeof name, "run-%d", i);
    run[i] = open(name, O_RDWR | O_CREAT | O_TRUNC, 0666);
    unlink(name);
    if (write(run[i], block, sizeof block) != sizeof block) return 1;
    lseek(run[i], 0, SEEK_SET);
  }
  FILE* out = fopen("out", "wb");
  struct record head[kRuns];
  int has[kRuns];
  for (int i = 0; i < kRuns; ++i) has[i] = read(run[i], &head[i], sizeof head[i]) > 0;
  for (;;) {
    int best = -1;
    for (int i = 0; i < kRuns; ++i) {
      if (has[i] && (best < 0 || head[i].value < head[best].value)) best = i;
    }
    if (best < 0) break;
    fwrite(&head[best], sizeof head[best], 1, out);
    has[best] = read(run[best], &head[best], sizeof head[best]) > 0;
  }
  return fclose(out);
}
