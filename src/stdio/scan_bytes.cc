// A number ends at the first byte that cannot belong to it, and this byte goes back to the stream.
// So "12e" is read as a whole by %f, although only "12" is converted: one byte goes back, not two.
#include "stdio/scan_bytes.h"

#include <cctype>
#include <cerrno>
#include <climits>
#include <clocale>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

namespace sluice::stdio {
namespace {

enum class Outcome { goes_on, mismatch, no_input };

enum class Length { of_int, of_char, of_short, of_long, of_long_long, of_size };

struct Conversion {
  char letter = '\0';
  Length length = Length::of_int;
  bool is_long_double = false;
  bool is_suppressed = false;
  int width = -1;  // -1 without a width
};

// The bytes of a number. They are in `local` while they fit.
class NumberText {
 public:
  NumberText() = default;
  ~NumberText() {
    if (bytes_ != local_) std::free(bytes_);
  }
  NumberText(const NumberText&) = delete;
  NumberText& operator=(const NumberText&) = delete;

  void add(int byte) {
    if (size_ + 1 == room_ && !grow()) return;
    bytes_[size_++] = static_cast<char>(byte);
    bytes_[size_] = '\0';
  }
  [[nodiscard]] const char* begin() const { return bytes_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] char last() const { return size_ == 0 ? '\0' : bytes_[size_ - 1]; }
  [[nodiscard]] bool is_complete() const { return !lacks_memory_; }

 private:
  bool grow() {
    auto* const larger = static_cast<char*>(std::malloc(room_ * 2));
    lacks_memory_ = lacks_memory_ || larger == nullptr;
    if (larger == nullptr) return false;
    std::memcpy(larger, bytes_, size_ + 1);
    if (bytes_ != local_) std::free(bytes_);
    bytes_ = larger;
    room_ *= 2;
    return true;
  }

  char local_[128] = {};
  char* bytes_ = local_;
  std::size_t size_ = 0;
  std::size_t room_ = sizeof local_;
  bool lacks_memory_ = false;
};

// What was read of a floating-point number.
struct RealParts {
  bool is_hexadecimal = false;
  bool has_digit = false;
  bool has_point = false;  // or may have none any more
  bool has_exponent = false;
};

bool is_one_of(char letter, const char* letters) {
  return letter != '\0' && std::strchr(letters, letter) != nullptr;
}

bool is_space(int byte) { return byte != EOF && std::isspace(byte) != 0; }

// One call of scanf.
class Scan {
 public:
  Scan(Stream& stream, const char* format, va_list arguments) : stream_(stream), at_(format) {
    va_copy(arguments_, arguments);
  }
  ~Scan() { va_end(arguments_); }
  Scan(const Scan&) = delete;
  Scan& operator=(const Scan&) = delete;

  int run();

 private:
  // The input. After the end the stream is not asked again.
  int next();
  void put_back();
  void skip_spaces();
  // The next byte of a field, unless the field is as wide as it may be.
  bool next_of_field(int& width);

  Outcome directive();
  Outcome literal(char expected);
  Outcome percent();
  Outcome convert(Conversion& conversion);
  bool parse(Conversion& conversion);
  void parse_length(Conversion& conversion);
  void parse_length_of_microsoft(Conversion& conversion);

  Outcome characters(const Conversion& conversion);
  Outcome word(const Conversion& conversion);
  Outcome set(const Conversion& conversion);
  Outcome integer(const Conversion& conversion, int base, bool is_signed);
  Outcome real(const Conversion& conversion);
  void collect_prefix(NumberText& text, int& base, int& width);
  bool is_nil(const NumberText& text, int width);
  Outcome collect_real(NumberText& text, int width);
  Outcome collect_name(NumberText& text, int& width, const char* name);
  Outcome collect_infinity(NumberText& text, int& width);
  Outcome collect_digits(NumberText& text, int width);
  void collect_prefix_of_real(NumberText& text, RealParts& parts, int& width);
  bool add_to_real(NumberText& text, RealParts& parts) const;

  void store_integer(Length length, unsigned long long value);
  void store_real(const Conversion& conversion, const char* text);

