// A delta in the style of old tools: copies and literals, written with millions of small calls.
// usage: delta_builder OLD NEW DELTA
#include <stdio.h>
#include <stdlib.h>

static unsigned long steps;

static void put_number(unsigned long number, FILE* delta) {
  unsigned char bytes[4];
  for (int i = 0; i < 4; ++i) bytes[i] = (unsigned char)(number >> (8 * i));
  fwrite(bytes, 1, sizeof bytes, delta);
}

// The length of the equal bytes of both files from these places on.
static long match(FILE* old_file, FILE* new_file, long old_at, long new_at) {
  long length = 0;
  fseek(old_file, old_at, SEEK_SET);
  fseek(new_file, new_at, SEEK_SET);
  for (; length < 64; ++length) {
    char a = 0;
    char b = 1;
    if (fread(&a, 1, 1, old_file) != 1 || fread(&b, 1, 1, new_file) != 1 || a != b) break;
    ++steps;
  }
  return length;
}

static void build(FILE* old_file, FILE* new_file, FILE* delta, long size) {
  for (long at = 0; at < size;) {
    long best = 0;
    long from = 0;
    for (long shift = -3; shift <= 3 && best < 64; ++shift) {
      const long length = at + shift < 0 ? 0 : match(old_file, new_file, at + shift, at);
      if (length > best) from = at + shift;
      if (length > best) best = length;
    }
    fwrite(best > 8 ? "C" : "L", 1, 1, delta);
    if (best > 8) {
      put_number((unsigned long)from, delta);
      put_number((unsigned long)best, delta);
      at += best;
    } else {
      fseek(new_file, at, SEEK_SET);
      putc(getc(new_file), delta);
      ++at;
    }
  }
}

int main(int count, char** arguments) {
  if (count != 4) return 2;
  FILE* const old_file = fopen(arguments[1], "rb");
  FILE* const new_file = fopen(arguments[2], "rb");
  FILE* const delta = fopen(arguments[3], "wb");
  if (old_file == NULL || new_file == NULL || delta == NULL) return 1;
  fseek(new_file, 0, SEEK_END);
  const long size = ftell(new_file);
  build(old_file, new_file, delta, size);
  printf("%lu equal bytes, %ld bytes of delta\n", steps, ftell(delta));
  fclose(old_file);
  fclose(new_file);
  return fclose(delta) == 0 ? 0 : 1;
}
