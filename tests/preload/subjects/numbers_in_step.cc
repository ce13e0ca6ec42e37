// usage: numbers_in_step [pairs]
//
// Reads numbers from standard input by std::cin as it is: in step with stdio. Each line of the
// input has four. With "pairs" the first and the third one are read as fractions.
#include <iostream>

namespace {

int read_pairs() {
  double fraction = 0;
  long number = 0;
  double sum = 0;
  while (std::cin >> fraction >> number) sum += fraction + static_cast<double>(number);
  std::cout << static_cast<long>(sum) << '\n';
  return 0;
}

}  // namespace

int main(int count, char**) {
  if (count > 1) return read_pairs();
  long sum = 0;
  for (long number = 0;; sum += number) {
    if (!(std::cin >> number)) break;  // place
    sum += number;
    std::cin >> number;  // place
    sum += number;
    std::cin >> number;  // place
    sum += number;
    std::cin >> number;  // place
  }
  std::cout << sum << '\n';
  return 0;
}
