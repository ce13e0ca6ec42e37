// Text that a Writer of the C interface makes: numbers, and the formats of printf().
#include <cerrno>
#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "c/formats.h"
#include "c/handles.h"

using sluice::CInterface;
using sluice::Writer;

namespace {

// A text of up to this size that does not fit into the block is made on the stack.
constexpr std::size_t usual_bytes = 512;

template <typename T>
bool write_number(sluice_writer* writer, T value) {
  return writer != nullptr && CInterface::of(*writer).write_number(value);
}

template <typename T>
bool write_in_base(sluice_writer* writer, T value, int base) {
  return writer != nullptr && CInterface::of(*writer).write_number(value, base);
}

template <typename T>
bool write_in_format(sluice_writer* writer, T value, int format, int precision) {
  if (writer == nullptr) return false;
  Writer& of = CInterface::of(*writer);
  const std::optional<std::chars_format> chosen = sluice::c::number_format(format);
  if (!chosen) {
    return CInterface::refuse(of, EINVAL, "the format of the number is no sluice_number_format");
  }
  return precision < 0 ? of.write_number(value, *chosen)
                       : of.write_number(value, *chosen, precision);
}

// Formats into `into`. Returns the length of the whole text, which may be more than fits; or a
// negative number. The arguments can be used once only, so the call uses a copy of them.
__attribute__((format(printf, 3, 0))) int format_into(char* into, std::size_t bytes,
                                                      const char* format, va_list arguments) {
  va_list copy;
  va_copy(copy, arguments);
  const int length = std::vsnprintf(into, bytes, format, copy);
  va_end(copy);
  return length;
}

bool refuse_format(Writer& writer) {
  return CInterface::refuse(writer, errno, "the C library cannot format the text");
}

// Makes a text outside the block, and copies it. The block has no room for the text, or the Writer
// looks at every byte.
__attribute__((format(printf, 2, 0))) bool print_beside(Writer& writer, const char* format,
                                                        va_list arguments, std::size_t length) {
  char usual[usual_bytes];
  std::unique_ptr<char[]> memory;
  if (length >= usual_bytes) {
    memory.reset(new (std::nothrow) char[length + 1]);
    if (!memory) return CInterface::run_out_of_memory(writer);
  }
  char* const text = memory ? memory.get() : usual;
  if (format_into(text, length + 1, format, arguments) < 0) return refuse_format(writer);
  return writer.write(text, length);
}

}  // namespace

bool sluice_vprintf(sluice_writer* writer, const char* format, va_list arguments) {
  if (writer == nullptr) return false;
  Writer& of = CInterface::of(*writer);
  const std::size_t room = CInterface::room_bytes(of);
  const int length = format_into(CInterface::room(of), room, format, arguments);
  if (length < 0) return refuse_format(of);
  const auto bytes = static_cast<std::size_t>(length);
  // The C library ends the text with a NUL, which needs a byte of the room.
  if (bytes >= room) return print_beside(of, format, arguments, bytes);
  CInterface::accept(of, bytes);
  return true;
}

bool sluice_printf(sluice_writer* writer, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const bool is_accepted = sluice_vprintf(writer, format, arguments);
  va_end(arguments);
  return is_accepted;
}

bool sluice_write_int64(sluice_writer* writer, int64_t value) {
  return write_number(writer, value);
}

bool sluice_write_uint64(sluice_writer* writer, uint64_t value) {
  return write_number(writer, value);
}

bool sluice_write_int64_in_base(sluice_writer* writer, int64_t value, int base) {
  return write_in_base(writer, value, base);
}

bool sluice_write_uint64_in_base(sluice_writer* writer, uint64_t value, int base) {
  return write_in_base(writer, value, base);
}

bool sluice_write_float(sluice_writer* writer, float value) { return write_number(writer, value); }

bool sluice_write_double(sluice_writer* writer, double value) {
  return write_number(writer, value);
}

bool sluice_write_long_double(sluice_writer* writer, long double value) {
  return write_number(writer, value);
}

bool sluice_write_float_in_format(sluice_writer* writer, float value, int format, int precision) {
  return write_in_format(writer, value, format, precision);
}

bool sluice_write_double_in_format(sluice_writer* writer, double value, int format, int precision) {
  return write_in_format(writer, value, format, precision);
}

bool sluice_write_long_double_in_format(sluice_writer* writer, long double value, int format,
                                        int precision) {
  return write_in_format(writer, value, format, precision);
}
