// usage: failed_exec [unclosed]
//
// Writes more than fits, fails to become another program, and prints whether any call has told of
// the lost bytes. "unclosed" does not close the file.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int count, char** words) {
  const int is_unclosed = count > 1 && *words[1] == 'u';
  const int file = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  int error = 0;
  if (file < 0) return 2;
  for (int i = 0; i < 300; ++i) {
    if (write(file, "a line\n", 7) < 0) error = errno;
  }
  execl("/no/such/program", "program", (char*)NULL);
  if (!is_unclosed && close(file) != 0) error = errno;
  printf("%s\n", error == EFBIG ? "told" : "not told");
  return 0;
}
