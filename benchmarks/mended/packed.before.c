// Finds packed or encrypted parts of a disk image by the bytes of its pages. It maps one page at
// a time.
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
enum { kPage = 4096, kPagesOfPart = 512, kMost = 1 << 20 };

// How far the counts of the bytes are from equal ones: about 255 for bytes that look random.
static double chi_square_of(const unsigned char* page) {
  unsigned counts[256] = {0};
  for (int i = 0; i < kPage; ++i) ++counts[page[i]];
  double squares = 0;
  for (int value = 0; value < 256; ++value) squares += (double)counts[value] * counts[value];
  return squares * 256 / kPage - kPage;
}

int main(void) {
  int image = open("large", O_RDONLY);
  struct stat status;
  if (image < 0 || fstat(image, &status) != 0) return 1;
  long pages = status.st_size / kPage / 2;  // the second half is a mirror of the first
  double least = kMost, most = 0, sum = 0;
  for (long number = 0; number < pages; ++number) {
    void* page = mmap(NULL, kPage, PROT_READ, MAP_PRIVATE, image, number * kPage);
    if (page == MAP_FAILED) return 1;
    double square = chi_square_of(page);
    munmap(page, kPage);
    least = square < least ? square : least;
    most = square > most ? square : most;
    sum += square;
    if ((number + 1) % kPagesOfPart != 0) continue;
    printf("%8ld %.1f %.1f %.1f\n", number / kPagesOfPart, least, sum / kPagesOfPart, most);
    least = kMost, most = 0, sum = 0;
  }
  return close(image);
}
