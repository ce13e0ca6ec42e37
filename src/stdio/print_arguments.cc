#include "stdio/print_arguments.h"

#include <algorithm>
#include <cstring>

namespace sluice::stdio {

bool NumberedArguments::select(const char*& at) {
  if (*at == '%') return true;
  if (*at < '1' || *at > '9' || at[1] != '$') return false;
  selected_ = static_cast<std::size_t>(*at - '1');
  at += 2;
  return true;
}

NumberedArguments::Kind NumberedArguments::kind_of(const Conversion& conversion) {
  const auto whole = [](std::size_t bytes) {
    return bytes == sizeof(int) ? Kind::of_int : Kind::of_int64;
  };
  switch (conversion.letter) {
    case 'c': return Kind::of_int;
    case 's':
    case 'p':
    case 'n': return Kind::of_pointer;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return conversion.length == Length::of_long_double ? Kind::of_long_double : Kind::of_double;
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o': break;
    default: return Kind::none;
  }
  switch (conversion.length) {
    case Length::none:
    case Length::of_char:
    case Length::of_short: return Kind::of_int;
    case Length::of_long: return whole(sizeof(long));
    case Length::of_size:
    case Length::of_distance: return whole(sizeof(std::size_t));
    default: return Kind::of_int64;
  }
}

void NumberedArguments::take_value(Kind kind, va_list& arguments, Value& value) {
  switch (kind) {
    case Kind::of_int: value.whole = va_arg(arguments, int); break;
    case Kind::of_int64: value.whole = va_arg(arguments, std::int64_t); break;
    case Kind::of_double: value.number = va_arg(arguments, double); break;
    case Kind::of_long_double: value.long_number = va_arg(arguments, long double); break;
    case Kind::of_pointer: value.pointer = va_arg(arguments, void*); break;
    case Kind::none: break;
  }
}

bool NumberedArguments::collect(const char* format, va_list arguments) {
  if (std::strchr(format, '*') != nullptr) return false;
  std::array<Kind, most_arguments> kinds{};
  std::size_t count = 0;
  for (const char* at = std::strchr(format, '%'); at != nullptr; at = std::strchr(at, '%')) {
    if (*++at == '%') {
      ++at;
      continue;
    }
    if (!select(at)) return false;
    const Kind kind = kind_of(take_conversion(at, *this));
    Kind& known = kinds[selected_];
    if (kind == Kind::none || (known != Kind::none && known != kind)) return false;
    known = kind;
    count = std::max(count, selected_ + 1);
  }
  if (std::find(kinds.begin(), kinds.begin() + count, Kind::none) != kinds.begin() + count) {
    return false;
  }
  va_list list;
  va_copy(list, arguments);
  for (std::size_t i = 0; i < count; ++i) take_value(kinds[i], list, values_[i]);
  va_end(list);
  return true;
}

}  // namespace sluice::stdio
