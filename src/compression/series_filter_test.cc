// The filter of a series, in every way that this processor has.
#include "compression/series_filter.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "testing/pattern.h"

namespace sluice {
namespace {

using testing::pattern;

std::uint64_t number_at(const std::string& numbers, std::size_t i, std::size_t number_bytes) {
  std::uint64_t number = 0;
  for (std::size_t b = number_bytes; b-- > 0;) {
    number = number << 8 | static_cast<unsigned char>(numbers[i * number_bytes + b]);
  }
  return number;
}

// What docs/series-format.md says, number by number and bit by bit.
std::string filtered_slowly(const SeriesFilter& filter, std::size_t number_bytes,
                            const std::string& numbers, std::size_t begin, std::size_t count) {
  const std::size_t bits = number_bytes * 8;
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < begin + count; ++i) {
    values.push_back(number_at(numbers, i, number_bytes));
  }
  const bool is_xor = filter.prediction == SeriesFilter::exclusive_or;
  for (int level = 0; level < (is_xor ? 1 : filter.prediction); ++level) {
    for (std::size_t i = values.size(); i-- > filter.lag;) {
      const std::uint64_t before = values[i - filter.lag];
      values[i] = is_xor ? values[i] ^ before : (values[i] - before) & mask;
    }
  }
  if (filter.prediction != 0 && !is_xor) {
    for (std::uint64_t& value : values) {
      const bool is_negative = (value >> (bits - 1)) != 0;
      value = (is_negative ? ~(value << 1) : value << 1) & mask;
    }
  }
  std::string bytes(count * number_bytes, '\0');
  const std::size_t bit_planes = filter.layout == SeriesLayout::bit_planes ? count / 8 : 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t bit = 0; bit < bits; ++bit) {
      if ((values[begin + i] >> bit & 1) == 0) continue;
      const std::size_t at = bit_planes != 0 ? bit * bit_planes + i / 8
                             : filter.layout == SeriesLayout::byte_planes
                                 ? bit / 8 * count + i
                                 : i * number_bytes + bit / 8;
      bytes[at] = static_cast<char>(bytes[at] | 1 << (bit_planes != 0 ? i % 8 : bit % 8));
    }
  }
  return bytes;
}

std::vector<SeriesFilter> some_filters(std::size_t count) {
  std::vector<SeriesFilter> filters;
  for (const SeriesLayout layout :
       {SeriesLayout::as_is, SeriesLayout::byte_planes, SeriesLayout::bit_planes}) {
    if (layout == SeriesLayout::bit_planes && count % 8 != 0) continue;
    filters.push_back({0, 0, layout});
    for (const int prediction : {1, 2, 3, 7, 8}) {
      for (const int lag : {1, 2, 15, 16, 63, 64}) {
        filters.push_back(
            {static_cast<std::uint8_t>(prediction), static_cast<std::uint8_t>(lag), layout});
      }
    }
  }
  return filters;
}

BytesView view_of(const std::string& bytes) { return std::as_bytes(std::span(bytes)); }
MutableBytesView view_of(std::string& bytes) { return std::as_writable_bytes(std::span(bytes)); }

TEST(SeriesFilter, DoesTheSameInEveryWay) {
  const auto scratch = std::make_unique<SeriesScratch>();
  for (const std::size_t number_bytes : {1u, 2u, 4u, 8u}) {
    for (const std::size_t count : {0u, 1u, 8u, 63u, 1024u, 1025u, 1800u}) {
      const std::string numbers = pattern(0, count * number_bytes);
      for (const SeriesFilter& filter : some_filters(count)) {
        const std::string expected = filtered_slowly(filter, number_bytes, numbers, 0, count);
        for (const SeriesWay& way : series_ways()) {
          // Unaligned memory is read and written too.
          const std::string unaligned = "x" + numbers;
          std::string filtered(numbers.size() + 1, 'x');
          way.filter(filter, number_bytes, view_of(unaligned).subspan(1), 0, count,
                     view_of(filtered).subspan(1), *scratch);
          ASSERT_TRUE(filtered == "x" + expected);
          std::string back(numbers.size() + 1, 'x');
          way.undo(filter, number_bytes, view_of(filtered).subspan(1), view_of(back).subspan(1),
                   *scratch);
          ASSERT_TRUE(back == "x" + numbers);
        }
      }
    }
  }
}

TEST(SeriesFilter, TakesTheNumbersBeforeASampleIntoAccount) {
  const auto scratch = std::make_unique<SeriesScratch>();
  const std::string numbers = pattern(0, 5000 * 4);
  for (const SeriesFilter& filter : some_filters(1600)) {
    for (const std::size_t begin : {1u, 100u, 3000u}) {
      for (const SeriesWay& way : series_ways()) {
        std::string filtered(1600 * 4, 'x');
        way.filter(filter, 4, view_of(numbers), begin, 1600, view_of(filtered), *scratch);
        ASSERT_TRUE(filtered == filtered_slowly(filter, 4, numbers, begin, 1600));
      }
    }
  }
}

}  // namespace
}  // namespace sluice
