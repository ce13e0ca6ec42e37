// usage: whole_file HOW FILE
//
// Reads FILE into memory. HOW:
//   vector   into a vector that doubles
//   realloc  into one of two blocks that both grow with every MiB
//   known    into a vector of the right size
//   arena    into an array of the right size, in pieces of many sizes
//   again    three times, through one small block
//   blocks   once, through one small block
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

constexpr size_t block_bytes = 65536;

size_t read_into(int descriptor, void* memory, size_t bytes) {
  const ssize_t got = read(descriptor, memory, bytes);
  return got > 0 ? static_cast<size_t>(got) : 0;
}

size_t by_vector(int descriptor) {
  std::vector<char> all(4096);
  size_t used = 0;
  while (const size_t got = read_into(descriptor, all.data() + used, all.size() - used)) {
    used += got;
    if (used == all.size()) all.resize(2 * all.size());
  }
  return used;
}

size_t by_realloc(int descriptor) {
  // Takes the blocks from the heap, where two growing blocks are in each other's way.
  mallopt(M_MMAP_MAX, 0);
  constexpr size_t step = 16 * block_bytes;
  char* all = nullptr;
  char* other = nullptr;
  size_t used = 0;
  for (size_t got = 1; got > 0; used += got) {
    other = static_cast<char*>(realloc(other, used + step));
    all = static_cast<char*>(realloc(all, used + step));
    got = read_into(descriptor, all + used, step);
  }
  free(all);
  free(other);
  return used;
}

size_t by_known_size(int descriptor, size_t bytes, bool many_sizes) {
  std::vector<char> all(bytes + 2 * block_bytes);
  size_t used = 0;
  for (size_t turn = 0, got = 1; got > 0; ++turn, used += got) {
    const size_t piece = many_sizes ? 4096 + turn * 40961 % block_bytes : all.size() - used;
    got = read_into(descriptor, all.data() + used, piece);
  }
  return used;
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

size_t read_by(std::string_view how, int descriptor, size_t bytes) {
  if (how == "vector") return by_vector(descriptor);
  if (how == "realloc") return by_realloc(descriptor);
  if (how == "known" || how == "arena") return by_known_size(descriptor, bytes, how == "arena");
  return by_blocks(descriptor, how == "again" ? 3 : 1);
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  const int descriptor = open(words[2], O_RDONLY);
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return 1;
  printf("%zu\n", read_by(words[1], descriptor, static_cast<size_t>(status.st_size)));
  return close(descriptor) != 0;
}
