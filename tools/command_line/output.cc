#include "command_line/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "sluice/files.h"
#include "sluice/writer.h"

namespace sluice {
namespace {

void expect_ok(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.message());
}

[[noreturn]] void fail_to_open(const std::string& path, int error) {
  throw std::runtime_error(fmt::format("open {}: {}", path, std::strerror(error)));
}

}  // namespace

void write_output(std::string_view text) {
  Writer writer;
  expect_ok(writer.attach(STDOUT_FILENO, "standard output"));
  writer.write(text);
  expect_ok(writer.close());
}

namespace {

// The length of the control character at the start of the text, or 0. Control characters are those
// of ASCII, and in UTF-8 those of ISO 6429 (U+0080 to U+009F).
std::size_t control_bytes(std::string_view text) {
  const auto at = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  if (at(0) < 0x20 || at(0) == 0x7f) return 1;
  return at(0) == 0xc2 && at(1) >= 0x80 && at(1) < 0xa0 ? 2 : 0;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t control = text[i] == '\n' ? 0 : control_bytes(text.substr(i));
    for (std::size_t end = i + control; i < end; ++i) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    }
    if (control == 0) result += text[i++];
  }
  return result;
}

std::string on_one_line(std::string_view text) {
  std::string result = printable(text);
  for (std::size_t at = 0; (at = result.find('\n', at)) != std::string::npos;) {
    result.replace(at, 1, "\\x0a");
  }
  return result;
}

void complain(std::string_view who, std::string_view what) {
  std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(who.size()), who.data(),
               printable(what).c_str());
}

void write_report(std::string_view text) {
  if (std::fputs(printable(text).c_str(), stderr) >= 0 || errno == EBADF) return;
  throw std::runtime_error(fmt::format("write standard error: {}", std::strerror(errno)));
}

void expect_readable(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) fail_to_open(path, errno);
  if (S_ISDIR(facts.st_mode)) fail_to_open(path, EISDIR);
  // Opening a pipe may wait for ever, and a device may have no end.
  if (!S_ISREG(facts.st_mode)) {
    throw std::runtime_error(fmt::format("open {}: Not a regular file", path));
  }
  if (::access(path.c_str(), R_OK) != 0) fail_to_open(path, errno);
}

void expect_writable(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) == 0) {
    if (S_ISDIR(facts.st_mode)) fail_to_open(path, EISDIR);
    if (::access(path.c_str(), W_OK) != 0) fail_to_open(path, errno);
    return;
  }
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 && errno == EEXIST) return;  // another rank of the job has just made it
  if (file < 0) fail_to_open(path, errno);
  ::close(file);
  ::unlink(path.c_str());
}

void write_text(const std::string& path, std::string_view text) {
  expect_ok(write_file(path, text));
}

void write_private_text(const std::string& path, std::string_view text) {
  expect_ok(write_file(path, text, {.permissions = 0600}));
}

}  // namespace sluice
