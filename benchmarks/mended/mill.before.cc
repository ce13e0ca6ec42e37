// mill: prices the deliveries in deliveries.txt ("farm grain kilos moisture")
// with prices.txt ("grain price-for-100-kilos dry-limit").
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

struct Price {
  double price = 0, limit = 0;
};

static Price find_price(const std::string& grain) {
  std::ifstream in("prices.txt");
  std::string line, name;
  Price p;

  while (std::getline(in, line)) {
    if (line.compare(0, line.find(' '), grain) != 0) continue;
    std::istringstream fields(line);
    fields >> name >> p.price >> p.limit;
    break;
  }
  return p;
}

int main() {
  std::ifstream in("deliveries.txt");
  std::map<std::string, double> owed;
  std::string line;

  std::cout << std::fixed << std::setprecision(2);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string farm, grain;
    double kilos, moisture;

    if (!(fields >> farm >> grain >> kilos >> moisture)) continue;
    Price p = find_price(grain);
    if (moisture > p.limit) kilos *= (100 - moisture) / (100 - p.limit);
    double pay = kilos / 100 * p.price;
    std::cout << farm << ' ' << grain << ' ' << kilos << " kg " << pay << '\n';
    owed[farm] += pay;
  }
  for (auto& o : owed) std::cout << o.first << " gets " << o.second << '\n';
  return 0;
}
