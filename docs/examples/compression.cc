// The blocks of sluice/compression.h and sluice/codecs.h, and recipes: compressed files are written
// and read.
#include <sluice/codecs.h>  // link sluice::codecs
#include <sluice/compression.h>
#include <sluice/lz4.h>
#include <sluice/zstd.h>  // link sluice::zstd

#include <numeric>
#include <string>
#include <string_view>
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

// Counts the lines of a file, whether zstd, lz4, gzip or nothing has compressed it.
Status count_lines(const std::string& path, int& count) {
  sluice::Reader reader;
  const Status status = sluice::open_decompressed(reader, path, sluice::all_codecs());
  if (!status.ok()) return status;
  for ([[maybe_unused]] std::string_view line : reader.lines()) ++count;
  return reader.close();
}

// A compressed file in the place of the old one, which stays until the new one is on the disk.
Status replace_compressed(const std::string& path, std::string_view text) {
  sluice::Writer writer;
  const sluice::WriterOptions options = {.create = sluice::CreateMode::replace_atomically};
  Status status = sluice::open_compressed(writer, path, sluice::lz4(), {}, options);
  if (!status.ok()) return status;
  writer.write(text);
  return writer.close();
}

}  // namespace

int main() {
  std::vector<double> values(1000);
  std::iota(values.begin(), values.end(), 0.5);
  EXPECT(write_values(values).ok());
  double sum = 0;
  EXPECT(add_up_values(sum).ok());
  EXPECT(sum == 500'000);
  EXPECT(replace_compressed("lines", "one\ntwo\n").ok());
  int lines = 0;
  EXPECT(count_lines("lines", lines).ok());
  EXPECT(lines == 2);
}
