// Writes numbers of every type and kind: series_samples FOLDER. NAME.plain has the bytes of the
// numbers, and NAME.series has them compressed. The last number is cut, if it has several bytes.
#include <cstdio>
#include <string>

#include "sluice/compression.h"
#include "sluice/files.h"
#include "testing/series_values.h"

namespace {

using sluice::Status;

Status write_sample(const std::string& path, sluice::SeriesType type, const std::string& numbers) {
  if (Status status = sluice::write_file(path + ".plain", numbers); !status.ok()) return status;
  sluice::Writer writer;
  // Small blocks, so that some frames begin within a number.
  Status status =
      open_compressed(writer, path + ".series", sluice::series_of(type), {.frame_bytes = 30'003});
  writer.write(numbers);
  const Status closed = writer.close();
  return status.ok() ? closed : status;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const sluice::SeriesType type : sluice::testing::all_series_types) {
    for (const sluice::testing::SeriesValues values : sluice::testing::all_series_values) {
      const std::string path = std::string(argv[1]) + "/" + std::to_string(static_cast<int>(type)) +
                               "-" + std::to_string(static_cast<int>(values));
      const std::string numbers = sluice::testing::series_of_values(type, values, 80'003);
      if (const Status status = write_sample(path, type, numbers); !status.ok()) {
        std::fprintf(stderr, "%s\n", status.message().c_str());
        return 1;
      }
    }
  }
  return 0;
}
