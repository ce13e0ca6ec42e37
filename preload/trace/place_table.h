// Finds entries of the log by hashes of what the entries are for.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <atomic>
#include <type_traits>

#include "recorder.h"

namespace sluice::preload {

// A hash of `before`, which is a hash already, and of the bytes. It takes eight at a time.
inline uint64_t hash_of_bytes(uint64_t before, const void* data, size_t left) {
  const auto* bytes = static_cast<const char*>(data);
  uint64_t hash = before;
  uint64_t word = 0;
  const auto add_word = [&] {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 32;
  };
  for (; left >= sizeof word; left -= sizeof word, bytes += sizeof word) {
    memcpy(&word, bytes, sizeof word);
    add_word();
  }
  word = 0;
  memcpy(&word, bytes, left);
  add_word();
  return hash;
}

inline uint64_t hash_of_text(uint64_t before, const char* text) {
  return hash_of_bytes(before, text, strlen(text));
}

// The places of a table of the log that has room for `most` entries. Any thread may call find(). If
// two threads add the same entry at once, there are two of it, which the command puts together.
template <size_t most>
using FarPlaces = std::atomic<uint32_t>[2 * most];  // half of them stay free, so searches are short
template <auto& far>
class PlaceTable {
  static constexpr uint32_t far_buckets = std::extent_v<std::remove_reference_t<decltype(far)>>;
  static constexpr uint32_t most = far_buckets / 2;

 public:
  static constexpr uint32_t last_place = most - 1;  // for all entries without a place of their own

  // The place for which is_it(place) is true. If there is none, the place that add() returns, which
  // may be last_place.
  template <typename IsIt, typename Add>
  uint32_t find(uint64_t hash, IsIt is_it, Add add) {
    const auto mixed = static_cast<uint32_t>((hash * 0x9E3779B97F4A7C15) >> 32);
    for (uint32_t i = 0; i < 64; ++i) {
      std::atomic<uint32_t>& bucket =
          i < near_tries ? near_[(mixed + i) % near_buckets] : far[(mixed + i) % far_buckets];
      const uint32_t found = bucket;
      if (found == 0) {
        const uint32_t place = add();
        if (place != last_place) bucket = (mixed & ~place_bits) | place;
        return place;
      }
      const bool may_be_it = ((found ^ mixed) & ~place_bits) == 0;
      if (may_be_it && is_it(found & place_bits)) return found & place_bits;
    }
    return last_place;
  }

  void clear() {
    clear_table(near_);
    clear_table(far);
  }

 private:
  // A bucket has a place in its lower bits, and bits of the hash above. Other entries are then
  // passed over without a look at them: a program that reads thousands of files comes here for
  // each, and the entries are not in the processor's cache.
  static constexpr uint32_t place_bits = most - 1;
  static_assert((most & place_bits) == 0, "places fill the lower bits of a bucket");

  // The first entries lie close together: a process that lasts a millisecond spends much of it on
  // the memory that it touches for the first time, a page for each entry of a large table.
  static constexpr uint32_t near_buckets = 128;
  static constexpr uint32_t near_tries = 8;
  std::atomic<uint32_t> near_[near_buckets]{};
};

}  // namespace sluice::preload
