#include "stdio/print_plain.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <cwchar>
#include <optional>
#include <system_error>

#include "stdio/descriptor.h"
#include "stdio/fixed_digits.h"
#include "stdio/length.h"
#include "stdio/print_arguments.h"
#include "stdio/significant_digits.h"

namespace sluice::stdio {
namespace {

bool is_upper(char letter) { return letter >= 'A' && letter <= 'Z'; }

template <typename Arguments>
class PlainText {
 public:
  PlainText(unsigned char* into, std::size_t room, Arguments& arguments)
      : begin_(reinterpret_cast<char*>(into)),
        to_(begin_),
        end_(begin_ + room),
        arguments_(arguments) {}

  bool format(const char* at) {
    for (;;) {
      at = copy_text(at);
      if (*at == '\0') return true;
      if (*at != '%' || !convert(++at)) return false;
    }
  }

  std::ptrdiff_t bytes() const { return to_ - begin_; }
  // True if the format has stopped at a conversion such as "%2$d".
  bool is_numbered() const { return is_numbered_; }

 private:
  // Stops at '%', at the end of the format, or at the end of the room. The text between two
  // conversions is mostly too short for a call.
  const char* copy_text(const char* at) {
    const char* const end_of_short = at + short_bytes;
    char* to = to_;
    while (*at != '%' && *at != '\0' && to != end_ && at != end_of_short) *to++ = *at++;
    to_ = to;
    return at == end_of_short ? copy_long_text(at) : at;
  }

  const char* copy_long_text(const char* at) {
    const std::size_t bytes = std::min(bytes_of_text(at), static_cast<std::size_t>(end_ - to_));
    std::memcpy(to_, at, bytes);
    to_ += bytes;
    return at + bytes;
  }

  static std::size_t bytes_of_text(const char* at) {
#ifdef __GLIBC__
    return static_cast<std::size_t>(strchrnul(at, '%') - at);
#else
    return std::strcspn(at, "%");
#endif
  }

  // Numbers are mostly printed without a width.
  bool convert(const char*& at) {
    if (!arguments_.select(at)) return false;
    Conversion conversion = take_conversion(at, arguments_);
    if (conversion.is_grouped && !groups_are_plain()) return false;
    char* const begin = to_;
    prefix_bytes_ = 0;
    if (!put(conversion)) return false;
    return to_ - begin >= conversion.width || fill(conversion, begin);
  }

  bool put(Conversion& conversion) {
    switch (conversion.letter) {
      case 'd':
      case 'i': return put_signed(conversion);
      case 'u': return put_unsigned(conversion, 10);
      case 'x':
      case 'X': return put_unsigned(conversion, 16);
      case 'o': return !conversion.is_alternate && put_unsigned(conversion, 8);
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A': return put_double(conversion);
      case '$': is_numbered_ = true; return false;
      default: return put_other(conversion);
    }
  }

  bool put_other(Conversion& conversion) {
    const bool is_wide = conversion.length == Length::of_long;
    if ((!is_wide && conversion.length != Length::none) || conversion.has_plus ||
        conversion.has_space || conversion.is_alternate || conversion.is_zero_filled) {
      return false;
    }
    const bool has_precision = conversion.precision != none_given;
    switch (conversion.letter) {
      case 's':
        return is_wide ? put_wide_string(conversion.precision) : put_string(conversion.precision);
      case 'c':
        if (has_precision) return false;
        return is_wide ? put_wide_character()
                       : put_char(static_cast<char>(arguments_.template take<int>()));
      case 'p': return !is_wide && !has_precision && put_pointer();
      case 'm': return !is_wide && !has_precision && put_error();
      case 'n': return !is_wide && !has_precision && conversion.width == 0 && store_bytes();
      case '%':
        return !is_wide && conversion.width == 0 && !has_precision && !conversion.is_left &&
               put_char('%');
      default: return false;
    }
  }

  // Fills what was put since `begin` up to the width. Zeros go behind a sign and behind "0x".
  bool fill(const Conversion& conversion, char* begin) {
    const std::ptrdiff_t bytes = to_ - begin;
    if (conversion.width > end_ - begin) return false;
    const auto missing = static_cast<std::size_t>(conversion.width - bytes);
    to_ = begin + conversion.width;
    if (conversion.is_left) {
      std::memset(begin + bytes, ' ', missing);
      return true;
    }
    const std::ptrdiff_t before = conversion.is_zero_filled ? prefix_bytes_ : 0;
    char* const from = begin + before;
    std::memmove(from + missing, from, static_cast<std::size_t>(bytes - before));
    std::memset(from, conversion.is_zero_filled ? '0' : ' ', missing);
    return true;
  }

