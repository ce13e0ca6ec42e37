// usage: pieces HOW FILE PIECE_BYTES
//
// Writes or reads 256 MiB in pieces. HOW: "write" and "fwrite" write pieces of one large array.
// "read" reads into one small array.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { array_bytes = 64 << 20, times = 4 };

static char* array;
static size_t piece_bytes;

static void hand_over(int descriptor, FILE* stream, const char* data, size_t bytes) {
  if (stream != NULL) {
    fwrite(data, 1, bytes, stream);
  } else if (write(descriptor, data, bytes) < 0) {
    exit(1);
  }
}

static void write_pieces(int descriptor, FILE* stream) {
  for (size_t at = 0; at < array_bytes; at += piece_bytes) {
    const size_t left = array_bytes - at;
    const size_t bytes = left < piece_bytes ? left : piece_bytes;
    hand_over(descriptor, stream, array + at, bytes);
  }
}

static long read_pieces(const char* path) {
  const int descriptor = open(path, O_RDONLY);
  long sum = 0;
  while (read(descriptor, array, piece_bytes) > 0) sum += array[0];
  return sum;
}

int main(int count, char** words) {
  if (count != 4) return 2;
  const char* const how = words[1];
  piece_bytes = (size_t)strtol(words[3], NULL, 10);
  array = malloc(array_bytes);
  memset(array, 'x', array_bytes);
  if (strcmp(how, "read") == 0) return read_pieces(words[2]) < 0;
  FILE* const stream = strcmp(how, "fwrite") == 0 ? fopen(words[2], "w") : NULL;
  const int descriptor = stream != NULL ? fileno(stream) : open(words[2], O_WRONLY | O_CREAT, 0600);
  for (int i = 0; i < times; ++i) {
    // Uses the same pages of the file again, because finding new pages sometimes takes the file
    // system long.
    if (stream != NULL) fseek(stream, 0, SEEK_SET);
    if (stream == NULL) lseek(descriptor, 0, SEEK_SET);
    write_pieces(descriptor, stream);
  }
  return stream != NULL ? fclose(stream) != 0 : close(descriptor) != 0;
}
