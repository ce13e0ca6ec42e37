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

// libstdc++ 12 looks for a NUL behind the infinity or nan of a long double. So it gets a copy of
// the text, as far as that can belong to a number.
std::from_chars_result parse(std::string_view text, long double& value, std::chars_format format) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), [](char character) {
    return may_be_in_number(character) || character == ')';
  });
  const std::string copy(text.begin(), end);
  const char* const begin = copy.c_str();
  const auto parsed = std::from_chars(begin, begin + copy.size(), value, format);
  return {text.data() + (parsed.ptr - begin), parsed.ec};
}

// The rest of a text may be the beginning of something that belongs to the number only once its
// last byte is there. The longest such something is "inity" behind "inf". Only the text in a nan's
// parentheses has no limit.
constexpr std::size_t max_added_bytes = 5;

// In the scientific format a number begins to be read only where its exponent is seen, and the
// exponent can be far away.
bool needs_exponent(int) { return false; }
bool needs_exponent(std::chars_format format) { return format == std::chars_format::scientific; }

// True if bytes beyond the end of the text could change the number that was read from its
// beginning. `rest` is the text behind that number. The Reader waits for more bytes only if this
// returns true, because a terminal may have no more.
template <typename T>
bool may_go_on(std::string_view rest, T value, bool is_without_exponent) {
  if (!std::all_of(rest.begin(), rest.end(), may_be_in_number)) return false;
  if (rest.size() < max_added_bytes || is_without_exponent) return true;
  if constexpr (FloatingPoint<T>) return std::isnan(value) && rest.front() == '(';
  return false;
}

// Reads the number that the text begins with, behind whitespace, and returns its end. Returns null
// if the number does not fit, or if the text does not show that it ends there.
template <typename T, typename Form>
const char* parse_simple_number(std::string_view text, T& value, Form form) {
  const char* const end = text.data() + text.size();
  const char* const begin = std::find_if_not(text.data(), end, is_whitespace);
  const std::from_chars_result parsed = std::from_chars(begin, end, value, form);
  const bool is_seen = parsed.ptr != end && !may_be_in_number(*parsed.ptr);
  return is_seen && parsed.ec == std::errc() ? parsed.ptr : nullptr;
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

template <typename T, typename Form>
bool Reader::Core::next_number(Reader& reader, T& value, Form form) {
  if (!skip_whitespace(reader)) return false;
  for (;;) {
    const std::string_view text = text_of(reader.cursor_, reader.limit_);
    T parsed_value = 0;
    const std::from_chars_result parsed = parse(text, parsed_value, form);
    const auto bytes = static_cast<std::size_t>(parsed.ptr - text.data());
    const std::string_view rest = text.substr(bytes);
    const bool goes_on = may_go_on(rest, parsed_value, bytes == 0 && needs_exponent(form));
    const bool is_long = goes_on && rest.size() >= max_added_bytes;
    if (is_too_long(std::ssize(text.substr(0, is_long ? text.size() : bytes)))) {
      return fail_line(reader).data() != nullptr;
    }
    if (goes_on && refill(reader)) continue;
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
  const std::string_view reason =
      is_too_large ? "the number does not fit its type" : "the text is not a number";
  limit_behind_bad_number_ = reader.limit_;
  return fail(reader, Status::failure(Operation::read, source_->path(),
                                      is_too_large ? ERANGE : EBADMSG, reader.position(), reason));
}

// Passes the first byte in any case, so that a program that goes on after each failure comes to an
// end.
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
      return fail_line(reader).data() != nullptr;
    }
    searched = pending.size();
    if (found == std::string_view::npos && refill(reader)) continue;
    if (!status_.ok()) return false;
    text = text_of(reader.cursor_, reader.cursor_ + bytes);  // here, because refill moves the bytes
    reader.cursor_ += bytes;
    return true;
  }
}

bool Reader::Core::refuse_base(Reader& reader, int base) {
  if (closed_) return false;
  return fail(reader, Status::failure(Operation::read, source_->path(), EINVAL, reader.position(),
                                      "next_number in base " + std::to_string(base) +
                                          ", which is not between 2 and 36"));
}

template <typename Call>
bool Reader::guarded_call(Call call) {
  if (!core_) return false;
  return os::guarded([&] { return call(*core_); }, [&] { return core_->run_out_of_memory(*this); });
}

template <Integer T>
bool Reader::next_integer(T& value, int base) {
  return guarded_call([&](Core& core) {
    if (base < 2 || base > 36) return core.refuse_base(*this, base);
    return core.next_number(*this, value, base);
  });
}

template <FloatingPoint T>
bool Reader::next_floating_point(T& value, std::chars_format format) {
  if constexpr (!std::same_as<T, long double>) {
    T simple_value;
    const char* const after = parse_simple_number(text_of(cursor_, limit_), simple_value, format);
    if (after != nullptr) {
      cursor_ = reinterpret_cast<const std::byte*>(after);
      value = simple_value;
      return true;
    }
  }
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
