// `cold`: blocks of 4 KiB are read at random places of a file that is not in the cache.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/data.h"
#include "bench/experiments/cold/ring.h"
#include "bench/experiments/input/file_map.h"
#include "bench/experiments/input/input_file.h"
#include "bench/experiments/input/raw_read.h"
#include "bench/experiments/output/file_targets.h"
#include "bench/experiments/registry.h"
#include "bench/experiments/rows/thread_team.h"
#include "command_line/quantity.h"
#include "sluice/reader.h"

namespace sluice::bench {
namespace {

constexpr std::uint64_t block_bytes = 4096;
constexpr std::size_t depth = 32;  // threads, or reads that a ring has under way
constexpr std::uint64_t default_file_bytes = std::uint64_t{4} << 30;
constexpr std::uint64_t quick_file_bytes = std::uint64_t{256} << 20;
constexpr std::uint64_t default_blocks = 32 * 1024;
constexpr std::uint64_t quick_blocks = 2 * 1024;

struct Work {
  std::string path;
  std::uint64_t file_bytes = 0;
  std::vector<std::uint64_t> positions = {};
};
using SharedWork = std::shared_ptr<Work>;

// Each block has its position in its first and its last value.
void make_cold_file(const Work& work) {
  constexpr std::uint64_t piece_bytes = 1 << 20;
  std::vector<std::uint64_t> piece(piece_bytes / sizeof(std::uint64_t), 0x9e37'79b9'7f4a'7c15);
  constexpr std::uint64_t values = block_bytes / sizeof(std::uint64_t);
  RawOutput output(work.path);
  for (std::uint64_t position = 0; position < work.file_bytes; position += piece_bytes) {
    for (std::uint64_t i = 0; i < piece.size(); i += values) {
      piece[i] = piece[i + values - 1] = position + i * sizeof(std::uint64_t);
    }
    output.write(piece.data(), piece_bytes);
  }
  output.synchronize();
  output.close();
}

// How many blocks were right.
class Found {
 public:
  void add(const void* block, std::uint64_t position) {
    std::uint64_t first;
    std::uint64_t last;
    std::memcpy(&first, block, sizeof first);
    std::memcpy(&last, static_cast<const char*>(block) + block_bytes - sizeof last, sizeof last);
    if (first == position && last == position) right_.fetch_add(1, std::memory_order_relaxed);
  }
  void expect_all(const Work& work) const {
    if (right_ == work.positions.size()) return;
    throw std::runtime_error(fmt::format("read {}: {} of {} blocks are right", work.path,
                                         right_.load(), work.positions.size()));
  }

 private:
  std::atomic<std::uint64_t> right_ = 0;
};

// A thread's part of the positions.
struct Share {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

// ---- the ways to read ----

void by_pread(const Work& work, Share share, Found& found, int flags) {
  const RawFile file(work.path, O_RDONLY | flags);
  const WarmMemory block(block_bytes);
  for (std::uint64_t i = share.first; i < share.end; ++i) {
    const std::uint64_t position = work.positions[i];
    const ssize_t got =
        ::pread(file.descriptor(), block.data(), block_bytes, static_cast<off_t>(position));
    if (got != static_cast<ssize_t>(block_bytes)) fail("read", work.path);
    found.add(block.data(), position);
  }
}

void by_map(const Work& work, Share share, Found& found) {
  const FileMap map(work.path);
  for (std::uint64_t i = share.first; i < share.end; ++i) {
    found.add(map.data() + work.positions[i], work.positions[i]);
  }
}

void by_ring(const Work& work, Share share, Found& found, int flags) {
  const RawFile file(work.path, O_RDONLY | flags);
  const WarmMemory blocks(depth * block_bytes);
  Ring ring(depth);
  std::vector<std::uint64_t> read(depth);
  std::uint64_t next = share.first;
  std::size_t under_way = 0;
  const auto start = [&](std::size_t place) {
    read[place] = work.positions[next++];
    ring.queue(file.descriptor(), blocks.data() + place * block_bytes, block_bytes, read[place],
               place);
    ++under_way;
  };
  for (std::size_t place = 0; place < depth && next < share.end; ++place) start(place);
  while (under_way != 0) {
    const Ring::Done done = ring.wait();
    --under_way;
    if (done.result < 0) fail("read", work.path, -done.result);
    if (done.result != static_cast<int>(block_bytes)) fail("read a whole block of", work.path, EIO);
    found.add(blocks.data() + done.tag * block_bytes, read[done.tag]);
    if (next < share.end) start(done.tag);
  }
}

void by_sluice(const Work& work, Share share, Found& found, Direct direct) {
  Reader reader;
  reader.open(work.path, {.direct = direct}).throw_if_error();
  std::vector<std::byte> block(block_bytes);
  for (std::uint64_t i = share.first; i < share.end; ++i) {
    const std::uint64_t position = work.positions[i];
    reader.seek(position).throw_if_error();
    if (reader.read(block) != block_bytes) fail("read", work.path, reader.status().code().value());
    found.add(block.data(), position);
  }
  reader.close().throw_if_error();
}

template <int flags>
void pread_with(const Work& work, Share share, Found& found) {
  by_pread(work, share, found, flags);
}
template <int flags>
void ring_with(const Work& work, Share share, Found& found) {
  by_ring(work, share, found, flags);
}
template <Direct direct>
void sluice_with(const Work& work, Share share, Found& found) {
  by_sluice(work, share, found, direct);
}

// ---- strategies ----

struct Row {
  const char* name;
  Kind kind;
  std::size_t threads;
  void (*read)(const Work& work, Share share, Found& found);
  bool is_direct = false;
};

constexpr Row rows[] = {
    {"pread, 32 threads", Kind::limit, depth, pread_with<0>},
    {"pread direct, 32 threads", Kind::limit, depth, pread_with<O_DIRECT>, true},
    {"pread", Kind::baseline, 1, pread_with<0>},
    {"pread direct", Kind::peer, 1, pread_with<O_DIRECT>, true},
    {"mmap", Kind::peer, 1, by_map},
    {"mmap, 32 threads", Kind::peer, depth, by_map},
    {"io_uring, 32 under way", Kind::peer, 1, ring_with<0>},
    {"io_uring direct, 32 under way", Kind::peer, 1, ring_with<O_DIRECT>, true},
    {"sluice seek read", Kind::sluice, 1, sluice_with<Direct::off>},
    {"sluice direct seek read", Kind::sluice, 1, sluice_with<Direct::on>, true},
    {"sluice seek read, 32 threads", Kind::sluice, depth, sluice_with<Direct::off>},
    {"sluice direct seek read, 32 threads", Kind::sluice, depth, sluice_with<Direct::on>, true},
};

Strategy strategy_of(const Row& row, const SharedWork& work, std::uint64_t blocks) {
  const auto found = std::make_shared<Found>();
  const auto team = std::make_shared<std::unique_ptr<ThreadTeam>>();
  Strategy strategy;
  strategy.name = row.name;
  strategy.kind = row.kind;
  strategy.bytes = blocks * block_bytes;
  strategy.operations = blocks;
  strategy.prepare = [=] {
    drop_cache(work->path);
    if (row.threads == 1) return;
    *team = std::make_unique<ThreadTeam>(row.threads, [=](std::size_t thread) {
      const std::uint64_t all = work->positions.size();
      row.read(*work, {all * thread / row.threads, all * (thread + 1) / row.threads}, *found);
    });
  };
  strategy.run = [=] {
    if (row.threads != 1) return (*team)->run();
    row.read(*work, {0, work->positions.size()}, *found);
  };
  strategy.verify = [=] { found->expect_all(*work); };
  return strategy;
}

}  // namespace

Experiment cold_experiment(const Settings& settings) {
  const std::uint64_t usual = settings.quick ? quick_file_bytes : default_file_bytes;
  const std::uint64_t wanted = settings.size_bytes != 0 ? settings.size_bytes : usual;
  const std::uint64_t file_bytes = std::max<std::uint64_t>(wanted >> 20, 1) << 20;
  const std::uint64_t blocks = std::min<std::uint64_t>(
      settings.quick ? quick_blocks : default_blocks, file_bytes / block_bytes);
  const auto work = std::make_shared<Work>(Work{settings.directory + "/cold.in", file_bytes});
  Experiment experiment;
  experiment.id = "cold";
  // A file system in memory reads nothing from a disk, nor directly.
  const bool is_on_disk = !is_in_memory(settings.directory);
  experiment.title = std::string("blocks of 4 KiB at random places of a file that is ") +
                     (is_on_disk ? "not in the cache" : "in memory");
  experiment.bytes = blocks * block_bytes;
  experiment.scratch_bytes = file_bytes;
  Experiment::Group group;
  group.title = "read 4 KiB at random places of " + format_bytes(file_bytes);
  group.why =
      is_on_disk ? "One thread waits for each read before it starts the next one. Many threads, or "
                   "a ring of io_uring, have many reads under way."
                 : "This folder is in memory: no row reads from a disk, and the file cannot leave "
                   "the cache. Choose a --dir on a disk.";
  for (const Row& row : rows) {
    if (row.is_direct && !is_on_disk) continue;
    group.strategies.push_back(strategy_of(row, work, blocks));
  }
  experiment.groups.push_back(std::move(group));
  experiment.set_up = [work, blocks] {
    make_cold_file(*work);
    std::mt19937_64 random(1);
    for (std::uint64_t i = 0; i < blocks; ++i) {
      work->positions.push_back(random() % (work->file_bytes / block_bytes) * block_bytes);
    }
  };
  return experiment;
}

}  // namespace sluice::bench
