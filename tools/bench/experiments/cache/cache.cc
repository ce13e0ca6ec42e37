// `cache`: a large file is written or read beside a program that needs its megabytes in the cache.
// The time of a row is the time of the large file. The times of its operations are those of the
// program beside it.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include "bench/data.h"
#include "bench/experiments/cache/memory_limit.h"
#include "bench/experiments/cache/neighbour.h"
#include "bench/experiments/input/input_file.h"
#include "bench/experiments/input/raw_read.h"
#include "bench/experiments/output/file_targets.h"
#include "bench/experiments/output/pattern_output.h"
#include "bench/experiments/registry.h"
#include "bench/latency.h"
#include "command_line/quantity.h"
#include "sluice/reader.h"
#include "sluice/writer.h"

namespace sluice::bench {
namespace {

constexpr std::uint64_t default_bytes = std::uint64_t{4} << 30;
constexpr std::uint64_t quick_bytes = std::uint64_t{256} << 20;
constexpr std::size_t direct_block_bytes = 1 << 20;
constexpr std::uint64_t dropped_bytes = 8 << 20;
constexpr std::uint64_t kept_bytes = 3 * dropped_bytes;
constexpr int rwf_dontcache = 0x80;  // Linux 6.14; absent from older headers

struct Work {
  std::string input;      // the large file that is read
  std::string output;     // the large file that is written
  std::string neighbour;  // the file of the program beside
  std::uint64_t bytes = 0;
  std::uint64_t neighbour_bytes = 0;
  bool is_limited = false;

  // The large file does not fit in beside the neighbour's.
  std::uint64_t memory_bytes() const { return 3 * neighbour_bytes + bytes / 16; }
};
using SharedWork = std::shared_ptr<const Work>;

// A way to move the large file in pieces. `block` has direct_block_bytes bytes of the pattern.
using Move = void (*)(const Work& work, const WarmMemory& block);

struct Row {
  const char* name;
  Kind kind;
  std::uint64_t buffer_bytes;
  Move move;
  bool is_direct = false;
};

// ---- writing ----

template <typename WritePiece>
void for_each_piece(const Work& work, std::size_t piece_bytes, WritePiece write) {
  for (std::uint64_t position = 0; position < work.bytes; position += piece_bytes) {
    write(position,
          static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, work.bytes - position)));
  }
}

void expect_all(ssize_t moved, std::size_t bytes, const char* operation, const std::string& path) {
  if (moved != static_cast<ssize_t>(bytes)) fail(operation, path);
}

void write_plainly(const Work& work, const WarmMemory& block) {
  RawOutput output(work.output);
  for_each_piece(work, raw_block_bytes,
                 [&](std::uint64_t, std::size_t bytes) { output.write(block.data(), bytes); });
  output.close();
}

void write_with_flags(const Work& work, const WarmMemory& block, int open_flags, int write_flags) {
  const RawFile file(work.output, O_RDWR | O_CREAT | O_TRUNC | open_flags);
  const std::size_t piece = open_flags == 0 ? raw_block_bytes : direct_block_bytes;
  for_each_piece(work, piece, [&](std::uint64_t position, std::size_t bytes) {
    const iovec part{block.data(), bytes};
    expect_all(::pwritev2(file.descriptor(), &part, 1, static_cast<off_t>(position), write_flags),
               bytes, "write", work.output);
  });
}

void write_directly(const Work& work, const WarmMemory& block) {
  write_with_flags(work, block, O_DIRECT, 0);
}

void write_dontcache(const Work& work, const WarmMemory& block) {
  write_with_flags(work, block, 0, rwf_dontcache);
}

