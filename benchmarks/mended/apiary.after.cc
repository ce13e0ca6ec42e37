// Simulates the bee colonies of an apiary through one season, and writes a table of daily figures
// for each colony together with a diary of the notable days.
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

struct Colony {
  int id;
  double brood, foragers, honey, mites;
  bool alive = true;
};

class Weather {
 public:
  explicit Weather(uint32_t seed) : state(seed) {}
  double temperature(int day) {
    return 14 + 11 * std::sin((day - 60) * M_PI / 140) + 4 * (unit() - 0.5);
  }
  double nectar(int day) {
    double flow = std::exp(-std::pow((day - 75) / 30.0, 2)) +
                  0.6 * std::exp(-std::pow((day - 140) / 20.0, 2));
    return flow * (0.5 + unit());
  }

 private:
  double unit() {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / double(1 << 24);
  }
  uint32_t state;
};

static void step(Colony& c, double temperature, double nectar) {
  double laid = temperature > 10 ? 900 * std::min(1.0, c.foragers / 9000) : 0;
  double hatched = c.brood / 21;
  double died = c.foragers * (0.025 + c.mites / 60000);
  c.brood += laid - hatched;
  c.foragers = std::max(0.0, c.foragers + hatched - died);
  c.mites *= 1.0 + 0.011 * (c.brood > 3000);
  c.honey += nectar * c.foragers * 0.00012 - c.foragers * 0.0000095;
  if (c.honey < 0 || c.foragers < 300) c.alive = false;
}

int main() {
  const int days = 200, hives = 2200;
  Weather weather(20240401);
  std::vector<Colony> colonies;
  for (int i = 0; i < hives; i++)
    colonies.push_back(
        {i + 1, 2000.0 + i % 37 * 60, 5000.0 + i % 91 * 45, 4.0 + i % 5, 20.0 + i * 13 % 300});

  std::ofstream table("hives.csv");
  std::ofstream diary("diary.txt");
  table << "day,hive,brood,foragers,honey,mites" << '\n';
  table << std::fixed << std::setprecision(1);
  int notable = 0;
  for (int day = 1; day <= days; day++) {
    double temperature = weather.temperature(day);
    double nectar = weather.nectar(day);
    for (Colony& c : colonies) {
      if (!c.alive) continue;
      double before = c.honey;
      step(c, temperature, nectar);
      table << day << ',' << c.id << ',' << int(c.brood) << ',' << int(c.foragers) << ',' << c.honey
            << ',' << int(c.mites) << '\n';
      if (!c.alive) {
        diary << "day " << day << ": hive " << c.id << " is lost" << '\n';
        notable++;
      } else if (int(c.honey / 10) > int(before / 10)) {
        diary << "day " << day << ": hive " << c.id << " passes " << int(c.honey / 10) * 10 << " kg"
              << '\n';
        notable++;
      }
    }
  }
  double honey = 0;
  int alive = 0;
  for (const Colony& c : colonies)
    if (c.alive) {
      honey += c.honey;
      alive++;
    }
  std::cout << alive << " of " << hives << " colonies live, " << std::fixed << std::setprecision(1)
            << honey << " kg of honey, " << notable << " entries\n";
  return 0;
}
