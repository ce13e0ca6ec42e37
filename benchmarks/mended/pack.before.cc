// Makes a binary table of a text, for a program that wants to map it.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
template <typename T>
void put(std::ostream& out, T value) {
  out.write(reinterpret_cast<const char*>(&value), sizeof value);
}
int main() {
  std::ofstream out("out", std::ios::binary);
  std::string line;
  int64_t total = 0;
  uint32_t check = 1;
  std::ifstream in("lines");
  while (std::getline(in, line)) {
    char* end = nullptr;
    const long number = std::strtol(line.c_str() + 5, &end, 10);
    const long group = std::strtol(end, &end, 10);
    total += group;
    for (int pass = 0; pass < 3; ++pass) {
      for (const char each : line) check = check * 31 + static_cast<unsigned char>(each) % 89;
    }
    put(out, static_cast<uint32_t>(number));
    put(out, static_cast<uint16_t>(group));
    put(out, static_cast<uint16_t>(line.size()));
    put(out, check);
    put(out, total);
  }
}
