#include "stdio/scan_plain.h"

#include <cstddef>
#include <cstdint>

#include "stdio/length.h"

namespace sluice::stdio {
namespace {

bool is_space(unsigned char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

bool is_digit(unsigned char byte) { return byte >= '0' && byte <= '9'; }

class PlainScanner {
 public:
  PlainScanner(const unsigned char* from, const unsigned char* limit, va_list arguments)
      : at_(from), limit_(limit) {
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

  bool convert(const char*& format) {
    if (*format == 'c') {
      ++format;
      return take_character();
    }
    const std::size_t width = take_width(format);
    if (width != 0 && *format == 's') {
      ++format;
      return take_word(width);
    }
    const Length length = take_length(format);
    const char letter = *format == '\0' ? '\0' : *format++;
    if ((letter != 'd' && letter != 'u') || width != no_width) return false;
    return skip_spaces() && take_number(length, letter == 'd');
  }

  static std::size_t take_width(const char*& format) {
    if (!is_digit(static_cast<unsigned char>(*format))) return no_width;
    std::size_t width = 0;
    for (; *format >= '0' && *format <= '9' && width < no_width / 10; ++format) {
      width = width * 10 + static_cast<std::size_t>(*format - '0');
    }
    return width;
  }

  bool take_character() {
    if (at_ == limit_) return false;
    *va_arg(arguments_, char*) = static_cast<char>(*at_++);
    ++stored_;
    return true;
  }

  // The word ends before a space, or is as long as it may be. Other bytes than those of ASCII may
  // be spaces.
  bool take_word(std::size_t width) {
    if (!skip_spaces()) return false;
    char* to = va_arg(arguments_, char*);
    for (; width != 0 && at_ != limit_ && !is_space(*at_) && *at_ < 0x80; --width) {
      *to++ = static_cast<char>(*at_++);
    }
    if (width != 0 && (at_ == limit_ || !is_space(*at_))) return false;
    *to = '\0';
    ++stored_;
    return true;
  }

  bool take_number(Length length, bool is_signed) {
    const bool is_negative = is_signed && *at_ == '-';
    if (is_negative) ++at_;
    std::int64_t number = 0;
    if (!take_digits(number)) return false;
    if (is_negative) number = -number;
    // On Windows a long has 32 bits.
    if (length == Length::of_long && number != static_cast<long>(number)) return false;
    return store(length, number);
  }

  // A number of at most 18 digits fits. The byte behind it ends it.
  bool take_digits(std::int64_t& number) {
    const unsigned char* const begin = at_;
    for (; at_ != limit_ && is_digit(*at_) && at_ - begin < 18; ++at_) {
      number = number * 10 + (*at_ - '0');
    }
    return at_ != begin && at_ != limit_ && !is_digit(*at_);
  }

  bool store(Length length, std::int64_t number) {
    switch (length) {
      case Length::none: *va_arg(arguments_, int*) = static_cast<int>(number); break;
      case Length::of_long: *va_arg(arguments_, long*) = static_cast<long>(number); break;
      case Length::of_long_long: *va_arg(arguments_, long long*) = number; break;
      case Length::of_size: return false;
    }
    ++stored_;
    return true;
  }

  static constexpr std::size_t no_width = SIZE_MAX;

  const unsigned char* at_;
  const unsigned char* const limit_;
  va_list arguments_;
  int stored_ = 0;
};

}  // namespace

PlainScan scan_plain(const unsigned char* from, const unsigned char* limit, const char* format,
                     va_list arguments) {
  PlainScanner scanner(from, limit, arguments);
  return scanner.scan(format) ? scanner.result() : PlainScan{};
}

}  // namespace sluice::stdio
