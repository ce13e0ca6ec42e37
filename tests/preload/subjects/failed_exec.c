// usage: failed_exec
//
// Writes more than fits, fails to become another program, and prints whether any call has told of
// the lost bytes.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  const int file = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  int error = 0;
  if (file < 0) return 2;
  for (int i = 0; i < 300; ++i) {
    if (write(file, "a line\n", 7) < 0) error = errno;
  }
  execl("/no/such/program", "program", (char*)NULL);
  if (close(file) != 0) error = errno;
  printf("%s\n", error == EFBIG ? "told" : "not told");
  return 0;
}
