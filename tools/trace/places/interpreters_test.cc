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
  EXPECT_TRUE(is_of_programs("/usr/include/stdio.h"));
  EXPECT_TRUE(is_of_programs("/home/user/.pyenv/lib/python3.12/enum.py"));
  EXPECT_FALSE(is_of_programs("/home/user/app.py"));
  EXPECT_FALSE(is_of_programs("/home/user/lib/data"));
  EXPECT_FALSE(is_of_programs("/usr/share/dict/words"));
  EXPECT_TRUE(is_script("/home/user/app.py"));
  EXPECT_FALSE(is_script("/home/user/app.py.txt"));
}

}  // namespace
}  // namespace sluice::trace
