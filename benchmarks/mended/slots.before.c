// Adds each reading of a table to one of 1,000 slots of a file.
#include <stdio.h>
struct record {
  int number, group;
  double value, weight;
};
int main(void) {
  FILE* in = fopen("table", "rb");
  FILE* out = fopen("out", "wb+");
  struct {
    long count;
    double sum;
  } slot = {0, 0};
  for (int i = 0; i < 1000; ++i) fwrite(&slot, sizeof slot, 1, out);
  struct record record;
  for (int i = 0; i < 200000 && fread(&record, sizeof record, 1, in) == 1; ++i) {
    fseek(out, record.group * (long)sizeof slot, SEEK_SET);
    if (fread(&slot, sizeof slot, 1, out) != 1) return 1;
    ++slot.count;
    slot.sum += record.value;
    fseek(out, record.group * (long)sizeof slot, SEEK_SET);
    fwrite(&slot, sizeof slot, 1, out);
  }
  fclose(in);
  return fclose(out);
}
