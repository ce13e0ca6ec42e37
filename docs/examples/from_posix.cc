// The programs of docs/migrating.md that make system calls, and the programs that take their place.
// Both write the same bytes.
#include <sluice/copy.h>
#include <sluice/files.h>
#include <sluice/writer.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>

#include "expect.h"

namespace before {

int write_all(int descriptor, const char* data, size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = write(descriptor, data, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    data += written;
    bytes -= size_t(written);
  }
  return 0;
}

int replace(const char* path, const char* text, size_t bytes) {
  const std::string temporary = std::string(path) + ".new";
  const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return errno;
  int code = write_all(file, text, bytes);
  if (code == 0 && fsync(file) != 0) code = errno;
  if (close(file) != 0 && code == 0) code = errno;
  if (code == 0 && rename(temporary.c_str(), path) != 0) code = errno;
  if (code != 0) unlink(temporary.c_str());
  return code;  // the directory is not synced, and the old file's mode and owner are lost
}

int copy(const char* from, const char* to) {
  const int in = open(from, O_RDONLY | O_CLOEXEC);
  if (in < 0) return errno;
  const int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int code = out < 0 ? errno : 0;
  char block[65536];
  ssize_t bytes = 0;
  while (code == 0 && (bytes = read(in, block, sizeof block)) > 0) {
    code = write_all(out, block, size_t(bytes));
  }
  if (code == 0 && bytes < 0) code = errno;
  if (out >= 0 && close(out) != 0 && code == 0) code = errno;
  close(in);
  return code;
}

int log_line(int file, const char* line, size_t bytes) {
  const std::string text = std::string(line, bytes) + '\n';
  if (const int code = write_all(file, text.data(), text.size()); code != 0) return code;
  // After a failure the next fdatasync() would return 0 although bytes are lost.
  return fdatasync(file) == 0 ? 0 : errno;
}

}  // namespace before

namespace after {

sluice::Status write_all(int descriptor, std::string_view data) {
  sluice::Writer writer;
  if (sluice::Status status = writer.attach(descriptor, "the log"); !status.ok()) return status;
  writer.write(data);
  return writer.close();  // the descriptor stays open
}

sluice::Status replace(const std::string& path, std::string_view text) {
  return sluice::write_file(path, text, {.create = sluice::CreateMode::replace_atomically});
}

sluice::Status copy(const std::string& from, const std::string& to) {
  return sluice::copy_file(from, to);
}

sluice::Status log_line(sluice::Writer& log, std::string_view line) {
  log.write(line);
  log.put('\n');
  return log.flush(sluice::FlushTo::storage);  // a failure is kept for ever
}

}  // namespace after

static int opened(const char* path) {
  const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  EXPECT(descriptor >= 0);
  return descriptor;
}

static void writes_the_same_bytes() {
  const int old_file = opened("before");
  const int file = opened("after");
  EXPECT(before::write_all(old_file, "one\ntwo\n", 8) == 0);
  EXPECT(after::write_all(file, "one\ntwo\n").ok());
  EXPECT(close(old_file) == 0 && close(file) == 0);
  EXPECT(content("before") == "one\ntwo\n");
  EXPECT(content("after") == "one\ntwo\n");
}

static void replaces_the_same_file() {
  make_file("before", "old");
  make_file("after", "old");
  EXPECT(before::replace("before", "new", 3) == 0);
  EXPECT(after::replace("after", "new").ok());
  EXPECT(content("before") == "new");
  EXPECT(content("after") == "new");
}

static void copies_the_same_file() {
  make_file("original", std::string(200000, 'x') + "end");
  EXPECT(before::copy("original", "before") == 0);
  EXPECT(after::copy("original", "after").ok());
  EXPECT(content("before") == content("original"));
  EXPECT(content("after") == content("original"));
  EXPECT(before::copy("missing", "before") == ENOENT);
  EXPECT(after::copy("missing", "after").code().value() == ENOENT);
}

static void logs_the_same_lines() {
  make_file("before", "old\n");
  make_file("after", "old\n");
  const int old_log = open("before", O_WRONLY | O_APPEND);
  sluice::Writer log;
  EXPECT(log.open("after", {.create = sluice::CreateMode::append}).ok());
  EXPECT(before::log_line(old_log, "one", 3) == 0);
  EXPECT(after::log_line(log, "one").ok());
  EXPECT(content("before") == "old\none\n");
  EXPECT(content("after") == "old\none\n");
  EXPECT(close(old_log) == 0 && log.close().ok());
}

int main() {
  writes_the_same_bytes();
  replaces_the_same_file();
  copies_the_same_file();
  logs_the_same_lines();
}
