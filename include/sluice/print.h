// print and println: formatted text into a Writer, through {fmt}. Link with sluice::fmt.
//
//   sluice::print(writer, "{:>8.3f} {}\n", distance, name);
//   sluice::println(writer, FMT_COMPILE("{} {}"), index, count);
//
// Both write the text that fmt::format gives, and println adds a newline. Both return false once
// the Writer has failed. The rules for threads and errors are the rules of Writer::write.
//
// Speed: a compiled format is the fastest, because the compiler parses it. The second fastest is a
// format whose fields are all a plain {}, with arguments that are numbers or text. Text is made in
// the Writer's block. Three kinds of text are made in other memory and copied:
//  - a text that does not fit into the room that is left in the block
//  - a text with an argument of an enumeration, or of a class other than std::string and
//    std::string_view, because that argument's formatter may be the program's and may write to the
//    same Writer. The bytes that such a formatter writes come before the text.
//  - a text for a Writer that hands on every line or every write at once, because its target is a
//    terminal or because of Durability::every_write
//
// Digits: {fmt} 9, as in Debian 12, loses digits of a double in FMT_COMPILE if Clang 14 compiles it
// with -std=c++2b: fmt::format(FMT_COMPILE("{}"), 1.25) gives 1. C++20 and GCC are right.
//
// Mistakes: {fmt} finds most mistakes in a format when the program is compiled. {fmt} finds the
// other mistakes only when it formats, and then throws fmt::format_error: for example a null
// pointer to text, or a wrong format in fmt::runtime(). If a formatter or {fmt} throws, the
// exception leaves print, and nothing of that text is written. A std::bad_alloc does not leave
// print: the Writer fails with ENOMEM.
#pragma once

#include <fmt/compile.h>
#include <fmt/format.h>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>

#include "sluice/number.h"
#include "sluice/writer.h"

namespace sluice {

// The types of FMT_COMPILE("...") and FMT_STRING("..."), which hold the format itself.
template <typename T>
concept CompiledFormat = std::is_empty_v<T> && requires {
  typename T::char_type;
};

// Writes the text that `format` and `args` give. Returns false once the Writer has failed.
template <typename... Args>
bool print(Writer& writer, fmt::format_string<Args...> format, Args&&... args);
template <CompiledFormat Format, typename... Args>
bool print(Writer& writer, const Format& format, Args&&... args);

// Writes the text that `format` and `args` give, and a newline. Returns false once the Writer has
// failed.
template <typename... Args>
bool println(Writer& writer, fmt::format_string<Args...> format, Args&&... args);
template <CompiledFormat Format, typename... Args>
bool println(Writer& writer, const Format& format, Args&&... args);

// Implementation details follow.

// The room that is left in a Writer's block. Text is formatted into it.
class BlockRoom {
 public:
  explicit BlockRoom(Writer& writer) : writer_(writer) {}
  char* data() const { return reinterpret_cast<char*>(writer_.cursor_); }
  std::size_t bytes() const { return static_cast<std::size_t>(writer_.limit_ - writer_.cursor_); }
  void accept(std::size_t bytes) { writer_.cursor_ += bytes; }
  bool run_out_of_memory() { return writer_.run_out_of_memory(); }

 private:
  Writer& writer_;
};

namespace printing {

// The end that is added to a formatted text: print adds nothing, println adds a newline.
constexpr std::string_view nothing;
constexpr std::string_view newline = "\n";

// Catches a std::bad_alloc of {fmt} or of a formatter: the Writer then fails with ENOMEM.
template <typename Call>
bool guarded(Writer& writer, Call call) {
#ifdef __cpp_exceptions
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return BlockRoom(writer).run_out_of_memory();
  }
#else
  static_cast<void>(writer);
  return call();
#endif
}

// Formats into memory outside the block, and copies the text. Three kinds of text need this: a text
// that does not fit into the block, a text whose arguments are not all FormattedByFmt, and a text
// for a Writer that hands on every line or every write at once.
template <typename Format>
bool print_beside(Writer& writer, std::string_view end, Format format) {
  return guarded(writer, [&] {
    fmt::memory_buffer text;  // has 500 bytes on the stack before it allocates
    format(std::back_inserter(text));
    text.append(end);
    return writer.write(text.data(), text.size());
  });
}

inline bool vprint_unguarded(Writer& writer, std::string_view end, fmt::string_view format,
                             fmt::format_args args) {
  BlockRoom room(writer);
  if (room.bytes() > end.size()) {
    char* const begin = room.data();
    const auto text = fmt::vformat_to_n(begin, room.bytes() - end.size(), format, args);
    if (text.size <= room.bytes() - end.size()) {
      end.copy(begin + text.size, end.size());
      room.accept(text.size + end.size());
      return true;
    }
  }
  return print_beside(writer, end, [&](auto out) { fmt::vformat_to(out, format, args); });
}

// Every argument must be FormattedByFmt. For other arguments there is vprint_beside().
inline bool vprint(Writer& writer, std::string_view end, fmt::string_view format,
                   fmt::format_args args) {
#ifdef __cpp_exceptions
  // This function does not call guarded(), because every call would take longer: a lambda keeps the
  // arguments in memory.
  try {
    return vprint_unguarded(writer, end, format, args);
  } catch (const std::bad_alloc&) {
    return BlockRoom(writer).run_out_of_memory();
  }
#else
  return vprint_unguarded(writer, end, format, args);
#endif
}

inline bool vprint_beside(Writer& writer, std::string_view end, fmt::string_view format,
                          fmt::format_args args) {
  return print_beside(writer, end, [&](auto out) { fmt::vformat_to(out, format, args); });
}

// True if every replacement field is a plain {}, so that the arguments tell how long the text is.
constexpr bool has_plain_fields(std::string_view format) {
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '{') continue;
    ++i;
    if (i == format.size() || (format[i] != '}' && format[i] != '{')) return false;
  }
  return true;
}

