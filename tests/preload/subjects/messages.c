// usage: messages COUNT unbuffered|buffered
//
// Writes COUNT messages to standard error, as it is or with a buffer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char** words) {
  if (count != 3) return 2;
  const long messages = strtol(words[1], NULL, 10);
  if (strcmp(words[2], "buffered") == 0) setvbuf(stderr, NULL, _IOFBF, 65536);
  for (long i = 0; i < messages; ++i) fprintf(stderr, "message %ld\n", i);
  return 0;
}
