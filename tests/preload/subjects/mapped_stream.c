// usage: mapped_stream FILE
//
// Reads FILE through a stream that maps it, after a byte could not be written to the stream: the
// stream's functions are others from then on. Prints what it finds at positions in the file, and
// behind its end.
#include <stdio.h>
#include <string.h>

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
  return fclose(file);
}
