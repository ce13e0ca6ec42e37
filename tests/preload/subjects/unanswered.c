// usage: unanswered HOW FILE TIMES
//
// Writes TIMES bytes to FILE in a way that sluice run cannot answer: with a buffer for lines
// ("lines") or no buffer ("unbuffered"), by fflush() after each byte ("flushed"), by
// putc_unlocked() from the C library's headers ("compiled"), by putc() after a thread was started
// ("threads"), or by write() to standard output ("standard") or to FILE, which is open as a stream
// too ("shared"). "opened" opens and closes FILE for each byte. "read" reads TIMES bytes of FILE
// without a buffer.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void* end(void* nothing) { return nothing; }

static int start_thread(void) {
  pthread_t thread;
  return pthread_create(&thread, NULL, end, NULL) == 0 && pthread_join(thread, NULL) == 0;
}

static int use_streams(const char* name, long times) {
  for (long i = 0; i < times; ++i) {
    FILE* const stream = fopen(name, "w");
    if (stream == NULL || putc('x', stream) == EOF || fclose(stream) != 0) return 1;
  }
  return 0;
}

int main(int count, char** words) {
  if (count != 4) return 2;
  const char* const how = words[1];
  const long times = strtol(words[3], NULL, 10);
  if (strcmp(how, "opened") == 0) return use_streams(words[2], times);
  const int reads = strcmp(how, "read") == 0;
  const int flushes = strcmp(how, "flushed") == 0;
  FILE* const stream = fopen(words[2], reads ? "r" : "w");
  if (stream == NULL) return 1;
  if (strcmp(how, "lines") == 0) setvbuf(stream, NULL, _IOLBF, BUFSIZ);
  if (reads || strcmp(how, "unbuffered") == 0) setvbuf(stream, NULL, _IONBF, 0);
  if (strcmp(how, "threads") == 0 && !start_thread()) return 1;
  int descriptor = strcmp(how, "standard") == 0 ? 1 : -1;
  if (strcmp(how, "shared") == 0) descriptor = open(words[2], O_WRONLY);
  for (long i = 0; i < times; ++i) {
    if (descriptor >= 0) {
      if (write(descriptor, "x", 1) != 1) return 1;
    } else if (strcmp(how, "compiled") == 0) {
      if (putc_unlocked('x', stream) == EOF) return 1;
    } else if (reads ? getc(stream) == EOF : putc('x', stream) == EOF) {
      return 1;
    }
    if (flushes && fflush(stream) != 0) return 1;
  }
  return fclose(stream) != 0;
}
