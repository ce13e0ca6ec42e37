// usage: threads FILE LINES
//
// Four threads write whole lines to one stream. The bytes of each call must stay together.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static FILE* stream;
static long lines;

static void* write_lines(void* name) {
  for (long i = 0; i < lines; ++i) {
    char line[64];
    const int bytes = snprintf(line, sizeof line, "thread %s line %ld\n", (const char*)name, i);
    if (i % 2 == 0) {
      fwrite(line, 1, (size_t)bytes, stream);
    } else {
      fputs(line, stream);
    }
  }
  return NULL;
}

int main(int count, char** words) {
  if (count != 3) return 2;
  stream = fopen(words[1], "w");
  lines = strtol(words[2], NULL, 10);
  static const char* const names[] = {"a", "b", "c", "d"};
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, write_lines, (void*)names[i]);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return fclose(stream) != 0;
}
