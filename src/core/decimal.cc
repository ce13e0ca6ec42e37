// Integers as decimal text, eight digits at a time. There is no branch for each digit, so numbers
// of mixed widths cost no mispredicted branches.
#include "core/decimal.h"

#include <atomic>
#include <bit>
#include <cstring>

#include "sluice/number.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sluice {
namespace {

constexpr std::uint64_t eight_digits = 100'000'000;
constexpr std::uint64_t zeros = 0x3030303030303030;  // the text "00000000"

// A word holds eight digits of text, and the first digit is in its lowest byte.
static_assert(std::endian::native == std::endian::little);

char* store(char* to, std::uint64_t text) {
  std::memcpy(to, &text, sizeof text);
  return to + sizeof text;
}

// Stores the text without leading zeros. The last digit always stays, even if it is 0.
char* store_without_zeros(char* to, std::uint64_t text) {
  const int zero_bits = std::countr_zero((text ^ zeros) | std::uint64_t{1} << 56) & 56;
  store(to, text >> zero_bits);
  return to + sizeof text - zero_bits / 8;
}

// `eight` makes the text of a number below 10^8: always eight digits, with zeros in front.
template <typename Eight>
[[gnu::always_inline]] inline char* write_by_eight(char* to, std::uint64_t value, Eight eight) {
  if (value < eight_digits) return store_without_zeros(to, eight(value));
  const std::uint64_t high = value / eight_digits;
  if (high < eight_digits) {
    to = store_without_zeros(to, eight(high));
  } else {
    const std::uint64_t highest = high / eight_digits;
    to = store_without_zeros(to, eight(highest));
    to = store(to, eight(high - highest * eight_digits));
  }
  return store(to, eight(value - high * eight_digits));
}

// Splits the number into two numbers of four digits, then four of two, then eight of one, always
// beside each other in one word. The method is from P. Khuong, "How to print integers really fast"
// (2017). 10486 / 2^20 stands for 1/100 and 103 / 2^10 for 1/10, which is exact enough for these
// numbers.
std::uint64_t eight_in_a_word(std::uint64_t value) {
  const std::uint64_t thousands = value / 10'000;
  const std::uint64_t fours = (value << 32) - thousands * ((std::uint64_t{10'000} << 32) - 1);
  const std::uint64_t hundreds = ((fours * 10'486) >> 20) & 0x0000'007f'0000'007f;
  const std::uint64_t twos = (fours << 16) - hundreds * ((100 << 16) - 1);
  const std::uint64_t tens = ((twos * 103) >> 10) & 0x000f'000f'000f'000f;
  return ((twos << 8) - tens * ((10 << 8) - 1)) | zeros;
}

char* write_decimal_in_words(char* to, std::uint64_t value) noexcept {
  return write_by_eight(to, value, eight_in_a_word);
}

#if defined(__x86_64__)

// For k = 1 to 8: ten times the fractional part of (value + 1) / 10^k has the digit of weight
// 10^(k-1) before its point. One of the two instructions that multiply 52 bits gives the fractional
// part, the other one gives the digit. `parts` are rounded down. The 1 that is added makes up for
// this, and never changes the next digit.
__attribute__((target("avx512f,avx512bw,avx512ifma,avx512vbmi"))) char* write_decimal_avx512(
    char* to, std::uint64_t value) noexcept {
  const auto eight =
      [](std::uint64_t few) __attribute__((target("avx512f,avx512bw,avx512ifma,avx512vbmi"))) {
    constexpr auto part = [](std::int64_t power) { return (std::int64_t{1} << 52) / power; };
    const __m512i parts =
        _mm512_setr_epi64(part(eight_digits), part(10'000'000), part(1'000'000), part(100'000),
                          part(10'000), part(1'000), part(100), part(10));
    const __m512i low_bytes =
        _mm512_castsi128_si512(_mm_setr_epi8(0, 8, 16, 24, 32, 40, 48, 56, 0, 0, 0, 0, 0, 0, 0, 0));
    constexpr __mmask64 every_byte = ~__mmask64{0};
    const __m512i number = _mm512_set1_epi64(static_cast<std::int64_t>(few));
    const __m512i fractions = _mm512_madd52lo_epu64(parts, number, parts);
    const __m512i digits =
        _mm512_madd52hi_epu64(_mm512_set1_epi64('0'), fractions, _mm512_set1_epi64(10));
    const __m512i packed = _mm512_maskz_permutexvar_epi8(every_byte, low_bytes, digits);
    return static_cast<std::uint64_t>(packed[0]);
  };
  return write_by_eight(to, value, eight);
}

constexpr WriteDecimal ways[] = {write_decimal_avx512, write_decimal_in_words};

std::size_t first_way_of_this_processor() noexcept {
  __builtin_cpu_init();
  const bool has_avx512 = __builtin_cpu_supports("avx512ifma") &&
                          __builtin_cpu_supports("avx512vbmi") &&
                          __builtin_cpu_supports("avx512bw");
  return has_avx512 ? 0 : 1;
}

#else

constexpr WriteDecimal ways[] = {write_decimal_in_words};

std::size_t first_way_of_this_processor() noexcept { return 0; }

#endif

char* choose_and_write(char* to, std::uint64_t value) noexcept;

// This is not a static local variable, because its guard would cost each call a branch.
constinit std::atomic<WriteDecimal> chosen = choose_and_write;

char* choose_and_write(char* to, std::uint64_t value) noexcept {
  const WriteDecimal fastest = ways_to_write_decimal().front();
  chosen.store(fastest, std::memory_order_relaxed);
  return fastest(to, value);
}

}  // namespace

std::span<const WriteDecimal> ways_to_write_decimal() noexcept {
  return std::span(ways).subspan(first_way_of_this_processor());
}

char* write_decimal(char* to, std::uint64_t value) noexcept {
  return chosen.load(std::memory_order_relaxed)(to, value);
}

}  // namespace sluice
