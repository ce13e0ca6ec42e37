// Xxh64 and Xxh32: the checksums of the formats of zstd and lz4 (XXH64 and XXH32, seed 0).
// Reads 10 GB/s and more. Not thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sluice/bytes.h"

namespace sluice {

// What the two checksums differ in.
struct Xxh64Numbers {
  using Word = std::uint64_t;
  static constexpr Word primes[] = {0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
                                    0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5};
  static constexpr int lane_turn = 31;
};
struct Xxh32Numbers {
  using Word = std::uint32_t;
  static constexpr Word primes[] = {0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1};
  static constexpr int lane_turn = 13;
};

template <typename Numbers>
class Xxh {
 public:
  using Word = typename Numbers::Word;

  // The bytes follow those of the earlier calls.
  void add(BytesView bytes) {
    total_bytes_ += bytes.size();
    if (waiting_bytes_ != 0) {
      const std::size_t taken = std::min(bytes.size(), stripe_bytes - waiting_bytes_);
      std::copy_n(bytes.begin(), taken, waiting_.begin() + waiting_bytes_);
      waiting_bytes_ += taken;
      bytes = bytes.subspan(taken);
      if (waiting_bytes_ < stripe_bytes) return;
      add_stripes(waiting_);
    }
    const std::size_t whole = bytes.size() - bytes.size() % stripe_bytes;
    add_stripes(bytes.first(whole));
    waiting_bytes_ = bytes.size() - whole;
    std::copy_n(bytes.data() + whole, waiting_bytes_, waiting_.begin());
  }

  Word value() const {
    Word hash = total_bytes_ < stripe_bytes ? prime(5) : joined_lanes();
    hash += static_cast<Word>(total_bytes_);
    return mixed(with_waiting(hash));
  }

 private:
  static constexpr std::size_t stripe_bytes = 4 * sizeof(Word);
  static constexpr bool is_64 = sizeof(Word) == 8;

  static constexpr Word prime(int number) { return Numbers::primes[number - 1]; }

  template <typename Number>
  static Number number_at(const std::byte* bytes) {
    Number number;
    std::memcpy(&number, bytes, sizeof number);
    static_assert(std::endian::native == std::endian::little);
    return number;
  }

  static Word turn(Word lane, Word number) {
    return std::rotl(static_cast<Word>(lane + number * prime(2)), Numbers::lane_turn) * prime(1);
  }

  // The lanes are variables of their own: as elements of an array, GCC keeps them in one vector,
  // and multiplies them more slowly.
  void add_stripes(BytesView bytes) {
    auto [a, b, c, d] = lanes_;
    for (const std::byte* at = bytes.data(); at != bytes.data() + bytes.size();
         at += stripe_bytes) {
      a = turn(a, number_at<Word>(at));
      b = turn(b, number_at<Word>(at + sizeof(Word)));
      c = turn(c, number_at<Word>(at + 2 * sizeof(Word)));
      d = turn(d, number_at<Word>(at + 3 * sizeof(Word)));
    }
    lanes_ = {a, b, c, d};
  }

  Word joined_lanes() const {
    Word hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) +
                std::rotl(lanes_[3], 18);
    if constexpr (is_64) {
      for (const Word lane : lanes_) hash = (hash ^ turn(0, lane)) * prime(1) + prime(4);
    }
    return hash;
  }

  Word with_waiting(Word hash) const {
    const std::byte* at = waiting_.data();
    const std::byte* const end = at + waiting_bytes_;
    if constexpr (is_64) {
      for (; end - at >= 8; at += 8) {
        hash = std::rotl(hash ^ turn(0, number_at<Word>(at)), 27) * prime(1) + prime(4);
      }
      if (end - at >= 4) {
        hash = std::rotl(hash ^ number_at<std::uint32_t>(at) * prime(1), 23) * prime(2) + prime(3);
        at += 4;
      }
      for (; at != end; ++at) {
        hash = std::rotl(hash ^ std::to_integer<Word>(*at) * prime(5), 11) * prime(1);
      }
    } else {
      for (; end - at >= 4; at += 4) {
        hash = std::rotl(hash + number_at<Word>(at) * prime(3), 17) * prime(4);
      }
      for (; at != end; ++at) {
        hash = std::rotl(hash + std::to_integer<Word>(*at) * prime(5), 11) * prime(1);
      }
    }
    return hash;
  }

  static Word mixed(Word hash) {
    constexpr int shifts[] = {is_64 ? 33 : 15, is_64 ? 29 : 13, is_64 ? 32 : 16};
    hash = (hash ^ hash >> shifts[0]) * prime(2);
    hash = (hash ^ hash >> shifts[1]) * prime(3);
    return hash ^ hash >> shifts[2];
  }

  std::array<Word, 4> lanes_ = {static_cast<Word>(prime(1) + prime(2)), prime(2), 0,
                                static_cast<Word>(0 - prime(1))};
  std::array<std::byte, stripe_bytes> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::uint64_t total_bytes_ = 0;
};

using Xxh64 = Xxh<Xxh64Numbers>;
using Xxh32 = Xxh<Xxh32Numbers>;

}  // namespace sluice