template <typename T>
concept BoundedNumber =
    Integer<T> || std::same_as<T, bool> || std::same_as<T, float> || std::same_as<T, double>;

// The types whose text is the argument itself. A class that only converts to a text may have a
// fmt::formatter of its own, and that formatter may write a text of any length.
template <typename T>
concept BoundedText = std::same_as<T, std::string> || std::same_as<T, std::string_view> ||
    std::same_as<T, fmt::string_view> || CharPointer<T> ||
    (std::is_array_v<T>&& std::same_as<std::remove_cv_t<std::remove_extent_t<T>>, char>);

template <typename T>
concept Bounded = BoundedNumber<T> || std::same_as<T, char> || BoundedText<T>;

template <typename T>
std::size_t max_formatted_bytes(const T& value) {
  if constexpr (BoundedText<T>) return fmt::string_view(value).size();
  if constexpr (std::same_as<T, char>) return 1;
  return 32;  // an integer has 20 bytes at most, a double 24
}

// The types that {fmt} formats by itself. A formatter of any other type may be the program's, and
// may use the same Writer. It must not run while the text is being made in the block.
template <typename T>
concept FormattedByFmt =
    Bounded<T> || std::is_arithmetic_v<T> || std::same_as<T, const void*> || std::same_as<T, void*>;

// The function that formats such arguments at run time.
template <typename... Args>
constexpr auto vprint_for() {
  return (FormattedByFmt<Args> && ...) ? vprint : vprint_beside;
}

// {fmt} throws if a text pointer is null.
template <typename T>
bool is_null_text(const T& value) {
  if constexpr (CharPointer<T>) return value == nullptr;
  return false;
}

// Returns the argument. For a pointer to text it returns a view of that text, so that the length is
// counted only once.
template <typename T>
decltype(auto) with_length(const T& value) {
  if constexpr (CharPointer<T>) {
    return fmt::string_view(value);
  } else {
    return (value);
  }
}

// Calls `make` if the longest text that the arguments can give fits into the block. `make` gets the
// place in the block, makes the text there, and returns its end. If the text may not fit, or if
// `make` returns null, print_bounded() returns false, and the Writer is as it was.
template <typename Make, typename... Args>
bool print_bounded(Writer& writer, std::string_view end, std::size_t format_bytes, Make make,
                   const Args&... args) {
  BlockRoom room(writer);
  const std::size_t max_bytes = (max_formatted_bytes(args) + ... + format_bytes) + end.size();
  if (max_bytes >= room.bytes()) [[unlikely]]
    return false;  // also if the Writer has failed: then there is no room
  char* const text_end = make(room.data());
  if (text_end == nullptr) return false;
  end.copy(text_end, end.size());
  room.accept(static_cast<std::size_t>(text_end - room.data()) + end.size());
  return true;
}

// Parses a format at run time. The parsing ends at a field that is not a plain {}.
class PlainFields {
 public:
  explicit PlainFields(std::string_view format) : rest_(format) {}

  // Copies the text before the next field. Returns the end of the copy, or null if a field is not
  // plain or the format is wrong.
  char* copy_text(char* into) {
    for (;;) {
      into = copy_to_brace(into);
      if (rest_.empty() || rest_.starts_with("{}")) return into;
      if (rest_.size() == 1 || rest_[0] != rest_[1]) return nullptr;
      *into++ = rest_[0];  // a brace that the format has twice
      rest_.remove_prefix(2);
    }
  }

  // Returns false at the end of the format.
  bool take_field() {
    if (at_end()) return false;
    rest_.remove_prefix(2);
    return true;
  }

  bool at_end() const { return rest_.empty(); }

 private:
  // Copies the text before the next brace. A short format is copied byte by byte: if the compiler
  // knows the format, it then does all of this while it compiles. memchr is faster for a long one.
  char* copy_to_brace(char* into) {
    if (rest_.size() > 16) {
      const std::string_view before_open = rest_.substr(0, rest_.find('{'));
      const std::size_t bytes =
          before_open.substr(0, before_open.find('}')).copy(into, rest_.size());
      rest_.remove_prefix(bytes);
      return into + bytes;
    }
    for (; !rest_.empty() && rest_[0] != '{' && rest_[0] != '}'; rest_.remove_prefix(1)) {
      *into++ = rest_[0];
    }
    return into;
  }

