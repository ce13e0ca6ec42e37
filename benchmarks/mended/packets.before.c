// Writes the head and the body of each packet by one writev.
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
int main(void) {
  int out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  char body[48];
  for (uint32_t i = 0; i < 400000; ++i) {
    memset(body, 'a' + i % 26, sizeof body);
    struct iovec parts[2] = {{&i, sizeof i}, {body, sizeof body}};
    if (writev(out, parts, 2) != sizeof i + sizeof body) return 1;
  }
  return close(out);
}
