// `read-lines`: a file is read line by line. Every row does the same small work with each line (see
// Tally).
#include <cerrno>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#ifdef SLUICE_HAVE_BOOST_IOSTREAMS
#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/stream.hpp>
#endif

#include "bench/experiments/input/file_map.h"
#include "bench/experiments/input/line_loops.h"
#include "bench/experiments/input/opened.h"
#include "bench/experiments/input/raw_read.h"
#include "bench/experiments/registry.h"
#include "sluice/bytes.h"
#include "sluice/files.h"

namespace sluice::bench {
namespace {

constexpr std::size_t split_block_bytes = 256 * 1024;

// Splits blocks from `fill(into, bytes)` by memchr, as people write it by hand. If a line goes on
// in the next block, its beginning moves to the front. A line longer than the block enlarges the
// block.
template <typename Fill>
Tally split_blocks(Fill fill) {
  std::vector<char> block(split_block_bytes);
  std::size_t kept = 0;
  Tally tally;
  while (const std::size_t got = fill(block.data() + kept, block.size() - kept)) {
    const char* end = block.data() + kept + got;
    const char* rest = add_complete_lines(block.data(), end, tally);
    kept = static_cast<std::size_t>(end - rest);
    std::memmove(block.data(), rest, kept);
    if (kept == block.size()) block.resize(2 * block.size());
  }
  if (kept != 0) tally.add_line(block.data(), kept);
  return tally;
}

Tally loop_sgetn_memchr(std::istream& stream) {
  return split_blocks([&stream](char* into, std::size_t bytes) {
    return static_cast<std::size_t>(
        stream.rdbuf()->sgetn(into, static_cast<std::streamsize>(bytes)));
  });
}

Tally read_memchr(const std::string& path) {
  const RawFile file(path);
  return split_blocks([&file](char* into, std::size_t bytes) { return file.read(into, bytes); });
}

Tally mmap_memchr(const std::string& path) {
  const FileMap map(path);
  return loop_memchr({map.data(), map.size()});
}

Tally sluice_bytes_memchr(const std::string& path) {
  Bytes bytes;
  read_file(path, bytes).throw_if_error();
  return loop_memchr(bytes.text());
}

#ifdef SLUICE_HAVE_BOOST_IOSTREAMS
Tally boost_getline(const std::string& path) {
  using boost::iostreams::file_descriptor_source;
  const RawFile file(path);
  boost::iostreams::stream<file_descriptor_source> stream(
      file_descriptor_source(file.descriptor(), boost::iostreams::never_close_handle));
  const Tally tally = loop_std_getline(stream);
  if (stream.bad()) fail("read", path, EIO);
  return tally;
}
#endif

struct Row {
  const char* name;
  Kind kind;
  std::size_t buffer_bytes;
  Tally (*read)(const std::string& path);
};

constexpr Row rows[] = {
    {"std::getline", Kind::baseline, 0, by_ifstream<loop_std_getline>},
    {"ifstream.getline(char*)", Kind::peer, 0, by_ifstream<loop_istream_getline>},
    {"getline(3)", Kind::peer, 0, by_stdio<loop_getline_3>},
    {"fgets", Kind::peer, 0, by_stdio<loop_fgets>},
    {"fgets_unlocked", Kind::peer, 0, by_stdio<loop_fgets_unlocked>},
    {"filebuf.sgetn 256K, memchr", Kind::peer, split_block_bytes, by_ifstream<loop_sgetn_memchr>},
    {"read(2) 256K, memchr", Kind::peer, split_block_bytes, read_memchr},
    {"mmap, memchr", Kind::peer, 0, mmap_memchr},
#ifdef SLUICE_HAVE_BOOST_IOSTREAMS
    {"boost::iostreams::stream std::getline", Kind::peer, 0, boost_getline},
#endif
    {"sluice lines", Kind::sluice, ReaderOptions{}.block_bytes, by_sluice<loop_sluice_lines>},
    {"sluice next_line", Kind::sluice, ReaderOptions{}.block_bytes,
     by_sluice<loop_sluice_next_line>},
    {"sluice read_file Bytes, memchr", Kind::sluice, 0, sluice_bytes_memchr},
};

Strategy line_strategy(const Row& row, const SharedInput& input) {
  auto found = std::make_shared<Tally>();
  Strategy strategy;
  strategy.name = row.name;
  strategy.kind = row.kind;
  strategy.buffer_bytes = row.buffer_bytes;
  strategy.run = [found, input, read = row.read] { *found = read(input->path); };
  strategy.verify = [found, input] { expect_tally(*found, input->lines); };
  return strategy;
}

// `lines` is 0 if the number of lines is not known before the file is made.
std::vector<Strategy> strategies(const SharedInput& input, std::uint64_t lines, bool cached) {
  std::vector<Strategy> result = {raw_read_strategy(input)};
  for (const Row& row : rows) result.push_back(line_strategy(row, input));
  for (Strategy& strategy : result) {
    strategy.bytes = input->bytes;
    strategy.operations = lines;
    prepare_cache(strategy, input, cached);
  }
  return result;
}

// One file of lines, and the function that makes it.
struct LineFile {
  const char* name;
  const char* title;
  std::size_t line_bytes;  // 0: the number of lines is not known before the file is made
  std::string (*sample)(const Settings& settings);
};

constexpr LineFile equal_60 = {"lines-60.txt", "lines of 60 bytes", 60,
                               [](const Settings&) { return sample_of_equal_lines(60); }};
constexpr LineFile line_files[] = {
    equal_60,
    {"lines-10.txt", "lines of 10 bytes", 10,
     [](const Settings&) { return sample_of_equal_lines(10); }},
    // Lines of equal length are read faster than real lines, because the processor predicts their
    // ends.
    {"varied-60.txt", "lines of 2 to 118 bytes", 0,
     [](const Settings&) { return sample_of_varied_lines(60); }},
    {"varied-10.txt", "lines of 2 to 18 bytes", 0,
     [](const Settings&) { return sample_of_varied_lines(10); }},
};
constexpr LineFile real_text = {"text.txt", "real text", 0, [](const Settings& settings) {
                                  return sample_of_real_text(settings.text_file);
                                }};

constexpr const char* why_cached =
    "std::getline copies every line into a string. stdio copies it out of a buffer of 4 KiB. "
    "sluice only looks for the next newline and gives a view into its block.";
constexpr const char* why_cold =
    "The device sets the pace. A program's own work costs time only if it does not run while the "
    "device reads.";

}  // namespace

Experiment read_lines_experiment(const Settings& settings) {
  const std::uint64_t default_bytes = (settings.quick ? 32 : 256) * std::uint64_t{1024 * 1024};
  const std::uint64_t bytes = settings.size_bytes != 0 ? settings.size_bytes : default_bytes;
  std::vector<LineFile> files(std::begin(line_files), std::end(line_files));
  if (!settings.text_file.empty()) files.push_back(real_text);

  Experiment experiment;
  experiment.id = "read-lines";
  experiment.title = "a file line by line: add up the lines' lengths and first bytes";
  experiment.bytes = bytes;
  experiment.scratch_bytes = files.size() * bytes;
  std::vector<SharedInput> inputs;
  const auto add_group = [&](const LineFile& file, const SharedInput& input, bool cached) {
    const std::uint64_t lines =
        file.line_bytes == 0 ? 0 : (bytes + file.line_bytes - 1) / file.line_bytes;
    std::string title =
        cached ? std::string(file.title) + ", cached" : cold_title(file.title, settings.directory);
    experiment.groups.push_back(
        {std::move(title), strategies(input, lines, cached), cached ? why_cached : why_cold});
  };
  for (const LineFile& file : files) {
    inputs.push_back(declare_input_file(settings.directory, file.name, bytes));
    add_group(file, inputs.back(), true);
  }
  add_group(equal_60, inputs.front(), false);
  experiment.set_up = [files, inputs, settings] {
    for (std::size_t i = 0; i < files.size(); ++i) {
      make_input_file(*inputs[i], files[i].sample(settings));
    }
  };
  return experiment;
}

}  // namespace sluice::bench
