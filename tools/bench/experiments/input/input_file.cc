#include "bench/experiments/input/input_file.h"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/statfs.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <vector>

#include "bench/data.h"
#include "bench/experiments/input/raw_read.h"
#include "bench/experiments/output/file_targets.h"

namespace sluice::bench {
namespace {

constexpr std::size_t sample_bytes = 1024 * 1024;

// Appends letters and spaces, so that every line has words, and a newline.
void append_line(std::string& text, std::size_t line_bytes, std::minstd_rand& random) {
  for (std::size_t i = 1; i < line_bytes; ++i) {
    const auto letter = static_cast<char>(random() % 32);
    text += static_cast<char>(letter < 26 ? 'a' + letter : ' ');
  }
  text += '\n';
}

// Finds the lines by looking at every byte. This is slow, but simple enough to be trusted.
class LineCounter {
 public:
  void add(const char* data, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
      if (data[i] == '\n') {
        end_line();
        continue;
      }
      if (line_bytes_++ == 0) first_ = data[i];
    }
  }

  Tally finish() {
    if (line_bytes_ != 0) end_line();
    return tally_;
  }

 private:
  void end_line() {
    tally_.add_line(&first_, line_bytes_);
    line_bytes_ = 0;
  }

  Tally tally_;
  std::size_t line_bytes_ = 0;
  char first_ = 0;
};

// Uses write(2), not a Writer. A Writer may start a thread, and strategies are forked from this
// process: with a second thread glibc takes its locks.
void write_repeatedly(const InputFile& input, const std::string& sample) {
  RawOutput output(input.path);
  for (std::uint64_t left = input.bytes; left != 0;) {
    const std::size_t piece = std::min<std::uint64_t>(left, sample.size());
    output.write(sample.data(), piece);
    left -= piece;
  }
  output.close();
}

void warm_cache(const std::string& path) {
  const RawFile file(path);
  std::vector<char> block(raw_block_bytes);
  while (file.read(block.data(), block.size()) != 0) {
  }
}

}  // namespace

bool is_in_memory(const std::string& directory) {
  struct statfs status;
  if (::statfs(directory.c_str(), &status) != 0)
    return false;  // making the file fails too, and gives the reason
  return status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC;
}

void expect_tally(const Tally& found, const Tally& expected) {
  if (found == expected) return;
  throw std::runtime_error(fmt::format(
      "found {} items, sum {}, checksum {:016x} instead of {}, {}, {:016x}", found.items, found.sum,
      found.checksum, expected.items, expected.sum, expected.checksum));
}

SharedInput declare_input_file(const std::string& directory, const char* name,
                               std::uint64_t bytes) {
  auto input = std::make_shared<InputFile>();
  input->path = directory + "/" + name;
  input->bytes = bytes;
  return input;
}

void make_input_file(InputFile& input, const std::string& sample) {
  write_repeatedly(input, sample);
  const RawFile file(input.path);
  std::vector<char> block(raw_block_bytes);
  Hasher hasher;
  LineCounter lines;
  while (const std::size_t got = file.read_fully(block.data(), block.size())) {
    hasher.update(block.data(), got);
    lines.add(block.data(), got);
    input.last_block_hash = hash_bytes(block.data(), got);
  }
  input.hash = hasher.digest();
  input.lines = lines.finish();
}

std::string sample_of_equal_lines(std::size_t line_bytes) {
  std::minstd_rand random(1);
  std::string text;
  while (text.size() < sample_bytes) append_line(text, line_bytes, random);
  return text;
}

std::string sample_of_varied_lines(std::size_t mean_bytes) {
  std::minstd_rand random(1);
  std::string text;
  while (text.size() < sample_bytes) {
    append_line(text, 2 + random() % (2 * mean_bytes - 3), random);
  }
  return text;
}

std::string sample_of_real_text(const std::string& path) {
  const RawFile file(path);
  std::string text;
  std::string block(raw_block_bytes, '\0');
  while (const std::size_t got = file.read(block.data(), block.size())) text.append(block, 0, got);
  if (text.empty()) throw std::runtime_error("read " + path + ": there is no text in it");
  std::ranges::replace(text, '\0', ' ');
  if (text.back() != '\n') text += '\n';
  while (text.size() < sample_bytes) text += text;  // otherwise the input is written in tiny pieces
  return text;
}

void prepare_cache(Strategy& strategy, const SharedInput& input, bool cached) {
  strategy.prepare = [input, cached, rest = std::move(strategy.prepare)] {
    if (rest) rest();
    cached ? warm_cache(input->path) : drop_cache(input->path);
  };
}

std::string cold_title(const char* what, const std::string& directory) {
  return fmt::format("{}, cache dropped{}", what,
                     is_in_memory(directory) ? " (in memory: nothing to drop)" : "");
}

}  // namespace sluice::bench
