// The block of sluice/object.h and of docs/scaling.md: objects are written and read. With an
// argument the program writes to a bucket; without one it uses a file.
#include <sluice/object.h>  // link sluice::object

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "expect.h"

using sluice::Status;

namespace {

Status write_values(const std::vector<double>& values) {
  sluice::Writer writer;
  if (Status status = sluice::open_object(writer, "s3://bucket/run.bin"); !status.ok())
    return status;
  for (double value : values) writer.write_value(value);
  return writer.close();  // ok only if the store has the whole object
}

Status write_lines(const std::string& uri) {
  sluice::Writer writer;
  if (Status status = sluice::open_object(writer, uri); !status.ok()) return status;
  writer.write("one\ntwo\n");
  return writer.close();
}

Status count_lines(const std::string& uri, int& lines) {
  sluice::Reader reader;
  if (Status status = sluice::open_object(reader, uri); !status.ok()) return status;
  for ([[maybe_unused]] const std::string_view line : reader.lines()) ++lines;
  return reader.status();
}

}  // namespace

int main(int count, char** /*words*/) {
  if (count > 1) return write_values({0.5, 1.5}).ok() ? 0 : 1;
  const std::string uri = "file://" + std::filesystem::current_path().string() + "/lines.txt";
  int lines = 0;
  EXPECT(write_lines(uri).ok());
  EXPECT(count_lines(uri, lines).ok());
  EXPECT(lines == 2);
  return 0;
}
