// Plain loops, which the compiler turns into vector instructions. They run over few numbers at a
// time, which stay in the first-level cache.
#include "compression/series_filter.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstring>
#include <type_traits>

namespace sluice {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t step_numbers = SeriesScratch::numbers_at_a_time;

// The 8 bytes are rows of 8 bits. Makes its columns rows.
[[gnu::always_inline]] inline std::uint64_t transposed(std::uint64_t bits) {
  std::uint64_t changed = (bits ^ bits >> 7) & 0x00AA'00AA'00AA'00AA;
  bits ^= changed ^ changed << 7;
  changed = (bits ^ bits >> 14) & 0x0000'CCCC'0000'CCCC;
  bits ^= changed ^ changed << 14;
  changed = (bits ^ bits >> 28) & 0x0000'0000'F0F0'F0F0;
  return bits ^ changed ^ changed << 28;
}

// The filter of numbers of sizeof(U) bytes.
template <std::unsigned_integral U>
class Numbers {
 public:
  [[gnu::always_inline]] static inline void filter(const SeriesFilter& filter, BytesView numbers,
                                                   std::size_t begin, std::size_t count,
                                                   MutableBytesView into, SeriesScratch& scratch) {
    for (std::size_t at = 0; at < count; at += step_numbers) {
      const std::size_t step = std::min(step_numbers, count - at);
      const U* const predicted = predict(filter, numbers, begin + at, step, scratch);
      std::byte* const to = into.data();
      switch (filter.layout) {
        case SeriesLayout::as_is:
          std::memcpy(to + at * sizeof(U), predicted, step * sizeof(U));
          break;
        case SeriesLayout::byte_planes: split_bytes(predicted, step, to + at, count); break;
        case SeriesLayout::bit_planes: split_bits(predicted, step, to + at / 8, count / 8); break;
      }
    }
  }

  [[gnu::always_inline]] static inline void undo(const SeriesFilter& filter, BytesView filtered,
                                                 MutableBytesView numbers, SeriesScratch& scratch) {
    const std::size_t count = numbers.size() / sizeof(U);
    scratch.last.fill(std::byte{0});
    U* const step_begin = as_numbers(scratch.first.data()) + filter.lag;
    for (std::size_t at = 0; at < count; at += step_numbers) {
      const std::size_t step = std::min(step_numbers, count - at);
      const std::byte* const from = filtered.data();
      switch (filter.layout) {
        case SeriesLayout::as_is:
          std::memcpy(step_begin, from + at * sizeof(U), step * sizeof(U));
          break;
        case SeriesLayout::byte_planes: join_bytes(from + at, count, step_begin, step); break;
        case SeriesLayout::bit_planes: join_bits(from + at / 8, count / 8, step_begin, step); break;
      }
      undo_prediction(filter, step_begin, step, scratch);
      std::memcpy(numbers.data() + at * sizeof(U), step_begin, step * sizeof(U));
    }
  }

 private:
  using Signed = std::make_signed_t<U>;
  static constexpr int bits = static_cast<int>(sizeof(U) * 8);

  [[gnu::always_inline]] static inline U* as_numbers(std::byte* memory) {
    return reinterpret_cast<U*>(memory);
  }

  // Returns the changed numbers, in the scratch memory.
  [[gnu::always_inline]] static inline const U* predict(const SeriesFilter& filter,
                                                        BytesView numbers, std::size_t begin,
                                                        std::size_t step, SeriesScratch& scratch) {
    const bool is_xor = filter.prediction == SeriesFilter::exclusive_or;
    const std::size_t lag = filter.lag;
    const std::size_t levels = is_xor ? 1 : filter.prediction;
    const std::size_t history = levels * lag;
    const std::size_t known = std::min(history, begin);
    U* from = as_numbers(scratch.first.data());
    U* to = as_numbers(scratch.second.data());
    std::fill_n(from, history - known, U{0});
    std::memcpy(from + history - known, numbers.data() + (begin - known) * sizeof(U),
                (known + step) * sizeof(U));
    std::size_t left = history + step;
    for (std::size_t level = 0; level < levels; ++level) {
      left -= lag;
      if (is_xor) {
        for (std::size_t i = 0; i < left; ++i) to[i] = from[i + lag] ^ from[i];
      } else {
        for (std::size_t i = 0; i < left; ++i) to[i] = static_cast<U>(from[i + lag] - from[i]);
      }
      std::swap(from, to);
    }
    if (levels != 0 && !is_xor) fold_signs(from, step);
    return from;
  }

