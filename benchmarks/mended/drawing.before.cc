// histogram: cleans the samples on standard input and draws a histogram scaled to their range
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

int main() {
  const char* work = "histogram.tmp";
  double lo = std::numeric_limits<double>::infinity(), hi = -lo, sum = 0;
  long good = 0, faults = 0;

  std::ofstream keep(work);
  if (!keep) {
    std::cerr << work << ": cannot create\n";
    return 1;
  }
  keep.precision(17);
  char line[256];
  while (std::fgets(line, sizeof line, stdin)) {
    std::string s(line);
    if (s.compare(0, 7, "sample ") != 0 || s.find("fault") != std::string::npos) {
      faults++;
      continue;
    }
    double v = std::strtod(s.c_str() + 7, nullptr);
    v = v * 0.8125 + std::sqrt(v);
    lo = std::fmin(lo, v);
    hi = std::fmax(hi, v);
    sum += v;
    good++;
    keep << v << '\n';
  }
  keep.close();

  std::vector<long> bins(50);
  std::vector<double> smooth(bins.size());
  double mean = good ? sum / good : 0, dev = 0, width = (hi - lo) / bins.size();
  std::ifstream again(work);
  double v;
  while (again >> v) {
    std::size_t b = static_cast<std::size_t>((v - lo) / width);
    bins[b < bins.size() ? b : bins.size() - 1]++;
    for (std::size_t i = 0; i < smooth.size(); i++) {
      double z = (lo + (i + 0.5) * width - v) / (1.5 * width);
      if (std::fabs(z) < 5) smooth[i] += std::exp(-z * z / 2);
    }
    dev += (v - mean) * (v - mean);
  }
  again.close();
  std::remove(work);

  std::printf("%ld samples, %ld faults, %.4f to %.4f, mean %.4f, deviation %.4f\n", good, faults,
              lo, hi, mean, good ? std::sqrt(dev / good) : 0);
  for (std::size_t i = 0; i < bins.size(); i++)
    std::printf("%10.2f %7ld %9.1f %s\n", lo + i * width, bins[i], smooth[i],
                std::string(bins[i] / 400, '#').c_str());
  return 0;
}
