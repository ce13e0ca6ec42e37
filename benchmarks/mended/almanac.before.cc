// almanac: answers questions about the sun.  Each line of standard input is
// "day latitude" (day of the year, degrees); the answer is the height of
// the sun at noon in degrees and the length of the day in hours and minutes.
#include <cmath>
#include <iostream>

static const double rad = M_PI / 180;

static double declination(int day) {
  double g = (357.53 + 0.98560028 * day) * rad;
  double q = 280.46 + 0.98564736 * day;
  double l = (q + 1.915 * std::sin(g) + 0.02 * std::sin(2 * g)) * rad;

  return std::asin(std::sin(23.44 * rad) * std::sin(l)) / rad;
}

static double day_length(int day, double latitude) {
  double d = declination(day) * rad, phi = latitude * rad;
  double c = (std::sin(-0.833 * rad) - std::sin(phi) * std::sin(d)) / (std::cos(phi) * std::cos(d));

  if (c <= -1) return 24;
  if (c >= 1) return 0;
  return 2 * std::acos(c) / rad / 15;
}

int main() {
  int day;
  int latitude;
  long questions = 0;

  std::ios::sync_with_stdio(false);
  while (std::cin >> day >> latitude) {
    int noon = std::lround(90 - std::fabs(latitude - declination(day)));
    int minutes = std::lround(day_length(day, latitude) * 60);

    std::cout << noon << ' ' << minutes / 60 << ' ' << minutes % 60 << '\n';
    questions++;
  }
  std::cout << questions << " answers\n";
  return 0;
}
