// Writes each cell of a grid to its place in a file, one row after the other.
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>
int main(void) {
  int file = open("out", O_RDWR | O_CREAT | O_TRUNC, 0666);
  for (int64_t i = 0; i < 1500000; ++i) {
    double cell = (double)(i * i % 1013);
    if (pwrite(file, &cell, sizeof cell, i * (int64_t)sizeof cell) != sizeof cell) return 1;
  }
  return close(file);
}
