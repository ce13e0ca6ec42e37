// Works out the invoices, the ingredients and the oven time for a day's orders of a bakery.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

static std::string trim(const std::string& s) {
  size_t from = s.find_first_not_of(" \t\r");
  if (from == std::string::npos) return "";
  return s.substr(from, s.find_last_not_of(" \t\r") - from + 1);
}

class Settings {
 public:
  explicit Settings(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
      if (line.empty() || line[0] == '#') continue;
      size_t equals = line.find('=');
      if (equals == std::string::npos) continue;
      values.emplace(trim(line.substr(0, equals)), trim(line.substr(equals + 1)));
    }
  }

  const std::string& text(const std::string& key) const {
    auto found = values.find(key);
    if (found == values.end()) throw std::runtime_error("no setting " + key);
    return found->second;
  }

  double number(const std::string& key) const { return std::stod(text(key)); }

 private:
  std::map<std::string, std::string> values;
};

struct Invoice {
  int pieces = 0;
  double net = 0, tax = 0;
};

struct Needs {
  double flour = 0, water = 0, salt = 0;
  long minutes = 0;
};

int main() {
  Settings settings("bakery.ini");
  std::ifstream orders("orders.txt");
  std::ofstream slips("slips.txt");
  std::map<std::string, Invoice> invoices;
  std::map<std::string, int> pieces;
  Needs needs;
  std::string line, shop, product;
  int count, number = 0;

  while (std::getline(orders, line)) {
    std::istringstream words(line);
    if (!(words >> shop >> product >> count)) {
      std::cerr << "odd order: " << line << "\n";
      continue;
    }
    double price = settings.number(product + ".price") * count;
    if (count >= settings.number("discount.from")) price *= 1 - settings.number("discount.rate");
    double tax = price * settings.number("tax");
    needs.flour += count * settings.number(product + ".flour") / 1000;
    needs.water += count * settings.number(product + ".water") / 1000;
    needs.salt += count * settings.number(product + ".salt") / 1000;
    needs.minutes += (count + 19) / 20 * long(settings.number(product + ".minutes"));

    Invoice& invoice = invoices[shop];
    invoice.pieces += count;
    invoice.net += price;
    invoice.tax += tax;
    pieces[product] += count;
    char text[100];
    snprintf(text, sizeof text, "%05d %-8s %-9s %3d %8.2f\n", ++number, shop.c_str(),
             product.c_str(), count, price);
    slips << text;
  }
  for (const auto& [name, invoice] : invoices)
    printf("%-8s %6d pieces %10.2f + %8.2f\n", name.c_str(), invoice.pieces, invoice.net,
           invoice.tax);
  for (const auto& [name, n] : pieces) printf("%-9s %7d\n", name.c_str(), n);
  printf("flour %.1f kg, water %.1f kg, salt %.1f kg, oven %ld minutes\n", needs.flour, needs.water,
         needs.salt, needs.minutes);
  return 0;
}
