// usage: many_files NAME COUNT [closed]
//
// Writes ten bytes to each of COUNT files, whose names begin with NAME. Without "closed" exit()
// writes the pending bytes.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

int main(int count, char** words) {
  if (count < 3) return 2;
  const struct rlimit limit = {4096, 4096};
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
  for (int i = 0; i < atoi(words[2]); ++i) {
    char name[4096];
    snprintf(name, sizeof name, "%s%d", words[1], i);
    FILE* const stream = fopen(name, "w");
    if (stream == NULL) return 1;
    fputs("ten bytes\n", stream);
    if (count > 3) fclose(stream);
  }
  return 0;
}
