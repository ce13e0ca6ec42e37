// Prints the longest line of a text file. Lines are views into the block: only the longest line so
// far is copied.
#include <sluice/reader.h>

#include <cstdio>
#include <string>
#include <string_view>

static sluice::Status find_longest_line(const char* path, std::string& longest) {
  sluice::Reader reader;
  if (sluice::Status status = reader.open(path); !status.ok()) return status;
  for (std::string_view line : reader.lines(sluice::CarriageReturn::strip)) {
    if (line.size() > longest.size()) longest = line;
  }
  return reader.close();  // ok at the end of the file, else the failure
}

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: read_lines FILE\n"), 2;
  std::string longest;
  const sluice::Status status = find_longest_line(argv[1], longest);
  if (!status.ok()) return std::fprintf(stderr, "%s\n", status.message().c_str()), 1;
  std::printf("%zu: %s\n", longest.size(), longest.c_str());
  return 0;
}
