#include "stdio/print_plain.h"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <type_traits>

#include "stdio/descriptor.h"
#include "stdio/fixed_digits.h"

namespace sluice::stdio {
namespace {

enum class Length : std::uint8_t { none, of_long, of_long_long, of_size };

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

  static Length take_length(const char*& at) {
    if (*at != 'z' && *at != 'l') return Length::none;
    if (*at++ == 'z') return Length::of_size;
    if (*at != 'l') return Length::of_long;
    ++at;
    return Length::of_long_long;
  }

  bool convert(const char*& at) {
    if (*at == '.') return put_with_precision(++at);
    const Length length = take_length(at);
    const char letter = *at++;
    switch (letter) {
      case 'd':
      case 'i': return put_signed(length);
      case 'u': return put_unsigned(length, 10);
      case 'x': return put_unsigned(length, 16);
      default: return length == Length::none && convert_without_length(letter);
    }
  }

  bool convert_without_length(char letter) {
    switch (letter) {
      case 's': return put_string(va_arg(arguments_, const char*));
      case 'c': return put_char(static_cast<char>(va_arg(arguments_, int)));
      case '%': return put_char('%');
      case 'f': return put_double(va_arg(arguments_, double), 6);
      default: return false;
    }
  }

  bool put_with_precision(const char*& at) {
    int digits = 0;
    for (; *at >= '0' && *at <= '9' && digits <= most_fixed_digits; ++at) {
      digits = digits * 10 + (*at - '0');
    }
    return *at++ == 'f' && put_double(va_arg(arguments_, double), digits);
  }

  bool put_double(double number, int digits) {
    FixedDigits fixed;
    if (!numbers_are_plain() || !fixed_digits(number, digits, fixed)) return false;
    if (fixed.is_negative && !put_char('-')) return false;
    if (!put_number(fixed.whole, 10)) return false;
    return digits == 0 || (put_char('.') && put_fraction(fixed.fraction, digits));
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

  bool put_string(const char* text) {
    if (text == nullptr) text = "(null)";
    const std::size_t bytes = std::strlen(text);
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
