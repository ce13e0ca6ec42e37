// `random`: values of 8 bytes are read from a file and patched in it. The next position is random,
// or near the position before it.
#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/data.h"
#include "bench/experiments/input/file_map.h"
#include "bench/experiments/input/raw_read.h"
#include "bench/experiments/output/file_targets.h"
#include "bench/experiments/registry.h"
#include "command_line/quantity.h"
#include "sluice/reader.h"
#include "sluice/writer.h"

namespace sluice::bench {
namespace {

constexpr std::uint64_t value_bytes = sizeof(std::uint64_t);
constexpr std::uint64_t default_values = 1 << 20;
constexpr std::uint64_t quick_values = 1 << 19;
constexpr std::uint64_t file_bytes_per_value = 256;  // 256 MiB for 1 Mi values
constexpr std::uint64_t near_bytes = 4096;

// The values' positions are multiples of 8, as in an array.
struct Work {
  std::string input;
  std::string output;
  std::uint64_t file_bytes = 0;
  std::uint64_t values = 0;
  // set_up fills in the members below.
  std::vector<std::uint64_t> positions;
  Tally read;                      // the tally of the values at these positions
  std::uint64_t patched_hash = 0;  // hash of the file with patch_at(i) at positions[i]
};

using SharedWork = std::shared_ptr<Work>;

// The value in the file at `position`. Every position has a different value.
std::uint64_t value_at(std::uint64_t position) {
  return (position / value_bytes + 1) * 0x9e37'79b9'7f4a'7c15;
}

std::uint64_t patch_at(std::uint64_t i) { return ~i; }

// Calls `take(position, block)` for one block of the file after the other.
template <typename Take>
void for_each_block(std::uint64_t bytes, Take take) {
  std::vector<std::uint64_t> block;
  for (std::uint64_t position = 0; position < bytes; position += raw_block_bytes) {
    const std::uint64_t piece = std::min<std::uint64_t>(raw_block_bytes, bytes - position);
    block.resize(piece / value_bytes);
    for (std::uint64_t i = 0; i < block.size(); ++i)
      block[i] = value_at(position + i * value_bytes);
    take(position, block);
  }
}

void make_file(const std::string& path, std::uint64_t bytes) {
  RawOutput output(path);
  for_each_block(bytes, [&](std::uint64_t, const std::vector<std::uint64_t>& block) {
    output.write(block.data(), block.size() * value_bytes);
  });
  output.close();
}

std::vector<std::uint64_t> random_positions(const Work& work) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> positions(work.values);
  const std::uint64_t places = work.file_bytes / value_bytes;
  for (std::uint64_t& position : positions) position = random() % places * value_bytes;
  return positions;
}

// Each position is at most near_bytes before or after the previous one. The first is in the
// middle of the file.
std::vector<std::uint64_t> near_positions(const Work& work) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> positions(work.values);
  const std::uint64_t last = work.file_bytes - value_bytes;
  std::uint64_t at = last / 2 / value_bytes * value_bytes;
  for (std::uint64_t& position : positions) {
    position = at;
    const std::uint64_t begin = at - std::min(at, near_bytes);
    const std::uint64_t end = std::min(at + near_bytes, last);
    at = begin + random() % ((end - begin) / value_bytes + 1) * value_bytes;
  }
  return positions;
}

// ---- reading ----

// Calls `read(position, value)` for every position.
template <typename Read>
Tally read_each(const Work& work, Read read) {
  Tally tally;
  for (const std::uint64_t position : work.positions) {
    std::uint64_t value;
    read(position, value);
    tally.add_value(value);
  }
  return tally;
}

Tally read_by_stdio(const Work& work) {
  const StdioFile file(work.input, "rb");
  return read_each(work, [&](std::uint64_t position, std::uint64_t& value) {
    if (::fseeko(file.get(), static_cast<off_t>(position), SEEK_SET) != 0 ||
        std::fread(&value, value_bytes, 1, file.get()) != 1) {
      fail("read", work.input);
    }
  });
}

Tally read_by_pread(const Work& work) {
  const RawFile file(work.input);
  return read_each(work, [&](std::uint64_t position, std::uint64_t& value) {
    const ssize_t got =
        ::pread(file.descriptor(), &value, value_bytes, static_cast<off_t>(position));
    if (got != value_bytes) fail("read", work.input);
  });
}

Tally read_by_map(const Work& work) {
  const FileMap map(work.input);
  return read_each(work, [&](std::uint64_t position, std::uint64_t& value) {
    std::memcpy(&value, map.data() + position, value_bytes);
  });
}

Tally read_by_sluice(const Work& work) {
  Reader reader;
  reader.open(work.input).throw_if_error();
  const Tally tally = read_each(work, [&](std::uint64_t position, std::uint64_t& value) {
    reader.seek(position).throw_if_error();
    if (!reader.read_value(value)) fail("read", work.input, reader.status().code().value());
  });
  reader.close().throw_if_error();
  return tally;
}

