// The blocks at the top of the headers in include/sluice, each in a function that it can stand in.
#include <sluice/copy.h>
#include <sluice/files.h>
#include <sluice/iostream.h>
#include <sluice/print.h>
#include <sluice/reader.h>
#include <sluice/result.h>
#include <sluice/sinks.h>
#include <sluice/sources.h>
#include <sluice/standard_streams.h>
#include <sluice/writer.h>

#include <fmt/compile.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expect.h"

using sluice::Durability;
using sluice::make_counting_sink;
using sluice::make_limiting_sink;
using sluice::open_file_sink;
using sluice::Reader;
using sluice::Sink;
using sluice::Status;
using sluice::Writer;

static Status writer_block(const std::vector<double>& values) {
  sluice::Writer writer;
  if (Status status = writer.open("run.bin"); !status.ok()) return status;
  for (double value : values) writer.write_value(value);
  return writer.close();
}

static Status reader_block(std::size_t& count) {
  sluice::Reader reader;
  if (Status status = reader.open("words.txt"); !status.ok()) return status;
  for (std::string_view line : reader.lines()) count += line.size();
  return reader.close();
}

static Status copy_block(Reader& reader, Writer& writer) {
  if (Status status = sluice::copy(reader, writer); !status.ok()) return status;
  return sluice::copy_file("settings", "settings.old", {.durability = Durability::on_close});
}

static Status sinks_block(Writer& writer, std::uint64_t& counted) {
  std::uint64_t bytes = 0;
  std::unique_ptr<Sink> sink;
  if (Status status = open_file_sink("run.bin", {}, sink); !status.ok()) return status;
  sink = make_counting_sink(make_limiting_sink(std::move(sink), 1 << 30), bytes);
  if (Status status = writer.open(std::move(sink)); !status.ok()) return status;
  writer.write("sixteen bytes...");
  Status status = writer.close();
  counted = bytes;
  return status;
}

static std::size_t parsed_bytes = 0;
static void parse(const std::string& text) { parsed_bytes += text.size(); }

static Status result_block() {
  sluice::Result<std::string> text = sluice::read_text("settings");
  if (!text.ok()) return text.status();
  parse(*text);

  parse(sluice::read_text("settings").value());  // throws StatusError
  return {};
}

struct Row {
  std::string name;
  int count;
};

static Status iostream_block(const std::vector<Row>& rows) {
  sluice::OStreamWriter out("table.txt");
  for (const Row& row : rows) out << row.name << ' ' << row.count << '\n';
  if (sluice::Status status = out.close(); !status.ok()) return status;
  return {};
}

static void print_block(Writer& writer, double distance, std::string_view name, int index,
                        int count) {
  sluice::print(writer, "{:>8.3f} {}\n", distance, name);
  sluice::println(writer, FMT_COMPILE("{} {}"), index, count);
}

static bool is_wanted(std::string_view line) { return line.starts_with("yes"); }

static void standard_streams_block() {
  sluice::Reader in = sluice::standard_input();
  sluice::Writer out = sluice::standard_output();
  for (std::string_view line : in.lines()) {
    if (!is_wanted(line)) continue;
    if (!out.write(line) || !out.put('\n')) break;  // for example, the pipe has no reader left
  }
}

static void write_and_read() {
  EXPECT(writer_block({1, 2.5}).ok());
  EXPECT(content("run.bin").size() == 16);
  make_file("words.txt", "one\nthree");
  std::size_t count = 0;
  EXPECT(reader_block(count).ok() && count == 8);
}

static void copy_twice() {
  make_file("settings", "colour = red\n");
  Reader reader;
  Writer writer;
  EXPECT(reader.open("settings").ok() && writer.open("copied").ok());
  EXPECT(copy_block(reader, writer).ok());
  EXPECT(writer.close().ok());
  EXPECT(content("copied") == "colour = red\n" && content("settings.old") == "colour = red\n");
  EXPECT(result_block().ok() && parsed_bytes == 26);
}

static void count_bytes() {
  Writer writer;
  std::uint64_t bytes = 0;
  EXPECT(sinks_block(writer, bytes).ok() && bytes == 16);
}

static void format() {
  EXPECT(iostream_block({{"lamp", 3}, {"pen", 4}}).ok());
  EXPECT(content("table.txt") == "lamp 3\npen 4\n");
  Writer writer;
  EXPECT(writer.open("printed").ok());
  print_block(writer, 0.5, "Mars", 1, 2);
  EXPECT(writer.close().ok());
  EXPECT(content("printed") == "   0.500 Mars\n1 2\n");
}

// blocks_test.py passes lines to standard input, and compares standard output.
int main() {
  write_and_read();
  copy_twice();
  count_bytes();
  format();
  standard_streams_block();
}
