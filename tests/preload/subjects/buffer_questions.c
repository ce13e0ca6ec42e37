// usage: buffer_questions FILE
//
// Writes lines to FILE, then reads them. Prints what the C library says about the streams' buffers
// after each hundredth line.
#include <stdio.h>
#include <stdio_ext.h>

static void print_answers(FILE* stream) {
  printf("%zu %zu\n", __fbufsize(stream), __fpending(stream));
}

int main(int count, char** words) {
  enum { lines = 20000 };
  char line[100];
  if (count != 2) return 2;
  FILE* stream = fopen(words[1], "w");
  for (int i = 0; i < lines; ++i) {
    fputs("a line of text to be written\n", stream);
    if (i > lines / 2 && i % 100 == 0) print_answers(stream);
  }
  fclose(stream);
  stream = fopen(words[1], "r");
  for (int i = 0; fgets(line, sizeof line, stream) != NULL; ++i) {
    if (i > lines / 2 && i % 100 == 0) print_answers(stream);
  }
  fclose(stream);
  return 0;
}
