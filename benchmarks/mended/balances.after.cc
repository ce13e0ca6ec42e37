// The same, with the records in memory.
#include <cstdint>
#include <fstream>
#include <vector>
struct Record {
  std::int32_t number, group;
  double value, weight;
};
int main() {
  std::vector<Record> records(400000);
  const std::streamsize size = 400000 * sizeof(Record);
  std::ifstream("table", std::ios::binary).read(reinterpret_cast<char*>(records.data()), size);
  for (int i = 0; i < 150000; ++i) records[i].weight += records[i].value;
  std::ofstream("out", std::ios::binary).write(reinterpret_cast<const char*>(records.data()), size);
}
