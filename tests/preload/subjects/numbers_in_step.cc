// usage: numbers_in_step
//
// Reads numbers from standard input by std::cin as it is: in step with stdio. Each line of the
// input has four.
#include <iostream>

int main() {
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
