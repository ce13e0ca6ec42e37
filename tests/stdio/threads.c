// Four threads write lines to one stream: each by one call, and every third by flockfile() and
// several calls. argv[1] is the file.
#include <pthread.h>
#include <stdio.h>

enum { threads = 4, lines = 20000 };

static FILE* file;

static void* write_lines(void* letter) {
  for (int i = 0; i < lines; ++i) {
    const char c = *(const char*)letter;
    if (i % 3 == 0) {
      flockfile(file);
      for (int k = 0; k < 5; ++k) putc(c, file);
      fputs(" by several calls\n", file);
      funlockfile(file);
    } else if (i % 3 == 1) {
      fprintf(file, "%c%c%c%c%c by %s\n", c, c, c, c, c, "one call");
    } else {
      char line[] = "xxxxx by fwrite\n";
      for (int k = 0; k < 5; ++k) line[k] = c;
      fwrite(line, 1, sizeof line - 1, file);
    }
  }
  return NULL;
}

int main(int count, char** arguments) {
  pthread_t started[threads];
  if (count != 2 || (file = fopen(arguments[1], "w")) == NULL) return 1;
  for (int i = 0; i < threads; ++i) {
    if (pthread_create(&started[i], NULL, write_lines, (void*)&"abcd"[i]) != 0) return 1;
  }
  for (int i = 0; i < threads; ++i) pthread_join(started[i], NULL);
  return fclose(file) != 0;
}
