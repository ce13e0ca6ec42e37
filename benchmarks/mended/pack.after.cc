// Makes a binary table of a text, for a program that wants to map it.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
template <typename T>
void put(char*& out, T value) {
  std::memcpy(out, &value, sizeof value);
  out += sizeof value;
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
    char record[20];
    char* next = record;
    put(next, static_cast<uint32_t>(number));
    put(next, static_cast<uint16_t>(group));
    put(next, static_cast<uint16_t>(line.size()));
    put(next, check);
    put(next, total);
    out.write(record, sizeof record);
  }
}
