// Finds lines that are almost the same by hashes that differ in few bits. It shows on standard
// error how far it is, after each line.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
enum { kLines = 600000, kBits = 64, kBuckets = 1 << 16 };
static uint64_t last_of[kBuckets];

// Similar texts have similar hashes: each bit is what most of the triples of characters say.
static uint64_t similarity_hash(const char* text, size_t length) {
  int16_t votes[kBits] = {0};
  for (size_t i = 0; i + 3 <= length; i += 2) {
    uint64_t hash = (unsigned char)text[i] | (unsigned char)text[i + 1] << 8;
    hash = (hash | (uint64_t)(unsigned char)text[i + 2] << 16) * 0x9e3779b97f4a7c15u;
    for (int bit = 0; bit < kBits; ++bit) votes[bit] += (int16_t)((hash >> bit & 1) * 2 - 1);
  }
  uint64_t result = 0;
  for (int bit = 0; bit < kBits; ++bit) result |= (uint64_t)(votes[bit] > 0) << bit;
  return result;
}

static void show_progress(int done) {
  fprintf(stderr, "\r%3d %% of %d lines", (int)(done * 100L / kLines), kLines);
}

int main(void) {
  char line[256];
  long distances[kBits + 1] = {0};
  for (int number = 0; number < kLines && fgets(line, sizeof line, stdin) != NULL; ++number) {
    uint64_t hash = similarity_hash(line, strlen(line));
    uint64_t* last = &last_of[hash >> 48];
    ++distances[__builtin_popcountll(hash ^ *last)];
    *last = hash;
    show_progress(number + 1);
  }
  fputc('\n', stderr);
  for (int bits = 0; bits <= kBits; ++bits) printf("%2d %ld\n", bits, distances[bits]);
  return 0;
}
