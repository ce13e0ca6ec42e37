// A library whose constructor installs a signal handler. The constructor runs before those of
// preloaded objects.
#include <signal.h>

#include "comes_first.h"

static void handle(int signal) { (void)signal; }

__attribute__((constructor(101))) static void begin(void) {
  const struct sigaction action = {.sa_handler = handle};
  expect_to_come_first();
  sigaction(SIGUSR1, &action, NULL);
}
