// Copies a file in blocks of 512 bytes.
#include <fcntl.h>
#include <unistd.h>
int main(void) {
  int in = open("large", O_RDONLY), out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  char block[512];
  long left = 300000;
  for (ssize_t got; left-- && (got = read(in, block, sizeof block)) > 0;) {
    if (write(out, block, got) != got) return 1;
  }
  return close(out);
}
