// Counts how often each byte occurs on standard input, one byte at a time.
#include <sluice/reader.h>

#include <array>
#include <cstddef>
#include <cstdio>

static sluice::Status count_bytes(std::array<unsigned long, 256>& counts) {
  sluice::Reader reader;
  if (sluice::Status status = reader.attach(0, "standard input"); !status.ok()) return status;
  for (int byte = reader.get(); byte != sluice::Reader::end; byte = reader.get()) {
    ++counts[static_cast<std::size_t>(byte)];
  }
  return reader.close();
}

int main() {
  std::array<unsigned long, 256> counts{};
  const sluice::Status status = count_bytes(counts);
  if (!status.ok()) return std::fprintf(stderr, "%s\n", status.message().c_str()), 1;
  for (std::size_t byte = 0; byte < counts.size(); ++byte) {
    if (counts[byte] != 0) std::printf("0x%02zx %lu\n", byte, counts[byte]);
  }
  return 0;
}