  bool put_prefix(char letter) {
    ++prefix_bytes_;
    return put_char(letter);
  }

  bool put_sign(const Conversion& conversion, bool is_negative) {
    if (is_negative) return put_prefix('-');
    if (conversion.has_plus) return put_prefix('+');
    return !conversion.has_space || put_prefix(' ');
  }

  bool put_double(Conversion& conversion) {
    if (conversion.is_alternate) return false;
    if (conversion.length == Length::of_long_double) return put_long_double(conversion);
    // As for printf(), "%lf" is "%f".
    if (conversion.length != Length::none && conversion.length != Length::of_long) return false;
    const double number = arguments_.template take<double>();
    if (!numbers_are_plain()) return false;
    if (!put_sign(conversion, std::signbit(number))) return false;
    const double size = std::fabs(number);
    if (!std::isfinite(number)) return put_no_number(conversion, size);
    const int precision = conversion.precision == none_given ? 6 : conversion.precision;
    switch (conversion.letter) {
      case 'f':
      case 'F': return put_fixed(fixed_digits(size, precision), precision);
      case 'e':
      case 'E': return put_scientific(conversion, size, precision);
      case 'a':
      case 'A': return put_hexadecimal(conversion, size);
      default: return put_shorter(conversion, size, precision == 0 ? 1 : precision);
    }
  }

  bool put_long_double(const Conversion& conversion) {
    if (conversion.letter != 'f' && conversion.letter != 'F') return false;
    const auto number = arguments_.template take<long double>();
    if (!numbers_are_plain() || !long_numbers_are_plain()) return false;
    const int precision = conversion.precision == none_given ? 6 : conversion.precision;
    return put_sign(conversion, std::signbit(number)) &&
           put_fixed(fixed_digits(number, precision), precision);
  }

  bool put_no_number(Conversion& conversion, double number) {
    conversion.is_zero_filled = false;
    const char* const lower = std::isnan(number) ? "nan" : "inf";
    const char* const upper = std::isnan(number) ? "NAN" : "INF";
    return put_bytes(is_upper(conversion.letter) ? upper : lower, 3);
  }

  bool put_fixed(const std::optional<FixedDigits>& fixed, int precision) {
    if (!fixed || !put_number(fixed->whole, 10)) return false;
    return precision == 0 || (put_char('.') && put_digits(fixed->fraction, precision));
  }

  bool put_scientific(const Conversion& conversion, double number, int precision) {
    SignificantDigits found;
    if (!find_digits(number, std::ptrdiff_t{precision} + 1, found)) return false;
    return put_mantissa(found.digits, precision + 1) &&
           put_exponent(is_upper(conversion.letter) ? 'E' : 'e', found.exponent);
  }

  static bool find_digits(double number, std::ptrdiff_t count, SignificantDigits& found) {
    if (count > most_significant_digits) return false;
    if (number == 0) return true;
    const auto digits = significant_digits(number, static_cast<int>(count));
    if (digits) found = *digits;
    return digits.has_value();
  }

  // %g: the shorter one of two forms, without zeros at the end.
  bool put_shorter(const Conversion& conversion, double number, int count) {
    SignificantDigits found;
    if (!find_digits(number, count, found)) return false;
    const bool is_scientific = found.exponent < -4 || found.exponent >= count;
    // Digits before the point are not left out.
    const int least = is_scientific ? 1 : found.exponent + 1;
    while (count > least && count > 1 && found.digits % 10 == 0) {
      found.digits /= 10;
      --count;
    }
    if (is_scientific) {
      return put_mantissa(found.digits, count) &&
             put_exponent(is_upper(conversion.letter) ? 'E' : 'e', found.exponent);
    }
    return put_around_point(found, count);
  }

  bool put_around_point(const SignificantDigits& found, int count) {
    if (found.exponent < 0) {
      const auto zeros = static_cast<std::size_t>(-found.exponent) - 1;
      if (found.digits == 0) return put_char('0');
      return put_bytes("0.000", 2 + zeros) && put_digits(found.digits, count);
    }
    const int whole = found.exponent + 1;
    if (count == whole) return put_digits(found.digits, count);
    if (!put_char('.') || !put_digits(found.digits, count)) return false;
    char* const begin = to_ - count - 1;
    std::memmove(begin, begin + 1, static_cast<std::size_t>(whole));
    begin[whole] = '.';
    return true;
  }

