#include "trace/places/place.h"

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

// By a tail call of main(), as in `return fclose(file)`, or after main().
TEST(Place, IsTheEndOfTheProgramWithoutAFunction) {
  EXPECT_EQ(place({{"_start", "", "/bin/program"}}), "the end of the program");
  EXPECT_EQ(place({{"_start", "/home/start.c:7", "/bin/program"}}), "_start at start.c:7");
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
  EXPECT_EQ(place({{"sdbm_store", "", "/lib/perl/auto/SDBM_File/SDBM_File.so"},
                   {"Perl_pp_entersub", "", "/usr/bin/perl"}}),
            "SDBM");
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

TEST(Place, IsTheProgramsLineBelowTheLibraryOfALanguage) {
  const std::string fortran = "/usr/lib/libgfortran.so.5";
  EXPECT_EQ(place({{"libgfortran.so.5: near _gfortran_a+0x2137", "", fortran},
                   {"_gfortran_st_open", "", fortran},
                   {"MAIN__", "/home/steps.f90:11", "/bin/steps"},
                   {"main", "/home/steps.f90:15", "/bin/steps"}}),
            "MAIN__ at steps.f90:11");
  EXPECT_EQ(place({{"ada__text_io__getc", "", "/usr/lib/libgnat-12.so"},
                   {"inverse+0x12", "", "/bin/inverse"}}),
            "inverse+0x12");
  EXPECT_EQ(
      place({{"_RNvXsb_NtCsjrHSEGnQ3l9_3std2fs4File5write", "library/std/src/sys/fd/unix.rs:346",
              "/bin/hist"},
             {"write_fmt<std::fs::File>", "/rustc/5/library/std/src/io/mod.rs:639", "/bin/hist"},
             {"hist::main::h44fd4a5126a11701", "/home/hist.rs:2", "/bin/hist"}}),
      "hist::main at hist.rs:2");
  EXPECT_EQ(place({{"hist::main::h44fd4a5126a11701", "/rustc/5/library/std/src/io/mod.rs:639",
                    "/bin/hist"}}),
            "hist::main");
  EXPECT_EQ(place({{"newlisp+0x2d714", "", "/usr/bin/newlisp"}, of_c_library}), "newlisp");
}

TEST(Place, HasTheCallerOfALibraryWithoutLines) {
  const Frame inner = {"libz.so.1: near gzclose_r+0x34b", "", "/usr/lib/libz.so.1"};
  const Frame flush = {"gzflush", "", "/usr/lib/libz.so.1"};
  EXPECT_EQ(place({inner, flush, {"main", "/home/gzlog.c:3", "/bin/gzlog"}}),
            "libz.so.1: near gzclose_r+0x34b, called by main at gzlog.c:3");
  EXPECT_EQ(place({inner, flush, {"main", "", "/bin/gzlog"}}), "libz.so.1: near gzclose_r+0x34b");
  EXPECT_EQ(place({{"put", "/home/put.c:1", "/usr/lib/libput.so"},
                   {"main", "/home/gzlog.c:3", "/bin/gzlog"}}),
            "put at put.c:1");
}

TEST(ShownFile, DescribesATemporaryFileWithoutAName) {
  EXPECT_EQ(shown_file("/tmp/#9977861 (deleted)"),
            "a temporary file in /tmp that is already deleted");
  for (const std::string name :
       {"/tmp/log (deleted)", "/tmp/#1", "/tmp/#1a (deleted)", "/tmp/# (deleted)", "/f/file"}) {
    EXPECT_EQ(shown_file(name), name);
  }
}

TEST(Place, OfADatabaseIsWhoCallsIt) {
  const Frame inner = {"libsqlite3.so.0: near sqlite3_vfs_unregister+0x17e1", "",
                       "/usr/lib/libsqlite3.so.0"};
  EXPECT_EQ(place({inner}), "SQLite");
  EXPECT_EQ(
      place({inner, inner, {"add", "import.c:3", "/home/import"}, {"main", "", "/home/import"}}),
      "SQLite, called by add at import.c:3");
  EXPECT_EQ(place({inner, {"import+0x11e", "", "/home/import"}}), "SQLite, called by import");
  EXPECT_EQ(place({inner, {"_PyEval_EvalFrameDefault", "", "/usr/bin/python3.11"}}),
            "SQLite, called by python3.11");
}

}  // namespace
}  // namespace sluice::trace
