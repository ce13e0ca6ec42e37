// orchard: reads trees.csv (kind,row,place,kilograms) and writes labels.txt,
// one label for each tree, with the grade of the tree.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

static std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  size_t from = 0, to;

  while ((to = line.find(',', from)) != std::string::npos) {
    fields.push_back(line.substr(from, to - from));
    from = to + 1;
  }
  fields.push_back(line.substr(from));
  return fields;
}

static char grade(const std::string& kind, double kilos) {
  double usual = kind == "apple" ? 60 : kind == "pear" ? 50 : kind == "plum" ? 35 : 25;

  return kilos > usual ? 'A' : kilos > usual / 2 ? 'B' : 'C';
}

int main() {
  std::ifstream in("trees.csv");
  std::ofstream labels("labels.txt");
  std::map<std::string, double> harvest;
  std::string line;

  while (std::getline(in, line)) {
    std::vector<std::string> f = split(line);
    if (f.size() != 4) continue;
    double kilos = std::atof(f[3].c_str());

    harvest[f[0]] += kilos;
    labels << f[0] << " tree " << f[1] << '/' << f[2] << " grade " << grade(f[0], kilos) << '\n';
  }
  for (auto& h : harvest) std::cout << h.first << ' ' << h.second << std::endl;
  return 0;
}
