// invoice: totals the invoices on standard input in the home currency, with tax by country
// (rates.txt)
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

struct Rate {
  double factor = 0;
  int tax = 0;
};

static bool lookup(const std::string& country, Rate& rate) {
  std::ifstream in("rates.txt");
  std::string name, kind;
  while (in >> name >> rate.factor >> rate.tax >> kind)
    if (name == country) return true;
  return false;
}

int main() {
  std::string line;
  std::map<std::string, double> by_country;
  long unknown = 0;
  std::ios::sync_with_stdio(false);
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string id, country, item;
    words >> id >> country;
    double net = 0;
    while (words >> item) {
      int n;
      double price;
      if (std::sscanf(item.c_str(), "%dx%lf", &n, &price) == 2) net += n * price;
    }
    Rate rate;
    if (!lookup(country, rate)) {
      unknown++;
      continue;
    }
    double total = net * rate.factor * (100 + rate.tax) / 100;
    by_country[country] += total;
    char text[128];
    std::snprintf(text, sizeof text, "%s %s %.2f %.2f", id.c_str(), country.c_str(), net, total);
    std::cout << text << '\n';
  }
  for (auto& c : by_country) {
    char text[128];
    std::snprintf(text, sizeof text, "%s %.2f", c.first.c_str(), c.second);
    std::cout << text << '\n';
  }
  std::cout << "unknown countries: " << unknown << '\n';
  return 0;
}
