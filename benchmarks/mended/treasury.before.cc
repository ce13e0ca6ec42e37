// Books transfers on a file of fixed-length accounts and prints the state of the treasury.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

struct Account {
  char owner[24];
  int64_t balance;
  uint32_t bookings, refused;
};

const int ACCOUNTS = 3000;

class AccountFile {
 public:
  explicit AccountFile(const std::string& path) {
    file.open(path, std::ios::in | std::ios::out | std::ios::binary | std::ios::trunc);
    if (!file) throw std::runtime_error("cannot make " + path);
    for (int i = 0; i < ACCOUNTS; i++) {
      Account a{};
      snprintf(a.owner, sizeof a.owner, "member %04d", i);
      a.balance = 100000;
      file.write(reinterpret_cast<char*>(&a), sizeof a);
    }
  }

  Account load(int number) {
    Account a{};
    file.seekg(std::streamoff(number) * sizeof a);
    file.read(reinterpret_cast<char*>(&a), sizeof a);
    return a;
  }

  void store(int number, const Account& a) {
    file.seekp(std::streamoff(number) * sizeof a);
    file.write(reinterpret_cast<const char*>(&a), sizeof a);
  }

 private:
  std::fstream file;
};

class Treasury {
 public:
  explicit Treasury(AccountFile& file) : file(file) {}

  bool withdraw(int number, int64_t amount) {
    Account a = file.load(number);
    bool enough = a.balance >= amount;
    if (enough) {
      a.balance -= amount;
      a.bookings++;
    } else
      a.refused++;
    file.store(number, a);
    return enough;
  }

  void deposit(int number, int64_t amount) {
    Account a = file.load(number);
    a.balance += amount;
    a.bookings++;
    file.store(number, a);
  }

 private:
  AccountFile& file;
};

int main() {
  AccountFile file("accounts.dat");
  Treasury treasury(file);
  std::ifstream transfers("transfers.txt");
  std::string kind;
  int from, to;
  int64_t amount;
  long done = 0, refused = 0;

  while (transfers >> kind >> from >> to >> amount) {
    if (from < 0 || from >= ACCOUNTS || to < 0 || to >= ACCOUNTS) continue;
    bool good = true;
    if (kind == "move") {
      good = treasury.withdraw(from, amount);
      if (good) treasury.deposit(to, amount);
    } else if (kind == "draw") {
      good = treasury.withdraw(from, amount);
    } else {
      treasury.deposit(to, amount);
    }
    good ? done++ : refused++;
  }

  int64_t sum = 0;
  int richest = 0, empty = 0;
  Account best = file.load(0);
  for (int i = 0; i < ACCOUNTS; i++) {
    Account a = file.load(i);
    sum += a.balance;
    empty += a.balance < 1000;
    if (a.balance > best.balance) {
      best = a;
      richest = i;
    }
  }
  std::cout << done << " booked, " << refused << " refused, " << sum << " in all\n"
            << empty << " accounts nearly empty, most has " << richest << " (" << best.owner
            << ") with " << best.balance << " after " << best.bookings << " bookings\n";
  return 0;
}
