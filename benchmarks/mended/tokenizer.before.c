// Counts the words and numbers of a text, and adds up the numbers.
#include <ctype.h>
#include <stdio.h>

int main(void) {
  unsigned long words = 0, numbers = 0, sum = 0;
  for (int pass = 0; pass < 4; ++pass) {
    FILE* const in = fopen("lines", "r");
    if (in == NULL) return 1;
    int c = getc(in);
    while (c != EOF) {
      if (isdigit(c)) {
        unsigned long value = 0;
        for (; c != EOF && isdigit(c); c = getc(in)) value = value * 10 + (unsigned)(c - '0');
        ++numbers;
        sum += value;
      } else if (isalpha(c)) {
        while (c != EOF && isalpha(c)) c = getc(in);
        ++words;
      } else {
        c = getc(in);
      }
    }
    fclose(in);
  }
  printf("%lu words, %lu numbers, sum %lu\n", words, numbers, sum);
}
