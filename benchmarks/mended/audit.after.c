// Keeps an audit log of orders. Each entry has the hash of the entry before it.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static uint64_t mix(uint64_t hash, const char* text, size_t length) {
  for (int pass = 0; pass < 12; ++pass) {
    for (size_t i = 0; i < length; ++i) {
      hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    }
    hash ^= hash >> 29;
  }
  return hash;
}
int main(void) {
  FILE* log = fopen("out", "w");
  uint64_t hash = 14695981039346656037u;
  char line[256];
  for (int entry = 0; entry < 400000 && fgets(line, sizeof line, stdin) != NULL; ++entry) {
    size_t length = strcspn(line, "\n");
    line[length] = 0;
    hash = mix(hash, line, length);
    fprintf(log, "%d %016llx %s\n", entry, (unsigned long long)hash, line);
  }
  fflush(log);
  fsync(fileno(log));
  return fclose(log);
}
