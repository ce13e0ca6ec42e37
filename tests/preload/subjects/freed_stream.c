// usage: freed_stream FILE
//
// Reads FILE until its stream counts as large, and closes it. The stream's memory is unmapped then,
// so a later access crashes. The function that frees it opens a file, as tools that follow memory
// may.
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void* __libc_malloc(size_t bytes);
void __libc_free(void* memory);

enum { page_bytes = 4096 };

static int opening;
static void* page;  // the memory of the stream

void* malloc(size_t bytes) {
  if (!opening || page != NULL || bytes < sizeof(FILE) || bytes > page_bytes)
    return __libc_malloc(bytes);
  page = mmap(NULL, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page;
}

void free(void* memory) {
  if (memory == NULL || memory != page) {
    __libc_free(memory);
    return;
  }
  munmap(memory, page_bytes);
  struct stat status;
  stat("/", &status);
  if (fork() == 0) _exit(0);
}

int main(int count, char** words) {
  opening = 1;
  FILE* const stream = count == 2 ? fopen(words[1], "r") : NULL;
  opening = 0;
  if (stream == NULL || (void*)stream != page) return 2;
  char line[100];
  while (fgets(line, sizeof line, stream) != NULL) {
  }
  return fclose(stream);
}
