// Sums a file of doubles, such as write_values makes. Each span has as many records as the block
// holds.
#include <sluice/reader.h>

#include <cstdio>
#include <span>

static sluice::Status sum_records(const char* path, double& sum) {
  sluice::Reader reader;
  if (sluice::Status status = reader.open(path); !status.ok()) return status;
  for (std::span<const double> values : reader.records<double>()) {
    for (const double value : values) sum += value;
  }
  return reader.close();  // a partial record at the end is a failure that names its offset
}

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: read_records FILE\n"), 2;
  double sum = 0;
  const sluice::Status status = sum_records(argv[1], sum);
  if (!status.ok()) return std::fprintf(stderr, "%s\n", status.message().c_str()), 1;
  std::printf("%.6f\n", sum);
  return 0;
}
