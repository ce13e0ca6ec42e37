// usage: maps_files COUNT
//
// Makes COUNT files, and maps each for reading.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int count, char** words) {
  if (count != 2) return 2;
  for (int i = 0; i < atoi(words[1]); ++i) {
    char name[32];
    snprintf(name, sizeof name, "file%d", i);
    const int descriptor = open(name, O_RDWR | O_CREAT, 0644);
    if (descriptor < 0 || ftruncate(descriptor, 1) != 0) return 1;
    if (mmap(NULL, 1, PROT_READ, MAP_PRIVATE, descriptor, 0) == MAP_FAILED) return 1;
    close(descriptor);
  }
  return 0;
}
