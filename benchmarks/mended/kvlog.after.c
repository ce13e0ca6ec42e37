// Stores the lines of a text under their first words: a log of headers, keys and values, with an
// index in memory.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct header {
  uint32_t crc, key_bytes, value_bytes;
};
enum { kSlots = 1 << 20 };
static struct slot {
  uint32_t hash;
  long position;
} slots[kSlots];
static uint32_t crc_of(uint32_t crc, const char* text, size_t length) {
  crc = ~crc;
  for (size_t i = 0; i < length; ++i) {
    crc ^= (unsigned char)text[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
  }
  return ~crc;
}
static void remember(uint32_t hash, long position) {
  uint32_t i = hash % kSlots;
  while (slots[i].position != 0 && slots[i].hash != hash) i = (i + 1) % kSlots;
  slots[i] = (struct slot){hash, position};
}
static void put_all(FILE* log, const void* bytes, size_t length) {
  if (fwrite(bytes, 1, length, log) != length) abort();
}
int main(void) {
  FILE* log = fopen("out", "wb");
  char line[256];
  long position = 1;
  for (int i = 0; i < 400000 && fgets(line, sizeof line, stdin) != NULL; ++i) {
    char* key = line;
    char* value = strchr(line, ' ');
    if (value == NULL) continue;
    struct header header = {0, (uint32_t)(value - key), (uint32_t)strlen(value)};
    uint32_t hash = crc_of(0, key, header.key_bytes);
    header.crc = crc_of(hash, value, header.value_bytes);
    put_all(log, &header, sizeof header);
    put_all(log, key, header.key_bytes);
    put_all(log, value, header.value_bytes);
    remember(hash, position);
    position += (long)(sizeof header + header.key_bytes + header.value_bytes);
  }
  printf("%ld\n", position);
  return fclose(log);
}