  // Small negative differences become small numbers: 0, -1, 1, -2 become 0, 1, 2, 3.
  [[gnu::always_inline]] static inline void fold_signs(U* numbers, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const U sign = static_cast<U>(static_cast<Signed>(numbers[i]) >> (bits - 1));
      numbers[i] = static_cast<U>(static_cast<U>(numbers[i] << 1) ^ sign);
    }
  }

  [[gnu::always_inline]] static inline void unfold_signs(U* numbers, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const U sign = static_cast<U>(U{0} - (numbers[i] & 1));
      numbers[i] = static_cast<U>(numbers[i] >> 1) ^ sign;
    }
  }

  [[gnu::always_inline]] static inline void undo_prediction(const SeriesFilter& filter, U* numbers,
                                                            std::size_t count,
                                                            SeriesScratch& scratch) {
    if (filter.prediction == 0) return;
    U* const last = as_numbers(scratch.last.data());
    if (filter.prediction == SeriesFilter::exclusive_or) {
      accumulate(numbers, count, filter.lag, last, [](U a, U b) { return static_cast<U>(a ^ b); });
      return;
    }
    unfold_signs(numbers, count);
    for (std::size_t level = filter.prediction; level-- > 0;) {
      accumulate(numbers, count, filter.lag, last + level * filter.lag,
                 [](U a, U b) { return static_cast<U>(a + b); });
    }
  }

  // There is room for `lag` numbers before `numbers`. `last` has them, and gets the last ones.
  template <typename Operation>
  [[gnu::always_inline]] static inline void accumulate(U* numbers, std::size_t count,
                                                       std::size_t lag, U* last,
                                                       Operation operation) {
    std::memcpy(numbers - lag, last, lag * sizeof(U));
    if (lag == 1) {
      U sum = *last;
      for (std::size_t i = 0; i < count; ++i) numbers[i] = sum = operation(sum, numbers[i]);
    } else {
      for (std::size_t i = 0; i < count; i += lag) {
        U* const now = numbers + i;
        const U* const before = now - lag;
        const std::size_t together = std::min(lag, count - i);
        for (std::size_t j = 0; j < together; ++j) now[j] = operation(now[j], before[j]);
      }
    }
    std::memcpy(last, numbers + count - lag, lag * sizeof(U));
  }

  // Writes byte b of all numbers to b * plane_bytes.
  [[gnu::always_inline]] static inline void split_bytes(const U* numbers, std::size_t count,
                                                        std::byte* to, std::size_t plane_bytes) {
    for (std::size_t b = 0; b < sizeof(U); ++b, to += plane_bytes) {
      for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::byte>(numbers[i] >> (8 * b));
    }
  }

  [[gnu::always_inline]] static inline void join_bytes(const std::byte* from,
                                                       std::size_t plane_bytes, U* numbers,
                                                       std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      U number = 0;
      for (std::size_t b = 0; b < sizeof(U); ++b) {
        number |= static_cast<U>(std::to_integer<U>(from[b * plane_bytes + i]) << (8 * b));
      }
      numbers[i] = number;
    }
  }

  // Writes bit b of all numbers to b * plane_bytes. `count` is a multiple of 8.
  [[gnu::always_inline]] static inline void split_bits(const U* numbers, std::size_t count,
                                                       std::byte* to, std::size_t plane_bytes) {
    alignas(64) std::uint64_t rows[step_numbers / 8];
    auto* const bytes = reinterpret_cast<std::byte*>(rows);
    for (std::size_t b = 0; b < sizeof(U); ++b, to += 8 * plane_bytes) {
      for (std::size_t i = 0; i < count; ++i) {
        bytes[i] = static_cast<std::byte>(numbers[i] >> (8 * b));
      }
      for (std::size_t i = 0; i < count / 8; ++i) rows[i] = transposed(rows[i]);
      Numbers<std::uint64_t>::split_bytes(rows, count / 8, to, plane_bytes);
    }
  }

  [[gnu::always_inline]] static inline void join_bits(const std::byte* from,
                                                      std::size_t plane_bytes, U* numbers,
                                                      std::size_t count) {
    alignas(64) std::uint64_t rows[step_numbers / 8];
    const auto* const bytes = reinterpret_cast<const std::byte*>(rows);
    std::fill_n(numbers, count, U{0});
    for (std::size_t b = 0; b < sizeof(U); ++b, from += 8 * plane_bytes) {
      Numbers<std::uint64_t>::join_bytes(from, plane_bytes, rows, count / 8);
      for (std::size_t i = 0; i < count / 8; ++i) rows[i] = transposed(rows[i]);
      for (std::size_t i = 0; i < count; ++i) {
        numbers[i] |= static_cast<U>(std::to_integer<U>(bytes[i]) << (8 * b));
      }
    }
  }

  template <std::unsigned_integral>
  friend class Numbers;
};