  // The first digit, the point, and the other digits.
  bool put_mantissa(std::uint64_t digits, int count) {
    if (count == 1) return put_digits(digits, 1);
    if (!put_char('.') || !put_digits(digits, count)) return false;
    char* const begin = to_ - count - 1;
    begin[0] = begin[1];
    begin[1] = '.';
    return true;
  }

  bool put_exponent(char letter, int exponent) {
    const unsigned size =
        exponent < 0 ? 0U - static_cast<unsigned>(exponent) : static_cast<unsigned>(exponent);
    return put_char(letter) && put_char(exponent < 0 ? '-' : '+') &&
           put_digits(size, size < 100 ? 2 : 3);
  }

  // glibc rounds to a precision, and the zeros at the end are left out without a precision. Numbers
  // that are too small to begin with a 1 are left to glibc.
  bool put_hexadecimal(const Conversion& conversion, double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    const auto power = static_cast<int>(bits >> 52);
    std::uint64_t fraction = bits << 12;
    if (conversion.precision != none_given || (power == 0 && fraction != 0)) return false;
    const bool is_capital = is_upper(conversion.letter);
    const char* const digits = is_capital ? "0123456789ABCDEF" : "0123456789abcdef";
    if (!put_prefix('0') || !put_prefix(is_capital ? 'X' : 'x')) return false;
    if (!put_char(power == 0 ? '0' : '1') || (fraction != 0 && !put_char('.'))) return false;
    for (; fraction != 0; fraction <<= 4) {
      if (!put_char(digits[fraction >> 60])) return false;
    }
    const int exponent = power == 0 ? 0 : power - 1023;
    return put_char(is_capital ? 'P' : 'p') && put_char(exponent < 0 ? '-' : '+') &&
           put_number(exponent < 0 ? -exponent : exponent, 10);
  }

  // The last `count` digits of the number.
  bool put_digits(std::uint64_t number, int count) {
    if (count > end_ - to_) return false;
    to_ += count;
    for (char* to = to_; count > 0; --count, number /= 10) {
      *--to = static_cast<char>('0' + number % 10);
    }
    return true;
  }

  // On one system several of these types are the same.
  // NOLINTBEGIN(bugprone-branch-clone)
  std::int64_t take_signed(Length length) {
    switch (length) {
      case Length::none: return arguments_.template take<int>();
      case Length::of_char: return static_cast<signed char>(arguments_.template take<int>());
      case Length::of_short: return static_cast<short>(arguments_.template take<int>());
      case Length::of_long: return arguments_.template take<long>();
      case Length::of_long_double:  // to glibc, "%Ld" is "%lld"
      case Length::of_long_long: return arguments_.template take<long long>();
      case Length::of_largest: return arguments_.template take<std::intmax_t>();
      case Length::of_size: return arguments_.template take<std::make_signed_t<std::size_t>>();
      case Length::of_distance: return arguments_.template take<std::ptrdiff_t>();
    }
    return 0;
  }

  std::uint64_t take_unsigned(Length length) {
    switch (length) {
      case Length::none: return arguments_.template take<unsigned>();
      case Length::of_char: return static_cast<unsigned char>(arguments_.template take<int>());
      case Length::of_short: return static_cast<unsigned short>(arguments_.template take<int>());
      case Length::of_long: return arguments_.template take<unsigned long>();
      case Length::of_long_double:
      case Length::of_long_long: return arguments_.template take<unsigned long long>();
      case Length::of_largest: return arguments_.template take<std::uintmax_t>();
      case Length::of_size: return arguments_.template take<std::size_t>();
      case Length::of_distance:
        return arguments_.template take<std::make_unsigned_t<std::ptrdiff_t>>();
    }
    return 0;
  }
  // NOLINTEND(bugprone-branch-clone)

  bool put_signed(Conversion& conversion) {
    const std::int64_t number = take_signed(conversion.length);
    const auto size =
        number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
    return put_sign(conversion, number < 0) && put_whole(conversion, size, 10);
  }

  bool put_unsigned(Conversion& conversion, int base) {
    const std::uint64_t number = take_unsigned(conversion.length);
    if (conversion.is_alternate && base == 16 && number != 0) {
      if (!put_prefix('0') || !put_prefix(conversion.letter)) return false;
    }
    return put_whole(conversion, number, base);
  }