  std::string_view rest_;
};

// Formats at `into`. Returns the end of the text, or null if a field of the format is not a plain
// {} or the format is wrong.
template <typename... Args>
char* format_plain(char* into, std::string_view format, const Args&... args) {
  PlainFields fields(format);
  [[maybe_unused]] const auto format_one = [&](const auto& value) {
    into = fields.copy_text(into);
    if (into != nullptr && fields.take_field())
      into = fmt::format_to(into, FMT_COMPILE("{}"), value);
    return into != nullptr;
  };
  if (!(format_one(args) && ...)) return nullptr;
  into = fields.copy_text(into);
  return fields.at_end() ? into : nullptr;
}

// Formats into the block, if all arguments are Bounded and all fields of the format are plain.
// Otherwise returns false, and the Writer is as it was.
template <typename... Args>
bool print_plain(Writer& writer, std::string_view end, fmt::string_view format,
                 const Args&... args) {
  if constexpr ((Bounded<Args> && ...)) {
    if ((is_null_text(args) || ... || false)) return false;
    const auto make = [&](char* into) {
      return format_plain(into, {format.data(), format.size()}, with_length(args)...);
    };
    return print_bounded(writer, end, format.size(), make, with_length(args)...);
  }
  return false;
}

// The allocator of a buffer of {fmt}. The first memory that it gives is the room in the block.
class RoomFirst {
 public:
  using value_type = char;

  RoomFirst(char* room, std::size_t bytes) : room_(room), bytes_(bytes) {}

  char* allocate(std::size_t bytes) {
    return bytes == bytes_ ? room_ : std::allocator<char>().allocate(bytes);
  }
  void deallocate(char* memory, std::size_t bytes) {
    if (memory != room_) std::allocator<char>().deallocate(memory, bytes);
  }

 private:
  char* room_;
  std::size_t bytes_;
};

// A smaller room is not used: a text often does not fit there, and print_beside() has as many bytes
// without an allocation.
constexpr std::size_t min_room_bytes = 500;

// Formats into the block. A text that does not fit moves to other memory while it grows.
template <typename Format, typename... Args>
bool print_into_room(Writer& writer, std::string_view end, const Args&... args) {
  return guarded(writer, [&] {
    BlockRoom room(writer);
    const std::size_t room_bytes = room.bytes();
    char* const begin = room.data();
    fmt::basic_memory_buffer<char, 1, RoomFirst> text(RoomFirst(begin, room_bytes));
    text.reserve(room_bytes);
    fmt::format_to(std::back_inserter(text), Format(), args...);
    text.append(end);
    if (text.data() != begin) return writer.write(text.data(), text.size());
    room.accept(text.size());
    return true;
  });
}

template <typename Format, typename... Args>
bool print_compiled(Writer& writer, std::string_view end, const Args&... args) {
  constexpr auto text = static_cast<fmt::string_view>(Format());
  constexpr bool is_plain = has_plain_fields({text.data(), text.size()});
  if constexpr (is_plain && (Bounded<Args> && ...)) {
    const bool has_null = (is_null_text(args) || ... || false);
    const auto make = [&](char* into) {
      return fmt::format_to(into, Format(), with_length(args)...);
    };
    if (!has_null && print_bounded(writer, end, text.size(), make, with_length(args)...))
        [[likely]] {
      return true;
    }
  }
  if constexpr ((FormattedByFmt<Args> && ...)) {
    if (BlockRoom(writer).bytes() >= min_room_bytes) {
      return print_into_room<Format>(writer, end, args...);
    }
  }
  return print_beside(writer, end, [&](auto out) { fmt::format_to(out, Format(), args...); });
}

}  // namespace printing

template <typename... Args>
bool print(Writer& writer, fmt::format_string<Args...> format, Args&&... args) {
  if (printing::print_plain(writer, printing::nothing, format, args...)) [[likely]]
    return true;
  constexpr auto vprint = printing::vprint_for<std::remove_cvref_t<Args>...>();
  return vprint(writer, printing::nothing, format, fmt::make_format_args(args...));
}

template <typename... Args>
bool println(Writer& writer, fmt::format_string<Args...> format, Args&&... args) {
  if (printing::print_plain(writer, printing::newline, format, args...)) [[likely]]
    return true;
  constexpr auto vprint = printing::vprint_for<std::remove_cvref_t<Args>...>();
  return vprint(writer, printing::newline, format, fmt::make_format_args(args...));
}

template <CompiledFormat Format, typename... Args>
bool print(Writer& writer, const Format&, Args&&... args) {
  return printing::print_compiled<Format>(writer, printing::nothing, args...);
}

template <CompiledFormat Format, typename... Args>
bool println(Writer& writer, const Format&, Args&&... args) {
  return printing::print_compiled<Format>(writer, printing::newline, args...);
}

}  // namespace sluice
