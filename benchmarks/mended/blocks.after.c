// Reads blocks of 512 bytes, and writes 64 KiB at a time.
#include <fcntl.h>
#include <unistd.h>
static char held[65536];
int main(void) {
  int in = open("large", O_RDONLY), out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  long left = 300000;
  size_t used = 0;
  for (ssize_t got; left-- && (got = read(in, held + used, 512)) > 0;) {
    used += got;
    if (used == sizeof held) used -= write(out, held, used);
  }
  if (write(out, held, used) < 0) return 1;
  return close(out);
}