  bool put_whole(Conversion& conversion, std::uint64_t number, int base) {
    char* const begin = to_;
    const bool is_nothing = number == 0 && conversion.precision == 0;
    if (!is_nothing && !put_number(number, base)) return false;
    if (conversion.letter == 'X') {
      for (char* at = begin; at != to_; ++at) {
        if (*at >= 'a') *at = static_cast<char>(*at - 'a' + 'A');
      }
    }
    return conversion.precision == none_given || fill_precision(conversion, begin);
  }

  // A precision is the least number of digits. Then the flag 0 has no effect.
  bool fill_precision(Conversion& conversion, char* begin) {
    conversion.is_zero_filled = false;
    const std::ptrdiff_t missing = conversion.precision - (to_ - begin);
    if (missing <= 0) return true;
    if (missing > end_ - to_) return false;
    std::memmove(begin + missing, begin, static_cast<std::size_t>(to_ - begin));
    std::memset(begin, '0', static_cast<std::size_t>(missing));
    to_ += missing;
    return true;
  }

  template <typename Number>
  bool put_number(Number number, int base) {
    const std::to_chars_result result =
        base == 10 ? std::to_chars(to_, end_, number) : std::to_chars(to_, end_, number, base);
    if (result.ec != std::errc()) return false;
    to_ = result.ptr;
    return true;
  }

  // As with glibc. Another C library may print an address otherwise.
  bool put_pointer() {
#ifdef __GLIBC__
    const auto address = std::bit_cast<std::uintptr_t>(arguments_.template take<void*>());
    if (address == 0) return put_bytes("(nil)", 5);
    return put_bytes("0x", 2) && put_number(address, 16);
#else
    return false;
#endif
  }

  bool put_string(int precision) {
    const char* text = arguments_.template take<const char*>();
    // glibc prints a part of "(null)" in some cases only.
    if (text == nullptr && precision != none_given) return false;
    if (text == nullptr) text = "(null)";
    const std::size_t bytes = precision == none_given
                                  ? std::strlen(text)
                                  : strnlen(text, static_cast<std::size_t>(precision));
    return put_bytes(text, bytes);
  }

  // A character of ASCII is one byte, the same in each locale of glibc that this function knows.
  bool put_wide_string(int precision) {
    const wchar_t* const text = arguments_.template take<const wchar_t*>();
    if (text == nullptr || !wide_ascii_is_plain()) return false;
    for (int left = precision; left != 0 && text[precision - left] != L'\0'; --left) {
      const wchar_t character = text[precision - left];
      if ((character & 0x7f) != character) return false;
      if (!put_char(static_cast<char>(character))) return false;
    }
    return true;
  }

  bool put_wide_character() {
    const auto character = arguments_.template take<std::wint_t>();
    return character < 0x80 && wide_ascii_is_plain() && put_char(static_cast<char>(character));
  }

  bool put_error() {
#ifdef __GLIBC__
    char memory[256];
    const char* const text = text_of_error(errno, memory, sizeof memory);
    return put_bytes(text, std::strlen(text));
#else
    return false;
#endif
  }

  bool store_bytes() {
    *arguments_.template take<int*>() = static_cast<int>(bytes());
    return true;
  }

  bool put_bytes(const char* text, std::size_t bytes) {
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

  static constexpr std::ptrdiff_t short_bytes = 8;

  char* const begin_;
  char* to_;
  char* const end_;
  std::ptrdiff_t prefix_bytes_ = 0;  // a sign or "0x" before the digits
  Arguments& arguments_;
  bool is_numbered_ = false;
};

std::ptrdiff_t print_numbered(unsigned char* into, std::size_t room, const char* format,
                              va_list arguments) {
  NumberedArguments numbered;
  if (!numbered.collect(format, arguments)) return -1;
  PlainText text(into, room, numbered);
  return text.format(format) ? text.bytes() : -1;
}

}  // namespace

std::ptrdiff_t print_plain(unsigned char* into, std::size_t room, const char* format,
                           va_list arguments) {
  ListedArguments listed(arguments);
  PlainText text(into, room, listed);
  if (text.format(format)) return text.bytes();
  return text.is_numbered() ? print_numbered(into, room, format, arguments) : -1;
}

}  // namespace sluice::stdio
