// usage: mapped_stream FILE
//
// Reads FILE through a stream that maps it, after a byte could not be written to the stream: the
// stream's functions are others from then on. Prints what it finds at positions in the file, and
// behind its end. Then it reads short pieces of a long line, also after the file was cut: nobody
// may look at the bytes behind its new end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int read_of_a_cut_file(const char* name) {
  FILE* file = fopen(name, "w");
  static char block[16 << 20];
  fwrite(memset(block, 'a', sizeof block), 1, sizeof block, file);
  fclose(file);
  file = fopen(name, "rm");
  char piece[80] = "";
  for (int i = 0; i < 10000; ++i) puts(fgets(piece, 3, file));
  rewind(file);
  puts(fgets(piece, 10, file));
  if (truncate(name, 100) != 0) return 1;
  puts(fgets(piece, 10, file));
  puts(fgets(piece, sizeof piece, file));
  fputc('x', file);  // fails
  char* line = NULL;
  size_t room = 0;
  printf("%zd\n", getline(&line, &room, file));
  free(line);
  return fclose(file);
}

int main(int count, char** words) {
  FILE* file = count == 2 ? fopen(words[1], "w") : NULL;
  if (file == NULL) return 2;
  for (int i = 0; i < 500; ++i) fprintf(file, "%04d\n", i);
  fclose(file);
  file = fopen(words[1], "rm");
  if (file == NULL) return 1;
  printf("%d\n", fputc('x', file));
  unsigned random = 1;
  for (int i = 0; i < 5000; ++i) {
    char piece[13] = "";
    random = random * 1103515245 + 12345;
    const int sought = fseek(file, random / 65536 % 5000, SEEK_SET);
    const size_t got = fread(piece, 1, random / 7919 % 12, file);
    printf("%d %zu %s\n", sought, got, piece);
  }
  return fclose(file) == 0 ? read_of_a_cut_file(words[1]) : 1;
}
