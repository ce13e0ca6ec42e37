// usage: busy MILLISECONDS
//
// Uses so much processor time.
#include <stdlib.h>
#include <time.h>

int main(int count, char** words) {
  if (count != 2) return 2;
  const clock_t end = strtol(words[1], NULL, 10) * (CLOCKS_PER_SEC / 1000);
  while (clock() < end) {
  }
  return 0;
}
