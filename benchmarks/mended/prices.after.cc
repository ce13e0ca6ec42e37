// The same, with the table in memory.
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <vector>
struct Record {
  std::int32_t number, group;
  double value, weight;
};
int main() {
  std::ifstream table("table", std::ios::binary | std::ios::ate);
  std::vector<char> bytes(static_cast<std::size_t>(table.tellg()));
  table.seekg(0);
  table.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  std::uint32_t state = 1;
  double sum = 0;
  for (int i = 0; i < 500000; ++i) {
    state = state * 1664525u + 1013904223u;
    Record record;
    std::memcpy(&record, bytes.data() + static_cast<std::size_t>(state % 400000u) * 24,
                sizeof record);
    sum += record.value;
  }
  std::cout << sum << '\n';
}
