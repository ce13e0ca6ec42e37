// Numbers as text, in every form that the fast path of Writer::write_number does not write.
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "core/writer_core.h"
#include "os/guarded.h"
#include "sluice/writer.h"

namespace sluice {
namespace {

// The shortest text of any number has at most 28 bytes. The long double
// -3.3621031431120935063e-4932 has this many.
constexpr std::size_t longest_shortest_bytes = 32;

// A text that may be longer than this is made on the heap: the text of a long double, or a text
// with high precision.
constexpr std::size_t usual_bytes = 512;

// std::to_chars uses this precision if it is given a negative one.
constexpr std::size_t default_precision = 6;

// No text of a number of type T in any format is longer. The sum has three parts: zeros before or
// after the digits, as many as the exponent says; the digits that are asked for; and 32 bytes for
// sign, digits, point and exponent.
template <typename T>
std::size_t longest_bytes(const int* precision) {
  const std::size_t asked = precision != nullptr && *precision > 0
                                ? static_cast<std::size_t>(*precision)
                                : default_precision;
  return std::numeric_limits<T>::max_exponent10 + asked + 32;
}

template <typename T>
std::size_t format_number(std::span<char> into, T value, std::chars_format format,
                          const int* precision) {
  char* const begin = into.data();
  char* const end = begin + into.size();
  const auto written = precision != nullptr ? std::to_chars(begin, end, value, format, *precision)
                                            : std::to_chars(begin, end, value, format);
  return static_cast<std::size_t>(written.ptr - begin);
}

}  // namespace

bool Writer::write_decimal_slow(bool is_negative, std::uint64_t magnitude) {
  char text[1 + decimal_room_bytes];
  text[0] = '-';
  const char* const end = write_decimal(text + is_negative, magnitude);
  return write(text, static_cast<std::size_t>(end - text));
}

template <typename Call>
bool Writer::guarded_call(Call call) {
  if (!core_) return refuse_bytes();
  return os::guarded([&] { return call(*core_); }, [this] { return run_out_of_memory(); });
}

bool Writer::write_in_base(bool is_negative, std::uint64_t magnitude, int base) {
  if (base == 10) return write_decimal_slow(is_negative, magnitude);
  if (base < 2 || base > 36) {
    return guarded_call([&](Core& core) {
      return core.refuse_call(
          *this, EINVAL, "base " + std::to_string(base) + " of a number is not between 2 and 36");
    });
  }
  char text[1 + std::numeric_limits<std::uint64_t>::digits];
  text[0] = '-';
  const auto written = std::to_chars(text + is_negative, std::end(text), magnitude, base);
  return write(text, static_cast<std::size_t>(written.ptr - text));
}

bool Writer::refuse_null() {
  return refuse_call(EINVAL, "the text is a null pointer: pass \"\" or a std::string_view");
}

bool Writer::refuse_size() { return refuse_call(EINVAL, "write of more bytes than the array has"); }

bool Writer::refuse_integer() {
  return refuse_call(EINVAL, "put of an integer that is not between 0 and 255");
}

bool Writer::refuse_text(bool ends_with_nul) {
  return refuse_call(
      EINVAL, ends_with_nul ? "the text has a NUL byte before its end: pass a std::string_view"
                            : "the array does not end with a NUL byte: pass a std::string_view "
                              "or a BytesView");
}

// Fails the Writer, because a call made no sense. Returns false.
bool Writer::refuse_call(int code, std::string_view reason) {
  return guarded_call([&](Core& core) { return core.refuse_call(*this, code, reason); });
}

template <FloatingPoint T>
bool Writer::write_shortest_slow(T value) {
  char text[longest_shortest_bytes];
  const auto written = std::to_chars(text, std::end(text), value);
  return write(text, static_cast<std::size_t>(written.ptr - text));
}

template <FloatingPoint T>
bool Writer::write_formatted(T value, std::chars_format format, const int* precision) {
  const std::size_t longest = longest_bytes<T>(precision);
  if (longest <= usual_bytes) {
    char text[usual_bytes];
    return write(text, format_number<T>(text, value, format, precision));
  }
  return os::guarded(
      [&] {
        std::string text(longest, '\0');
        return write(text.data(), format_number<T>(text, value, format, precision));
      },
      [this] { return run_out_of_memory(); });
}

template bool Writer::write_shortest_slow(float);
template bool Writer::write_shortest_slow(double);
template bool Writer::write_shortest_slow(long double);
template bool Writer::write_formatted(float, std::chars_format, const int*);
template bool Writer::write_formatted(double, std::chars_format, const int*);
template bool Writer::write_formatted(long double, std::chars_format, const int*);

}  // namespace sluice
