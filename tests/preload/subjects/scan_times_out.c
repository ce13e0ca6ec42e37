// fscanf() from a socket that gives nothing for a second.
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>

int main(void) {
  int ends[2];
  const struct timeval second = {1, 0};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 2;
  if (setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second) != 0) return 2;
  FILE* stream = fdopen(ends[0], "r");
  int number = 0;
  return stream && fscanf(stream, "%d", &number) == EOF && ferror(stream) ? 0 : 1;
}
