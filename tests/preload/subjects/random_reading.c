// usage: random_reading FILE fseek|fsetpos|rewind
//
// Reads FILE at random positions, or its beginning again and again, a few bytes at a time. Prints
// the number of bytes that were read from the kernel.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Leaves out the bytes that are read to find the number.
static long long bytes_read(void) {
  FILE* const facts = fopen("/proc/self/io", "r");
  if (facts == NULL) return -1;
  char text[512] = "";
  const size_t length = fread(text, 1, sizeof text - 1, facts);
  fclose(facts);
  static long long own = 0;
  long long bytes = -1;
  if (sscanf(text, "rchar: %lld", &bytes) != 1) return -1;
  bytes -= own;
  own += (long long)length;
  return bytes;
}

enum { places = 1000 };
static fpos_t positions[places];

static void go_to_a_place(FILE* stream, const char* how, uint64_t number, long size) {
  if (strcmp(how, "fsetpos") == 0) {
    fsetpos(stream, &positions[number % places]);
  } else if (strcmp(how, "rewind") == 0) {
    rewind(stream);
    char line[100];
    for (int i = 0; i < 200; ++i) fgets(line, sizeof line, stream);
  } else {
    fseek(stream, (long)(number % (uint64_t)size), SEEK_SET);
  }
}

int main(int count, char** words) {
  FILE* const stream = count == 3 ? fopen(words[1], "r") : NULL;
  if (stream == NULL) return 2;
  // Reads in sequence first, so that the stream counts as large.
  char line[100];
  for (int i = 0; i < 20000 && fgets(line, sizeof line, stream) != NULL; ++i) {
    if (i % (20000 / places) == 0) fgetpos(stream, &positions[i / (20000 / places)]);
  }
  // Finds the size without a seek, because the first seek must be the one that is tested.
  struct stat status;
  if (stat(words[1], &status) != 0) return 2;
  const long long before = bytes_read();
  uint64_t state = 1;
  unsigned sum = 0;
  for (int i = 0; i < 2000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    go_to_a_place(stream, words[2], state >> 33, status.st_size);
    sum = sum * 33 + (unsigned)getc(stream);
  }
  fprintf(stderr, "%lld\n", bytes_read() - before);
  printf("%u\n", sum);
  return fclose(stream);
}
