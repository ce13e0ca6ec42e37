// The integer types that are written and read as text.
#pragma once

namespace sluice::testing {

template <typename... T>
struct Types {
  template <typename Call>
  static void for_each(Call call) {
    (call(T{}), ...);
  }
};

// Every type that Integer accepts. Two types of the same width are both in the list.
using IntegerTypes = Types<signed char, unsigned char, short, unsigned short, int, unsigned, long,
                           unsigned long, long long, unsigned long long>;

}  // namespace sluice::testing
