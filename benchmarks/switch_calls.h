// What the sources of switch_calls share.
#pragma once

#include <stdio.h>

enum { calls = 2000000, file_bytes = 4 << 20 };

extern char path[4096];
extern volatile long long sink;  // takes results, so that the compiler keeps the calls

// A call, or a few that belong together. A table ends with a row without a name.
struct timed {
  const char* name;
  const char* mode;    // of the FILE that `run` is given
  long (*run)(FILE*);  // returns how often it has made the calls
  int standard;        // 0: a FILE of its own. Otherwise stdin, or the stream of this descriptor
  int line_bytes;      // of the file that is read. 0: 40 bytes
};

extern const struct timed calls_that_write[];
extern const struct timed calls_that_read[];
