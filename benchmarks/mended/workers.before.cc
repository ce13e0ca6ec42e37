// Four threads write to one log, under one lock.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>
int main() {
  std::FILE* log = std::fopen("out", "w");
  std::mutex lock;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100000; ++i) {
        const std::lock_guard<std::mutex> guard(lock);
        std::fprintf(log, "step %d has been done\n", i % 10);
        std::fflush(log);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::fclose(log);
  log = std::fopen("out", "r");  // The order of the threads differs from run to run: sort by sum.
  long sum = 0;
  for (int c; (c = std::getc(log)) != EOF;) sum += c;
  std::fclose(log);
  std::remove("out");
  std::printf("%ld\n", sum);
}
