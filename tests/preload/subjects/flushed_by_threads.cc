// Eight threads write lines and flush each line. Each thread has its own file.
#include <fstream>
#include <string>
#include <thread>
#include <vector>

int main() {
  std::vector<std::thread> threads;
  for (int number = 0; number < 8; ++number) {
    threads.emplace_back([number] {
      std::ofstream file("file" + std::to_string(number));
      for (int i = 0; i < 20000; ++i) file << number << " line " << i << std::endl;
    });
  }
  for (std::thread& thread : threads) thread.join();
  return 0;
}
