// Changes each record of a file in place, by one fstream.
#include <cstdint>
#include <filesystem>
#include <fstream>
struct Record {
  std::int32_t number, group;
  double value, weight;
};
int main() {
  std::filesystem::copy_file("table", "out");
  std::fstream file("out", std::ios::in | std::ios::out | std::ios::binary);
  for (int i = 0; i < 150000; ++i) {
    Record record;
    file.seekg(static_cast<std::streamoff>(i) * 24);
    file.read(reinterpret_cast<char*>(&record), sizeof record);
    record.weight += record.value;
    file.seekp(static_cast<std::streamoff>(i) * 24);
    file.write(reinterpret_cast<const char*>(&record), sizeof record);
  }
}
