// Writes a log of visits under secret names, and starts a new file when one is full. It asks the
// file for its size before each entry.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
enum { kFull = 8 << 20, kEntries = 300000 };
static FILE* file;
static int rotations;

// A slow hash, so that nobody finds the names by trying them all.
static uint64_t secret_of(const char* name, size_t length) {
  uint64_t hash = 0x9e3779b97f4a7c15u;
  for (int round = 0; round < 50; ++round) {
    for (size_t i = 0; i < length; ++i) {
      hash = (hash ^ (unsigned char)name[i]) * 0x100000001b3u;
      hash ^= hash >> 29;
    }
  }
  return hash;
}

static void rotate(void) {
  fclose(file);
  rename("out", "out.old");
  file = fopen("out", "w");
  ++rotations;
}

static void append(uint64_t secret, const char* rest) {
  fseek(file, 0, SEEK_END);
  if (ftell(file) >= kFull) rotate();
  fprintf(file, "visit %016llx%s", (unsigned long long)secret, rest);
}

int main(void) {
  char line[256];
  file = fopen("out", "w");
  for (int i = 0; i < kEntries && fgets(line, sizeof line, stdin) != NULL; ++i) {
    const char* rest = strchr(line, ' ');
    if (rest != NULL) append(secret_of(line, (size_t)(rest - line)), rest);
  }
  printf("%d rotations\n", rotations);
  remove("out.old");
  return fclose(file);
}