// A way to read (with a Tally as its result) or to patch.
template <typename Result>
struct Row {
  const char* name;
  Kind kind;
  std::uint64_t buffer_bytes;
  Result (*run)(const Work& work);
};

constexpr Row<Tally> reading_rows[] = {
    {"fseeko fread", Kind::baseline, stdio_buffer_bytes, read_by_stdio},
    {"pread", Kind::peer, 0, read_by_pread},
    {"mmap", Kind::peer, 0, read_by_map},
    {"sluice seek read_value", Kind::sluice, ReaderOptions{}.block_bytes, read_by_sluice},
};

// ---- patching ----

// Calls `patch(position, value)` for every position.
template <typename Patch>
void patch_each(const Work& work, Patch patch) {
  std::uint64_t i = 0;
  for (const std::uint64_t position : work.positions) patch(position, patch_at(i++));
}

void patch_by_stdio(const Work& work) {
  StdioFile file(work.output, "r+b");
  patch_each(work, [&](std::uint64_t position, std::uint64_t value) {
    if (::fseeko(file.get(), static_cast<off_t>(position), SEEK_SET) != 0 ||
        std::fwrite(&value, value_bytes, 1, file.get()) != 1) {
      fail("write", work.output);
    }
  });
  file.close();
}

void patch_by_pwrite(const Work& work) {
  const RawFile file(work.output, O_RDWR);
  patch_each(work, [&](std::uint64_t position, std::uint64_t value) {
    const ssize_t written =
        ::pwrite(file.descriptor(), &value, value_bytes, static_cast<off_t>(position));
    if (written != value_bytes) fail("write", work.output);
  });
}

void patch_by_map(const Work& work) {
  const FileMap map(work.output, FileMap::Access::read_write);
  patch_each(work, [&](std::uint64_t position, std::uint64_t value) {
    std::memcpy(map.data() + position, &value, value_bytes);
  });
}

void patch_by_write_at(const Work& work) {
  Writer writer;
  writer.open(work.output, {.create = CreateMode::existing}).throw_if_error();
  patch_each(work, [&](std::uint64_t position, std::uint64_t value) {
    const BytesView bytes(reinterpret_cast<const std::byte*>(&value), value_bytes);
    writer.write_at(position, bytes).throw_if_error();
  });
  writer.close().throw_if_error();
}

constexpr Row<void> patching_rows[] = {
    {"fseeko fwrite", Kind::baseline, stdio_buffer_bytes, patch_by_stdio},
    {"pwrite", Kind::peer, 0, patch_by_pwrite},
    {"mmap", Kind::peer, 0, patch_by_map},
    {"sluice write_at", Kind::sluice, 0, patch_by_write_at},
};

// ---- strategies ----

Strategy strategy_of(const char* name, Kind kind, std::uint64_t buffer_bytes, const Work& work) {
  Strategy strategy;
  strategy.name = name;
  strategy.kind = kind;
  strategy.buffer_bytes = buffer_bytes;
  strategy.bytes = work.values * value_bytes;
  strategy.operations = work.values;
  return strategy;
}

// Returns the whole file, in memory that was touched before.
std::unique_ptr<WarmMemory> file_in_memory(const Work& work) {
  auto memory = std::make_unique<WarmMemory>(work.file_bytes);
  const RawFile file(work.input);
  if (file.read_fully(memory->data(), memory->size()) != work.file_bytes) fail("read", work.input);
  return memory;
}

constexpr const char* limit_name = "in memory";

Strategy reading_limit(const SharedWork& work) {
  const auto memory = std::make_shared<std::unique_ptr<WarmMemory>>();
  const auto found = std::make_shared<Tally>();
  Strategy strategy = strategy_of(limit_name, Kind::limit, 0, *work);
  const auto read = [memory, found, work] {
    *found = read_each(*work, [&](std::uint64_t position, std::uint64_t& value) {
      std::memcpy(&value, (*memory)->data() + position, value_bytes);
    });
  };
  // Does all work once before the timed part. Otherwise the new memory would be in no cache of the
  // processor, and a map of the cached file would be faster than this limit.
  strategy.prepare = [memory, found, work, read] {
    *memory = file_in_memory(*work);
    read();
    *found = Tally();
  };
  strategy.run = read;
  strategy.verify = [found, work] { expect_tally(*found, work->read); };
  return strategy;
}

Strategy reading_strategy(const Row<Tally>& row, const SharedWork& work) {
  const auto found = std::make_shared<Tally>();
  Strategy strategy = strategy_of(row.name, row.kind, row.buffer_bytes, *work);
  strategy.run = [found, work, read = row.run] { *found = read(*work); };
  strategy.verify = [found, work] { expect_tally(*found, work->read); };
  return strategy;
}

