#include "forgetful_medium.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace sluice::crash {
namespace {

constexpr unsigned torn_percent = 25;  // the share of the kept writes

}  // namespace

// Takes memory only where bytes are written, because an image is mostly holes.
ForgetfulMedium::Memory::Memory(std::size_t bytes) {
  void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) {
    std::perror("crash_forgetful_disk: mmap");
    std::exit(1);
  }
  all = {static_cast<char*>(at), bytes};
}

ForgetfulMedium::Memory::~Memory() { ::munmap(all.data(), all.size()); }

ForgetfulMedium::ForgetfulMedium(std::size_t bytes)
    : bytes_(bytes), durable_(bytes), shown_(bytes) {}

bool ForgetfulMedium::read(std::size_t position, std::span<char> into) const {
  if (is_on_) std::memcpy(into.data(), &shown_.all[position], into.size());
  return is_on_;
}

bool ForgetfulMedium::write(std::size_t position, std::span<const char> bytes) {
  if (!is_on_) return false;
  ++counts_.writes;
  cache_.push_back({position, {bytes.begin(), bytes.end()}});
  std::memcpy(&shown_.all[position], bytes.data(), bytes.size());
  if (is_due(Moment::write)) cut();
  return is_on_;
}

bool ForgetfulMedium::flush() {
  if (!is_on_) return false;
  ++counts_.flushes;
  if (is_due(Moment::flush)) cut();
  if (!is_on_ || ignores_flushes_) return is_on_;
  for (const Write& each : cache_) {
    std::memcpy(&durable_.all[each.position], each.bytes.data(), each.bytes.size());
  }
  cache_.clear();
  return true;
}

void ForgetfulMedium::choose(std::uint64_t seed, unsigned kept_percent) {
  random_.seed(seed);
  kept_percent_ = kept_percent;
}

bool ForgetfulMedium::is_due(Moment moment) { return moment_ == moment && --until_moment_ == 0; }

void ForgetfulMedium::cut_at(Moment moment, std::uint64_t nth) {
  moment_ = moment;
  until_moment_ = nth;
}

void ForgetfulMedium::cut() {
  if (!is_on_) return;
  is_on_ = false;
  std::vector<const Write*> order;
  for (const Write& each : cache_) order.push_back(&each);
  std::shuffle(order.begin(), order.end(), random_);
  for (const Write* each : order) {
    if (!happens(kept_percent_)) {
      ++counts_.lost;
    } else if (each->bytes.size() > sector_bytes && happens(torn_percent)) {
      keep_torn(*each);
    } else {
      keep(*each);
    }
  }
}

void ForgetfulMedium::keep(const Write& write) {
  ++counts_.kept;
  std::memcpy(&durable_.all[write.position], write.bytes.data(), write.bytes.size());
}

// Half of the torn writes have lost their end, the others sectors here and there.
void ForgetfulMedium::keep_torn(const Write& write) {
  ++counts_.torn;
  const bool at_one_place = happens(50);
  const std::size_t sectors = write.bytes.size() / sector_bytes;
  const std::size_t end = at_one_place ? 1 + random_() % (sectors - 1) : sectors;
  for (std::size_t i = 0; i < end; ++i) {
    if (at_one_place || happens(50)) keep_sector(write, i * sector_bytes);
  }
}

void ForgetfulMedium::keep_sector(const Write& write, std::size_t begin) {
  const std::size_t bytes = std::min(sector_bytes, write.bytes.size() - begin);
  std::memcpy(&durable_.all[write.position + begin], &write.bytes[begin], bytes);
}

void ForgetfulMedium::power_up() {
  for (const Write& each : cache_) {
    std::memcpy(&shown_.all[each.position], &durable_.all[each.position], each.bytes.size());
  }
  cache_.clear();
  is_on_ = true;
  ignores_flushes_ = false;
  moment_ = Moment::never;
}

}  // namespace sluice::crash
