// tally: one thread reads access.log, another counts requests, errors and bytes of each section
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Count {
  long requests = 0, errors = 0, bytes = 0;
};
using Counts = std::map<std::string, Count>;
using Block = std::vector<std::string>;

class Queue {
 public:
  void put(Block block) {
    std::unique_lock<std::mutex> hold(lock_);
    room_.wait(hold, [this] { return blocks_.size() < 16; });
    blocks_.push_back(std::move(block));
    filled_.notify_one();
  }

  void finish() {
    std::lock_guard<std::mutex> hold(lock_);
    done_ = true;
    filled_.notify_one();
  }

  bool take(Block& block) {
    std::unique_lock<std::mutex> hold(lock_);
    filled_.wait(hold, [this] { return done_ || !blocks_.empty(); });
    if (blocks_.empty()) return false;
    block = std::move(blocks_.front());
    blocks_.pop_front();
    room_.notify_one();
    return true;
  }

 private:
  std::mutex lock_;
  std::condition_variable filled_, room_;
  std::deque<Block> blocks_;
  bool done_ = false;
};

static void count(const std::string& line, Counts& counts) {
  std::size_t a = line.find(" GET /");
  if (a == std::string::npos) return;
  a += 6;
  std::size_t b = line.find('/', a), c = line.find(' ', a);
  if (b == std::string::npos || c == std::string::npos) return;
  char* end;
  long status = std::strtol(line.c_str() + c, &end, 10);
  Count& n = counts[line.substr(a, b - a)];
  n.requests++;
  n.errors += status >= 400;
  n.bytes += std::strtol(end, nullptr, 10);
  counts["from " + line.substr(0, line.find('.'))].requests++;
}

int main() {
  std::ifstream in("access.log");
  if (!in) {
    std::cerr << "access.log: cannot open\n";
    return 1;
  }
  Queue queue;
  Counts counts;
  std::thread counter([&] {
    Block block;
    while (queue.take(block))
      for (auto& line : block) count(line, counts);
  });
  std::string line;
  Block block;
  while (std::getline(in, line)) {
    block.push_back(line);
    if (block.size() == 500) {
      queue.put(std::move(block));
      block.clear();
    }
  }
  queue.put(std::move(block));
  queue.finish();
  counter.join();
  for (auto& e : counts)
    std::cout << e.first << ' ' << e.second.requests << ' ' << e.second.errors << ' '
              << e.second.bytes << '\n';
  return 0;
}