Strategy patching_limit(const SharedWork& work) {
  const auto memory = std::make_shared<std::unique_ptr<WarmMemory>>();
  Strategy strategy = strategy_of(limit_name, Kind::limit, 0, *work);
  const auto store = [memory](std::uint64_t position, std::uint64_t value) {
    std::memcpy((*memory)->data() + position, &value, value_bytes);
  };
  // As in reading_limit, but with the values that are there already.
  strategy.prepare = [memory, work, store] {
    *memory = file_in_memory(*work);
    patch_each(*work,
               [&](std::uint64_t position, std::uint64_t) { store(position, value_at(position)); });
  };
  strategy.run = [work, store] { patch_each(*work, store); };
  strategy.verify = [memory, work] {
    if (hash_bytes((*memory)->data(), (*memory)->size()) == work->patched_hash) return;
    throw std::runtime_error("the memory was not patched as it should have been");
  };
  return strategy;
}

Strategy patching_strategy(const Row<void>& row, const SharedWork& work) {
  Strategy strategy = strategy_of(row.name, row.kind, row.buffer_bytes, *work);
  strategy.prepare = [work] { make_file(work->output, work->file_bytes); };
  strategy.run = [work, patch = row.run] { patch(*work); };
  strategy.verify = [work] { expect_file(work->output, work->file_bytes, work->patched_hash); };
  return strategy;
}

Experiment::Group reading_group(const std::string& title, const SharedWork& work, const char* why) {
  Experiment::Group group{title, {reading_limit(work)}, why};
  for (const Row<Tally>& row : reading_rows) {
    group.strategies.push_back(reading_strategy(row, work));
  }
  return group;
}

Experiment::Group patching_group(const std::string& title, const SharedWork& work,
                                 const char* why) {
  Experiment::Group group{title, {patching_limit(work)}, why};
  for (const Row<void>& row : patching_rows) {
    group.strategies.push_back(patching_strategy(row, work));
  }
  return group;
}

// Computes the patched bytes without any of the calls that the rows make.
std::uint64_t hash_of_patched_file(const Work& work) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> patches;  // position and i
  patches.reserve(work.values);
  for (std::uint64_t i = 0; i < work.values; ++i) patches.emplace_back(work.positions[i], i);
  std::ranges::sort(patches);  // of several patches at one position the last patch counts
  Hasher hasher;
  auto next = patches.begin();
  for_each_block(work.file_bytes, [&](std::uint64_t position, std::vector<std::uint64_t>& block) {
    const std::uint64_t end = position + block.size() * value_bytes;
    for (; next != patches.end() && next->first < end; ++next) {
      block[(next->first - position) / value_bytes] = patch_at(next->second);
    }
    hasher.update(block.data(), block.size() * value_bytes);
  });
  return hasher.digest();
}

void find_expected(Work& work, std::vector<std::uint64_t> positions) {
  work.positions = std::move(positions);
  for (const std::uint64_t position : work.positions) work.read.add_value(value_at(position));
  work.patched_hash = hash_of_patched_file(work);
}

// The limit keeps the whole file in memory. set_up has sorted one of the two lists of positions.
std::uint64_t memory_bytes(const Work& work) {
  const std::uint64_t positions = 2 * work.values * value_bytes;
  const std::uint64_t sorted = 2 * work.values * value_bytes;
  return positions + std::max(work.file_bytes, sorted);
}

Work declare_work(const Settings& settings) {
  const std::uint64_t default_count = settings.quick ? quick_values : default_values;
  const std::uint64_t values = settings.size_bytes == 0
                                   ? default_count
                                   : std::max<std::uint64_t>(settings.size_bytes / value_bytes, 1);
  return {.input = settings.directory + "/random.in",
          .output = settings.directory + "/random.out",
          .file_bytes = values * file_bytes_per_value,
          .values = values,
          .positions = {},
          .read = {}};
}

}  // namespace

Experiment random_experiment(const Settings& settings) {
  const auto near = std::make_shared<Work>(declare_work(settings));
  const std::string file = " in a file of " + format_bytes(near->file_bytes);
  const auto far = std::make_shared<Work>(*near);
  return {
      .id = "random",
      .title = "eight bytes read or patched at a time, at random and near positions",
      .groups =
          {reading_group(
               "read near: at most 4 KiB from the value before", near,
               "pread makes a system call for each value. After each fseeko, stdio fills its "
               "buffer of 4 KiB again if the value is not in it. A Reader has most near values in "
               "its block, and then makes no system call."),
           reading_group(
               "read at random" + file, far,
               "Each value costs a system call, and the processor waits for memory. A mapped file "
               "needs no system call, but the first access to a page costs a page fault."),
           patching_group(
               "patch near: at most 4 KiB from the value before", near,
               "Each patch is one pwrite. Nothing is held back, and nothing is read first."),
           patching_group(
               "patch at random" + file, far,
               "fseek writes out the buffered bytes, so each patch by stdio takes several system "
               "calls.")},
      .bytes = near->values * value_bytes,
      .scratch_bytes = 2 * near->file_bytes,  // the input, and the file that a row patches
      .memory_bytes = memory_bytes(*near),
      .set_up =
          [near, far] {
            make_file(near->input, near->file_bytes);
            find_expected(*near, near_positions(*near));
            find_expected(*far, random_positions(*far));
          },
  };
}

}  // namespace sluice::bench
