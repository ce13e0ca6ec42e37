#include "trace/places/shown_function.h"

#include <gtest/gtest.h>

namespace sluice::trace {
namespace {

TEST(ShownFunction, HasNoDefaultArgumentsOfTemplates) {
  const std::string string =
      "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
  EXPECT_EQ(shown_function("line_at(" + string + " const&, int)"),
            "line_at(std::string const&, int)");
  EXPECT_EQ(shown_function("put(std::vector<" + string + ", std::allocator<" + string + " > >&)"),
            "put(std::vector<std::string>&)");
  EXPECT_EQ(shown_function("name[abi:cxx11](int)"), "name(int)");
}

TEST(ShownFunction, HasNoSuffixesOfTheCompiler) {
  EXPECT_EQ(shown_function("log_msg.constprop.0"), "log_msg");
  EXPECT_EQ(shown_function("log_msg.part.0.isra.0"), "log_msg");
  EXPECT_EQ(shown_function("log(int) [clone .constprop.0]"), "log(int)");
  EXPECT_EQ(shown_function("libz.so.1: near gzclose_r+0x34b"), "libz.so.1: near gzclose_r+0x34b");
  EXPECT_EQ(shown_function("a.party"), "a.party");
}

TEST(ShownFunction, OfRustHasNoHash) {
  EXPECT_EQ(shown_function("hist::main::h44fd4a5126a11701"), "hist::main");
  EXPECT_EQ(shown_function("_$LT$a..B$u20$as$u20$c..D$GT$::e::h44fd4a5126a11701"),
            "<a::B as c::D>::e");
  EXPECT_EQ(shown_function("_RNvCsjrHSEGnQ3l9_4hist4main"), "hist::...");
}

TEST(RustCrate, IsThatOfTheFunction) {
  EXPECT_EQ(rust_crate_of("_RNvXsb_NtCsjrHSEGnQ3l9_3std2fsNtB5_4FileNtNtB7_2io5Write5write"),
            "std");
  EXPECT_EQ(rust_crate_of("_RNvMsi_NtNtNtCsjrHSEGnQ3l9_3std3sys2fs4unixNtB5_4File6open_c"), "std");
  EXPECT_EQ(rust_crate_of("_RNvNtCsgEmfK2I1SDS_4core3fmt5write"), "core");
  EXPECT_EQ(rust_crate_of("hist::main::h44fd4a5126a11701"), "hist");
  EXPECT_EQ(rust_crate_of("<std::fs::File as std::io::Write>::write::h44fd4a5126a11701"), "std");
  EXPECT_EQ(rust_crate_of("_ZN81_$LT$std..io..default_write_fmt..Adapter$LT$T$GT$$u20$as$u20$core.."
                          "fmt..Write$GT$9write_str17h73006f8853b14e97E.llvm.551859849464192584"),
            "std");
}

TEST(RustCrate, IsNoneForOtherLanguages) {
  for (const char* const name : {"main", "std::ostream::flush()", "_Read", "_R", "_Read_all", "_RN",
                                 "a::h44fd", "_ZN3foo3barEv", "_RC999999999999999999999a"}) {
    EXPECT_EQ(rust_crate_of(name), "") << name;
  }
}

}  // namespace
}  // namespace sluice::trace
