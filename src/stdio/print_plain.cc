#include "stdio/print_plain.h"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <system_error>
#include <type_traits>

#include "stdio/descriptor.h"
#include "stdio/fixed_digits.h"
#include "stdio/length.h"

namespace sluice::stdio {
namespace {

class PlainText {
 public:
  PlainText(unsigned char* into, std::size_t room, va_list arguments)
      : begin_(reinterpret_cast<char*>(into)), to_(begin_), end_(begin_ + room) {
    va_copy(arguments_, arguments);
  }
  ~PlainText() { va_end(arguments_); }
  PlainText(const PlainText&) = delete;
  PlainText& operator=(const PlainText&) = delete;

  bool format(const char* at) {
    for (;;) {
      at = copy_text(at);
      if (*at == '\0') return true;
      if (*at != '%' || !convert(++at)) return false;
    }
  }

  std::ptrdiff_t bytes() const { return to_ - begin_; }

 private:
  // Stops at '%', at the end of the format, or at the end of the room.
  const char* copy_text(const char* at) {
    char* to = to_;
    while (*at != '%' && *at != '\0' && to != end_) *to++ = *at++;
    to_ = to;
    return at;
  }

  // A conversion with everything that may stand between '%' and its letter.
  struct Conversion {
    bool is_left = false;
    bool is_zero_filled = false;
    std::ptrdiff_t width = 0;
    int precision = none_given;
    Length length = Length::none;
    char letter = '\0';
  };

  static int take_number(const char*& at) {
    int number = 0;
    for (; *at >= '0' && *at <= '9' && number <= most_width; ++at) number = number * 10 + *at - '0';
    return number;
  }

  static Conversion take_conversion(const char*& at) {
    Conversion conversion;
    for (; *at == '-' || *at == '0'; ++at) {
      (*at == '-' ? conversion.is_left : conversion.is_zero_filled) = true;
    }
    conversion.width = take_number(at);
    if (*at == '.') conversion.precision = take_number(++at);
    conversion.length = take_length(at);
    conversion.letter = *at;
    if (*at != '\0') ++at;
    return conversion;
  }

  // Numbers are mostly printed without a width.
  bool convert(const char*& at) {
    const Conversion conversion = take_conversion(at);
    char* const begin = to_;
    if (!put(conversion)) return false;
    return to_ - begin >= conversion.width || fill(conversion, begin);
  }

  bool put(const Conversion& conversion) {
    const bool has_precision = conversion.precision != none_given;
    switch (conversion.letter) {
      case 'd':
      case 'i': return !has_precision && put_signed(conversion.length);
      case 'u': return !has_precision && put_unsigned(conversion.length, 10);
      case 'x': return !has_precision && put_unsigned(conversion.length, 16);
      case 'f': return may_be_double(conversion.length) && put_double(conversion.precision);
      default: return conversion.length == Length::none && put_text(conversion);
    }
  }

  // As for printf(), "%lf" is "%f".
  static bool may_be_double(Length length) {
    return length == Length::none || length == Length::of_long;
  }

  bool put_text(const Conversion& conversion) {
    const bool is_plain = !conversion.is_zero_filled && conversion.precision == none_given;
    switch (conversion.letter) {
      case 's': return !conversion.is_zero_filled && put_string(conversion.precision);
      case 'c': return is_plain && put_char(static_cast<char>(va_arg(arguments_, int)));
      case '%': return is_plain && conversion.width == 0 && !conversion.is_left && put_char('%');
      default: return false;
    }
  }

  // Fills what was put since `begin` up to the width.
  bool fill(const Conversion& conversion, char* begin) {
    const std::ptrdiff_t bytes = to_ - begin;
    if (conversion.width > end_ - begin) return false;
    const auto missing = static_cast<std::size_t>(conversion.width - bytes);
    to_ = begin + conversion.width;
    if (conversion.is_left) {
      std::memset(begin + bytes, ' ', missing);
      return true;
    }
    const bool has_sign = conversion.is_zero_filled && *begin == '-';
    char* const from = begin + (has_sign ? 1 : 0);
    std::memmove(from + missing, from, static_cast<std::size_t>(bytes) - (has_sign ? 1 : 0));
    std::memset(from, conversion.is_zero_filled ? '0' : ' ', missing);
    return true;
  }

  bool put_double(int precision) {
    const double number = va_arg(arguments_, double);
    const int digits = precision == none_given ? 6 : precision;
    if (!numbers_are_plain()) return false;
    const std::optional<FixedDigits> fixed = fixed_digits(number, digits);
    if (!fixed || (fixed->is_negative && !put_char('-'))) return false;
    if (!put_number(fixed->whole, 10)) return false;
    return digits == 0 || (put_char('.') && put_fraction(fixed->fraction, digits));
  }

  bool put_fraction(std::uint64_t fraction, int digits) {
    if (digits > end_ - to_) return false;
    to_ += digits;
    for (char* to = to_; digits > 0; --digits, fraction /= 10) {
      *--to = static_cast<char>('0' + fraction % 10);
    }
    return true;
  }

  bool put_signed(Length length) {
    using Size = std::make_signed_t<std::size_t>;
    switch (length) {
      case Length::none: return put_number(va_arg(arguments_, int), 10);
      case Length::of_long: return put_number(va_arg(arguments_, long), 10);
      case Length::of_long_long: return put_number(va_arg(arguments_, long long), 10);
      case Length::of_size: return put_number(va_arg(arguments_, Size), 10);
    }
    return false;
  }

  bool put_unsigned(Length length, int base) {
    switch (length) {
      case Length::none: return put_number(va_arg(arguments_, unsigned), base);
      case Length::of_long: return put_number(va_arg(arguments_, unsigned long), base);
      case Length::of_long_long: return put_number(va_arg(arguments_, unsigned long long), base);
      case Length::of_size: return put_number(va_arg(arguments_, std::size_t), base);
    }
    return false;
  }

  template <typename Number>
  bool put_number(Number number, int base) {
    const std::to_chars_result result = std::to_chars(to_, end_, number, base);
    if (result.ec != std::errc()) return false;
    to_ = result.ptr;
    return true;
  }

  bool put_string(int precision) {
    const char* text = va_arg(arguments_, const char*);
    // glibc prints a part of "(null)" in some cases only.
    if (text == nullptr && precision != none_given) return false;
    if (text == nullptr) text = "(null)";
    const std::size_t bytes = precision == none_given
                                  ? std::strlen(text)
                                  : strnlen(text, static_cast<std::size_t>(precision));
    if (bytes > static_cast<std::size_t>(end_ - to_)) return false;
    std::memcpy(to_, text, bytes);
    to_ += bytes;
    return true;
  }

  bool put_char(char letter) {
    if (to_ == end_) return false;
    *to_++ = letter;
    return true;
  }

  static constexpr int none_given = -1;
  static constexpr int most_width = 10'000;

  char* const begin_;
  char* to_;
  char* const end_;
  va_list arguments_;
};

}  // namespace

std::ptrdiff_t print_plain(unsigned char* into, std::size_t room, const char* format,
                           va_list arguments) {
  PlainText text(into, room, arguments);
  return text.format(format) ? text.bytes() : -1;
}

}  // namespace sluice::stdio
