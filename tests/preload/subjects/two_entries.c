// usage: two_entries
//
// Becomes env(1), with a variable of the loader that is given twice.
#include <unistd.h>

int main(void) {
  char* words[] = {"env", NULL};
  char* environment[] = {
      "A=1", "LD_PRELOAD=", "B=2", "LD_PRELOAD=libm.so.6:libm.so.6:libm.so.6:libm.so.6:libm.so.6",
      "C=3", NULL};
  return execve("/usr/bin/env", words, environment);
}
