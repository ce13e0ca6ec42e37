// Numbers as text: all cases that the fast path of Reader::next_number does not read.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/reader_core.h"
#include "os/guarded.h"

namespace sluice {
namespace {

bool is_whitespace(char character) {
  return character == ' ' || (character >= '\t' && character <= '\r');
}

std::string_view text_of(const std::byte* begin, const std::byte* end) {
  return {reinterpret_cast<const char*>(begin), static_cast<std::size_t>(end - begin)};
}

// `form` is the base of an integer, or the std::chars_format of a floating-point number.
template <typename T, typename Form>
std::from_chars_result parse(std::string_view text, T& value, Form form) {
  return std::from_chars(text.data(), text.data() + text.size(), value, form);
}

// True if a number may go on with `character`, as in 1e+5, infinity and nan(text).
bool may_be_in_number(char character) {
  const auto is_between = [character](char first, char last) {
    return character >= first && character <= last;
  };
  return is_between('0', '9') || is_between('a', 'z') || is_between('A', 'Z') || character == '+' ||
         character == '-' || character == '.' || character == '_' || character == '(';
}

// libstdc++ 12 looks for a NUL after the infinity or nan of a long double. So it gets a copy of the
// text, up to the first byte that cannot belong to a number.
std::from_chars_result parse(std::string_view text, long double& value, std::chars_format format) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), [](char character) {
    return may_be_in_number(character) || character == ')';
  });
  const std::string copy(text.begin(), end);
  const char* const begin = copy.c_str();
  const auto parsed = std::from_chars(begin, begin + copy.size(), value, format);
  return {text.data() + (parsed.ptr - begin), parsed.ec};
}

// The text after a number may belong to the number, as "e+5" does in "1e+5". This is known only
// when the last byte of the text is seen. The longest such text is "inity" after "inf". Only the
// text in a nan's parentheses has no limit.
constexpr std::size_t max_added_bytes = 5;

// In the scientific format a text is a number only if it has an exponent, and the exponent can be
// far away.
bool needs_exponent(int) { return false; }
bool needs_exponent(std::chars_format format) { return format == std::chars_format::scientific; }

// True if bytes beyond the end of the text could change the number that was read from its
// beginning. `rest` is the text after that number. The Reader waits for more bytes only if this
// returns true, because a terminal may have no more.
template <typename T>
bool may_go_on(std::string_view rest, T value, bool is_without_exponent) {
  if (!std::all_of(rest.begin(), rest.end(), may_be_in_number)) return false;
  if (is_without_exponent) {
    rest.remove_prefix(std::min(rest.find_first_not_of("-.0123456789"), rest.size()));
  }
  if (rest.size() < max_added_bytes) return true;
  if constexpr (FloatingPoint<T>) return std::isnan(value) && rest.front() == '(';
  return false;
}

// Returns the bytes after which the end of the number is still unknown, if they follow the text.
// The first `bytes` bytes of the text are the part of the number that was recognised so far.
template <typename T, typename Form>
std::string_view bytes_within(std::string_view text, std::size_t bytes, T value, Form form) {
  constexpr std::string_view all =
      "0123456789aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ_.+-(";
  // Each digit beyond 9 has two letters, a small letter and a capital letter.
  const auto digits = [&](std::size_t base) {
    return all.substr(0, base + (base > 10 ? base - 10 : 0));
  };
  if constexpr (Integer<T>) {
    return bytes == text.size() ? digits(static_cast<std::size_t>(form)) : std::string_view();
  } else {
    if (bytes == 0) return needs_exponent(form) ? digits(10) : std::string_view();
    if (std::isnan(value)) return text[std::min(bytes, text.size() - 1)] == '(' ? all : digits(0);
    if (bytes != text.size() || std::isinf(value)) return {};
    const bool is_mantissa = text.find_first_of("pP") == std::string_view::npos;
    return digits(form == std::chars_format::hex && is_mantissa ? 16 : 10);
  }
}

// Returns the beginning of the text up to whitespace, for a message.
std::string quoted(std::string_view text) {
  constexpr std::size_t max_bytes = 20;
  constexpr std::string_view digits = "0123456789ABCDEF";
  text = text.substr(0, std::min(max_bytes, text.size()));
  std::string quoted = "\"";
  for (const char character : text) {
    if (is_whitespace(character)) break;
    const auto byte = static_cast<unsigned char>(character);
    if (byte > ' ' && byte < 0x7F) {
      quoted += character;
    } else {
      quoted += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    }
  }
  return quoted + "\"";
}

}  // namespace

bool Reader::Core::skip_whitespace(Reader& reader) {
  for (;;) {
    reader.cursor_ = std::find_if_not(reader.cursor_, reader.limit_, [](std::byte byte) {
      return is_whitespace(std::to_integer<char>(byte));
    });
    if (reader.cursor_ != reader.limit_) return true;
    if (!refill(reader)) return false;
  }
}

// Adds bytes to the text at the cursor, at least until one of them is not among `inner_bytes`, the
// text is too long, or the input ends. Returns false if there are no more bytes, and on failure.
bool Reader::Core::fetch_text(Reader& reader, std::string_view inner_bytes) {
  for (bool has_grown = false;; has_grown = true) {
    const std::size_t bytes = text_of(reader.cursor_, reader.limit_).size();
    if (has_grown && is_too_long(static_cast<std::ptrdiff_t>(bytes))) return true;
    if (!refill(reader)) return has_grown && status_.ok();
    const std::string_view text = text_of(reader.cursor_, reader.limit_);
    if (text.find_first_not_of(inner_bytes, bytes) != std::string_view::npos) return true;
  }
}

