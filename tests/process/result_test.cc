// A program without exceptions and RTTI: the value of a failure ends it, with one clear line.
//
// usage: result_test SCENARIO FOLDER
#include <signal.h>
#include <sluice/result.h>

#include <array>
#include <string>

#include "check.h"

namespace {

// Runs in a child, whose standard error `message` gets.
int ending_of_child(const std::string& path, std::string& message) {
  std::array<int, 2> ends{};
  check(::pipe(ends.data()) == 0, "there is a pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], 2);
    const std::string text = sluice::read_text(path).value();
    ::_exit(text == "bytes" ? 0 : 3);
  }
  ::close(ends[1]);
  std::array<char, 1000> block;
  for (ssize_t got = 0; (got = ::read(ends[0], block.data(), block.size())) > 0;) {
    message.append(block.data(), static_cast<std::size_t>(got));
  }
  int status = 0;
  check(::waitpid(child, &status, 0) == child, "the child can be waited for");
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  end_when_hanging();
  const std::string path = std::string(argv[2]) + "/file";
  std::string message;
  const int failed = ending_of_child(path, message);
  check(WIFSIGNALED(failed) && WTERMSIG(failed) == SIGABRT, "the value of a failure aborts");
  check(message ==
            "sluice: Result::value() of a failure: open " + path + ": No such file or directory\n",
        "it says why: " + message);
  check(sluice::write_file(path, "bytes").ok(), "the file is written");
  message.clear();
  check(ending_of_child(path, message) == 0 && message.empty(), "a value is a value");
  return 0;
}
