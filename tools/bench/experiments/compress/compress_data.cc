#include "bench/experiments/compress/compress_data.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>
#include <random>

#include "bench/data.h"
#include "bench/experiments/values/value_rows.h"

namespace sluice::bench {
namespace {

// Fills the memory with value(0), value(1), ... The last value may be cut off.
template <typename Value>
void fill(std::span<std::byte> into, Value value) {
  for (std::size_t i = 0, at = 0; at < into.size(); ++i) {
    const auto next = value(i);
    const std::size_t bytes = std::min(sizeof next, into.size() - at);
    std::memcpy(into.data() + at, &next, bytes);
    at += bytes;
  }
}

void make_overlap_values(std::span<std::byte> into, const std::string&) {
  fill(into, [](std::uint64_t i) { return value_at<1>(i); });
}

void make_counters(std::span<std::byte> into, const std::string&) {
  fill(into, [](std::uint64_t i) { return 1'000'000'000 + i; });
}

// A slow wave, as of a temperature; the last 12 of the 52 bits after the point are noise.
void make_sensor_values(std::span<std::byte> into, const std::string&) {
  constexpr std::uint64_t noise_bits = 0xfff;
  constexpr double samples_per_wave = 1e6;
  std::mt19937_64 random(1);
  fill(into, [&](std::uint64_t i) {
    const double wave = std::sin(static_cast<double>(i) * 2 * std::numbers::pi / samples_per_wave);
    const auto bits = std::bit_cast<std::uint64_t>(20 + 5 * wave);
    return (bits & ~noise_bits) | (random() & noise_bits);
  });
}

void make_random_walk(std::span<std::byte> into, const std::string&) {
  std::mt19937_64 random(2);
  std::int64_t place = 0;
  fill(into, [&](std::uint64_t) {
    place += static_cast<std::int64_t>(random() % 201) - 100;
    return place;
  });
}

// Words of a small language, of which some come often.
std::string made_up_text(std::size_t bytes) {
  constexpr std::array syllables = {"an", "be", "cor", "do", "e",   "fir", "gal",
                                    "hu", "in", "ka",  "lo", "men", "no",  "or",
                                    "pa", "ri", "sta", "tu", "ver", "we"};
  constexpr std::size_t words = 20'000;
  std::mt19937_64 random(3);
  std::vector<std::string> known;
  while (known.size() < words) {
    std::string word;
    for (std::size_t i = 1 + random() % 4; i > 0; --i) word += syllables[random() % 20];
    known.push_back(word);
  }
  std::string text;
  for (std::size_t column = 0; text.size() < bytes;) {
    const double chance = std::uniform_real_distribution<double>()(random);
    const std::string& word = known[static_cast<std::size_t>(std::pow(chance, 4) * words)];
    text += word;
    column += word.size() + 1;
    text += column > 70 ? '\n' : ' ';
    if (column > 70) column = 0;
  }
  return text;
}

void make_text(std::span<std::byte> into, const std::string& text) {
  const std::string made = text.empty() ? made_up_text(into.size()) : "";
  const std::string& from = text.empty() ? made : text;
  for (std::size_t at = 0; at < into.size();) {
    const std::size_t bytes = std::min(from.size(), into.size() - at);
    std::memcpy(into.data() + at, from.data(), bytes);
    at += bytes;
  }
}

void make_random_bytes(std::span<std::byte> into, const std::string&) {
  std::mt19937_64 random(4);
  fill(into, [&](std::uint64_t) { return random(); });
}

constexpr DataKind kinds[] = {
    {"values of overlap", Element::unsigned_64, make_overlap_values},
    {"counters", Element::unsigned_64, make_counters},
    {"sensor doubles, 12 bits of noise", Element::float_64, make_sensor_values},
    {"random walk", Element::integer_64, make_random_walk},
    {"text", Element::byte, make_text},
    {"random bytes", Element::byte, make_random_bytes},
};

}  // namespace

std::span<const DataKind> data_kinds() { return kinds; }

void Data::make(const std::string& text) {
  bytes.resize(wanted_bytes);
  kind->make(bytes, text);
  hash = hash_bytes(bytes.data(), bytes.size());
}

}  // namespace sluice::bench
