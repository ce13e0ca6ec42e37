// For the constructor of a library that has to run before the constructor of the preloaded object.
#pragma once

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_of_sluice(struct dl_phdr_info* object, size_t size, void* unused) {
  (void)size;
  (void)unused;
  return strstr(object->dlpi_name, "libsluice_") != NULL;
}

// The object's constructor takes the object out of the environment.
static void expect_to_come_first(void) {
  const char* const preloaded = getenv("LD_PRELOAD");
  const int is_named = preloaded != NULL && strstr(preloaded, "libsluice_") != NULL;
  if (dl_iterate_phdr(is_of_sluice, NULL) && !is_named) _exit(70);
}
