// `memory`: the most memory that a program needs to write one long file, or to write many open
// files.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/experiments/output/file_targets.h"
#include "bench/experiments/output/pattern_output.h"
#include "bench/experiments/output/small_file_set.h"
#include "bench/experiments/registry.h"
#include "bench/experiments/rows/process_threads.h"
#include "command_line/quantity.h"
#include "sluice/writer.h"

namespace sluice::bench {
namespace {

constexpr std::uint64_t short_file_bytes = std::uint64_t{16} << 20;
constexpr std::uint64_t max_open_files = 10'000;
constexpr rlim_t other_descriptors = 100;
constexpr unsigned engine_threads = 1;  // a process has one, even with many open Writers

// ---- one file ----

void fwrite_bytes(const std::string& path, std::uint64_t bytes) {
  StdioFile file(path, "wb");
  std::FILE* const stream = file.get();
  each_byte(bytes, [&](unsigned char byte) { std::fwrite(&byte, 1, 1, stream); });
  file.close();
}

void put_bytes(const std::string& path, std::uint64_t bytes) {
  Writer writer;
  writer.open(path).throw_if_error();
  each_byte(bytes, [&](unsigned char byte) { writer.put(static_cast<std::byte>(byte)); });
  writer.close().throw_if_error();
}

Strategy put_strategy(const std::string& path, std::uint64_t bytes) {
  return output_strategy({"sluice put " + format_bytes(bytes), Kind::sluice,
                          WriterOptions{}.block_bytes, 1, put_bytes},
                         path, {bytes, bytes});
}

Experiment::Group one_file(const std::string& path, std::uint64_t long_bytes) {
  const std::uint64_t short_bytes = std::min(short_file_bytes, long_bytes);
  const OutputRow fwrite_row = {"fwrite " + format_bytes(short_bytes), Kind::baseline,
                                stdio_buffer_bytes, 1, fwrite_bytes};
  return {
      .title = "one file, one byte a call: see the peak memory",
      .strategies = {raw_write_strategy({.paths = {path}, .bytes = short_bytes}),
                     output_strategy(fwrite_row, path, {short_bytes, short_bytes}),
                     put_strategy(path, short_bytes), put_strategy(path, long_bytes)},
      .why = "A Writer keeps only a few blocks in memory, however long the file is.",
  };
}

// ---- many open files ----

template <typename Target>
void close_target(Target& target) {
  target.close();
}
void close_target(Writer& writer) { writer.close().throw_if_error(); }

// Opens all files, writes to all, closes all. Returns the number of threads before the first close.
template <typename Open, typename Write>
unsigned all_open_at_once(const SmallFileSet& files, Open open, Write write) {
  std::vector<decltype(open(std::string()))> targets;
  targets.reserve(files.count());
  for (const std::string& path : files.paths()) targets.push_back(open(path));
  for (auto& target : targets) write(target, files.content());
  const unsigned threads = threads_of_this_process();
  for (auto& target : targets) close_target(target);
  return threads;
}

unsigned by_descriptors(const SmallFileSet& files) {
  return all_open_at_once(
      files, [](const std::string& path) { return RawOutput(path); },
      [](RawOutput& output, const std::string& content) {
        output.write(content.data(), content.size());
      });
}

unsigned by_stdio(const SmallFileSet& files) {
  return all_open_at_once(
      files, [](const std::string& path) { return StdioFile(path, "wb"); },
      [](StdioFile& file, const std::string& content) {
        std::fwrite(content.data(), 1, content.size(), file.get());
      });
}

unsigned by_ofstream(const SmallFileSet& files) {
  return all_open_at_once(
      files, [](const std::string& path) { return OutputStream(path); },
      [](OutputStream& output, const std::string& content) { output.get() << content; });
}

unsigned by_writers(const SmallFileSet& files) {
  return all_open_at_once(
      files,
      [](const std::string& path) {
        Writer writer;
        writer.open(path).throw_if_error();
        return writer;
      },
      [](Writer& writer, const std::string& content) { writer.write(content); });
}

struct OpenFilesRow {
  const char* name;
  Kind kind;
  std::uint64_t buffer_bytes;
  unsigned (*write)(const SmallFileSet& files);
};

constexpr OpenFilesRow rows[] = {
    {"open write close", Kind::limit, 0, by_descriptors},
    {"FILE", Kind::baseline, stdio_buffer_bytes, by_stdio},
    {"ofstream", Kind::peer, filebuf_buffer_bytes, by_ofstream},
    {"sluice Writer", Kind::sluice, WriterOptions{}.block_bytes, by_writers},
};

// Raises the limit of open files to the most that the system gives this process.
void allow_open_files(rlim_t needed) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) fail("get", "the limit of open files");
  if (limit.rlim_cur >= needed) return;
  if (limit.rlim_max < needed) {
    throw std::runtime_error(
        fmt::format("{} open files are needed and the system allows {}: raise "
                    "the hard limit (ulimit -Hn) and try again",
                    needed, limit.rlim_max));
  }
  limit.rlim_cur = needed;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) fail("raise", "the limit of open files");
}

Strategy strategy_of(const OpenFilesRow& row, const SharedFileSet& files) {
  struct Threads {
    unsigned before = 0;
    unsigned all_open = 0;
  };
  auto threads = std::make_shared<Threads>();
  return {
      .name = row.name,
      .kind = row.kind,
      .buffer_bytes = row.buffer_bytes,
      .bytes = files->bytes(),
      .operations = files->count(),
      .prepare =
          [files, threads] {
            allow_open_files(files->count() + other_descriptors);
            files->clear_folder();
            threads->before = threads_of_this_process();
          },
      .run = [files, threads, write = row.write] { threads->all_open = write(*files); },
      .verify =
          [files, threads] {
            expect_threads(threads->all_open, threads->before + engine_threads);
            files->expect_files();
          },
  };
}

Experiment::Group many_open_files(const SharedFileSet& files) {
  Experiment::Group group;
  group.title = fmt::format("{} files open at the same time, {} bytes in each: see the peak memory",
                            files->count(), SmallFileSet::file_bytes);
  group.why = "A Writer's buffer starts small and grows with its file, so many files may be open.";
  for (const OpenFilesRow& row : rows) group.strategies.push_back(strategy_of(row, files));
  return group;
}

}  // namespace

Experiment memory_experiment(const Settings& settings) {
  const std::uint64_t default_bytes = std::uint64_t{settings.quick ? 1U : 16U} << 30;
  const std::uint64_t bytes = settings.size_bytes != 0 ? settings.size_bytes : default_bytes;
  const std::uint64_t open_files =
      std::clamp<std::uint64_t>(bytes / SmallFileSet::file_bytes, 1, max_open_files);
  auto files = std::make_shared<SmallFileSet>(settings.directory + "/open-files", open_files);
  return {
      .id = "memory",
      .title = "what writing costs in memory",
      .groups = {one_file(settings.directory + "/memory.out", bytes), many_open_files(files)},
      .bytes = bytes,
      .scratch_bytes = std::max(bytes, files->scratch_bytes()),
      .set_up = [files] { files->name_files(); },
  };
}

}  // namespace sluice::bench
