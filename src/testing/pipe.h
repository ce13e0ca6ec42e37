// Pipe: both ends of a pipe. The destructor closes them. Redirected: a standard descriptor that
// temporarily stands for another descriptor.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

namespace sluice::testing {

// Reads until every writing end is closed.
inline std::string read_to_end(int descriptor) {
  std::string bytes;
  std::array<char, 4096> block;
  ssize_t got = 0;
  while ((got = ::read(descriptor, block.data(), block.size())) > 0) {
    bytes.append(block.data(), static_cast<std::size_t>(got));
  }
  return bytes;
}

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0); }
  ~Pipe() {
    close_reading();
    close_writing();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reading() const { return ends[0]; }
  int writing() const { return ends[1]; }
  void close_reading() { close(ends[0]); }
  void close_writing() { close(ends[1]); }
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }

  std::array<int, 2> ends{-1, -1};
};

// While an object of this class exists, the descriptor `standard` (0, 1 or 2) is a copy of `other`,
// or closed if `other` is -1.
class Redirected {
 public:
  Redirected(int standard, int other)
      : standard_(standard), kept_(::fcntl(standard, F_DUPFD_CLOEXEC, 3)) {
    EXPECT_GE(kept_, 0);
    other < 0 ? ::close(standard) : ::dup2(other, standard);
  }
  ~Redirected() {
    ::dup2(kept_, standard_);
    ::close(kept_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  const int standard_;
  const int kept_;
};

}  // namespace sluice::testing
