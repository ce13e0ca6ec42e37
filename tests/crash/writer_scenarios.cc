// The Writer's durability: files that grow, new files, and names.
#include <cstring>
#include <string>

#include "scenario.h"
#include "sluice/writer.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"

namespace sluice::crash {
namespace {

using testing::contents_of;
using testing::file_exists;
using testing::pattern;

// ---- a file that grows by the pattern; its length is acknowledged ----

constexpr const char* growing = "growing";
constexpr std::size_t small_block_bytes = 4096;

std::size_t piece_bytes(Run& run) { return run.any(9) == 0 ? run.any(20'000) : run.any(200) + 1; }

bool write_piece(Run& run, Writer& writer) {
  return writer.write(std::string_view(pattern(writer.position(), piece_bytes(run))));
}

void append_and_close(Run& run) {
  run.begin();
  for (std::uint64_t step = 0; step < run.steps(); ++step) {
    Writer writer;
    run.expect_ok(writer.open(run.file(growing),
                              {.create = CreateMode::append, .durability = Durability::on_close}));
    write_piece(run, writer);
    run.expect_ok(writer.close());
    run.acknowledge(writer.position());
  }
}

void write_and_flush(Run& run, FlushTo to, const WriterOptions& options) {
  run.begin();
  Writer writer;
  run.expect_ok(writer.open(run.file(growing), options));
  for (std::uint64_t step = 0; step < run.steps(); ++step) {
    for (std::size_t pieces = run.any(3); pieces > 0; --pieces) write_piece(run, writer);
    run.expect_ok(writer.flush(to));
    run.acknowledge(writer.position());
  }
  run.expect_ok(writer.close());
}

void flush_each(Run& run) {
  write_and_flush(run, FlushTo::os,
                  {.durability = Durability::every_flush, .block_bytes = small_block_bytes});
}
void flush_to_storage(Run& run) {
  write_and_flush(run, FlushTo::storage, {.block_bytes = small_block_bytes});
}
// The flushed bytes have gone to the disk directly and through the cache, side by side.
void flush_direct(Run& run) {
  write_and_flush(run, FlushTo::storage,
                  {.block_bytes = small_block_bytes, .direct = Direct::if_possible});
}
void flush_dropped(Run& run) {
  write_and_flush(
      run, FlushTo::storage,
      {.block_bytes = small_block_bytes, .write_back_bytes = 8'000, .cache = Cache::drop});
}

void put_write_and_build(Run& run) {
  run.begin();
  Writer writer;
  run.expect_ok(writer.open(run.file(growing), {.durability = Durability::every_write}));
  for (std::uint64_t step = 0; step < run.steps(); ++step) {
    if (const std::size_t way = run.any(2); way == 0) {
      writer.put(testing::pattern_at(writer.position()));
    } else if (way == 1) {
      write_piece(run, writer);
    } else if (const MutableBytesView room = writer.reserve(10); !room.empty()) {
      const std::string bytes = pattern(writer.position(), room.size());
      std::memcpy(room.data(), bytes.data(), bytes.size());
      writer.commit(bytes.size());
    }
    run.expect_ok(writer.status());
    run.acknowledge(writer.position());
  }
  run.expect_ok(writer.close());
}

void check_growing(const std::string& folder, const Told& told) {
  if (told.empty()) return;
  const std::string path = folder + "/" + growing;
  expect(file_exists(path), "the file has its name");
  const std::string contents = contents_of(path);
  const std::uint64_t durable = largest(told);
  expect(contents.size() >= durable, std::to_string(durable) + " bytes are there: there are " +
                                         std::to_string(contents.size()));
  expect(contents.starts_with(pattern(0, durable)), "the bytes are those that were written");
}

// ---- new files, each whole once it is acknowledged ----

std::string name_of_new(std::uint64_t step) { return "new-" + std::to_string(step); }

std::string bytes_of_new(std::uint64_t step) {
  constexpr std::size_t sizes[] = {0, 1, 4096, 100'000, 4097, 300'000, 60};
  return pattern(step * 7919, sizes[step % std::size(sizes)]);
}

// Some new files replace a longer file that was not synced.
void create_and_close(Run& run) {
  constexpr CreateMode modes[] = {CreateMode::truncate, CreateMode::exclusive, CreateMode::append};
  run.begin();
  for (std::uint64_t step = 0; step < run.steps(); ++step) {
    const std::string path = run.file(name_of_new(step));
    const std::string bytes = bytes_of_new(step);
    const CreateMode mode = modes[step % std::size(modes)];
    Writer writer;
    if (mode == CreateMode::truncate) {
      run.expect_ok(writer.open(path));
      writer.write(std::string_view(bytes + "more"));
      run.expect_ok(writer.close());
    }
    run.expect_ok(writer.open(path, {.create = mode,
                                     .durability = Durability::on_close,
                                     .write_behind = WriteBehind::on,
                                     .block_bytes = 65536,
                                     .cache = step % 2 == 0 ? Cache::keep : Cache::drop,
                                     .direct = step % 4 == 1 ? Direct::if_possible : Direct::off}));
    for (const char byte : bytes) writer.put(byte);
    run.expect_ok(writer.close());
    run.acknowledge(step);
  }
}

void check_new(const std::string& folder, const Told& told) {
  for (const Acknowledged& each : told) {
    const std::string path = folder + "/" + name_of_new(each.value);
    expect(file_exists(path), path + " is there");
    expect(contents_of(path) == bytes_of_new(each.value), path + " is whole");
  }
}

// ---- names that were given to a file and not synced ----

// A file of the pattern is durable under one name and gets another. Opening it, appending nothing
// and closing it must make the new name durable, although there are no bytes to sync.
void rename_and_close(Run& run) {
  for (std::uint64_t step = 0; step < run.steps(); ++step) {
    Writer writer;
    run.expect_ok(
        writer.open(run.file("old-" + std::to_string(step)), {.durability = Durability::on_close}));
    writer.write(std::string_view(bytes_of_new(step)));
    run.expect_ok(writer.close());
  }
  run.begin();
  for (std::uint64_t step = 0; step < run.steps(); ++step) {
    const std::string path = run.file(name_of_new(step));
    run.rename("old-" + std::to_string(step), name_of_new(step));
    Writer writer;
    run.expect_ok(
        writer.open(path, {.create = CreateMode::append, .durability = Durability::on_close}));
    run.expect_ok(writer.close());
    run.acknowledge(step);
  }
}

constexpr Scenario scenarios[] = {
    {"append_on_close", append_and_close, check_growing},
    {"every_flush", flush_each, check_growing},
    {"flush_to_storage", flush_to_storage, check_growing},
    {"flush_direct", flush_direct, check_growing},
    {"flush_dropped", flush_dropped, check_growing},
    {"every_write", put_write_and_build, check_growing},
    {"new_files", create_and_close, check_new},
    {"new_names", rename_and_close, check_new},
};

}  // namespace

std::span<const Scenario> writer_scenarios() { return scenarios; }

}  // namespace sluice::crash
