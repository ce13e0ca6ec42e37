// usage: loader_errors
//
// Makes other calls, each for the first time, between a failure of the loader and the question for
// its message.
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

static void tell(const char* when) { printf("%s: %d\n", when, dlerror() != NULL); }

int main(void) {
  dlopen("no such library", RTLD_NOW);
  close(-1);
  tell("after close");
  dlopen("no such library", RTLD_NOW);
  rename("no such file", "nor such");
  tell("after rename");
  return 0;
}
