// `small-files`: 10,000 files of 100 bytes.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "bench/experiments/output/file_targets.h"
#include "bench/experiments/output/small_file_set.h"
#include "bench/experiments/registry.h"
#include "bench/experiments/rows/process_threads.h"
#include "sluice/files.h"
#include "sluice/writer.h"

namespace sluice::bench {
namespace {

constexpr std::uint64_t default_files = 10'000;
void open_write_close(const std::string& path, const std::string& content) {
  RawOutput output(path);
  output.write(content.data(), content.size());
  output.close();
}

void by_ofstream(const std::string& path, const std::string& content) {
  OutputStream output(path);
  output.get().write(content.data(), static_cast<std::streamsize>(content.size()));
  output.close();
}

void by_stdio(const std::string& path, const std::string& content) {
  StdioFile file(path, "wb");
  std::fwrite(content.data(), 1, content.size(), file.get());
  file.close();
}

void by_writer(const std::string& path, const std::string& content) {
  Writer writer;
  writer.open(path).throw_if_error();
  writer.write(content);
  writer.close().throw_if_error();
}

void by_write_file(const std::string& path, const std::string& content) {
  write_file(path, content).throw_if_error();
}

struct FileRow {
  const char* name;
  Kind kind;
  std::uint64_t buffer_bytes;
  void (*write)(const std::string& path, const std::string& content);
};

constexpr FileRow rows[] = {
    {"open write close", Kind::limit, 0, open_write_close},
    {"ofstream", Kind::baseline, filebuf_buffer_bytes, by_ofstream},
    {"fopen fwrite fclose", Kind::peer, stdio_buffer_bytes, by_stdio},
    {"sluice Writer", Kind::sluice, WriterOptions{}.block_bytes, by_writer},
    {"sluice write_file", Kind::sluice, WriterOptions{}.block_bytes, by_write_file},
};

Strategy strategy_of(const FileRow& row, const SharedFileSet& files) {
  auto threads_before = std::make_shared<unsigned>(0);
  return {
      .name = row.name,
      .kind = row.kind,
      .buffer_bytes = row.buffer_bytes,
      .bytes = files->bytes(),
      .operations = files->count(),
      .prepare =
          [files, threads_before] {
            files->clear_folder();
            *threads_before = threads_of_this_process();
          },
      .run =
          [files, write = row.write] {
            for (const std::string& path : files->paths()) write(path, files->content());
          },
      .verify =
          [files, threads_before] {
            expect_threads(threads_of_this_process(), *threads_before);
            files->expect_files();
          },
  };
}

}  // namespace

Experiment small_files_experiment(const Settings& settings) {
  const std::uint64_t count =
      settings.size_bytes == 0
          ? default_files
          : std::max<std::uint64_t>(settings.size_bytes / SmallFileSet::file_bytes, 1);
  auto files = std::make_shared<SmallFileSet>(settings.directory + "/small-files", count);
  Experiment::Group group;
  group.title = fmt::format("{} files of {} bytes", count, SmallFileSet::file_bytes);
  group.why =
      "Each row opens and closes every file. Beside that, the overhead of a library shows, above "
      "all the overhead of a large buffer or of a thread.";
  for (const FileRow& row : rows) group.strategies.push_back(strategy_of(row, files));
  return {
      .id = "small-files",
      .title = "many files of 100 bytes",
      .groups = {std::move(group)},
      .bytes = files->bytes(),
      .scratch_bytes = files->scratch_bytes(),
      .set_up = [files] { files->name_files(); },
  };
}

}  // namespace sluice::bench
