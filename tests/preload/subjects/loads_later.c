// Loads a library while it runs, and lets its function write.
#include <dlfcn.h>
#include <stdlib.h>

int main(int count, char** words) {
  if (count != 4) return 2;
  void* const library = dlopen(words[1], RTLD_NOW);
  if (library == NULL) return 1;
  void (*write_lines_to)(const char*, int) = NULL;
  *(void**)&write_lines_to = dlsym(library, "write_lines_to");
  if (write_lines_to == NULL) return 1;
  write_lines_to(words[2], atoi(words[3]));
  return 0;
}
