// usage: reused_stream HOW FILE
//
// Closes a stream by a function of the C library that is not fclose(), and opens another stream,
// which gets the memory of the first one. The program moves the position of the second stream by a
// descriptor of its own. Prints the position after a seek. HOW: endmntent, _IO_fclose, pclose.
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int _IO_fclose(FILE* stream);

static int close_by(const char* how, FILE* stream) {
  if (strcmp(how, "endmntent") == 0) return endmntent(stream) == 1 ? 0 : -1;
  if (strcmp(how, "_IO_fclose") == 0) return _IO_fclose(stream);
  return pclose(stream);
}

int main(int count, char** words) {
  if (count != 3) return 2;
  FILE* const first = fopen(words[2], "r");
  if (first == NULL || close_by(words[1], first) != 0) return 2;
  const int descriptor = open(words[2], O_RDONLY);
  const int copy = dup(descriptor);
  FILE* const stream = fdopen(descriptor, "r");
  if (stream != first) return 3;
  // The C library learns the position of the descriptor by the first seek.
  if (fseek(stream, 1, SEEK_SET) != 0 || getc(stream) == EOF) return 2;
  lseek(copy, 0, SEEK_SET);
  if (fseek(stream, 100, SEEK_SET) != 0) return 2;
  dprintf(STDOUT_FILENO, "%ld\n", (long)lseek(copy, 0, SEEK_CUR));
  return 0;
}
