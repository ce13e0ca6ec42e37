// Looks up records of a table by seekg and read.
#include <cstdint>
#include <fstream>
#include <iostream>
struct Record {
  std::int32_t number, group;
  double value, weight;
};
int main() {
  std::ifstream table("table", std::ios::binary);
  std::uint32_t state = 1;
  double sum = 0;
  for (int i = 0; i < 500000; ++i) {
    state = state * 1664525u + 1013904223u;
    table.seekg(static_cast<std::streamoff>(state % 400000u) * 24);
    Record record;
    table.read(reinterpret_cast<char*>(&record), sizeof record);
    sum += record.value;
  }
  std::cout << sum << '\n';
}
