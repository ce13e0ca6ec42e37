// usage: asynchronous_reads FILE
//
// Reads the first bytes of FILE by aio_read.
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

int main(int count, char** words) {
  static char bytes[16];
  struct aiocb request = {.aio_buf = bytes, .aio_nbytes = sizeof bytes};
  const struct aiocb* const requests[] = {&request};
  if (count != 2 || (request.aio_fildes = open(words[1], O_RDONLY)) < 0) return 2;
  if (aio_read(&request) != 0) return 1;
  while (aio_error(&request) == EINPROGRESS) aio_suspend(requests, 1, NULL);
  printf("%zd\n", aio_return(&request));
  return 0;
}
