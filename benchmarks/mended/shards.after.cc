// Scores the records of a table in three threads. Each thread notes its findings in a log.
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <vector>
struct Record {
  int32_t number, group;
  double value, weight;
};
void note(std::ofstream& file, const Record& record, double score) {
  file << record.number << ' ' << record.group << ' ' << score << '\n';
}
void work(const std::vector<Record>& table, size_t first, size_t last, const std::string& name) {
  std::ofstream log(name, std::ios::app);
  for (size_t i = first; i < last; ++i) {
    double score = table[i].value;
    for (int step = 0; step < 30; ++step) score = std::sin(score * 3.7) * table[i].weight + score;
    if (table[i].group % 8 == 0) note(log, table[i], score);
  }
}
int main() {
  std::vector<Record> table(300000);
  std::ifstream("table", std::ios::binary)
      .read(reinterpret_cast<char*>(table.data()), table.size() * sizeof(Record));
  std::vector<std::thread> threads;
  for (size_t i = 0; i < 3; ++i) {
    std::ofstream("log-" + std::to_string(i));
    threads.emplace_back(work, std::cref(table), i * 100000, (i + 1) * 100000,
                         "log-" + std::to_string(i));
  }
  for (std::thread& thread : threads) thread.join();
  std::ofstream out("out");
  for (size_t i = 0; i < 3; ++i) out << std::ifstream("log-" + std::to_string(i)).rdbuf();
}
