// ForgetfulMedium: the bytes of a disk that keeps writes in a cache of its own until it is told to
// flush, and the bytes that are left when its power is cut.
//
// A flush makes every write before it durable. A cut keeps everything that was flushed, and a
// random part of the later writes: some are lost, some are torn between two sectors, and the kept
// ones may have come in any order. Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace sluice::crash {

inline constexpr std::size_t sector_bytes = 512;  // no cut tears a sector

class ForgetfulMedium {
 public:
  enum class Moment : std::uint8_t { never, write, flush };

  struct Counts {
    std::uint64_t writes = 0;
    std::uint64_t flushes = 0;
    std::uint64_t kept = 0;  // of the writes that a cut found in the cache
    std::uint64_t torn = 0;
    std::uint64_t lost = 0;
  };

  explicit ForgetfulMedium(std::size_t bytes);

  std::size_t bytes() const { return bytes_; }
  bool is_on() const { return is_on_; }
  const Counts& counts() const { return counts_; }

  // False if the power is off, or goes off in the middle of the write.
  bool read(std::size_t position, std::span<char> into) const;
  bool write(std::size_t position, std::span<const char> bytes);
  bool flush();

  // Chooses what the next cuts keep: about `kept_percent` of the writes in the cache, chosen by
  // `seed`.
  void choose(std::uint64_t seed, unsigned kept_percent);
  // Until the power comes back, flushes report success and do nothing.
  void ignore_flushes() { ignores_flushes_ = true; }
  // The power goes off: now, or in the middle of the nth write or flush from now on.
  void cut();
  void cut_at(Moment moment, std::uint64_t nth);
  // The power is on again, and the cache is empty.
  void power_up();

 private:
  struct Memory {
    explicit Memory(std::size_t bytes);
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    std::span<char> all;
  };

  struct Write {
    std::size_t position;
    std::vector<char> bytes;
  };

  bool is_due(Moment moment);
  bool happens(unsigned percent) { return random_() % 100 < percent; }
  void keep(const Write& write);
  void keep_torn(const Write& write);
  void keep_sector(const Write& write, std::size_t begin);

  const std::size_t bytes_;
  const Memory durable_;
  const Memory shown_;        // the durable bytes, changed by the writes in the cache
  std::vector<Write> cache_;  // in the order of the writes
  bool is_on_ = true;
  bool ignores_flushes_ = false;
  Moment moment_ = Moment::never;
  std::uint64_t until_moment_ = 0;
  std::mt19937_64 random_;
  unsigned kept_percent_ = 0;
  Counts counts_;
};

}  // namespace sluice::crash
