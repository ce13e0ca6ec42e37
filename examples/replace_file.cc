// Replaces a file atomically: a program that opens the file finds all of the old contents or all of
// the new contents, even after a crash.
#include <sluice/reader.h>
#include <sluice/writer.h>

#include <charconv>
#include <cstdio>
#include <string>

// Adds 1 to the number in the file's first line, and keeps the other lines.
static sluice::Status count_up(const std::string& path) {
  sluice::Reader reader;
  if (sluice::Status status = reader.open(path); !status.ok()) return status;
  sluice::Writer writer;
  sluice::Status status = writer.open(path, {.create = sluice::CreateMode::replace_atomically});
  if (!status.ok()) return status;

  long count = 0;
  for (std::string_view line : reader.lines()) {
    const bool is_first = writer.position() == 0;
    if (is_first) std::from_chars(line.data(), line.data() + line.size(), count);
    is_first ? writer.write(std::to_string(count + 1)) : writer.write(line);
    writer.put('\n');
  }
  if (status = reader.close(); !status.ok()) {
    static_cast<void>(writer.discard());  // half a file must not replace the old file
    return status;
  }
  return writer.close();  // ok: the new file is in place, also after a power cut
}

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: replace_file FILE\n"), 2;
  const sluice::Status status = count_up(argv[1]);
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.message().c_str());
  return status.ok() ? 0 : 1;
}
