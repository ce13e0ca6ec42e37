// Counts the words and numbers of a text, and adds up the numbers. Reads blocks.
#include <ctype.h>
#include <stdio.h>

static unsigned char block[65536];
static const unsigned char* next;
static const unsigned char* end;

static int refill(FILE* in) {
  const size_t bytes = fread(block, 1, sizeof block, in);
  next = block;
  end = block + bytes;
  return bytes == 0 ? EOF : *next++;
}

static inline int next_byte(FILE* in) { return next != end ? *next++ : refill(in); }

int main(void) {
  unsigned long words = 0, numbers = 0, sum = 0;
  for (int pass = 0; pass < 4; ++pass) {
    FILE* const in = fopen("lines", "r");
    if (in == NULL) return 1;
    int c = next_byte(in);
    while (c != EOF) {
      if (isdigit(c)) {
        unsigned long value = 0;
        for (; c != EOF && isdigit(c); c = next_byte(in)) value = value * 10 + (unsigned)(c - '0');
        ++numbers;
        sum += value;
      } else if (isalpha(c)) {
        while (c != EOF && isalpha(c)) c = next_byte(in);
        ++words;
      } else {
        c = next_byte(in);
      }
    }
    fclose(in);
  }
  printf("%lu words, %lu numbers, sum %lu\n", words, numbers, sum);
}
