// `write-lines`: a text file of 10,000 lines, written line by line, 100 times over.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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
constexpr std::uint64_t most_repeats = 100;

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

// One group: the text written to each path in turn.
struct Work {
  std::uint64_t lines = 0;
  std::vector<std::string> paths;

  std::uint64_t file_bytes() const { return lines * line_bytes; }
  std::uint64_t bytes() const { return file_bytes() * paths.size(); }
};

Strategy strategy_of(const LineRow& row, const Work& work, std::shared_ptr<const Text> text) {
  return {
      .name = row.name,
      .kind = row.kind,
      .buffer_bytes = row.buffer_bytes,
      .bytes = work.bytes(),
      .operations = work.lines * work.paths.size(),
      .prepare = {},
      .run =
          [write = row.write, paths = work.paths, text] {
            for (const std::string& path : paths) write(path, *text);
          },
      .verify =
          [paths = work.paths, text] {
            const std::uint64_t hash = hash_bytes(text->whole.data(), text->whole.size());
            for (const std::string& path : paths) expect_file(path, text->whole.size(), hash);
          },
  };
}

Experiment::Group group_of(std::string title, std::string why, const Work& work,
                           const std::shared_ptr<const Text>& text) {
  Experiment::Group group{std::move(title), {}, std::move(why)};
  group.strategies = {raw_write_strategy({.paths = work.paths, .bytes = work.file_bytes()})};
  for (const LineRow& row : rows) group.strategies.push_back(strategy_of(row, work, text));
  return group;
}

struct Amount {
  std::uint64_t lines = 0;
  std::uint64_t repeats = 0;
};

Amount amount_for(const Settings& settings) {
  if (settings.size_bytes == 0) {
    return {lines_per_file, settings.quick ? most_repeats / 4 : most_repeats};
  }
  const std::uint64_t lines = std::max<std::uint64_t>(settings.size_bytes / line_bytes, 1);
  return {std::min(lines, lines_per_file), std::max<std::uint64_t>(lines / lines_per_file, 1)};
}

}  // namespace

Experiment write_lines_experiment(const Settings& settings) {
  const auto [lines, repeats] = amount_for(settings);
  Work rewritten{lines, {}};
  Work new_files{lines, {}};
  for (std::uint64_t i = 0; i < repeats; ++i) {
    rewritten.paths.push_back(settings.directory + "/write-lines.out");
    new_files.paths.push_back(fmt::format("{}/write-lines-{}.out", settings.directory, i));
  }
  const std::string amount =
      fmt::format("{} lines of {} bytes, {} times", lines, line_bytes, repeats);
  auto text = std::make_shared<Text>();
  return {
      .id = "write-lines",
      .title = "a file written line by line",
      .groups = {group_of(amount + ", a new file each time",
                          "std::endl is a system call for every line; without it the streams still "
                          "pass every line through several calls and a small buffer.",
                          new_files, text),
                 group_of(amount + ", the file truncated and written anew",
                          "Some file systems, ext4 among them, start writing a truncated file to "
                          "the disk when it is closed: that wait is in every row.",
                          rewritten, text)},
      .bytes = new_files.bytes(),
      .scratch_bytes = new_files.bytes(),
      .set_up = [text, count = lines] { *text = make_text(count); },
  };
}

}  // namespace sluice::bench
