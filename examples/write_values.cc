// Writes values as their bytes in memory: 8 bytes for a double, a compare and a copy for each.
#include <sluice/writer.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

static sluice::Status write_values(const char* path, int count) {
  sluice::Writer writer;
  if (sluice::Status status = writer.open(path); !status.ok()) return status;
  for (int i = 0; i < count; ++i) writer.write_value(std::sqrt(static_cast<double>(i)));
  std::printf("%llu bytes accepted\n", static_cast<unsigned long long>(writer.position()));
  return writer.close();  // ok only if every byte is in the file
}

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: write_values FILE COUNT\n"), 2;
  const sluice::Status status = write_values(argv[1], std::atoi(argv[2]));
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.message().c_str());
  return status.ok() ? 0 : 1;
}
