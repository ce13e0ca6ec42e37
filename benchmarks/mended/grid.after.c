// Gathers the cells, and writes 64 KiB at a time.
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>
static double cells[8192];
int main(void) {
  int file = open("out", O_RDWR | O_CREAT | O_TRUNC, 0666);
  int64_t written = 0;
  int held = 0;
  for (int64_t i = 0; i < 1500000; ++i) {
    cells[held++] = (double)(i * i % 1013);
    if (held == 8192 || i == 1499999) {
      written += pwrite(file, cells, held * sizeof *cells, written);
      held = 0;
    }
  }
  return close(file);
}
