// `write-lines`: a text file of 10,000 lines, written line by line, 100 times over.
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <utility>

#include "bench/experiments/file_targets.h"
#include "bench/experiments/pattern_output.h"
#include "bench/experiments/peer_targets.h"
#include "bench/experiments/registry.h"
#include "sluice/print.h"
#include "sluice/writer.h"

namespace sluice::bench {
namespace {

constexpr std::size_t line_bytes = 60;  // with its newline
constexpr std::uint64_t lines_per_file = 10'000;
constexpr unsigned most_repeats = 100;

// The lines that every row writes; the same text, cut in two ways.
struct Text {
  std::vector<std::string> lines;    // without newlines
  std::vector<std::string> endings;  // the same lines, each with its newline
  std::string whole;
};

Text make_text(std::uint64_t count) {
  Text text;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string line = fmt::format("line {:06} of the file,", i);
    for (std::uint64_t word = i * 7919; line.size() < line_bytes; word = word * 31 + 7) {
      line += fmt::format(" {}", word % 100'000);
    }
    line.resize(line_bytes - 1);
    text.lines.push_back(line);
    text.endings.push_back(line + '\n');
    text.whole += text.endings.back();
  }
  return text;
}

void endl_each(const std::string& path, const Text& text) {
  OutputStream output(path);
  for (const std::string& line : text.lines) output.get() << line << std::endl;
  output.close();
}

void newline_each(const std::string& path, const Text& text) {
  OutputStream output(path);
  for (const std::string& line : text.lines) output.get() << line << '\n';
  output.close();
}

// What one would do by hand: append every line to one string, write the string.
void whole_in_one_string(const std::string& path, const Text& text) {
  std::string whole;
  for (const std::string& line : text.lines) {
    whole += line;
    whole += '\n';
  }
  OutputStream output(path);
  output.get() << whole;
  output.close();
}

void fputs_each(const std::string& path, const Text& text) {
  StdioFile file(path, "wb");
  for (const std::string& line : text.endings) std::fputs(line.c_str(), file.get());
  file.close();
}

// fprintf's result is looked at, or the compiler might call a simpler function in its place.
void fprintf_each(const std::string& path, const Text& text) {
  StdioFile file(path, "wb");
  for (const std::string& line : text.lines) {
    if (std::fprintf(file.get(), "%s\n", line.c_str()) < 0) fail("write", path);
  }
  file.close();
}

void fmt_each(const std::string& path, const Text& text) {
  FmtFile output(path);
  for (const std::string& line : text.lines) output.print("{}\n", line);
  output.close();
}

void sluice_write_each(const std::string& path, const Text& text) {
  Writer writer;
  writer.open(path).throw_if_error();
  for (const std::string& line : text.lines) {
    writer.write(line);
    writer.put('\n');
  }
  writer.close().throw_if_error();
}

void sluice_print_each(const std::string& path, const Text& text) {
  Writer writer;
  writer.open(path).throw_if_error();
  for (const std::string& line : text.lines) print(writer, "{}\n", line);
  writer.close().throw_if_error();
}

struct LineRow {
  const char* name;
  Kind kind;
  std::uint64_t buffer_bytes;
  void (*write)(const std::string& path, const Text& text);
};

constexpr LineRow rows[] = {
    {"ofstream << '\\n'", Kind::baseline, filebuf_buffer_bytes, newline_each},
    {"ofstream << endl", Kind::peer, filebuf_buffer_bytes, endl_each},
    {"ofstream << whole file", Kind::peer, filebuf_buffer_bytes, whole_in_one_string},
    {"fputs", Kind::peer, stdio_buffer_bytes, fputs_each},
    {"fprintf", Kind::peer, stdio_buffer_bytes, fprintf_each},
    {"fmt::output_file print", Kind::peer, fmt_buffer_bytes, fmt_each},
    {"sluice write(line) put('\\n')", Kind::sluice, WriterOptions{}.block_bytes, sluice_write_each},
    {"sluice print", Kind::sluice, WriterOptions{}.block_bytes, sluice_print_each},
};

struct Work {
  std::string path;
  std::uint64_t lines;
  unsigned repeats;
};

Strategy strategy_of(const LineRow& row, const Work& work, std::shared_ptr<const Text> text) {
  return {
      .name = row.name,
      .kind = row.kind,
      .buffer_bytes = row.buffer_bytes,
      .bytes = work.lines * line_bytes * work.repeats,
      .operations = work.lines * work.repeats,
      .prepare = {},
      .run =
          [write = row.write, work, text] {
            for (unsigned repeat = 0; repeat < work.repeats; ++repeat) write(work.path, *text);
          },
      .verify =
          [work, text] {
            expect_file(work.path, text->whole.size(),
                        hash_bytes(text->whole.data(), text->whole.size()));
          },
  };
}

Work work_for(const Settings& settings) {
  Work work{settings.directory + "/write-lines.out", lines_per_file,
            settings.quick ? most_repeats / 4 : most_repeats};
  if (settings.size_bytes == 0) return work;
  const std::uint64_t lines = std::max<std::uint64_t>(settings.size_bytes / line_bytes, 1);
  work.lines = std::min(lines, lines_per_file);
  work.repeats = static_cast<unsigned>(std::max<std::uint64_t>(lines / lines_per_file, 1));
  return work;
}

}  // namespace

Experiment write_lines_experiment(const Settings& settings) {
  const Work work = work_for(settings);
  const std::uint64_t file_bytes = work.lines * line_bytes;
  auto text = std::make_shared<Text>();
  Experiment::Group group;
  group.title = fmt::format("{} lines of {} bytes, {} times", work.lines, line_bytes, work.repeats);
  group.why =
      "std::endl is a system call for every line; without it the formatted streams still pass "
      "every "
      "line through several calls and an 8 KiB buffer.";
  group.strategies = {
      raw_write_strategy({.path = work.path, .bytes = file_bytes, .repeats = work.repeats})};
  for (const LineRow& row : rows) group.strategies.push_back(strategy_of(row, work, text));
  return {
      .id = "write-lines",
      .title = "a file written line by line",
      .groups = {std::move(group)},
      .bytes = file_bytes * work.repeats,
      .scratch_bytes = file_bytes,
      .set_up = [text, lines = work.lines] { *text = make_text(lines); },
  };
}

}  // namespace sluice::bench