  Stream& stream_;
  const char* at_;
  va_list arguments_;
  int byte_ = '\0';  // the byte that was read last
  std::size_t taken_ = 0;
  int stored_ = 0;
  bool skips_spaces_ = false;
};

int Scan::next() {
  if (byte_ != EOF) byte_ = sluice_stdio_fgetc(&stream_.file);
  if (byte_ != EOF) ++taken_;
  return byte_;
}

void Scan::put_back() {
  if (byte_ == EOF) return;
  --stream_.file.read_cursor;
  --taken_;
}

void Scan::skip_spaces() {
  while (is_space(next())) continue;
  put_back();
  skips_spaces_ = false;
}

bool Scan::next_of_field(int& width) {
  if (width == 0 || next() == EOF) return false;
  if (width > 0) --width;
  return true;
}

int Scan::run() {
  Outcome outcome = Outcome::goes_on;
  while (outcome == Outcome::goes_on && *at_ != '\0') outcome = directive();
  if (outcome == Outcome::goes_on && skips_spaces_) skip_spaces();
  return outcome == Outcome::no_input && stored_ == 0 ? EOF : stored_;
}

// White space in the format takes effect when the next directive needs a byte.
Outcome Scan::directive() {
  const char first = *at_++;
  if (first == '%') return percent();
  if (!is_space(static_cast<unsigned char>(first))) return literal(first);
  skips_spaces_ = true;
  return Outcome::goes_on;
}

Outcome Scan::literal(char expected) {
  next();
  while (skips_spaces_ && is_space(byte_)) next();
  if (byte_ == EOF) return Outcome::no_input;
  skips_spaces_ = false;
  if (byte_ == static_cast<unsigned char>(expected)) return Outcome::goes_on;
  put_back();
  return Outcome::mismatch;
}

// Reads "*", the width and the length.
bool Scan::parse(Conversion& conversion) {
  for (; *at_ == '*' || *at_ == '\''; ++at_) conversion.is_suppressed |= *at_ == '*';
  int width = 0;
  for (; *at_ >= '0' && *at_ <= '9'; ++at_) {
    width = width > INT_MAX / 10 - 1 ? INT_MAX / 10 : width * 10 + (*at_ - '0');
  }
  if (width != 0) conversion.width = width;
  parse_length(conversion);
  conversion.letter = *at_;
  if (*at_ != '\0') ++at_;
  const bool is_wide =
      (conversion.length == Length::of_long || conversion.length == Length::of_long_long) &&
      is_one_of(conversion.letter, "cs[");
  if (!is_wide && !is_one_of(conversion.letter, "SCm$")) return true;
  errno = ENOTSUP;
  return false;
}

void Scan::parse_length(Conversion& conversion) {
  const char letter = *at_;
  if (!is_one_of(letter, "hlLqjztZI")) return;
  ++at_;
  const bool is_double = (letter == 'h' || letter == 'l') && *at_ == letter;
  if (is_double) ++at_;
  conversion.is_long_double = letter == 'L' || letter == 'q' || (letter == 'l' && is_double);
  switch (letter) {
    case 'h': conversion.length = is_double ? Length::of_char : Length::of_short; break;
    case 'l': conversion.length = is_double ? Length::of_long_long : Length::of_long; break;
    case 'I': parse_length_of_microsoft(conversion); break;
    case 'L':
    case 'q':
    case 'j': conversion.length = Length::of_long_long; break;
    default: conversion.length = Length::of_size; break;
  }
}

void Scan::parse_length_of_microsoft(Conversion& conversion) {
  conversion.length = Length::of_size;
  const bool is_64 = at_[0] == '6' && at_[1] == '4';
  const bool is_32 = at_[0] == '3' && at_[1] == '2';
  if (is_64) conversion.length = Length::of_long_long;
  if (is_32) conversion.length = Length::of_int;
  if (is_64 || is_32) at_ += 2;
}

Outcome Scan::percent() {
  Conversion conversion;
  if (!parse(conversion)) {
    stored_ = EOF;
    return Outcome::mismatch;
  }
  if (conversion.letter == '\0') return Outcome::mismatch;
  if (skips_spaces_ || !is_one_of(conversion.letter, "[cn")) skip_spaces();
  return convert(conversion);
}

Outcome Scan::convert(Conversion& conversion) {
  switch (conversion.letter) {
    case '%': return literal('%');
    case 'd': return integer(conversion, 10, true);
    case 'i': return integer(conversion, 0, true);
    case 'u': return integer(conversion, 10, false);
    case 'o': return integer(conversion, 8, false);
    case 'p': conversion.length = Length::of_size; return integer(conversion, 16, false);
    case 'x':
    case 'X': return integer(conversion, 16, false);
    case 'c': return characters(conversion);
    case 's': return word(conversion);
    case '[': return set(conversion);
    case 'n':
      if (!conversion.is_suppressed) store_integer(conversion.length, taken_);
      return Outcome::goes_on;
    default: return is_one_of(conversion.letter, "aAeEfFgG") ? real(conversion) : Outcome::mismatch;
  }
}

Outcome Scan::characters(const Conversion& conversion) {
  char* into = conversion.is_suppressed ? nullptr : va_arg(arguments_, char*);
  if (next() == EOF) return Outcome::no_input;
  int left = conversion.width < 0 ? 1 : conversion.width;
  do {
    if (into != nullptr) *into++ = static_cast<char>(byte_);
  } while (--left > 0 && next() != EOF);
  if (into != nullptr) ++stored_;
  return Outcome::goes_on;
}

Outcome Scan::word(const Conversion& conversion) {
  char* into = conversion.is_suppressed ? nullptr : va_arg(arguments_, char*);
  if (next() == EOF) return Outcome::no_input;
  int left = conversion.width;
  do {
    if (is_space(byte_)) {
      put_back();
      break;
    }
    if (into != nullptr) *into++ = static_cast<char>(byte_);
  } while ((left < 0 || --left > 0) && next() != EOF);
  if (into == nullptr) return Outcome::goes_on;
  *into = '\0';
  ++stored_;
  return Outcome::goes_on;
}

// The characters of a set such as [^a-z]. Null if the set has no end.
const char* parse_set(const char* at, bool (&members)[UCHAR_MAX + 1]) {
  const auto first_of = [](const char* place) { return static_cast<unsigned char>(*place); };
  const bool is_inverted = *at == '^';
  if (is_inverted) ++at;
  const char* const begin = at;
  for (bool& member : members) member = is_inverted;
  for (; *at != '\0' && (*at != ']' || at == begin); ++at) {
    members[first_of(at)] = !is_inverted;
    const bool is_range = *at == '-' && at != begin && at[1] != '\0' && at[1] != ']' &&
                          first_of(at - 1) <= first_of(at + 1);
    if (!is_range) continue;
    members[first_of(at)] = is_inverted;
    for (unsigned each = first_of(at - 1); each < first_of(at + 1); ++each) {
      members[each] = !is_inverted;
    }
  }
  return *at == '\0' ? nullptr : at + 1;
}

Outcome Scan::set(const Conversion& conversion) {
  char* into = conversion.is_suppressed ? nullptr : va_arg(arguments_, char*);
  bool members[UCHAR_MAX + 1];
  const char* const end = parse_set(at_, members);
  if (end == nullptr) return Outcome::mismatch;
  at_ = end;
  if (next() == EOF) return Outcome::no_input;
  const std::size_t taken_before = taken_ - 1;
  int left = conversion.width < 0 ? INT_MAX : conversion.width;
  do {
    if (!members[byte_]) {
      put_back();
      break;
    }
    if (into != nullptr) *into++ = static_cast<char>(byte_);
  } while (--left > 0 && next() != EOF);
  if (taken_ == taken_before) return Outcome::mismatch;
  if (into == nullptr) return Outcome::goes_on;
  *into = '\0';
  ++stored_;
  return Outcome::goes_on;
}

// "0" and "0x" tell the base. The x itself is not in the text.
void Scan::collect_prefix(NumberText& text, int& base, int& width) {
  if (byte_ == '0' && width != 0) {
    text.add('0');
    if (width > 0) --width;
    next();
    const bool is_hexadecimal = width != 0 && std::tolower(byte_) == 'x' && base % 16 == 0;
    if (base == 0) base = is_hexadecimal ? 16 : 8;
    if (is_hexadecimal) {
      if (width > 0) --width;
      next();
    }
  }
  if (base == 0) base = 10;
}

// What glibc prints for %p of a null pointer.
bool Scan::is_nil(const NumberText& text, int width) {
  if (text.size() != 0 || (width >= 0 && width < 5) || byte_ != '(') return false;
  for (const char* letter = "nil)"; *letter != '\0'; ++letter) {
    if (std::tolower(next()) != *letter) return false;
  }
  return true;
}

int digit_of(int byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  const int letter = std::tolower(byte);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : 16;
}

Outcome Scan::integer(const Conversion& conversion, int base, bool is_signed) {
  NumberText text;
  int width = conversion.width;
  if (next() == EOF) return Outcome::no_input;
  if (byte_ == '-' || byte_ == '+') {
    text.add(byte_);
    if (width > 0) --width;
    next();
  }
  const std::size_t sign_bytes = text.size();
  collect_prefix(text, base, width);
  while (byte_ != EOF && width != 0 && digit_of(byte_) < base) {
    text.add(byte_);
    if (width > 0) --width;
    next();
  }
  if (text.size() != sign_bytes) {
    put_back();
  } else if (conversion.letter == 'p' && is_nil(text, width)) {
    text.add('0');
  } else {
    put_back();
    return Outcome::mismatch;
  }
  if (!text.is_complete()) return Outcome::no_input;
  if (conversion.is_suppressed) return Outcome::goes_on;
  const unsigned long long value =
      is_signed ? static_cast<unsigned long long>(std::strtoll(text.begin(), nullptr, base))
                : std::strtoull(text.begin(), nullptr, base);
  store_integer(conversion.length, value);
  ++stored_;
  return Outcome::goes_on;
}

void Scan::store_integer(Length length, unsigned long long value) {
  switch (length) {
    case Length::of_char:
      *va_arg(arguments_, unsigned char*) = static_cast<unsigned char>(value);
      break;
    case Length::of_short:
      *va_arg(arguments_, unsigned short*) = static_cast<unsigned short>(value);
      break;
    case Length::of_long:
      *va_arg(arguments_, unsigned long*) = static_cast<unsigned long>(value);
      break;
    case Length::of_long_long: *va_arg(arguments_, unsigned long long*) = value; break;
    case Length::of_size:
      *va_arg(arguments_, std::size_t*) = static_cast<std::size_t>(value);
      break;
    default: *va_arg(arguments_, unsigned*) = static_cast<unsigned>(value); break;
  }
}

// The byte that was read last is the first letter of `name`.
Outcome Scan::collect_name(NumberText& text, int& width, const char* name) {
  text.add(byte_);
  while (*++name != '\0') {
    if (!next_of_field(width) || std::tolower(byte_) != *name) return Outcome::mismatch;
    text.add(byte_);
  }
  return Outcome::goes_on;
}

Outcome Scan::collect_infinity(NumberText& text, int& width) {
  const Outcome outcome = collect_name(text, width, "inf");
  if (outcome != Outcome::goes_on || !next_of_field(width)) return outcome;
  if (std::tolower(byte_) == 'i') return collect_name(text, width, "inity");
  put_back();
  return outcome;
}

// "0x" tells that the number is hexadecimal.
void Scan::collect_prefix_of_real(NumberText& text, RealParts& parts, int& width) {
  if (width == 0 || byte_ != '0') return;
  text.add(byte_);
  next();
  if (width > 0) --width;
  parts.is_hexadecimal = width != 0 && std::tolower(byte_) == 'x';
  parts.has_digit = !parts.is_hexadecimal;
  if (parts.has_digit) return;
  text.add(byte_);
  next();
  if (width > 0) --width;
}

// False if the byte does not belong to the number.
bool Scan::add_to_real(NumberText& text, RealParts& parts) const {
  const char exponent = parts.is_hexadecimal ? 'p' : 'e';
  const char point = *std::localeconv()->decimal_point;
  if (digit_of(byte_) < (parts.is_hexadecimal && !parts.has_exponent ? 16 : 10)) {
    parts.has_digit = true;
  } else if (parts.has_digit && !parts.has_exponent && std::tolower(byte_) == exponent) {
    parts.has_exponent = parts.has_point = true;
    text.add(exponent);
    return true;
  } else if (!parts.has_point && byte_ == static_cast<unsigned char>(point)) {
    parts.has_point = true;
  } else {
    const bool is_sign = byte_ == '-' || byte_ == '+';
    if (!is_sign || !parts.has_exponent || text.last() != exponent) return false;
  }
  text.add(byte_);
  return true;
}

Outcome Scan::collect_digits(NumberText& text, int width) {
  RealParts parts;
  const std::size_t sign_bytes = text.size();
  collect_prefix_of_real(text, parts, width);
  do {
    if (!add_to_real(text, parts)) {
      put_back();
      break;
    }
  } while (next_of_field(width));
  const std::size_t prefix_bytes = sign_bytes + (parts.is_hexadecimal ? 2 : 0);
  return text.size() == prefix_bytes ? Outcome::mismatch : Outcome::goes_on;
}

Outcome Scan::collect_real(NumberText& text, int width) {
  if (!next_of_field(width)) return Outcome::no_input;
  if (byte_ == '-' || byte_ == '+') {
    text.add(byte_);
    if (!next_of_field(width)) return Outcome::mismatch;
  }
  if (std::tolower(byte_) == 'n') return collect_name(text, width, "nan");
  if (std::tolower(byte_) == 'i') return collect_infinity(text, width);
  return collect_digits(text, width);
}

Outcome Scan::real(const Conversion& conversion) {
  NumberText text;
  const Outcome outcome = collect_real(text, conversion.width);
  if (outcome != Outcome::goes_on) return outcome;
  if (!text.is_complete()) return Outcome::no_input;
  char* end = nullptr;
  std::strtod(text.begin(), &end);
  if (end == text.begin()) return Outcome::mismatch;
  if (conversion.is_suppressed) return Outcome::goes_on;
  store_real(conversion, text.begin());
  ++stored_;
  return Outcome::goes_on;
}

void Scan::store_real(const Conversion& conversion, const char* text) {
  if (conversion.is_long_double) {
    *va_arg(arguments_, long double*) = std::strtold(text, nullptr);
  } else if (conversion.length == Length::of_long) {
    *va_arg(arguments_, double*) = std::strtod(text, nullptr);
  } else {
    *va_arg(arguments_, float*) = std::strtof(text, nullptr);
  }
}

}  // namespace

int scan_bytes(Stream& stream, const char* format, va_list arguments) {
  return Scan(stream, format, arguments).run();
}

}  // namespace sluice::stdio
