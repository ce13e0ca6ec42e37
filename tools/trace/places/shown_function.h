// The names of functions as reports show them.
#pragma once

#include <string>
#include <string_view>

namespace sluice::trace {

// "std::string" in place of "std::__cxx11::basic_string<char, ...>", without default arguments of
// templates, the compiler's suffixes (".constprop.0") and the hashes of Rust.
std::string shown_function(std::string_view function);

// The crate that has this function, "std" for "std::fs::File::open::h0123456789abcdef". Empty if
// the name is not one that a Rust compiler made.
std::string rust_crate_of(std::string_view function);

}  // namespace sluice::trace
