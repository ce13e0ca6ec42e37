// usage: buffer_questions FILE
//
// Writes lines to FILE, then reads them. Prints what the C library says about the streams' buffers
// after each hundredth line. Then puts bytes back before the first read of a stream, takes some of
// them, and moves: glibc makes the stream's buffer when fread() takes the first of these bytes.
#include <stdio.h>
#include <stdio_ext.h>

static void print_answers(FILE* stream) {
  printf("%zu %zu\n", __fbufsize(stream), __fpending(stream));
}

static void print_bytes_put_back(const char* name, int put_back, size_t taken, int whence) {
  char bytes[8];
  FILE* const stream = fopen(name, "r");
  for (int i = 0; i < put_back; ++i) ungetc('a' + i, stream);
  printf("%zu ", fread(bytes, 1, taken, stream));
  print_answers(stream);
  printf("%d ", fseek(stream, 0, whence));
  printf("%ld ", ftell(stream));
  printf("%d\n", getc(stream));
  fclose(stream);
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
  for (int i = 0; i < 48; ++i) print_bytes_put_back(words[1], 1 + i % 4, 1 + i / 4 % 4, i / 16);
  return 0;
}
