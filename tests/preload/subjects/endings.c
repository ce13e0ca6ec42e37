// usage: endings HOW FILE BYTES [write]
//
// Writes BYTES bytes to FILE, a hundred at a time, by fwrite() or write(), and ends without closing
// it.
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int* volatile nowhere;

int main(int count, char** words) {
  if (count != 4 && count != 5) return 2;
  const char* const how = words[1];
  FILE* const stream = count == 4 ? fopen(words[2], "w") : NULL;
  const int descriptor = count == 5 ? open(words[2], O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;
  char piece[101];
  for (long left = strtol(words[3], NULL, 10), i = 0; left > 0; left -= 100, ++i) {
    snprintf(piece, sizeof piece, "%099ld\n", i);
    const size_t bytes = left < 100 ? (size_t)left : 100;
    if (stream != NULL) fwrite(piece, 1, bytes, stream);
    if (descriptor >= 0 && write(descriptor, piece, bytes) < 0) return 2;
  }
  if (strcmp(how, "return") == 0) return 7;
  if (strcmp(how, "exit") == 0) exit(7);
  if (strcmp(how, "fcloseall") == 0) return fcloseall();
  if (strcmp(how, "_exit") == 0) _exit(7);
  if (strcmp(how, "_Exit") == 0) _Exit(7);
  if (strcmp(how, "quick_exit") == 0) quick_exit(7);
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "kill") == 0) kill(getpid(), SIGKILL);
  if (strcmp(how, "segv") == 0) *nowhere = 0;
  if (strcmp(how, "assert") == 0) assert(count == 0);
  if (strcmp(how, "raise") == 0) raise(SIGTERM);
  if (strcmp(how, "exec") == 0) execl("/bin/sh", "sh", "-c", "exit 7", (char*)NULL);
  return 2;
}
