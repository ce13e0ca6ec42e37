// The arguments of printf(), and what a conversion says of its argument.
#pragma once

#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "stdio/length.h"

namespace sluice::stdio {

constexpr int none_given = -1;

// A conversion with everything that may stand between '%' and its letter.
struct Conversion {
  bool is_left = false;
  bool is_zero_filled = false;
  bool has_plus = false;
  bool has_space = false;
  bool is_alternate = false;
  bool is_grouped = false;
  std::ptrdiff_t width = 0;
  int precision = none_given;
  Length length = Length::none;
  char letter = '\0';
};

inline bool take_flag(char flag, Conversion& conversion) {
  switch (flag) {
    case '-': return conversion.is_left = true;
    case '0': return conversion.is_zero_filled = true;
    case '+': return conversion.has_plus = true;
    case ' ': return conversion.has_space = true;
    case '#': return conversion.is_alternate = true;
    case '\'': return conversion.is_grouped = true;
    default: return false;
  }
}

template <typename Arguments>
int take_number(const char*& at, Arguments& arguments) {
  constexpr int most_width = 10'000;
  if (*at == '*') {
    ++at;
    return arguments.template take<int>();
  }
  int number = 0;
  for (; *at >= '0' && *at <= '9' && number <= most_width; ++at) number = number * 10 + *at - '0';
  return number;
}

// Takes what follows '%', with the letter.
template <typename Arguments>
Conversion take_conversion(const char*& at, Arguments& arguments) {
  Conversion conversion;
  while (take_flag(*at, conversion)) ++at;
  conversion.width = take_number(at, arguments);
  if (conversion.width < 0) {
    conversion.is_left = true;
    conversion.width = -conversion.width;
  }
  if (*at == '.') {
    conversion.precision = take_number(++at, arguments);
    if (conversion.precision < 0) conversion.precision = none_given;
  }
  conversion.length = take_length(at);
  conversion.letter = *at;
  if (*at != '\0') ++at;
  return conversion;
}

// The arguments of a format such as "%d %s": each conversion takes the next one.
class ListedArguments {
 public:
  explicit ListedArguments(va_list arguments) { va_copy(arguments_, arguments); }
  ~ListedArguments() { va_end(arguments_); }
  ListedArguments(const ListedArguments&) = delete;
  ListedArguments& operator=(const ListedArguments&) = delete;

  static bool select(const char*& /*at*/) { return true; }

  template <typename Type>
  Type take() {
    return va_arg(arguments_, Type);
  }

 private:
  va_list arguments_;
};

// The arguments of a format such as "%2$d %1$s". A call has to know the types of all arguments
// before it can take the last one.
class NumberedArguments {
 public:
  // False for a format that has anything unusual: a width or precision from the arguments, an
  // argument that no conversion names, or one that is named with two types.
  bool collect(const char* format, va_list arguments);

  // Takes the number and the '$' that follow '%'. "%%" has no number.
  bool select(const char*& at);

  // The argument that was selected.
  template <typename Type>
  Type take() const {
    const Value& value = values_[selected_];
    if constexpr (std::is_same_v<Type, long double>) {
      return value.long_number;
    } else if constexpr (std::is_same_v<Type, double>) {
      return value.number;
    } else if constexpr (std::is_pointer_v<Type>) {
      return static_cast<Type>(value.pointer);
    } else {
      return static_cast<Type>(value.whole);
    }
  }

 private:
  enum class Kind : std::uint8_t { none, of_int, of_int64, of_double, of_long_double, of_pointer };
  union Value {
    std::int64_t whole;
    double number;
    long double long_number;
    void* pointer;
  };

  static Kind kind_of(const Conversion& conversion);
  static void take_value(Kind kind, va_list& arguments, Value& value);

  static constexpr std::size_t most_arguments = 9;
  std::array<Value, most_arguments> values_;
  std::size_t selected_ = 0;
};

}  // namespace sluice::stdio
