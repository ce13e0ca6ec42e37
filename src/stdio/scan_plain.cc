#include "stdio/scan_plain.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "stdio/decimal_to_binary.h"
#include "stdio/descriptor.h"
#include "stdio/length.h"

namespace sluice::stdio {
namespace {

bool is_space(unsigned char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

bool is_digit(unsigned char byte) { return byte >= '0' && byte <= '9'; }

constexpr std::size_t no_width = SIZE_MAX;

struct Conversion {
  bool is_stored = true;
  bool is_allocated = false;
  std::size_t width = no_width;
  Length length = Length::none;
  char letter = '\0';
};

// The powers of ten that a long double of 64 bits has exactly.
constexpr std::array<long double, 28> exact_powers = [] {
  std::array<long double, 28> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

class PlainScanner {
 public:
  PlainScanner(const unsigned char* from, const unsigned char* limit, va_list arguments)
      : begin_(from), at_(from), limit_(limit) {
    va_copy(arguments_, arguments);
  }
  ~PlainScanner() { va_end(arguments_); }
  PlainScanner(const PlainScanner&) = delete;
  PlainScanner& operator=(const PlainScanner&) = delete;

  bool scan(const char* format) {
    while (*format != '\0') {
      const auto expected = static_cast<unsigned char>(*format++);
      const bool matches = expected == '%'      ? convert(format)
                           : is_space(expected) ? skip_spaces()
                                                : skip(expected);
      if (!matches) return false;
    }
    return true;
  }

  PlainScan result() const { return {.stored = stored_, .end = at_}; }

 private:
  // Other bytes than those of ASCII may be spaces or parts of characters.
  bool skip_spaces() {
    while (at_ != limit_ && is_space(*at_)) ++at_;
    return at_ != limit_ && *at_ < 0x80;
  }

  bool skip(unsigned char expected) {
    if (at_ == limit_ || *at_ != expected || expected >= 0x80) return false;
    ++at_;
    return true;
  }

  static Conversion take_conversion(const char*& format) {
    Conversion conversion;
    if (*format == '*') {
      conversion.is_stored = false;
      ++format;
    }
    conversion.width = take_width(format);
    conversion.is_allocated = *format == 'm';
    if (conversion.is_allocated) ++format;
    conversion.length = take_length(format);
    conversion.letter = *format == '\0' ? '\0' : *format++;
    return conversion;
  }

  bool convert(const char*& format) {
    const Conversion conversion = take_conversion(format);
    const bool is_short = conversion.length == Length::none && conversion.width != 0;
    // After another conversion that is left to glibc, nobody would free the memory.
    if (conversion.is_allocated && (conversion.letter != 's' || *format != '\0')) return false;
    switch (conversion.letter) {
      case 'd':
      case 'i':
      case 'u': return skip_spaces() && take_number(conversion, 10);
      case 'n': return is_short && conversion.width == no_width && store_position(conversion);
      case 'x': return skip_spaces() && take_number(conversion, 16);
      case 'e':
      case 'f':
      case 'g': return skip_spaces() && take_double(conversion);
      case 'c': return is_short && conversion.width == no_width && take_character(conversion);
      case 's': return is_short && take_word(conversion);
      case '[': return is_short && take_set(format) && take_bytes_of_set(conversion);
      default: return false;
    }
  }

  static std::size_t take_width(const char*& format) {
    if (!is_digit(static_cast<unsigned char>(*format))) return no_width;
    std::size_t width = 0;
    for (; *format >= '0' && *format <= '9' && width < no_width / 10; ++format) {
      width = width * 10 + static_cast<std::size_t>(*format - '0');
    }
    return width;
  }

  bool take_character(const Conversion& conversion) {
    if (at_ == limit_) return false;
    const auto byte = static_cast<char>(*at_++);
    if (conversion.is_stored) store<char>(byte);
    return true;
  }

  // The word ends before a space, or is as long as it may be. Other bytes than those of ASCII may
  // be spaces.
  bool take_word(const Conversion& conversion) {
    if (!skip_spaces()) return false;
    const unsigned char* const begin = at_;
    std::size_t width = conversion.width;
    for (; width != 0 && at_ != limit_ && !is_space(*at_) && *at_ < 0x80; --width) ++at_;
    if (width != 0 && (at_ == limit_ || !is_space(*at_))) return false;
    return store_bytes(conversion, begin);
  }

  bool store_bytes(const Conversion& conversion, const unsigned char* begin) {
    if (!conversion.is_stored) return true;
    char* to = conversion.is_allocated
                   ? static_cast<char*>(std::malloc(static_cast<std::size_t>(at_ - begin) + 1))
                   : va_arg(arguments_, char*);
    if (to == nullptr) return false;
    if (conversion.is_allocated) *va_arg(arguments_, char**) = to;
    while (begin != at_) *to++ = static_cast<char>(*begin++);
    *to = '\0';
    ++stored_;
    return true;
  }

  // The bytes between the brackets of a %[. Where glibc reads a '-' in a way of its own, the set is
  // left to glibc.
  bool take_set(const char*& format) {
    const bool is_complement = *format == '^';
    if (is_complement) ++format;
    set_.fill(is_complement);
    const char* const first = format;
    if (*first == '-') return false;
    while (*format != ']' || format == first) {
      const auto byte = static_cast<unsigned char>(*format);
      if (byte == '\0') return false;
      auto end = byte;
      if (format[1] == '-' && format[2] != ']') {
        end = static_cast<unsigned char>(format[2]);
        if (end < byte || format[3] == '-') return false;
        format += 2;
      }
      for (unsigned each = byte; each <= end; ++each) set_[each] = !is_complement;
      ++format;
    }
    ++format;
    return true;
  }

  bool take_bytes_of_set(const Conversion& conversion) {
    const unsigned char* const begin = at_;
    std::size_t width = conversion.width;
    for (; width != 0 && at_ != limit_ && set_[*at_]; --width) ++at_;
    if (at_ == begin || (width != 0 && at_ == limit_)) return false;
    return store_bytes(conversion, begin);
  }

  // The bytes that a number may have. No byte behind a number of its full width belongs to it.
  bool begin_field(const Conversion& conversion) {
    has_field_end_ = conversion.width <= static_cast<std::size_t>(limit_ - at_);
    field_end_ = has_field_end_ ? at_ + conversion.width : limit_;
    return conversion.width != 0;
  }

  unsigned char peek() const { return at_ != field_end_ ? *at_ : ' '; }

  // True if what is behind the digits is known.
  bool ends_there() const { return at_ != field_end_ || has_field_end_; }

  bool take_number(const Conversion& conversion, unsigned base) {
    if (!begin_field(conversion)) return false;
    const bool may_be_negative = conversion.letter == 'd' || conversion.letter == 'i';
    const bool is_negative = may_be_negative && *at_ == '-';
    if (is_negative) ++at_;
    if (conversion.letter == 'i' && !is_decimal()) return false;
    std::int64_t number = 0;
    if (!(base == 10 ? take_digits(number) : take_hexadecimal(number))) return false;
    if (is_negative) number = -number;
    // On Windows a long has 32 bits.
    if (conversion.length == Length::of_long && number != static_cast<long>(number)) return false;
    return !conversion.is_stored || store_number(conversion.length, number);
  }

  // A 0 may begin a number with another base.
  bool is_decimal() const {
    if (peek() != '0') return true;
    return at_ + 1 == field_end_ ? has_field_end_ : is_space(at_[1]);
  }

  // A number of at most 18 digits fits. The byte behind it ends it.
  bool take_digits(std::int64_t& number) {
    const unsigned char* const begin = at_;
    for (; at_ != field_end_ && is_digit(*at_) && at_ - begin < 18; ++at_) {
      number = number * 10 + (*at_ - '0');
    }
    return at_ != begin && ends_there() && !is_digit(peek());
  }

  static int hexadecimal_digit(unsigned char byte) {
    if (is_digit(byte)) return byte - '0';
    const auto lower = static_cast<unsigned char>(byte | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }

  // glibc also knows "0x" before the digits.
  bool take_hexadecimal(std::int64_t& number) {
    const unsigned char* const begin = at_;
    for (; at_ != field_end_ && at_ - begin < 15; ++at_) {
      const int digit = hexadecimal_digit(*at_);
      if (digit < 0) break;
      number = number * 16 + digit;
    }
    if (at_ == begin || !ends_there() || hexadecimal_digit(peek()) >= 0) return false;
    return (peek() | 0x20) != 'x';
  }

  // The digits of a number with a point. Zeros before the first other digit do not count.
  struct Decimal {
    std::uint64_t digits = 0;
    int count = 0;  // of all digits that were seen
    int significant = 0;
    std::int64_t power = 0;
  };

  bool take_decimal_digits(Decimal& decimal, bool is_fraction) {
    for (; at_ != field_end_ && is_digit(*at_); ++at_) {
      if (decimal.significant == most_digits) return false;
      decimal.digits = decimal.digits * 10 + (*at_ - std::uint64_t{'0'});
      decimal.significant += decimal.digits != 0 ? 1 : 0;
      decimal.power -= is_fraction ? 1 : 0;
      ++decimal.count;
    }
    return ends_there();
  }

  bool take_exponent(Decimal& decimal) {
    ++at_;
    const bool has_sign = peek() == '-' || peek() == '+';
    const bool is_negative = has_sign && *at_ == '-';
    if (has_sign) ++at_;
    std::int64_t exponent = 0;
    if (!take_digits(exponent) || exponent > 100'000) return false;
    decimal.power += is_negative ? -exponent : exponent;
    return true;
  }

  // A number in the form of the C locale, with at most 19 digits. The byte behind it ends it.
  bool take_double(const Conversion& conversion) {
    if (!begin_field(conversion) || !numbers_are_plain()) return false;
    const bool is_negative = *at_ == '-';
    if (is_negative) ++at_;
    Decimal decimal;
    if (!take_decimal_digits(decimal, false)) return false;
    if (peek() == '.') {
      ++at_;
      if (!take_decimal_digits(decimal, true)) return false;
    }
    if (decimal.count == 0 || peek() >= 0x80 || (peek() | 0x20) == 'x') return false;
    if ((peek() | 0x20) == 'e' && !take_exponent(decimal)) return false;
    switch (conversion.length) {
      case Length::none: return store_decimal<float>(conversion, decimal, is_negative);
      case Length::of_long: return store_decimal<double>(conversion, decimal, is_negative);
      case Length::of_long_double: return store_long_decimal(conversion, decimal, is_negative);
      default: return false;
    }
  }

  template <typename Number>
  bool store_decimal(const Conversion& conversion, const Decimal& decimal, bool is_negative) {
    const auto number = decimal_to_binary<Number>(decimal.digits, decimal.power);
    if (!number) return false;
    if (conversion.is_stored) store<Number>(is_negative ? -*number : *number);
    return true;
  }

  // With powers of ten up to 27 the one step that rounds is the last one.
  bool store_long_decimal(const Conversion& conversion, const Decimal& decimal, bool is_negative) {
    if (!long_numbers_are_plain()) return false;
    const auto exponent =
        static_cast<std::size_t>(decimal.power < 0 ? -decimal.power : decimal.power);
    if (exponent >= exact_powers.size()) return false;
    auto number = static_cast<long double>(decimal.digits);
    number = decimal.power < 0 ? number / exact_powers[exponent] : number * exact_powers[exponent];
    if (conversion.is_stored) store<long double>(is_negative ? -number : number);
    return true;
  }

  bool store_position(const Conversion& conversion) {
    if (!conversion.is_stored) return false;
    *va_arg(arguments_, int*) = static_cast<int>(at_ - begin_);
    return true;
  }

  bool store_number(Length length, std::int64_t number) {
    switch (length) {
      case Length::none: store<int>(number); break;
      case Length::of_short: store<short>(number); break;
      case Length::of_long: store<long>(number); break;
      case Length::of_long_long: store<long long>(number); break;
      default: return false;
    }
    return true;
  }

  template <typename Number, typename Value>
  void store(Value value) {
    *va_arg(arguments_, Number*) = static_cast<Number>(value);
    ++stored_;
  }

  static constexpr int most_digits = 19;

  const unsigned char* const begin_;
  const unsigned char* at_;
  const unsigned char* const limit_;
  const unsigned char* field_end_ = nullptr;  // of a number, because of its width or of limit_
  bool has_field_end_ = false;                // its width ends the number there
  va_list arguments_;
  std::array<bool, 256> set_;  // of the last %[
  int stored_ = 0;
};

}  // namespace

PlainScan scan_plain(const unsigned char* from, const unsigned char* limit, const char* format,
                     va_list arguments) {
  PlainScanner scanner(from, limit, arguments);
  return scanner.scan(format) ? scanner.result() : PlainScan{};
}

}  // namespace sluice::stdio
