// Keeps the slots in memory, and writes them at the end.
#include <stdio.h>
struct record {
  int number, group;
  double value, weight;
};
static struct {
  long count;
  double sum;
} slots[1000];
int main(void) {
  FILE* in = fopen("table", "rb");
  FILE* out = fopen("out", "wb+");
  struct record record;
  for (int i = 0; i < 200000 && fread(&record, sizeof record, 1, in) == 1; ++i) {
    ++slots[record.group].count;
    slots[record.group].sum += record.value;
  }
  fwrite(slots, sizeof slots[0], 1000, out);
  fclose(in);
  return fclose(out);
}
