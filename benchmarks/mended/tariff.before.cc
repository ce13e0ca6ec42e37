// telephone bills: a price is found by the longest prefix in the tariff
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

struct Rate {
  std::string prefix, zone;
  int perMinute = 0, connection = 0;
};

class Tariff {
 public:
  explicit Tariff(const std::string& file) : file_(file) {}

  Rate find(const std::string& number) const {
    Rate best, r;
    std::ifstream in(file_);
    while (in >> r.prefix >> r.zone >> r.perMinute >> r.connection)
      if (number.compare(0, r.prefix.size(), r.prefix) == 0 && r.prefix.size() > best.prefix.size())
        best = r;
    return best;
  }

 private:
  std::string file_;
};

struct Bill {
  int calls = 0;
  long seconds = 0, cents = 0;
  std::map<std::string, long> zones;
};

int main() {
  Tariff tariff("tariff.txt");
  std::map<int, Bill> bills;
  std::ifstream in("calls.txt");
  std::ofstream rated("rated.txt");
  int extension, seconds;
  std::string number;
  while (in >> extension >> number >> seconds) {
    Rate r = tariff.find(number);
    long cents = r.connection + (long)r.perMinute * ((seconds + 59) / 60);
    Bill& b = bills[extension];
    b.calls++;
    b.seconds += seconds;
    b.cents += cents;
    b.zones[r.zone] += cents;
    rated << extension << ' ' << number << ' ' << r.zone << ' ' << cents << '\n';
  }
  for (auto& e : bills) {
    std::printf("%d %4d calls %8ld s %9.2f", e.first, e.second.calls, e.second.seconds,
                e.second.cents / 100.0);
    for (auto& z : e.second.zones) std::printf(" %s=%.2f", z.first.c_str(), z.second / 100.0);
    std::printf("\n");
  }
  return 0;
}
