// usage: busy MILLISECONDS
//
// Uses so much processor time, nearly none of it in the kernel.
#include <stdlib.h>
#include <time.h>

int main(int count, char** words) {
  if (count != 2) return 2;
  const clock_t end = strtol(words[1], NULL, 10) * (CLOCKS_PER_SEC / 1000);
  while (clock() < end) {
    for (volatile int i = 0; i < 100000; ++i) {
    }
  }
  return 0;
}
