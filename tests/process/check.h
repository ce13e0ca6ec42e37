// The programs of this folder share this: they report a problem on standard error and exit with 1.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

// Every program here ends within moments. SIGALRM ends a program that hangs, which then fails.
inline void end_when_hanging() { ::alarm(60); }

inline void check(bool holds, const std::string& promise) {
  if (holds) return;
  std::fprintf(stderr, "process %d: not so: %s\n", ::getpid(), promise.c_str());
  std::_Exit(1);
}

inline std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  check(file.is_open(), "there is a file " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void wait_for_success(pid_t child) {
  int status = 0;
  check(::waitpid(child, &status, 0) == child, "the child can be waited for");
  check(WIFEXITED(status) && WEXITSTATUS(status) == 0,
        "the child succeeds (its status is " + std::to_string(status) + ")");
}

// Bytes that differ at every distance.
inline std::string numbered_lines(int first, int last) {
  std::string text;
  for (int i = first; i < last; ++i) text += std::to_string(i) + "\n";
  return text;
}

inline std::size_t thread_count() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Threads:")) return std::stoul(line.substr(8));
  }
  return 0;
}
