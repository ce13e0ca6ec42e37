// Copies a file. If the file system can share bytes, a copy on the same disk takes almost no time.
#include <sluice/copy.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: copy_file FROM TO\n"), 2;
  const sluice::Status status = sluice::copy_file(argv[1], argv[2]);
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.message().c_str());
  return status.ok() ? 0 : 1;
}
