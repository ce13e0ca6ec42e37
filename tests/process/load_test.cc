// The library follows forks from the moment when it is loaded. If the first use made it do so, a
// child could wait for ever for a thread of its parent that was using the library for the first
// time at the fork.
#include <sluice/writer.h>

#include <cstdio>

namespace {

int followers = 0;

}  // namespace

// In the place of the C library's own.
extern "C" int pthread_atfork(void (*)(), void (*)(), void (*)()) {
  ++followers;
  return 0;
}

int main() {
  const int at_load = followers;
  const sluice::Writer writer;
  if (at_load >= 2) return 0;  // the Engines, and the count of forks
  std::fprintf(stderr, "%d parts of the library follow forks before main()\n", at_load);
  return 1;
}
