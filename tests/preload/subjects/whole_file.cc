// usage: whole_file HOW FILE
//
// Reads FILE into memory. HOW:
//   again    nine times, through one small block
//   blocks   once, through one small block
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <string_view>
#include <vector>

namespace {

constexpr size_t block_bytes = 65536;

size_t read_into(int descriptor, void* memory, size_t bytes) {
  const ssize_t got = read(descriptor, memory, bytes);
  return got > 0 ? static_cast<size_t>(got) : 0;
}

size_t by_blocks(int descriptor, int times) {
  std::vector<char> block(block_bytes);
  size_t used = 0;
  for (; times > 0; --times) {
    lseek(descriptor, 0, SEEK_SET);
    while (const size_t got = read_into(descriptor, block.data(), block.size())) used += got;
  }
  return used;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  const int descriptor = open(words[2], O_RDONLY);
  printf("%zu\n", by_blocks(descriptor, std::string_view(words[1]) == "again" ? 9 : 1));
  return close(descriptor) != 0;
}
