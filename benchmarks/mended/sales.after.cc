// sales: turn a sales CSV into a ledger with running totals and a regional summary
#include <algorithm>
#include <charconv>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

struct Sum {
  long qty = 0, cents = 0;
};

static std::vector<std::string_view> split(std::string_view s) {
  std::vector<std::string_view> v;
  size_t a = 0;
  for (;;) {
    size_t b = s.find(',', a);
    v.push_back(s.substr(a, b == std::string_view::npos ? b : b - a));
    if (b == std::string_view::npos) return v;
    a = b + 1;
  }
}

static long cents(std::string_view s) {
  long v = 0;
  for (char c : s)
    if (c >= '0' && c <= '9') v = v * 10 + (c - '0');
  return v;
}

static std::string money(long c) {
  char b[32];
  int n = snprintf(b, sizeof b, "%ld.%02ld", c / 100, c % 100);
  return std::string(b, n);
}

int main() {
  std::ifstream in("sales.csv");
  std::ofstream out("ledger.txt");
  if (!in || !out) {
    std::cerr << "cannot open files" << std::endl;
    return 1;
  }
  std::map<std::string, Sum, std::less<>> region, sku;
  std::string line;
  std::getline(in, line);
  long running = 0, n = 0;
  while (std::getline(in, line)) {
    auto f = split(line);
    if (f.size() < 6) continue;
    int qty = 0, disc = 0;
    std::from_chars(f[3].data(), f[3].data() + f[3].size(), qty);
    std::from_chars(f[5].data(), f[5].data() + f[5].size(), disc);
    long c = cents(f[4]) * qty * (100 - disc) / 100;
    running += c;
    auto& r = region[std::string(f[1])];
    r.qty += qty;
    r.cents += c;
    auto& s = sku[std::string(f[2])];
    s.qty += qty;
    s.cents += c;
    out << f[0] << ' ' << std::left << std::setw(7) << f[1] << f[2] << std::right << std::setw(4)
        << qty << std::setw(12) << money(c) << std::setw(16) << money(running) << '\n';
    n++;
  }
  std::cout << n << " sales" << '\n';
  for (auto& [k, v] : region)
    std::cout << std::left << std::setw(10) << k << std::right << std::setw(10) << v.qty
              << std::setw(16) << money(v.cents) << '\n';
  std::vector<std::pair<std::string, Sum>> top(sku.begin(), sku.end());
  std::sort(top.begin(), top.end(),
            [](auto& a, auto& b) { return a.second.cents > b.second.cents; });
  for (auto& [k, v] : top) std::cout << k << ' ' << v.qty << ' ' << money(v.cents) << '\n';
}
