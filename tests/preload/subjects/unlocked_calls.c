// usage: unlocked_calls HOW FILE TIMES
//
// Has had a second thread, and then writes to FILE by fwrite_unlocked ("write") or fwrite
// ("locked").
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* end(void* nothing) { return nothing; }

int main(int count, char** words) {
  if (count != 4) return 2;
  pthread_t thread;
  if (pthread_create(&thread, NULL, end, NULL) != 0) return 1;
  pthread_join(thread, NULL);
  const int locks = strcmp(words[1], "locked") == 0;
  FILE* const stream = fopen(words[2], "w");
  if (stream == NULL) return 1;
  const volatile size_t size = 8;  // a size of 1 becomes putc_unlocked in the headers
  for (long i = strtol(words[3], NULL, 10); i > 0; --i) {
    const size_t written =
        locks ? fwrite("8 bytes.", size, 1, stream) : fwrite_unlocked("8 bytes.", size, 1, stream);
    if (written != 1) return 1;
  }
  return fclose(stream) != 0;
}
