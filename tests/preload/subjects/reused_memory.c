// usage: reused_memory FILE...
//
// Reads each file by a stream of its own. Every stream has the memory of the stream before, and
// another descriptor.
#include <fcntl.h>
#include <stdio.h>

int main(int count, char** words) {
  const FILE* first = NULL;
  for (int i = 1; i < count; ++i) {
    FILE* const stream = fopen(words[i], "r");
    if (stream == NULL || (first != NULL && stream != first)) return 2;
    first = stream;
    for (int bytes = 0; fgetc(stream) != EOF; ++bytes) {
      char second = 0;  // it is in the buffer already
      if (bytes == 0 && fread(&second, 1, 1, stream) != 1) return 4;
    }
    if (ftell(stream) < 0 || fclose(stream) != 0 || open(words[i], O_RDONLY) < 0) return 3;
  }
  return 0;
}
