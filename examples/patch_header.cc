// Writes a header and records. The header's count is known only when the last record is written.
#include <sluice/reader.h>
#include <sluice/writer.h>

#include <cstdint>
#include <cstdio>

struct Header {
  char name[8] = {'s', 'q', 'u', 'a', 'r', 'e', 's', '\0'};
  std::uint64_t count = 0;
};

static sluice::Status write_squares_below(std::uint64_t end, const char* path) {
  sluice::Writer writer;
  if (sluice::Status status = writer.open(path); !status.ok()) return status;
  Header header;
  writer.write_value(header);
  for (std::uint64_t i = 0; i * i < end; ++i, ++header.count) writer.write_value(i * i);
  if (sluice::Status status = writer.write_value_at(0, header); !status.ok()) return status;
  return writer.close();
}

// Prints the last value. A seek finds the value by its position: earlier values are not read.
static sluice::Status print_last(const char* path) {
  sluice::Reader reader;
  if (sluice::Status status = reader.open(path); !status.ok()) return status;
  Header header;
  std::uint64_t last = 0;
  reader.read_value(header);
  reader.skip((header.count - 1) * sizeof last);
  if (reader.read_value(last)) {
    std::printf("%s: %llu, the last is %llu\n", header.name,
                static_cast<unsigned long long>(header.count),
                static_cast<unsigned long long>(last));
  }
  return reader.close();
}

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: patch_header FILE\n"), 2;
  sluice::Status status = write_squares_below(1'000'000'000'000, argv[1]);
  if (status.ok()) status = print_last(argv[1]);
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.message().c_str());
  return status.ok() ? 0 : 1;
}
