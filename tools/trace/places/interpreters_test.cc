#include "trace/places/interpreters.h"

#include <gtest/gtest.h>

namespace sluice::trace {
namespace {

TEST(Interpreters, AreProgramsThatRunScripts) {
  EXPECT_EQ(interpreter_in("perl"), "Perl");
  EXPECT_EQ(interpreter_in("python3"), "Python");
  EXPECT_EQ(interpreter_in("jq"), "jq");
  for (const char* const other : {"bash", "gawk", "program", "jqueue"}) {
    EXPECT_EQ(interpreter_in(other), "") << other;
  }
}

TEST(Interpreters, ReadFilesThatAreNoData) {
  EXPECT_TRUE(is_of_program("/usr/include/stdio.h", "cc1"));
  EXPECT_TRUE(is_of_program("/home/user/.pyenv/lib/python3.12/enum.py", "grep"));
  EXPECT_TRUE(is_of_program("/home/user/app.py", "python3"));
  EXPECT_FALSE(is_of_program("/home/user/app.py", "grep"));
  EXPECT_FALSE(is_of_program("/home/user/lib/data", "perl"));
  EXPECT_FALSE(is_of_program("/usr/share/dict/words", "grep"));
}

}  // namespace
}  // namespace sluice::trace
