#include "command_line/quantity.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cstddef>
#include <limits>
#include <system_error>

namespace sluice {
namespace {

constexpr std::string_view suffixes = "KMGT";

struct Scaled {
  double value;
  std::size_t steps;  // the number of divisions by 1024, at most suffixes.size()
};

Scaled scaled(std::uint64_t bytes) {
  Scaled result{static_cast<double>(bytes), 0};
  while (result.value >= 1024 && result.steps < suffixes.size()) {
    result.value /= 1024;
    ++result.steps;
  }
  return result;
}

// "512", "1.5", but never "512.0".
std::string short_decimal(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

}  // namespace

std::optional<std::uint64_t> parse_quantity(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || number == 0) return std::nullopt;
  std::size_t steps = 0;
  if (rest != end) {
    const auto letter = static_cast<char>(std::toupper(static_cast<unsigned char>(*rest)));
    steps = suffixes.find(letter) + 1;  // npos + 1 is 0
    if (rest + 1 != end || steps == 0) return std::nullopt;
  }
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  if (number > most >> (10 * steps)) return std::nullopt;
  return number << (10 * steps);
}

std::string format_bytes(std::uint64_t bytes) {
  const Scaled size = scaled(bytes);
  if (size.steps == 0) return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
  return fmt::format("{} {}iB", short_decimal(size.value), suffixes[size.steps - 1]);
}

std::string format_bytes_short(std::uint64_t bytes) {
  const Scaled size = scaled(bytes);
  if (size.steps == 0) return fmt::format("{}", bytes);
  return short_decimal(size.value) + suffixes[size.steps - 1];
}

std::string format_count(std::uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, 1, ',');
  return digits;
}

std::string format_count(std::uint64_t count, std::string_view noun, std::string_view ending) {
  return fmt::format("{} {}{}", format_count(count), noun, count == 1 ? "" : ending);
}

}  // namespace sluice
