// granary: book the deliveries and withdrawals of a grain store.
// bins.dat holds one record for each bin and is made anew from bins.txt; the
// movements are in movements.txt, "day bin kilograms
// moisture", the kilograms with a sign.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>

struct Bin {
  char grain[16];
  long kilograms;
  long movements;
  long highest;
  double moisture;
};

static Bin load(std::fstream& db, int number) {
  Bin b;
  db.seekg(static_cast<std::streamoff>(number) * sizeof b);
  db.read(reinterpret_cast<char*>(&b), sizeof b);
  return b;
}

static void store(std::fstream& db, int number, const Bin& b) {
  db.seekp(static_cast<std::streamoff>(number) * sizeof b);
  db.write(reinterpret_cast<const char*>(&b), sizeof b);
}

static int create(const char* name) {
  std::ifstream in("bins.txt");
  std::ofstream out(name, std::ios::binary | std::ios::trunc);
  std::string grain;
  long kilograms;
  int n = 0;

  while (in >> grain >> kilograms) {
    Bin b;
    std::memset(&b, 0, sizeof b);
    std::snprintf(b.grain, sizeof b.grain, "%s", grain.c_str());
    b.kilograms = b.highest = kilograms;
    out.write(reinterpret_cast<const char*>(&b), sizeof b);
    n++;
  }
  return n;
}

int main() {
  int nbins = create("bins.dat");
  std::fstream db("bins.dat", std::ios::in | std::ios::out | std::ios::binary);
  std::ifstream movements("movements.txt");
  std::ofstream refused("refused.txt");
  int number;
  long kilograms;
  int day;
  double moisture;

  if (!db || !movements || !refused) {
    std::cerr << "granary: cannot open the files\n";
    return 1;
  }
  while (movements >> day >> number >> kilograms >> moisture) {
    if (number < 0 || number >= nbins) continue;
    Bin b = load(db, number);
    if (b.kilograms + kilograms < 0) {
      refused << day << ' ' << number << ' ' << kilograms << ' ' << b.kilograms << '\n';
      continue;
    }
    if (kilograms > 0)
      b.moisture += (moisture - b.moisture) * kilograms / (b.kilograms + kilograms);
    b.kilograms += kilograms;
    b.movements++;
    if (b.kilograms > b.highest) b.highest = b.kilograms;
    store(db, number, b);
  }

  long total = 0;
  for (int i = 0; i < nbins; i++) {
    Bin b = load(db, i);
    total += b.kilograms;
    if (i % 50 == 0)
      std::cout << i << ' ' << b.grain << ' ' << b.kilograms << ' ' << b.movements << ' '
                << b.highest << ' ' << b.moisture << '\n';
  }
  std::cout << "total " << total << '\n';
  return 0;
}
