// Reads a whole file into memory that was never zero-filled, and counts its lines.
#include <sluice/files.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: whole_file FILE\n"), 2;
  sluice::Bytes bytes;
  const sluice::Status status = sluice::read_file(argv[1], bytes);
  if (!status.ok()) return std::fprintf(stderr, "%s\n", status.message().c_str()), 1;
  const std::string_view text = bytes.text();
  const auto newlines = std::count(text.begin(), text.end(), '\n');
  std::printf("%zu bytes, %td newlines\n", bytes.size(), newlines);
  return 0;
}
