// usage: maps_pieces PATH BYTES TIMES
//
// Maps a file TIMES times in pieces of BYTES, and adds the first byte of each piece.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static long sum_of_pieces(int descriptor, long size, long piece_bytes) {
  long sum = 0;
  for (long at = 0; at + piece_bytes <= size; at += piece_bytes) {
    void* const piece = mmap(NULL, (size_t)piece_bytes, PROT_READ, MAP_PRIVATE, descriptor, at);
    if (piece == MAP_FAILED) exit(1);
    sum += *(const unsigned char*)piece;
    munmap(piece, (size_t)piece_bytes);
  }
  return sum;
}

int main(int count, char** words) {
  if (count != 4) return 2;
  const int descriptor = open(words[1], O_RDONLY);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return 1;
  long sum = 0;
  for (long times = strtol(words[3], NULL, 10); times > 0; --times) {
    sum += sum_of_pieces(descriptor, status.st_size, strtol(words[2], NULL, 10));
  }
  printf("%ld\n", sum);
  return 0;
}
