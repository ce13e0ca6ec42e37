// Numbers of each type of a series, of several kinds: for tests of series.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "sluice/series.h"

namespace sluice::testing {

inline constexpr SeriesType all_series_types[] = {
    SeriesType::uint8,   SeriesType::uint16, SeriesType::uint32, SeriesType::uint64,
    SeriesType::int8,    SeriesType::int16,  SeriesType::int32,  SeriesType::int64,
    SeriesType::float32, SeriesType::float64};

enum class SeriesValues : std::uint8_t {
  zeros,
  counter,
  random,   // every bit
  extreme,  // NaNs of all kinds, infinities, the smallest and largest numbers
  smooth,   // a sine
  noisy,    // a sine whose last bits are noise: 12 of a double
  steps,    // the same number often
  records,  // 7 sines beside each other
};

inline constexpr SeriesValues all_series_values[] = {
    SeriesValues::zeros,  SeriesValues::counter, SeriesValues::random, SeriesValues::extreme,
    SeriesValues::smooth, SeriesValues::noisy,   SeriesValues::steps,  SeriesValues::records};

namespace series_values_details {

template <typename T>
T extreme(std::uint64_t choice, std::uint64_t bits) {
  using Limits = std::numeric_limits<T>;
  switch (choice % 8) {
    case 0: return Limits::max();
    case 1: return Limits::lowest();
    case 2: return Limits::denorm_min();
    case 3: return Limits::has_infinity ? Limits::infinity() : Limits::min();
    case 4: return static_cast<T>(-0.0);
    default: break;
  }
  // For floating-point numbers a NaN, whose payload is arbitrary.
  T value{};
  if constexpr (sizeof(T) == 8) bits |= 0x7ff0'0000'0000'0001;
  if constexpr (sizeof(T) == 4) bits |= 0x7f80'0001;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <typename T>
void change_last_bits(T& value, std::uint64_t bits) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof value);
  bytes[0] = static_cast<unsigned char>(bits);
  if constexpr (sizeof(T) == 8) {
    bytes[1] = static_cast<unsigned char>((bytes[1] & 0xf0) | (bits >> 8 & 0x0f));
  }
  std::memcpy(&value, bytes, sizeof value);
}

template <typename T>
T value_at(SeriesValues values, std::uint64_t i, std::mt19937_64& random) {
  const double height =
      std::is_floating_point_v<T> ? 20 : static_cast<double>(std::numeric_limits<T>::max()) / 4;
  const auto sine = [&](double phase) { return static_cast<T>(height * (1.5 + std::sin(phase))); };
  const auto time = static_cast<double>(i);
  T value{};
  std::uint64_t bits = random();
  switch (values) {
    case SeriesValues::zeros: break;
    case SeriesValues::counter: value = static_cast<T>(i % 1'000'000); break;
    case SeriesValues::random: std::memcpy(&value, &bits, sizeof value); break;
    case SeriesValues::extreme: value = extreme<T>(bits, bits >> 8 << 8); break;
    case SeriesValues::smooth: value = sine(time * 1e-4); break;
    case SeriesValues::noisy:
      value = sine(time * 1e-4);
      change_last_bits(value, bits);
      break;
    case SeriesValues::steps: {
      const std::size_t step = i / 50;
      value = sine(static_cast<double>(step) * 0.01);
      break;
    }
    case SeriesValues::records: {
      const std::size_t record = i / 7;
      value = sine(static_cast<double>(record) * 1e-4 + static_cast<double>(i % 7));
      break;
    }
  }
  return value;
}

template <typename T>
std::string of_values(SeriesValues values, std::size_t bytes) {
  std::mt19937_64 random(bytes);
  std::string numbers(bytes + sizeof(T), '\0');
  for (std::size_t i = 0; i * sizeof(T) < bytes; ++i) {
    const T value = value_at<T>(values, i, random);
    std::memcpy(numbers.data() + i * sizeof(T), &value, sizeof value);
  }
  numbers.resize(bytes);
  return numbers;
}

}  // namespace series_values_details

// The bytes of such numbers. The last number may be cut.
inline std::string series_of_values(SeriesType type, SeriesValues values, std::size_t bytes) {
  using series_values_details::of_values;
  switch (type) {
    case SeriesType::uint8: return of_values<std::uint8_t>(values, bytes);
    case SeriesType::uint16: return of_values<std::uint16_t>(values, bytes);
    case SeriesType::uint32: return of_values<std::uint32_t>(values, bytes);
    case SeriesType::uint64: return of_values<std::uint64_t>(values, bytes);
    case SeriesType::int8: return of_values<std::int8_t>(values, bytes);
    case SeriesType::int16: return of_values<std::int16_t>(values, bytes);
    case SeriesType::int32: return of_values<std::int32_t>(values, bytes);
    case SeriesType::int64: return of_values<std::int64_t>(values, bytes);
    case SeriesType::float32: return of_values<float>(values, bytes);
    case SeriesType::float64: return of_values<double>(values, bytes);
  }
  return {};
}

}  // namespace sluice::testing