template <typename T, typename Form>
bool Reader::Core::next_number(Reader& reader, T& value, Form form) {
  if (!skip_whitespace(reader)) return false;
  for (bool has_fetched = false;; has_fetched = true) {
    const std::string_view text = text_of(reader.cursor_, reader.limit_);
    T parsed_value = 0;
    const std::from_chars_result parsed = parse(text, parsed_value, form);
    const auto bytes = static_cast<std::size_t>(parsed.ptr - text.data());
    const std::string_view rest = text.substr(bytes);
    const bool goes_on = may_go_on(rest, parsed_value, bytes == 0 && needs_exponent(form));
    const bool is_long = goes_on && rest.size() >= max_added_bytes;
    const bool is_behind_block = goes_on || has_fetched;
    if (is_behind_block && is_too_long(std::ssize(text.substr(0, is_long ? text.size() : bytes)))) {
      return fail_too_long(reader);
    }
    if (goes_on && fetch_text(reader, bytes_within(text, bytes, parsed_value, form))) continue;
    if (!status_.ok()) return false;
    if (parsed.ec != std::errc()) return fail_number(reader, parsed.ec);
    reader.cursor_ += bytes;
    value = parsed_value;
    return true;
  }
}

bool Reader::Core::fail_number(Reader& reader, std::errc error) {
  if (error == std::errc::not_enough_memory) return run_out_of_memory(reader);
  const bool is_too_large = error == std::errc::result_out_of_range;
  std::string reason =
      is_too_large ? "the number does not fit its type: " : "the text is not a number: ";
  reason += quoted(text_of(reader.cursor_, reader.limit_));
  Status status = Status::failure(Operation::read, source_->path(), is_too_large ? ERANGE : EBADMSG,
                                  reader.position(), reason);
  limit_behind_bad_number_ = reader.limit_;
  return fail(reader, std::move(status));
}

// Skips at least one byte, so that a program that goes on after each failure comes to an end.
bool Reader::Core::skip_bad_number(Reader& reader, std::string_view& text,
                                   std::string_view delimiters) {
  if (limit_behind_bad_number_ == nullptr) return false;
  reader.limit_ = std::exchange(limit_behind_bad_number_, nullptr);
  limit_position_ += static_cast<std::uint64_t>(reader.limit_ - reader.cursor_);
  forget_failure();
  std::size_t searched = 1;
  for (;;) {
    const std::string_view pending = text_of(reader.cursor_, reader.limit_);
    const std::size_t found = pending.find_first_of(delimiters, searched);
    const std::size_t bytes = std::min(found, pending.size());
    if (is_too_long(std::ssize(pending.substr(0, bytes)))) {
      return fail_too_long(reader);
    }
    searched = pending.size();
    if (found == std::string_view::npos && refill(reader)) continue;
    if (!status_.ok()) return false;
    text = text_of(reader.cursor_, reader.cursor_ + bytes);  // here, because refill moves the bytes
    reader.cursor_ += bytes;
    return true;
  }
}

bool Reader::Core::refuse_call(Reader& reader, std::string_view reason) {
  fail_if_closed();
  if (has_failed()) return false;
  return fail(reader,
              Status::failure(Operation::read, source_->path(), EINVAL, reader.position(), reason));
}

template <typename Call>
bool Reader::guarded_call(Call call) {
  if (!core_) return false;
  return os::guarded([&] { return call(*core_); }, [&] { return core_->run_out_of_memory(*this); });
}

bool Reader::refuse_call(std::string_view reason) {
  return guarded_call([&](Core& core) { return core.refuse_call(*this, reason); });
}

template <Integer T>
bool Reader::next_integer(T& value, int base) {
  return guarded_call([&](Core& core) {
    if (base < 2 || base > 36) {
      return core.refuse_call(
          *this, "base " + std::to_string(base) + " of a number is not between 2 and 36");
    }
    return core.next_number(*this, value, base);
  });
}

template <FloatingPoint T>
bool Reader::next_floating_point(T& value, std::chars_format format) {
  return guarded_call([&](Core& core) { return core.next_number(*this, value, format); });
}

bool Reader::skip_bad_number(std::string_view& text, std::string_view delimiters) {
  text = {};
  return guarded_call([&](Core& core) { return core.skip_bad_number(*this, text, delimiters); });
}

template bool Reader::next_integer(signed char&, int);
template bool Reader::next_integer(unsigned char&, int);
template bool Reader::next_integer(short&, int);
template bool Reader::next_integer(unsigned short&, int);
template bool Reader::next_integer(int&, int);
template bool Reader::next_integer(unsigned&, int);
template bool Reader::next_integer(long&, int);
template bool Reader::next_integer(unsigned long&, int);
template bool Reader::next_integer(long long&, int);
template bool Reader::next_integer(unsigned long long&, int);
template bool Reader::next_floating_point(float&, std::chars_format);
template bool Reader::next_floating_point(double&, std::chars_format);
template bool Reader::next_floating_point(long double&, std::chars_format);

}  // namespace sluice
