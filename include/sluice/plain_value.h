// Concepts that say which types Writer and Reader move as their bytes in memory, and which types
// are bytes or text already.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <ranges>
#include <string_view>
#include <type_traits>

#include "sluice/bytes.h"
#include "sluice/number.h"

namespace sluice {

// A type that Writer::write accepts: it converts to bytes or to text.
template <typename T>
concept BytesOrText =
    std::convertible_to<const T&, std::string_view> || std::convertible_to<const T&, BytesView>;

// A type that Writer::write refuses.
template <typename T>
concept NeitherBytesNorText = !BytesOrText<T>;

// A type that converts to a number of bytes. bool, the types of characters and the floating-point
// types are excluded, although they convert to std::size_t.
template <typename T>
concept Size = std::convertible_to<const T&, std::size_t> &&
    (!std::is_arithmetic_v<T> || Integer<T>);

// The arguments of Writer::write(data, bytes).
template <typename First, typename Second>
concept AddressAndSize = std::convertible_to<const First&, const void*> && Size<Second>;

// A type that Writer::write refuses as its second argument.
template <typename Second, typename First>
concept NoSizeBehind = !AddressAndSize<First, Second>;

// Integers of one byte, and larger ones: Writer::put looks at the value of a larger one.
template <typename T>
concept SmallInteger = std::integral<T> && sizeof(T) == 1 && !std::same_as<T, bool>;
template <typename T>
concept LargeInteger = Integer<T> && sizeof(T) > 1;

// A type that Writer::put refuses.
template <typename T>
concept NeitherByteNorInteger = !std::same_as<T, std::byte> && !SmallInteger<T> && !LargeInteger<T>;

// A type that Reader::read refuses.
template <typename T>
concept NotMutableBytes = !std::convertible_to<T, MutableBytesView>;

// A type that is passed where options are expected.
template <typename T, typename Options>
concept NotOptions = !std::convertible_to<const T&, const Options&>;

// A pointer to text that ends with a NUL.
template <typename T>
concept CharPointer = std::same_as<T, const char*> || std::same_as<T, char*>;

namespace plain_value_details {

struct CallsNothing {
  void operator()();
};
template <typename T>
struct CallsToo : T, CallsNothing {};

// True if the class has an operator() of any form, as lambdas and std::reference_wrapper have. A
// class that derives from such a class and from CallsNothing inherits two operators, so the name
// `operator()` is ambiguous in it.
template <typename T>
constexpr bool is_function_object() {
  if constexpr (std::is_class_v<T> && !std::is_final_v<T>) {
    return !requires { &CallsToo<T>::operator(); };
  } else {
    return requires { &T::operator(); };
  }
}

template <typename T>
inline constexpr bool is_initializer_list = false;
template <typename T>
inline constexpr bool is_initializer_list<std::initializer_list<T>> = true;

template <typename T>
constexpr bool is_plain_value() {
  if constexpr (!std::is_trivially_copyable_v<T> || std::is_pointer_v<T> ||
                std::is_member_pointer_v<T> || std::is_null_pointer_v<T> || std::ranges::view<T> ||
                is_initializer_list<T> || is_function_object<T>()) {
    return false;
  } else if constexpr (std::ranges::range<const T>) {
    return is_plain_value<std::ranges::range_value_t<const T>>();
  } else {
    return true;
  }
}

}  // namespace plain_value_details

// A type whose objects are written as their bytes in memory. Pointers, views, references and
// function objects (lambdas too) are excluded: their bytes are addresses. A struct with a pointer
// or a view as a member cannot be recognised: its bytes are written, and they mean nothing to the
// program that reads them.
template <typename T>
concept PlainValue = plain_value_details::is_plain_value<T>();

// A type that Writer::write_value refuses.
template <typename T>
concept NotPlainValue = !PlainValue<T>;

// An array whose size the compiler knows, with elements that are written as their bytes in memory.
template <typename T>
concept PlainArray = std::is_bounded_array_v<T> && PlainValue<std::remove_all_extents_t<T>>;

// A pointer to an object that is no PlainValue, such as a std::string.
template <typename T>
concept PointerToNoPlainValue = std::is_pointer_v<std::decay_t<T>> && requires {
  sizeof(std::remove_pointer_t<std::decay_t<T>>);
} && NotPlainValue<std::remove_cv_t<std::remove_pointer_t<std::decay_t<T>>>>;

// Values that lie one after another in memory: a std::vector, a std::span, an array, ...
template <typename T>
concept PlainValues = std::ranges::contiguous_range<T> && std::ranges::sized_range<T> &&
    PlainValue<std::ranges::range_value_t<T>>;

// A type that Writer::write_values refuses.
template <typename T>
concept NotPlainValues = !PlainValues<const T>;

// PlainValues that a Reader can fill: the elements are not const.
template <typename T>
concept MutablePlainValues =
    PlainValues<T> && !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<T>>>;

// A type that Reader::read_values refuses.
template <typename T>
concept NotMutablePlainValues = !MutablePlainValues<T>;

}  // namespace sluice
