#include "bench/scratch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "bench/machine.h"
#include "command_line/quantity.h"

namespace sluice::bench {
namespace {

// File systems need some room of their own for blocks and names.
constexpr std::uint64_t margin_bytes = 8 << 20;

[[noreturn]] void fail(const char* operation, const std::string& path) {
  throw std::runtime_error(fmt::format("{} {}: {}", operation, path, std::strerror(errno)));
}

std::filesystem::directory_iterator entries_of(const std::string& path) {
  std::error_code error;
  std::filesystem::directory_iterator entries(path, error);
  if (!error) return entries;
  throw std::runtime_error(fmt::format("open {}: {}", path, error.message()));
}

}  // namespace

Scratch::Scratch(const std::string& parent) {
  const int folder = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) fail("open", parent);
  ::close(folder);
  // Absolute, so that a strategy may change the working directory.
  path_ = std::filesystem::absolute(parent) / "sluice-bench-XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr) fail("create a scratch folder in", parent);
}

Scratch::~Scratch() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
  if (!error) return;
  std::fprintf(stderr, "sluice bench: remove %s: %s\n", path_.c_str(), error.message().c_str());
}

void Scratch::keep_present() {
  kept_.clear();
  for (const auto& entry : entries_of(path_)) {
    kept_.insert(entry.path().filename());
  }
}

void Scratch::remove_new() {
  for (const auto& entry : entries_of(path_)) {
    if (!kept_.contains(entry.path().filename())) std::filesystem::remove_all(entry.path());
  }
}

void Scratch::clear() {
  kept_.clear();
  remove_new();
}

void expect_room(const std::string& directory, std::uint64_t needed_bytes,
                 const std::string& purpose, const std::string& remedy) {
  struct statvfs facts {};
  if (::statvfs(directory.c_str(), &facts) != 0) fail("statvfs", directory);
  if (facts.f_blocks == 0) return;  // the file system does not tell its size
  const std::uint64_t available = std::uint64_t{facts.f_bavail} * facts.f_frsize;
  if (needed_bytes <= available && margin_bytes <= available - needed_bytes) return;
  throw std::runtime_error(fmt::format(
      "{} ({}) has {} available but {} needs {} and {} to spare: choose another --dir{}", directory,
      filesystem_of(directory), format_bytes(available), purpose, format_bytes(needed_bytes),
      format_bytes(margin_bytes), remedy));
}

}  // namespace sluice::bench
