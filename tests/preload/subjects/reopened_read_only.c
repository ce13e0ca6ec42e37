// usage: reopened_read_only FILE
//
// Reads a file that this user may not write, and tries to open the same stream for writing too.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int count, char** words) {
  const unsigned nobody = 65534;
  if (count != 2) return 2;
  if (geteuid() == 0 && (setgid(nobody) != 0 || setuid(nobody) != 0)) return 3;
  FILE* const stream = fopen(words[1], "r");
  if (stream == NULL) return 4;
  const FILE* const again = freopen(NULL, "r+", stream);
  printf("%d %s\n", again != NULL, strerror(errno));
  return 0;
}
