// usage: random_reading FILE
//
// Reads FILE at random, a little at a time, and prints how many bytes the kernel was asked for.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static long long bytes_read(void) {
  FILE* const facts = fopen("/proc/self/io", "r");
  long long bytes = -1;
  if (facts != NULL && fscanf(facts, "rchar: %lld", &bytes) != 1) bytes = -1;
  if (facts != NULL) fclose(facts);
  return bytes;
}

int main(int count, char** words) {
  FILE* const stream = count == 2 ? fopen(words[1], "r") : NULL;
  if (stream == NULL) return 2;
  // First in sequence: so that it proves large.
  char line[100];
  for (int i = 0; i < 20000 && fgets(line, sizeof line, stream) != NULL; ++i) {
  }
  fseek(stream, 0, SEEK_END);
  const long size = ftell(stream);
  const long long before = bytes_read();
  uint64_t state = 1;
  unsigned sum = 0;
  for (int i = 0; i < 2000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    fseek(stream, (long)((state >> 33) % (uint64_t)size), SEEK_SET);
    sum = sum * 33 + (unsigned)getc(stream);
  }
  fprintf(stderr, "%lld\n", bytes_read() - before);
  printf("%u\n", sum);
  return fclose(stream);
}
