// The block of sluice/compression.h: a compressed file is written and read.
#include <sluice/compression.h>
#include <sluice/zstd.h>  // link sluice::zstd

#include <numeric>
#include <vector>

#include "expect.h"

using sluice::Status;

namespace {

Status write_values(const std::vector<double>& values) {
  sluice::Writer writer;
  if (Status status = sluice::open_compressed(writer, "run.zst", sluice::zstd()); !status.ok())
    return status;
  for (double value : values) writer.write_value(value);
  return writer.close();
}

Status add_up_values(double& sum) {
  sluice::Reader reader;
  const Status status = sluice::open_decompressed(reader, "run.zst", {&sluice::zstd()});
  if (!status.ok()) return status;
  for (double value = 0; reader.read_value(value);) sum += value;
  return reader.close();
}

}  // namespace

int main() {
  std::vector<double> values(1000);
  std::iota(values.begin(), values.end(), 0.5);
  EXPECT(write_values(values).ok());
  double sum = 0;
  EXPECT(add_up_values(sum).ok());
  EXPECT(sum == 500'000);
}
