// `write-lines`: a text file of 10,000 lines is written line by line, 100 times.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/experiments/output/file_targets.h"
#include "bench/experiments/output/pattern_output.h"
#include "bench/experiments/output/peer_targets.h"
#include "bench/experiments/registry.h"
#include "sluice/print.h"
#include "sluice/writer.h"

namespace sluice::bench {
namespace {

// Including the newline.
constexpr std::size_t long_line_bytes = 60;
constexpr std::size_t short_line_bytes = 10;
constexpr std::uint64_t lines_per_file = 10'000;
constexpr std::uint64_t max_repeats = 100;

// The lines that every row writes, in two forms. `line_bytes` includes the newline.
struct Text {
  std::vector<std::string> lines;    // without newlines
  std::vector<std::string> endings;  // the same lines, each with its newline
  std::string whole;
};

Text make_text(std::uint64_t count, std::size_t line_bytes) {
  Text text;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string line = fmt::format("line {:04}", i % 10'000);
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

// The way that many people write by hand: append every line to one string, then write the string.
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

// The row uses fprintf's result. Otherwise the compiler might call a simpler function instead.
void fprintf_each(const std::string& path, const Text& text) {
  StdioFile file(path, "wb");
  for (const std::string& line : text.lines) {
    if (std::fprintf(file.get(), "%s\n", line.c_str()) < 0) fail("write", path);
  }
  file.close();
}

#if SLUICE_HAVE_FMT_OUTPUT_FILE
void fmt_each(const std::string& path, const Text& text) {
  FmtFile output(path);
  for (const std::string& line : text.lines) output.print("{}\n", line);
  output.close();
}
#endif

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
#if SLUICE_HAVE_FMT_OUTPUT_FILE
    {"fmt::output_file print", Kind::peer, fmt_buffer_bytes, fmt_each},
#endif
    {"sluice write(line) put('\\n')", Kind::sluice, WriterOptions{}.block_bytes, sluice_write_each},
    {"sluice print", Kind::sluice, WriterOptions{}.block_bytes, sluice_print_each},
};

// The work of one group: the text is written to each path in turn.
struct Work {
  std::shared_ptr<const Text> text;
  std::uint64_t file_bytes = 0;
  std::vector<std::string> paths;

  std::uint64_t bytes() const { return file_bytes * paths.size(); }
};

Strategy strategy_of(const LineRow& row, const Work& work, std::uint64_t lines) {
  return {
      .name = row.name,
      .kind = row.kind,
      .buffer_bytes = row.buffer_bytes,
      .bytes = work.bytes(),
      .operations = lines * work.paths.size(),
      .prepare = {},
      .run =
          [write = row.write, work] {
            for (const std::string& path : work.paths) write(path, *work.text);
          },
      .verify =
          [work] {
            const std::string& whole = work.text->whole;
            const std::uint64_t hash = hash_bytes(whole.data(), whole.size());
            for (const std::string& path : work.paths) expect_file(path, whole.size(), hash);
          },
  };
}

struct Amount {
  std::uint64_t lines = 0;
  std::uint64_t repeats = 0;
};

Amount amount_for(const Settings& settings) {
  if (settings.size_bytes == 0) {
    return {lines_per_file, settings.quick ? max_repeats / 4 : max_repeats};
  }
  const std::uint64_t lines = std::max<std::uint64_t>(settings.size_bytes / long_line_bytes, 1);
  return {std::min(lines, lines_per_file), std::max<std::uint64_t>(lines / lines_per_file, 1)};
}

Experiment::Group group_of(const Amount& amount, std::size_t line_bytes, const char* how,
                           const char* why, const Work& work) {
  Experiment::Group group{fmt::format("lines of {} bytes: {} of them, {} times, {}", line_bytes,
                                      amount.lines, amount.repeats, how),
                          {},
                          why};
  group.strategies = {raw_write_strategy({.paths = work.paths, .bytes = work.file_bytes})};
  for (const LineRow& row : rows) group.strategies.push_back(strategy_of(row, work, amount.lines));
  return group;
}

}  // namespace

Experiment write_lines_experiment(const Settings& settings) {
  const Amount amount = amount_for(settings);
  const auto long_lines = std::make_shared<Text>();
  const auto short_lines = std::make_shared<Text>();
  Work new_files{long_lines, amount.lines * long_line_bytes, {}};
  Work rewritten = new_files;
  for (std::uint64_t i = 0; i < amount.repeats; ++i) {
    rewritten.paths.push_back(settings.directory + "/write-lines.out");
    new_files.paths.push_back(fmt::format("{}/write-lines-{}.out", settings.directory, i));
  }
  const Work short_work{short_lines, amount.lines * short_line_bytes, new_files.paths};
  return {
      .id = "write-lines",
      .title = "a file written line by line",
      .groups = {group_of(amount, long_line_bytes, "a new file each time",
                          "std::endl makes a system call for every line. Without it the streams "
                          "still send every line through several calls and a small buffer.",
                          new_files),
                 group_of(amount, long_line_bytes, "the file truncated and written anew",
                          "Some file systems, for example ext4, start writing a truncated file to "
                          "the disk when it is closed. Every row includes this wait.",
                          rewritten),
                 group_of(amount, short_line_bytes, "a new file each time",
                          "The shorter the lines are, the more the cost of the calls counts.",
                          short_work)},
      .bytes = new_files.bytes(),
      .scratch_bytes = new_files.bytes(),
      .set_up =
          [=, count = amount.lines] {
            *long_lines = make_text(count, long_line_bytes);
            *short_lines = make_text(count, short_line_bytes);
          },
  };
}

}  // namespace sluice::bench
