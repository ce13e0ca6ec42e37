#include "stdio/scan_plain.h"

#include <cstdint>

namespace sluice::stdio {
namespace {

bool is_space(unsigned char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

bool is_digit(unsigned char byte) { return byte >= '0' && byte <= '9'; }

enum class Length : std::uint8_t { none, of_long, of_long_long };

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

  static Length take_length(const char*& format) {
    if (*format != 'l') return Length::none;
    if (*++format != 'l') return Length::of_long;
    ++format;
    return Length::of_long_long;
  }

  bool convert(const char*& format) {
    const Length length = take_length(format);
    const char letter = *format == '\0' ? '\0' : *format++;
    if ((letter != 'd' && letter != 'u') || !skip_spaces()) return false;
    const bool is_negative = letter == 'd' && *at_ == '-';
    if (is_negative) ++at_;
    std::int64_t number = 0;
    if (!take_digits(number)) return false;
    // On Windows a long has 32 bits.
    if (length == Length::of_long && number != static_cast<long>(number)) return false;
    store(length, is_negative ? -number : number);
    return true;
  }

  // With at most 18 digits a number fits, and the byte behind it ends it.
  bool take_digits(std::int64_t& number) {
    const unsigned char* const begin = at_;
    for (; at_ != limit_ && is_digit(*at_) && at_ - begin <= 18; ++at_) {
      number = number * 10 + (*at_ - '0');
    }
    return at_ != begin && at_ != limit_ && at_ - begin <= 18;
  }

  void store(Length length, std::int64_t number) {
    switch (length) {
      case Length::none: *va_arg(arguments_, int*) = static_cast<int>(number); break;
      case Length::of_long: *va_arg(arguments_, long*) = static_cast<long>(number); break;
      case Length::of_long_long: *va_arg(arguments_, long long*) = number; break;
    }
    ++stored_;
  }

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
