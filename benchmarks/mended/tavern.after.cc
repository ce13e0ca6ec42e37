// tavern: adds up the evening's orders from standard input, "table dish
// count cents" in each line, and prints the bill of each table.
#include <iomanip>
#include <iostream>
#include <map>
#include <string>

struct Bill {
  long cents = 0;
  int orders = 0;
  std::map<std::string, int> dishes;
};

int main() {
  std::ios::sync_with_stdio(false);
  std::map<int, Bill> bills;
  int table, count;
  long cents;
  std::string dish;

  while (std::cin >> table >> dish >> count >> cents) {
    Bill& bill = bills[table];

    bill.cents += count * cents;
    bill.orders++;
    bill.dishes[dish] += count;
  }
  for (auto& b : bills) {
    std::cout << "table " << b.first << ": " << b.second.orders << " orders, "
              << b.second.cents / 100 << '.' << std::setw(2) << std::setfill('0')
              << b.second.cents % 100 << '\n';
    for (auto& d : b.second.dishes) std::cout << "  " << d.second << ' ' << d.first << '\n';
  }
  return 0;
}
