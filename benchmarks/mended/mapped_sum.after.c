// Sums a mapped file.
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
int main(void) {
  int file = open("large", O_RDONLY);
  struct stat status;
  fstat(file, &status);
  const unsigned char* bytes = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  unsigned long sum = 0;
  for (off_t i = 0; i < status.st_size; ++i) sum = sum * 31 + bytes[i];
  printf("%lu\n", sum);
  return 0;
}
