// Which types Writer and Reader move as their bytes in memory, and which are bytes or text already.
#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <string_view>
#include <type_traits>

#include "sluice/bytes.h"

namespace sluice {

template <typename T>
concept BytesOrText =
    std::convertible_to<const T&, std::string_view> || std::convertible_to<const T&, ConstBytes>;

template <typename T>
concept NeitherBytesNorText = !BytesOrText<T>;

// A type whose objects are written as their bytes in memory. Pointers, views and function objects
// are excluded: their bytes are addresses. So are ranges, whose elements are meant; see PlainValues.
// A struct that has a pointer or a view as a member cannot be told from others: its bytes are
// written, and mean nothing to whoever reads them.
template <typename T>
concept PlainValue =
    std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_member_pointer_v<T> &&
    !std::is_null_pointer_v<T> && !std::ranges::range<const T> && !requires { &T::operator(); };

// Elements that lie one after another in memory, such as those of a std::vector or an array.
template <typename T>
concept PlainValues = std::ranges::contiguous_range<const T> &&
                      std::ranges::sized_range<const T> &&
                      PlainValue<std::ranges::range_value_t<const T>>;

}  // namespace sluice
