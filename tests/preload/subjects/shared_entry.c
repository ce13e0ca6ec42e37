// usage: shared_entry NAME COUNT
//
// Opens COUNT files, whose names begin with NAME, then reads a byte of one more by getc, and all
// bytes of another by getc_unlocked, which the C library's headers compile into this program.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char name[4096];

static int create(const char* path, int number) {
  snprintf(name, sizeof name, "%s%d", path, number);
  return open(name, O_RDWR | O_CREAT, 0600);
}

static FILE* open_filled(const char* path, int number) {
  static const char bytes[10000];
  const int file = create(path, number);
  if (file < 0 || write(file, bytes, sizeof bytes) != sizeof bytes) exit(1);
  close(file);
  return fopen(name, "r");
}

int main(int count, char** words) {
  if (count != 3) return 2;
  const int files = atoi(words[2]);
  for (int i = 0; i < files; ++i) close(create(words[1], i));
  FILE* const first = open_filled(words[1], files);
  FILE* const second = open_filled(words[1], files + 1);
  if (first == NULL || second == NULL || fgetc(first) != 0) return 1;
  while (getc_unlocked(second) != EOF) continue;
  return fclose(first) + fclose(second);
}
