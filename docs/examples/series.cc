// The block of sluice/series.h: numbers are written as a series and read back.
#include <sluice/series.h>  // link sluice::zstd

#include <cmath>
#include <vector>

#include "expect.h"

using sluice::Status;

namespace {

Status write_values(const std::vector<double>& values) {
  sluice::Writer writer;
  const Status status = sluice::open_compressed(writer, "run.series", sluice::series<double>());
  if (!status.ok()) return status;
  for (double value : values) writer.write_value(value);
  return writer.close();
}

Status read_values(std::vector<double>& values) {
  sluice::Reader reader;
  const Status status =
      sluice::open_decompressed(reader, "run.series", {&sluice::series<double>()});
  if (!status.ok()) return status;
  for (double value = 0; reader.read_value(value);) values.push_back(value);
  return reader.close();
}

}  // namespace

int main() {
  std::vector<double> values;
  for (int i = 0; i < 10'000; ++i) values.push_back(std::sin(i * 0.01));
  EXPECT(write_values(values).ok());
  std::vector<double> back;
  EXPECT(read_values(back).ok());
  EXPECT(back == values);
}
