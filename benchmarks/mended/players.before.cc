// inventory: apply game-master commands to the players' inventories (inventory.db)
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

class Inventory {
  std::map<std::string, std::map<std::string, int>> players_;
  std::string path_;

 public:
  explicit Inventory(std::string path) : path_(std::move(path)) {}

  void save() const {
    std::ofstream f(path_);
    f << "# inventory v2\n";
    for (auto& [p, items] : players_) {
      f << p;
      for (auto& [item, n] : items)
        if (n) f << ' ' << item << '=' << n;
      f << '\n';
    }
  }
  int change(const std::string& p, const std::string& item, int by) {
    int& n = players_[p][item];
    if (n + by < 0) by = -n;
    n += by;
    save();
    return by;
  }
  long value() const {
    long v = 0;
    for (auto& [p, items] : players_)
      for (auto& [item, n] : items) {
        uint32_t h = 17;
        for (int k = 0; k < 6; k++)
          for (unsigned char c : item) h = h * 31 + c;
        v += (long)(h % 50 + 1) * n;
      }
    return v;
  }
};

int main() {
  Inventory inv("inventory.db");
  std::ifstream in("commands.txt");
  std::string line;
  long done = 0, best = 0;
  while (std::getline(in, line)) {
    std::istringstream s(line);
    std::string op, who, item, other;
    int n = 0;
    s >> op >> who >> item;
    if (op == "give" && s >> n)
      inv.change(who, item, n);
    else if (op == "take" && s >> n)
      inv.change(who, item, -n);
    else if (op == "trade" && s >> other) {
      int got = -inv.change(who, item, -1);
      if (got) inv.change(other, item, got);
    } else {
      std::cerr << "bad command: " << line << '\n';
      continue;
    }
    done++;
    best = std::max(best, inv.value());
  }
  std::cout << done << " commands, highest total value " << best << ", now " << inv.value() << '\n';
}
