// Describes the values of a survey: mean, variance, quantiles, trend. It reads them by scanf.
#include <stdio.h>
#include <stdlib.h>
enum { kMost = 1000000 };
static double values[kMost];

static int next_answer(long* number, double* value) {
  return scanf("line-%ld %lf of a text\n", number, value) == 2;
}

static int compare(const void* one, const void* other) {
  double a = *(const double*)one, b = *(const double*)other;
  return (a > b) - (a < b);
}

// How much the mean would vary if the survey were repeated: takes answers by chance, many times.
static double error_of_mean(int count, double mean) {
  enum { kTimes = 70 };
  double squares = 0;
  unsigned chance = 1;
  for (int time = 0; time < kTimes; ++time) {
    double sum = 0;
    for (int i = 0; i < count; ++i) {
      chance = chance * 1664525 + 1013904223;
      sum += values[(unsigned long)chance * (unsigned)count >> 32];
    }
    squares += (sum / count - mean) * (sum / count - mean);
  }
  return squares / kTimes;
}

int main(void) {
  double sum = 0, squares = 0, cubes = 0, products = 0, value;
  long number;
  int count = 0;
  while (count < kMost && next_answer(&number, &value)) {
    sum += value;
    squares += value * value;
    cubes += value * value * value;
    products += value * (double)number;
    values[count++] = value;
  }
  if (count == 0) return 1;
  double mean = sum / count, variance = squares / count - mean * mean;
  double third = cubes / count - 3 * mean * variance - mean * mean * mean;
  printf("count %d\nmean %.6f\nvariance %.6f\n", count, mean, variance);
  printf("third moment %.6f\ntrend %.9f\n", third,
         (products / count - mean * (count - 1) / 2.0) / count);
  printf("error %.9f\n", error_of_mean(count, mean));
  qsort(values, (size_t)count, sizeof *values, compare);
  for (int i = 1; i < 20; ++i) printf("%2d %% %g\n", i * 5, values[(long)count * i / 20]);
  return 0;
}