void give_up(int descriptor, std::uint64_t begin, std::uint64_t end) {
  ::sync_file_range(
      descriptor, static_cast<off_t>(begin), static_cast<off_t>(end - begin),
      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
  ::posix_fadvise(descriptor, static_cast<off_t>(begin), static_cast<off_t>(end - begin),
                  POSIX_FADV_DONTNEED);
}

void write_and_give_up(const Work& work, const WarmMemory& block) {
  const RawFile file(work.output, O_RDWR | O_CREAT | O_TRUNC);
  std::uint64_t given_up = 0;
  for_each_piece(work, raw_block_bytes, [&](std::uint64_t position, std::size_t bytes) {
    expect_all(::pwrite(file.descriptor(), block.data(), bytes, static_cast<off_t>(position)),
               bytes, "write", work.output);
    const std::uint64_t end = position + bytes;
    if (end % dropped_bytes != 0) return;
    ::sync_file_range(file.descriptor(), static_cast<off_t>(end - dropped_bytes), dropped_bytes,
                      SYNC_FILE_RANGE_WRITE);
    if (end < given_up + dropped_bytes + kept_bytes) return;
    give_up(file.descriptor(), given_up, end - kept_bytes);
    given_up = end - kept_bytes;
  });
  give_up(file.descriptor(), 0, work.bytes);
}

void write_by_sluice(const Work& work, const WarmMemory& block, const WriterOptions& options) {
  Writer writer;
  writer.open(work.output, options).throw_if_error();
  for_each_piece(work, raw_block_bytes,
                 [&](std::uint64_t, std::size_t bytes) { writer.write(block.data(), bytes); });
  writer.close().throw_if_error();
}

void write_keeping(const Work& work, const WarmMemory& block) { write_by_sluice(work, block, {}); }
void write_paced(const Work& work, const WarmMemory& block) {
  write_by_sluice(work, block, {.write_back_bytes = dropped_bytes});
}
void write_dropping(const Work& work, const WarmMemory& block) {
  write_by_sluice(work, block, {.cache = Cache::drop});
}
void write_direct(const Work& work, const WarmMemory& block) {
  write_by_sluice(work, block, {.block_bytes = direct_block_bytes, .direct = Direct::on});
}

constexpr Row writing_rows[] = {
    {"write, sync_file_range, fadvise", Kind::limit, raw_block_bytes, write_and_give_up},
    {"write", Kind::baseline, raw_block_bytes, write_plainly},
    {"write RWF_DONTCACHE", Kind::peer, raw_block_bytes, write_dontcache, true},
    {"write O_DIRECT", Kind::peer, direct_block_bytes, write_directly, true},
    {"sluice", Kind::sluice, WriterOptions{}.block_bytes, write_keeping},
    {"sluice write_back=8M", Kind::sluice, WriterOptions{}.block_bytes, write_paced},
    {"sluice cache=drop", Kind::sluice, WriterOptions{}.block_bytes, write_dropping},
    {"sluice direct=on", Kind::sluice, direct_block_bytes, write_direct, true},
};

// ---- reading ----

// Every row compares what it reads with the pattern, which costs all of them the same.
void expect_block(const void* found, std::size_t bytes, const WarmMemory& block,
                  const std::string& path) {
  if (std::memcmp(found, block.data(), bytes) == 0) return;
  throw std::runtime_error("read " + path + ": the bytes are wrong");
}

void read_with_flags(const Work& work, const WarmMemory& block, int open_flags, int read_flags,
                     bool gives_up) {
  const RawFile file(work.input, O_RDONLY | open_flags);
  const WarmMemory memory(direct_block_bytes);
  const std::size_t piece = open_flags == 0 ? raw_block_bytes : direct_block_bytes;
  ::posix_fadvise(file.descriptor(), 0, 0, POSIX_FADV_SEQUENTIAL);
  for_each_piece(work, piece, [&](std::uint64_t position, std::size_t bytes) {
    const iovec part{memory.data(), bytes};
    expect_all(::preadv2(file.descriptor(), &part, 1, static_cast<off_t>(position), read_flags),
               bytes, "read", work.input);
    expect_block(memory.data(), bytes, block, work.input);
    if (gives_up && (position + bytes) % dropped_bytes == 0) {
      ::posix_fadvise(file.descriptor(), static_cast<off_t>(position + bytes - dropped_bytes),
                      dropped_bytes, POSIX_FADV_DONTNEED);
    }
  });
  if (gives_up) ::posix_fadvise(file.descriptor(), 0, 0, POSIX_FADV_DONTNEED);
}

void read_plainly(const Work& work, const WarmMemory& block) {
  read_with_flags(work, block, 0, 0, false);
}
void read_and_give_up(const Work& work, const WarmMemory& block) {
  read_with_flags(work, block, 0, 0, true);
}
void read_dontcache(const Work& work, const WarmMemory& block) {
  read_with_flags(work, block, 0, rwf_dontcache, false);
}
void read_directly(const Work& work, const WarmMemory& block) {
  read_with_flags(work, block, O_DIRECT, 0, false);
}

void read_by_sluice(const Work& work, const WarmMemory& block, const ReaderOptions& options) {
  Reader reader;
  reader.open(work.input, options).throw_if_error();
  std::uint64_t position = 0;
  for (BytesView bytes; !(bytes = reader.peek(1)).empty(); reader.skip(bytes.size())) {
    // The pattern is the same every 64 KiB.
    for (BytesView rest = bytes; !rest.empty();) {
      const std::size_t at = position % raw_block_bytes;
      const std::size_t part = std::min(rest.size(), raw_block_bytes - at);
      if (std::memcmp(rest.data(), block.data() + at, part) != 0) {
        throw std::runtime_error("read " + work.input + ": the bytes are wrong");
      }
      rest = rest.subspan(part);
      position += part;
    }
  }
  reader.close().throw_if_error();
  if (position != work.bytes)
    throw std::runtime_error("read " + work.input + ": bytes are missing");
}

void read_keeping(const Work& work, const WarmMemory& block) { read_by_sluice(work, block, {}); }
void read_dropping(const Work& work, const WarmMemory& block) {
  read_by_sluice(work, block, {.cache = Cache::drop});
}
void read_direct(const Work& work, const WarmMemory& block) {
  read_by_sluice(work, block, {.block_bytes = direct_block_bytes, .direct = Direct::on});
}

constexpr Row reading_rows[] = {
    {"read, fadvise", Kind::limit, raw_block_bytes, read_and_give_up},
    {"read", Kind::baseline, raw_block_bytes, read_plainly},
    {"read RWF_DONTCACHE", Kind::peer, raw_block_bytes, read_dontcache, true},
    {"read O_DIRECT", Kind::peer, direct_block_bytes, read_directly, true},
    {"sluice", Kind::sluice, ReaderOptions{}.block_bytes, read_keeping},
    {"sluice cache=drop", Kind::sluice, ReaderOptions{}.block_bytes, read_dropping},
    {"sluice direct=on", Kind::sluice, direct_block_bytes, read_direct, true},
};

// ---- strategies ----

std::unique_ptr<WarmMemory> pattern_block() {
  auto block = std::make_unique<WarmMemory>(direct_block_bytes);
  for (std::size_t i = 0; i < direct_block_bytes; ++i) {
    block->data()[i] = static_cast<std::byte>(byte_at(i));
  }
  return block;
}

Strategy strategy_of(const Row& row, const SharedWork& work, bool writes) {
  struct Running {
    std::unique_ptr<WarmMemory> block;
    std::unique_ptr<Neighbour> neighbour;
  };
  const auto running = std::make_shared<Running>();
  Strategy strategy;
  strategy.name = row.name;
  strategy.kind = row.kind;
  strategy.buffer_bytes = row.buffer_bytes;
  strategy.bytes = work->bytes;
  strategy.operations = work->bytes / raw_block_bytes;
  strategy.prepare = [=] {
    running->block = pattern_block();
    if (!writes) drop_cache(work->input);
    drop_cache(work->neighbour);  // its pages must count as this process's
    if (work->is_limited && !limit_memory(work->memory_bytes())) {
      throw std::runtime_error(
          "the memory of this process could not be limited by a control group");
    }
    running->neighbour = std::make_unique<Neighbour>(work->neighbour, work->neighbour_bytes);
  };
  strategy.run = [=, move = row.move] {
    running->neighbour->start();
    move(*work, *running->block);
    note_operations(running->neighbour->stop());
  };
  strategy.verify = [=] {
    if (writes) expect_file(work->output, work->bytes, hash_pattern(work->bytes));
  };
  return strategy;
}

template <typename Rows>
Experiment::Group group_of(const char* title, const Rows& rows, const SharedWork& work, bool writes,
                           bool has_direct_io) {
  Experiment::Group group;
  group.title = fmt::format("{} {} beside a program that reads its {} again and again", title,
                            format_bytes(work->bytes), format_bytes(work->neighbour_bytes));
  group.operations_of = "the program beside";
  group.why = fmt::format("An operation of the program beside reads its whole file of {}.",
                          format_bytes(work->neighbour_bytes));
  if (work->is_limited) {
    group.why +=
        fmt::format(" Both have {} of memory together.", format_bytes(work->memory_bytes()));
  } else if (!has_direct_io) {
    group.why += " This folder is in memory: its pages are the files themselves, and stay.";
  } else {
    group.why +=
        " Without root the memory is not made scarce, so the large file may push nothing out.";
  }
  for (const Row& row : rows) {
    if (row.is_direct && !has_direct_io) continue;
    group.strategies.push_back(strategy_of(row, work, writes));
  }
  return group;
}

}  // namespace

