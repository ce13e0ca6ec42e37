// The blocks of docs/recipes.md. Those with checksums and a Journal are in
// recipes_with_checksums.cc.
#include <sluice/files.h>
#include <sluice/iostream.h>
#include <sluice/lost_error.h>
#include <sluice/print.h>
#include <sluice/reader.h>
#include <sluice/sinks.h>
#include <sluice/sources.h>
#include <sluice/writer.h>

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expect.h"

// `find FOLDER -print0` ends each name with a NUL, because a name may have newlines.
sluice::Status read_names(const std::string& path, std::vector<std::string>& names) {
  sluice::Reader reader;
  if (sluice::Status status = reader.open(path); !status.ok()) return status;
  for (std::string_view name; reader.read_until('\0', name);) names.emplace_back(name);
  return reader.close();
}

// Adds up all numbers, and counts the texts that are no numbers.
sluice::Status add_up_good_numbers(const std::string& path, double& sum, int& bad) {
  sluice::Reader reader;
  if (sluice::Status status = reader.open(path); !status.ok()) return status;
  for (;;) {
    std::string_view text;
    if (double number = 0; reader.next_number(number)) {
      sum += number;
    } else if (reader.skip_bad_number(text)) {
      ++bad;  // `text` is no number
    } else {
      break;  // the end, or a failure that is not about a number
    }
  }
  return reader.close();
}

// Reads the last `count` doubles of a file that Writer::write_values has written.
sluice::Status read_last_values(const std::string& path, std::size_t count,
                                std::vector<double>& values) {
  sluice::Reader reader;
  if (sluice::Status status = reader.open(path); !status.ok()) return status;
  std::uint64_t bytes = 0;
  if (sluice::Status status = reader.size(bytes); !status.ok()) return status;
  values.resize(std::min<std::size_t>(count, bytes / sizeof(double)));
  if (sluice::Status status = reader.seek(bytes - values.size() * sizeof(double)); !status.ok()) {
    return status;
  }
  values.resize(reader.read_values(values));
  return reader.close();
}

// Reads the lines that were added since the last call. `rest` has the beginning of a line that is
// not complete yet: keep it for the next call.
sluice::Status read_new_lines(sluice::Reader& reader, std::string& rest,
                              std::vector<std::string>& lines) {
  if (sluice::Status status = reader.seek(reader.position()); !status.ok()) return status;
  std::uint64_t begin = reader.position();
  for (std::string_view line; reader.next_line(line); begin = reader.position()) {
    rest += line;
    const bool has_newline = reader.position() == begin + line.size() + 1;
    if (has_newline) lines.push_back(std::exchange(rest, {}));
  }
  return reader.status();
}

// Writes text into memory, with the same calls of Writer that write to a file.
std::string table_of_squares(int rows) {
  std::string text;
  sluice::Writer writer;
  if (!writer.open(sluice::make_memory_sink(text)).ok()) return {};
  for (int i = 0; i < rows; ++i) sluice::println(writer, "{:>4} {:>8}", i, i * i);
  return writer.close().ok() ? text : std::string();
}

// Writes the same bytes to two files. After an ok both files have every byte. A failure names the
// file that failed.
sluice::Status write_twice(const std::string& first_path, const std::string& second_path,
                           std::string_view text) {
  std::unique_ptr<sluice::Sink> first;
  if (sluice::Status status = sluice::open_file_sink(first_path, {}, first); !status.ok()) {
    return status;
  }
  std::unique_ptr<sluice::Sink> second;
  if (sluice::Status status = sluice::open_file_sink(second_path, {}, second); !status.ok()) {
    return status;
  }
  sluice::Writer writer;
  sluice::Status status = writer.open(sluice::make_tee_sink(std::move(first), std::move(second)));
  if (!status.ok()) return status;
  writer.write(text);
  return writer.close();
}

// A file that never grows beyond a limit: the byte after it fails with EFBIG.
sluice::Status open_limited(sluice::Writer& writer, const std::string& path,
                            std::uint64_t max_bytes) {
  std::unique_ptr<sluice::Sink> file;
  if (sluice::Status status = sluice::open_file_sink(path, {}, file); !status.ok()) return status;
  return writer.open(sluice::make_limiting_sink(std::move(file), max_bytes));
}

// A text log of one thread: each entry is on the disk before the program goes on.
sluice::Status open_log(sluice::Writer& log, const std::string& path) {
  return log.open(
      path, {.create = sluice::CreateMode::append, .durability = sluice::Durability::every_flush});
}

sluice::Status add_to_log(sluice::Writer& log, std::string_view entry) {
  log.write(entry);
  log.put('\n');
  return log.flush();
}