[[gnu::always_inline]] inline void filter_any(const SeriesFilter& filter, std::size_t number_bytes,
                                              BytesView numbers, std::size_t begin,
                                              std::size_t count, MutableBytesView into,
                                              SeriesScratch& scratch) {
  switch (number_bytes) {
    case 1: Numbers<std::uint8_t>::filter(filter, numbers, begin, count, into, scratch); break;
    case 2: Numbers<std::uint16_t>::filter(filter, numbers, begin, count, into, scratch); break;
    case 4: Numbers<std::uint32_t>::filter(filter, numbers, begin, count, into, scratch); break;
    default: Numbers<std::uint64_t>::filter(filter, numbers, begin, count, into, scratch); break;
  }
}

[[gnu::always_inline]] inline void undo_any(const SeriesFilter& filter, std::size_t number_bytes,
                                            BytesView filtered, MutableBytesView numbers,
                                            SeriesScratch& scratch) {
  switch (number_bytes) {
    case 1: Numbers<std::uint8_t>::undo(filter, filtered, numbers, scratch); break;
    case 2: Numbers<std::uint16_t>::undo(filter, filtered, numbers, scratch); break;
    case 4: Numbers<std::uint32_t>::undo(filter, filtered, numbers, scratch); break;
    default: Numbers<std::uint64_t>::undo(filter, filtered, numbers, scratch); break;
  }
}

void filter_portably(const SeriesFilter& filter, std::size_t number_bytes, BytesView numbers,
                     std::size_t begin, std::size_t count, MutableBytesView into,
                     SeriesScratch& scratch) {
  filter_any(filter, number_bytes, numbers, begin, count, into, scratch);
}

void undo_portably(const SeriesFilter& filter, std::size_t number_bytes, BytesView filtered,
                   MutableBytesView numbers, SeriesScratch& scratch) {
  undo_any(filter, number_bytes, filtered, numbers, scratch);
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) void filter_avx2(const SeriesFilter& filter,
                                                 std::size_t number_bytes, BytesView numbers,
                                                 std::size_t begin, std::size_t count,
                                                 MutableBytesView into, SeriesScratch& scratch) {
  filter_any(filter, number_bytes, numbers, begin, count, into, scratch);
}

__attribute__((target("avx2"))) void undo_avx2(const SeriesFilter& filter, std::size_t number_bytes,
                                               BytesView filtered, MutableBytesView numbers,
                                               SeriesScratch& scratch) {
  undo_any(filter, number_bytes, filtered, numbers, scratch);
}

#define SLUICE_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

SLUICE_AVX512 void filter_avx512(const SeriesFilter& filter, std::size_t number_bytes,
                                 BytesView numbers, std::size_t begin, std::size_t count,
                                 MutableBytesView into, SeriesScratch& scratch) {
  filter_any(filter, number_bytes, numbers, begin, count, into, scratch);
}

SLUICE_AVX512 void undo_avx512(const SeriesFilter& filter, std::size_t number_bytes,
                               BytesView filtered, MutableBytesView numbers,
                               SeriesScratch& scratch) {
  undo_any(filter, number_bytes, filtered, numbers, scratch);
}

constexpr SeriesWay ways[] = {
    {filter_avx512, undo_avx512}, {filter_avx2, undo_avx2}, {filter_portably, undo_portably}};

std::size_t first_way_of_this_processor() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return 0;
  }
  return __builtin_cpu_supports("avx2") ? 1 : 2;
}

#else

constexpr SeriesWay ways[] = {{filter_portably, undo_portably}};

std::size_t first_way_of_this_processor() { return 0; }

#endif

}  // namespace

std::span<const SeriesWay> series_ways() {
  return std::span(ways).subspan(first_way_of_this_processor());
}

const SeriesWay& fastest_series_way() {
  static const SeriesWay& way = series_ways().front();
  return way;
}

}  // namespace sluice
