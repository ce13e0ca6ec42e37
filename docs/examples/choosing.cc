// The blocks of docs/choosing.md: ways to write, to read, and to learn of failures.
#include <sluice/copy.h>
#include <sluice/files.h>
#include <sluice/journal.h>
#include <sluice/print.h>
#include <sluice/reader.h>
#include <sluice/result.h>
#include <sluice/writer.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expect.h"

// What to write

void write_each_kind(sluice::Writer& writer, const std::vector<float>& samples) {
  writer.write("samples\n");                        // text, without a NUL at its end
  writer.put('\n');                                 // one byte
  writer.write_number(samples.size());              // the digits: 3
  writer.write_value(samples.size());               // the 8 bytes of the number in memory
  writer.write_values(samples);                     // the bytes of all elements
  sluice::println(writer, "{:>8.2f}", samples[0]);  // a format
}

// How to build data in place

void write_upper_case(sluice::Writer& writer, std::string_view text) {
  constexpr std::size_t piece_bytes = 4096;  // at most options.block_bytes
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, piece_bytes);
    const sluice::MutableBytesView room = writer.reserve(piece.size());
    if (room.empty()) return;  // the Writer has failed
    std::transform(piece.begin(), piece.end(), room.begin(),
                   [](unsigned char letter) { return std::byte(std::toupper(letter)); });
    writer.commit(piece.size());
    text.remove_prefix(piece.size());
  }
}

// What to read

sluice::Status count_lines(sluice::Reader& reader, int& lines) {
  for ([[maybe_unused]] const std::string_view line : reader.lines()) ++lines;
  return reader.status();
}

sluice::Status add_up_numbers(sluice::Reader& reader, double& sum) {
  for (double number = 0; reader.next_number(number);) sum += number;
  return reader.status();
}

sluice::Status add_up_records(sluice::Reader& reader, double& sum) {
  for (const std::span<const float> records : reader.records<float>()) {
    for (const float record : records) sum += record;
  }
  return reader.status();
}

// Works in the block: no byte is copied, and a sequence may cross from one block to the next.
sluice::Status count_escapes(sluice::Reader& reader, int& escapes) {
  while (!reader.peek(1).empty()) {
    const sluice::BytesView bytes = reader.peek(1);
    escapes += static_cast<int>(std::count(bytes.begin(), bytes.end(), std::byte{'\\'}));
    reader.skip(bytes.size());
  }
  return reader.status();
}

// How to learn of failures

sluice::Status first_line(const std::string& path, std::string& line) {
  sluice::Reader reader;
  if (sluice::Status status = reader.open(path); !status.ok()) return status;
  std::string_view found;
  if (reader.next_line(found)) line = found;
  return reader.close();
}

std::size_t size_or_zero(const std::string& path) {
  const sluice::Result<std::string> text = sluice::read_text(path);
  if (!text.ok()) std::puts(text.status().message().c_str());
  return text.ok() ? text->size() : 0;
}

std::size_t size_or_throw(const std::string& path) {
  return sluice::read_text(path).value().size();  // throws sluice::StatusError
}

sluice::Status save_beside_others(const std::string& path, std::span<const double> values) {
  sluice::Writer writer;
  sluice::Status status = writer.open(path, {.cache = sluice::Cache::drop});
  if (!status.ok()) return status;
  writer.write_values(values);
  return writer.close();  // ok: the disk has taken the bytes, and the cache has none
}

static void writes_each_kind() {
  sluice::Writer writer;
  EXPECT(writer.open("kinds").ok());
  write_each_kind(writer, {1.5, 2, 3});
  write_upper_case(writer, "loud");
  EXPECT(writer.close().ok());
  const std::string written = content("kinds");
  EXPECT(written.starts_with("samples\n\n3"));
  EXPECT(written.ends_with("    1.50\nLOUD"));
  EXPECT(written.size() == 10 + 8 + 12 + 9 + 4);
}

static void leaves_the_cache_alone() {
  const double values[] = {1.5, 2.5};
  EXPECT(save_beside_others("values", values).ok());
  EXPECT(content("values").size() == sizeof values);
}

static sluice::Reader reader_of(std::string_view text) {
  make_file("input", text);
  return std::move(sluice::open_reader("input").value());
}

static void reads_each_kind() {
  sluice::Reader text = reader_of("one\ntwo\nthree");
  int lines = 0;
  EXPECT(count_lines(text, lines).ok() && lines == 3);
  sluice::Reader numbers = reader_of("1 2.5\n-1");
  double sum = 0;
  EXPECT(add_up_numbers(numbers, sum).ok() && sum == 2.5);
  const float samples[] = {1, 2};
  sluice::Reader records = reader_of({reinterpret_cast<const char*>(samples), sizeof samples});
  double total = 0;
  EXPECT(add_up_records(records, total).ok() && total == 3);
  sluice::Reader escaped = reader_of("a\\n" + std::string(600000, '\\'));
  int escapes = 0;
  EXPECT(count_escapes(escaped, escapes).ok() && escapes == 600001);
}

static void learns_of_failures() {
  std::string line;
  make_file("text", "first\nsecond");
  EXPECT(first_line("text", line).ok() && line == "first");
  EXPECT(first_line("missing", line).message() == "open missing: No such file or directory");
  EXPECT(size_or_zero("missing") == 0);
  EXPECT(size_or_throw("text") == 12);
  bool has_thrown = false;
  try {
    size_or_throw("missing");
  } catch (const sluice::StatusError& error) {
    has_thrown = error.status().operation() == sluice::Operation::open;
  }
  EXPECT(has_thrown);
}

int main() {
  writes_each_kind();
  leaves_the_cache_alone();
  reads_each_kind();
  learns_of_failures();
}