// A new file in place of the old one, or no change: `make` says whether the new file is good.
template <typename Make>
sluice::Status replace_if(const std::string& path, Make make) {
  sluice::Writer writer;
  const sluice::WriterOptions options = {.create = sluice::CreateMode::replace_atomically};
  if (sluice::Status status = writer.open(path, options); !status.ok()) return status;
  return make(writer) ? writer.close() : writer.discard();
}

// The output of another program.
sluice::Status count_lines_of(const char* command, int& lines) {
  std::FILE* const pipe = popen(command, "r");
  if (pipe == nullptr) return sluice::Status::failure(sluice::Operation::open, command, errno);
  sluice::Reader reader;
  sluice::Status status = reader.attach(fileno(pipe), command);
  if (status.ok()) {
    for ([[maybe_unused]] const std::string_view line : reader.lines()) ++lines;
    status = reader.close();
  }
  pclose(pipe);
  return status;
}

// Failures that no code asks for go to the program's own log.
void log_lost_error(const sluice::Status& status, void* log) {
  static_cast<std::vector<std::string>*>(log)->push_back(status.message());
}

static void reads_names() {
  make_file("names", std::string_view("one\0two\nlines\0", 14));
  std::vector<std::string> names;
  EXPECT(read_names("names", names).ok());
  EXPECT(names == (std::vector<std::string>{"one", "two\nlines"}));
}

static void adds_up_good_numbers() {
  make_file("numbers", "1 two 3.5\nx4");
  double sum = 0;
  int bad = 0;
  EXPECT(add_up_good_numbers("numbers", sum, bad).ok());
  EXPECT(sum == 4.5 && bad == 2);
}

static void reads_last_values() {
  sluice::Writer writer;
  EXPECT(writer.open("values").ok());
  for (int i = 0; i < 100000; ++i) writer.write_value(i * 0.5);
  EXPECT(writer.close().ok());
  std::vector<double> values;
  EXPECT(read_last_values("values", 2, values).ok());
  EXPECT(values == (std::vector<double>{49999, 49999.5}));
}

static void reads_new_lines() {
  make_file("growing", "one\n");
  sluice::Reader reader;
  EXPECT(reader.open("growing").ok());
  std::vector<std::string> lines;
  std::string rest;
  EXPECT(read_new_lines(reader, rest, lines).ok() && rest.empty());
  for (const char* text : {"two\nab", "c", "\nfour"}) {
    EXPECT(sluice::write_file("growing", text, {.create = sluice::CreateMode::append}).ok());
    EXPECT(read_new_lines(reader, rest, lines).ok());
  }
  EXPECT(lines == (std::vector<std::string>{"one", "two", "abc"}));
  EXPECT(rest == "four");
}

static void writes_to_memory() { EXPECT(table_of_squares(2) == "   0        0\n   1        1\n"); }

static void writes_to_two_files() {
  EXPECT(write_twice("first", "second", "bytes").ok());
  EXPECT(content("first") == "bytes" && content("second") == "bytes");
  EXPECT(write_twice("first", "/dev/full", "bytes").path() == "/dev/full");
}

static void limits_a_file() {
  sluice::Writer writer;
  EXPECT(open_limited(writer, "limited", 4).ok());
  writer.write("bytes");
  EXPECT(writer.close().code().value() == EFBIG);
  EXPECT(content("limited") == "byte");
}

static void keeps_a_log() {
  make_file("log", "old\n");
  sluice::Writer log;
  EXPECT(open_log(log, "log").ok());
  EXPECT(add_to_log(log, "one").ok());
  EXPECT(content("log") == "old\none\n");
  EXPECT(log.close().ok());
}

static void replaces_if_it_is_good() {
  make_file("file", "old");
  const auto give_up = [](sluice::Writer& writer) { return writer.write("half") && false; };
  EXPECT(replace_if("file", give_up).ok());
  EXPECT(content("file") == "old");
  EXPECT(replace_if("file", [](sluice::Writer& writer) { return writer.write("new"); }).ok());
  EXPECT(content("file") == "new");
}

static void reads_a_pipe() {
  int lines = 0;
  EXPECT(count_lines_of("printf 'one\\ntwo\\n'", lines).ok());
  EXPECT(lines == 2);
}

static void logs_lost_errors() {
  std::vector<std::string> log;
  sluice::set_lost_error_handler(log_lost_error, &log);
  {
    sluice::Writer writer;
    EXPECT(writer.open("/dev/full").ok());
    writer.write("nobody calls close()");
  }
  sluice::set_lost_error_handler(nullptr);
  EXPECT(log.size() == 1);
  EXPECT(log[0] == "write /dev/full at byte 0: No space left on device");
}

int main() {
  reads_names();
  adds_up_good_numbers();
  reads_last_values();
  reads_new_lines();
  writes_to_memory();
  writes_to_two_files();
  limits_a_file();
  keeps_a_log();
  replaces_if_it_is_good();
  reads_a_pipe();
  logs_lost_errors();
}