Experiment cache_experiment(const Settings& settings) {
  const std::uint64_t usual = settings.quick ? quick_bytes : default_bytes;
  const std::uint64_t wanted = settings.size_bytes != 0 ? settings.size_bytes : usual;
  auto work = std::make_shared<Work>();
  work->input = settings.directory + "/cache.in";
  work->output = settings.directory + "/cache.out";
  work->neighbour = settings.directory + "/cache.neighbour";
  work->bytes = std::max<std::uint64_t>(wanted >> 23, 1) << 23;  // whole pages, for direct I/O
  work->neighbour_bytes = std::clamp<std::uint64_t>(work->bytes / 16, 32 << 20, 256 << 20);
  // In memory every page is the file itself, and none can be pushed out.
  const bool is_on_disk = !is_in_memory(settings.directory);
  work->is_limited = is_on_disk && can_limit_memory();
  Experiment experiment;
  experiment.id = "cache";
  experiment.title = "a program that needs its cached megabytes, beside a large file";
  experiment.bytes = work->bytes;
  experiment.scratch_bytes = 2 * work->bytes + work->neighbour_bytes;
  experiment.groups.push_back(group_of("write", writing_rows, work, true, is_on_disk));
  experiment.groups.push_back(group_of("read", reading_rows, work, false, is_on_disk));
  experiment.set_up = [work] {
    make_pattern_file(work->neighbour, work->neighbour_bytes);
    make_pattern_file(work->input, work->bytes);
  };
  return experiment;
}

}  // namespace sluice::bench
