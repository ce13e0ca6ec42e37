#include "trace/place.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::trace {
namespace {

std::string place(const std::vector<Frame>& frames) { return place_of({.frames = frames}); }

const Frame of_c_library = {"__libc_start_main", "", "/lib/libc.so.6"};

TEST(Place, IsTheFunctionWithItsLine) {
  EXPECT_EQ(place({{"main", "/home/program.c:7", "/bin/program"}}), "main at program.c:7");
  EXPECT_EQ(place({{"program+0x4a", "", "/bin/program"}}), "program+0x4a");
  EXPECT_EQ(place({{"a.so: near run+0x4", "", "/lib/a.so"}}), "a.so: near run+0x4");
  EXPECT_EQ(place({}), "(unknown)");
}

TEST(Place, IsOnlyTheInterpreterForItsUser) {
  const std::string python = "/usr/bin/python3.11";
  EXPECT_EQ(place({{"_Py_read", "", python},
                   {"python3.11: near PyNumber_Check+0x2b0", "", python},
                   {"Py_BytesMain", "", python},
                   of_c_library,
                   {"_start", "", python}}),
            "python3.11");
  EXPECT_EQ(place({{"libtcl8.6.so: near TclBN+0x11f", "", "/lib/libtcl8.6.so"},
                   {"tclsh8.6+0x11f", "", "/usr/bin/tclsh8.6"}}),
            "Tcl");
  EXPECT_EQ(place({{"handleWrite", "", "/usr/lib/jvm/lib/libjava.so"}, {"0x7f75789455da", "", ""}}),
            "Java");
  EXPECT_EQ(place({{"busybox+0x11f", "", "/bin/busybox"}}), "busybox");
}

TEST(Place, IsTheProgramsFunctionThatRunsTheInterpreter) {
  EXPECT_EQ(place({{"liblua5.4.so.0: near lua_getinfo+0x1", "", "/lib/liblua5.4.so.0"},
                   {"lua_pcallk", "", "/lib/liblua5.4.so.0"},
                   {"program+0x4a", "", "/bin/program"},
                   {"run_script", "/home/script.c:12", "/bin/program"}}),
            "run_script at script.c:12");
  EXPECT_EQ(place({{"caml_write_fd", "", "/bin/program"},
                   {"camlStdlib__Printf__fun_229", "./stdlib/printf.ml:20", "/bin/program"},
                   {"camlReport__print_12", "report.ml:3", "/bin/program"}}),
            "camlReport__print_12 at report.ml:3");
}

TEST(ShownFile, DescribesATemporaryFileWithoutAName) {
  EXPECT_EQ(shown_file("/tmp/#9977861 (deleted)"),
            "a temporary file in /tmp that is already deleted");
  for (const std::string name :
       {"/tmp/log (deleted)", "/tmp/#1", "/tmp/#1a (deleted)", "/tmp/# (deleted)", "/f/file"}) {
    EXPECT_EQ(shown_file(name), name);
  }
}

}  // namespace
}  // namespace sluice::trace
