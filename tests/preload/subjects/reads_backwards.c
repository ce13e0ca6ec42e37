// reads_backwards FILE: reads a file byte by byte from its end. fseek() fills the buffer each
// time, and no other function does.
#include <stdio.h>

int main(int count, char** words) {
  if (count != 2) return 2;
  FILE* const file = fopen(words[1], "r");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) return 1;
  unsigned long sum = 0;
  for (long position = ftell(file); position > 0;) {
    if (fseek(file, --position, SEEK_SET) != 0) return 1;
    sum = sum * 31 + (unsigned long)fgetc(file);
  }
  printf("%lu\n", sum);
  return fclose(file) != 0;
}
