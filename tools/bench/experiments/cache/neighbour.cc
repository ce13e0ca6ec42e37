#include "bench/experiments/cache/neighbour.h"

#include <chrono>
#include <exception>
#include <stdexcept>
#include <utility>

#include "bench/data.h"
#include "bench/experiments/input/raw_read.h"
#include "bench/latency.h"

namespace sluice::bench {
namespace {

constexpr auto pause_time = std::chrono::milliseconds(100);

}  // namespace

Neighbour::Neighbour(std::string path, std::uint64_t bytes)
    : path_(std::move(path)), bytes_(bytes), hash_(hash_pattern(bytes)) {
  read_once();
}

Neighbour::~Neighbour() {
  is_over_ = true;
  if (thread_.joinable()) thread_.join();
}

void Neighbour::start() {
  thread_ = std::thread([this] { work(); });
}

std::vector<double> Neighbour::stop() {
  std::unique_lock lock(mutex_);
  read_.wait(lock, [this] { return !seconds_.empty() || is_wrong_; });
  is_over_ = true;
  if (is_wrong_) throw std::runtime_error("the program beside read wrong bytes from " + path_);
  return std::move(seconds_);
}

void Neighbour::work() {
  try {
    do {
      std::vector<double> seconds;
      timed(seconds, [this] { read_once(); });
      {
        const std::lock_guard lock(mutex_);
        seconds_.push_back(seconds[0]);
        read_.notify_one();
      }
      std::this_thread::sleep_for(pause_time);
    } while (!is_over_);
  } catch (const std::exception&) {
    const std::lock_guard lock(mutex_);
    is_wrong_ = true;
    read_.notify_one();
  }
}

void Neighbour::read_once() {
  const RawFile file(path_);
  std::vector<char> block(raw_block_bytes);
  Hasher hasher;
  std::uint64_t bytes = 0;
  while (const std::size_t got = file.read_fully(block.data(), block.size())) {
    hasher.update(block.data(), got);
    bytes += got;
  }
  if (bytes != bytes_ || hasher.digest() != hash_) is_wrong_ = true;
}

}  // namespace sluice::bench
