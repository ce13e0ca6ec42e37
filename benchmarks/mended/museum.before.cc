// museum: makes an index of collection.txt ("number|kind|year|room"): where
// in the file the first and the last exhibit of each year begin, and how many.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

struct Entry {
  long first, last, count;
};

int main() {
  std::ifstream in("collection.txt");
  std::ofstream index("index.txt");
  std::map<int, Entry> years;
  std::map<std::string, long> kinds;
  std::string line;
  long lines = 0;

  if (!in) {
    std::cerr << "museum: no collection.txt\n";
    return 1;
  }
  for (;;) {
    long where = in.tellg();

    if (!std::getline(in, line)) break;
    size_t bar = line.find('|'), next = line.find('|', bar + 1);
    int year = std::atoi(line.c_str() + next + 1);
    auto it = years.find(year);

    if (it == years.end()) {
      years[year] = {where, where, 1};
    } else {
      it->second.last = where;
      it->second.count++;
    }
    kinds[line.substr(bar + 1, next - bar - 1)]++;
    lines++;
  }
  for (auto& y : years)
    index << y.first << ' ' << y.second.first << ' ' << y.second.last << ' ' << y.second.count
          << '\n';
  for (auto& k : kinds) std::cout << k.first << ' ' << k.second << '\n';
  std::cout << lines << " exhibits\n";
  return 0;
}
