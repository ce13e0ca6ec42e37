#include "ranks/ways.h"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "ranks/folder.h"
#include "sluice/mpi.h"
#include "sluice/reader.h"

namespace sluice::ranks {
namespace {

using Block = std::vector<std::byte>;

void require(bool is_ok, const std::string& what, const std::string& why) {
  if (is_ok) return;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fprintf(stderr, "sluice bench ranks: rank %d: %s failed: %s\n", rank, what.c_str(),
               why.c_str());
  Folder::remove();
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void require(const Status& status) {
  if (!status.ok()) require(false, "a way", status.message());
}

// MPI's words for the failure, in one line.
std::string reason_of(int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  std::string line(text);  // Open MPI may count the 0 at the end to the length
  std::ranges::replace(line, '\n', ' ');
  return line;
}

void require_code(int code, const std::string& call, const std::string& path) {
  if (code != MPI_SUCCESS) require(false, call + " of " + path, reason_of(code));
}

// MPI can report success for bytes that found no room: then only the count shows it.
void require_all(int code, const MPI_Status& status, std::size_t bytes, const std::string& path) {
  int count = -1;
  MPI_Status copy = status;
  MPI_Get_count(&copy, MPI_BYTE, &count);
  if (code == MPI_SUCCESS && count == static_cast<int>(bytes)) return;
  const std::string written =
      "MPI wrote " + std::to_string(std::max(count, 0)) + " of " + std::to_string(bytes) + " bytes";
  require(false, "a write to " + path,
          (code == MPI_SUCCESS ? written : reason_of(code)) +
              "; the disk may be full: the files of the benchmark take --size bytes");
}

class RawFile {
 public:
  explicit RawFile(const std::string& path) : path_(path) {
    require_code(MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_WRONLY | MPI_MODE_CREATE,
                               MPI_INFO_NULL, &file_),
                 "MPI_File_open", path);
  }
  ~RawFile() { require_code(MPI_File_close(&file_), "MPI_File_close", path_); }
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;
  MPI_File get() const { return file_; }
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
  MPI_File file_ = MPI_FILE_NULL;
};

void write_at(const RawFile& file, std::uint64_t position, BytesView bytes) {
  MPI_Status status;
  const int code = MPI_File_write_at(file.get(), static_cast<MPI_Offset>(position), bytes.data(),
                                     static_cast<int>(bytes.size()), MPI_BYTE, &status);
  require_all(code, status, bytes.size(), file.path());
}

// Makes the block of values at `position`, in pieces as a program would. A block that is ready only
// gets its position in each piece, so that a block in the place of another one is noticed.
void make_block(Block& block, const Job& job, std::uint64_t position) {
  for (std::size_t at = 0; at < block.size(); at += piece_bytes) {
    const auto piece = std::span(block).subspan(at, piece_bytes);
    const std::uint64_t place = job.begin() + position + at;
    if (job.passes == 0) {
      std::memcpy(piece.data(), &place, sizeof place);
    } else {
      compute(piece, job, position + at);
    }
  }
}

// The ranks of a simulation wait for each other in every step, to exchange what they have computed.
void end_step(const Job& job) {
  if (job.passes > 0) MPI_Barrier(MPI_COMM_WORLD);
}

void each_block(const Job& job, const std::function<void(BytesView, std::uint64_t)>& write) {
  Block block = job.passes == 0 ? *job.ready : Block(block_bytes);
  for (std::uint64_t at = 0; at < job.bytes; at += block_bytes) {
    make_block(block, job, at);
    end_step(job);
    write(block, at);
  }
}

// What a program would write by hand, for one purpose: a thread writes one block while the rank
// computes the next one in the other block.
class WritingThread {
 public:
  explicit WritingThread(const RawFile& file) : file_(file), thread_([this] { run(); }) {}
  ~WritingThread() {
    give(nullptr, 0);
    thread_.join();
  }
  WritingThread(const WritingThread&) = delete;
  WritingThread& operator=(const WritingThread&) = delete;

  // Waits until the block before is written. A null block ends the thread.
  void give(const Block* block, std::uint64_t position) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !is_full_; });
    block_ = block;
    position_ = position;
    is_full_ = true;
    changed_.notify_one();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return is_full_; });
      if (block_ == nullptr) return;
      lock.unlock();
      write_at(file_, position_, *block_);
      lock.lock();
      is_full_ = false;
      changed_.notify_one();
    }
  }

  const RawFile& file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_:
  const Block* block_ = nullptr;
  std::uint64_t position_ = 0;
  bool is_full_ = false;
  std::thread thread_;  // last, because it uses the others
};

void expect(BytesView found, BytesView expected, const std::string& path) {
  require(std::ranges::equal(found, expected), "reading back " + path,
          "the file has other bytes than were written");
}

void require_read(Reader& reader, MutableBytesView into, const std::string& path) {
  if (reader.read(into) == into.size()) return;
  const Status& status = reader.status();
  require(false, "reading back " + path, status.ok() ? "the file is too short" : status.message());
}

// Each rank compares what its neighbour has written.
void verify(const Job& job, const std::string& path, std::uint64_t begin) {
  Reader reader;
  require(reader.open(path));
  require(reader.seek(begin));
  Block expected = *ready_block(job);
  Block found(block_bytes);
  for (std::uint64_t at = 0; at < job.bytes; at += found.size()) {
    make_block(expected, job, at);
    require_read(reader, found, path);
    expect(found, expected, path);
  }
}

// The values do not depend on the number of passes.
Job neighbour_of(const Job& job) {
  Job neighbour = job;
  neighbour.passes = std::min(job.passes, 1U);
  neighbour.think_per_byte = 0;
  neighbour.rank = (job.rank + 1) % job.count;
  return neighbour;
}

std::string path_of_rank(const Job& job) { return job.path + "." + std::to_string(job.rank); }

}  // namespace

std::shared_ptr<const Block> ready_block(const Job& job) {
  Block block(block_bytes);
  compute(block, job, 0);
  return std::make_shared<const Block>(std::move(block));
}

std::shared_ptr<const Block> ready_records(const Job& job) {
  Block records(static_cast<std::size_t>(std::min<std::uint64_t>(job.bytes, max_ready_bytes)));
  for (std::size_t at = 0; at < records.size(); at += record_bytes) {
    const auto first = static_cast<std::byte>(job.rank + static_cast<int>(at / record_bytes));
    std::fill_n(records.begin() + static_cast<std::ptrdiff_t>(at), record_bytes, first);
  }
  return std::make_shared<const Block>(std::move(records));
}

void compute_alone(const Job& job) {
  each_block(job, [](BytesView, std::uint64_t) {});
}

void write_at_loop(const Job& job) {
  const RawFile file(job.path);
  each_block(job,
             [&](BytesView block, std::uint64_t at) { write_at(file, job.begin() + at, block); });
}

void write_at_by_own_thread(const Job& job) {
  const RawFile file(job.path);
  std::array<Block, 2> blocks{Block(block_bytes), Block(block_bytes)};
  WritingThread thread(file);  // ends before the blocks do
  for (std::uint64_t at = 0; at < job.bytes; at += block_bytes) {
    Block& block = blocks[at / block_bytes % 2];
    make_block(block, job, at);
    end_step(job);
    thread.give(&block, job.begin() + at);
  }
}

void write_at_all_loop(const Job& job) {
  const RawFile file(job.path);
  each_block(job, [&](BytesView block, std::uint64_t at) {
    MPI_Status status;
    const std::uint64_t position = job.begin() + at;
    const int code =
        MPI_File_write_at_all(file.get(), static_cast<MPI_Offset>(position), block.data(),
                              static_cast<int>(block.size()), MPI_BYTE, &status);
    require_all(code, status, block.size(), file.path());
  });
}

void file_for_each_rank(const Job& job) {
  Writer file;
  require(file.open(path_of_rank(job), {.block_bytes = block_bytes}));
  each_block(job, [&](BytesView block, std::uint64_t) { file.write(block); });
  require(file.close());
}

// Values that are computed are made in the Writer's block. A block that is ready leaves as it is.
static void write_contiguous(const Job& job, WriteBehind write_behind) {
  MpiWriter file;
  require(
      file.open(MPI_COMM_WORLD, job.path, {.rank_bytes = job.bytes, .write_behind = write_behind}));
  if (job.passes == 0) {
    each_block(job, [&](BytesView block, std::uint64_t) { file->write(block); });
  } else {
    for (std::uint64_t at = 0; at < job.bytes; at += piece_bytes) {
      const MutableBytesView piece = file->reserve(piece_bytes);
      compute(piece, job, at);
      file->commit(piece.size());
      if ((at + piece_bytes) % block_bytes == 0) end_step(job);
    }
  }
  require(file.close());
}

void sluice_contiguous(const Job& job) { write_contiguous(job, MpiWriterOptions{}.write_behind); }

void sluice_by_measuring(const Job& job) { write_contiguous(job, WriteBehind::automatic); }

void sluice_without_helper(const Job& job) { write_contiguous(job, WriteBehind::off); }

// Calls `write` with all records of the rank, as many at a time as are ready.
static void each_ready(const Job& job, const std::function<void(BytesView, std::uint64_t)>& write) {
  const BytesView ready(*job.ready);
  for (std::uint64_t at = 0; at < job.bytes; at += ready.size()) {
    const std::uint64_t rest = job.bytes - at;
    write(ready.first(static_cast<std::size_t>(std::min<std::uint64_t>(rest, ready.size()))), at);
  }
}

void write_at_each_record(const Job& job) {
  const RawFile file(job.path);
  each_ready(job, [&](BytesView records, std::uint64_t before) {
    for (std::size_t at = 0; at < records.size(); at += record_bytes) {
      const std::uint64_t row =
          (before + at) / record_bytes * static_cast<std::uint64_t>(job.count);
      const std::uint64_t position = (row + static_cast<std::uint64_t>(job.rank)) * record_bytes;
      write_at(file, position, records.subspan(at, record_bytes));
    }
  });
}

void write_at_blocks(const Job& job) {
  const RawFile file(job.path);
  each_ready(job, [&](BytesView records, std::uint64_t before) {
    for (std::size_t at = 0; at < records.size(); at += block_bytes) {
      const std::size_t bytes = std::min(records.size() - at, block_bytes);
      write_at(file, job.begin() + before + at, records.subspan(at, bytes));
    }
  });
}

void write_all_by_view(const Job& job) {
  const RawFile file(job.path);
  MPI_Datatype record;
  MPI_Datatype own;
  MPI_Type_contiguous(record_bytes, MPI_BYTE, &record);
  MPI_Type_create_resized(record, 0, static_cast<MPI_Aint>(record_bytes) * job.count, &own);
  MPI_Type_commit(&own);
  const auto first = static_cast<MPI_Offset>(record_bytes) * job.rank;
  MPI_File_set_view(file.get(), first, MPI_BYTE, own, "native", MPI_INFO_NULL);
  each_ready(job, [&](BytesView records, std::uint64_t) {
    MPI_Status status;
    const int code = MPI_File_write_all(file.get(), records.data(),
                                        static_cast<int>(records.size()), MPI_BYTE, &status);
    require_all(code, status, records.size(), file.path());
  });
  MPI_Type_free(&own);
  MPI_Type_free(&record);
}

static void write_striped(const Job& job, const MpiWriterOptions& options) {
  MpiWriter file;
  require(file.open(MPI_COMM_WORLD, job.path, options));
  constexpr std::size_t between_places = record_bytes * 80'000;
  each_ready(job, [&](BytesView records, std::uint64_t) {
    for (std::size_t at = 0; at < records.size(); at += record_bytes) {
      file->write(records.data() + at, record_bytes);
      if ((at + record_bytes) % between_places == 0) require(file.place());
    }
  });
  require(file.close());
}

void sluice_striped(const Job& job) {
  write_striped(job, {.layout = MpiLayout::striped, .record_bytes = record_bytes});
}

void sluice_striped_small_blocks(const Job& job) {
  write_striped(job, {.layout = MpiLayout::striped,
                      .record_bytes = record_bytes,
                      .write_behind = WriteBehind::off,
                      .block_bytes = std::size_t{1} << 20});
}

void verify_regions(const Job& job) {
  const Job neighbour = neighbour_of(job);
  verify(neighbour, job.path, neighbour.begin());
}

void verify_files(const Job& job) {
  const Job neighbour = neighbour_of(job);
  verify(neighbour, path_of_rank(neighbour), 0);
}

void verify_records(const Job& job) {
  const Job neighbour = neighbour_of(job);
  const Block expected = *ready_records(neighbour);
  Reader reader;
  require(reader.open(job.path));
  const auto row_bytes = static_cast<std::size_t>(job.count) * record_bytes;
  const auto at_rank = static_cast<std::size_t>(neighbour.rank) * record_bytes;
  Block row(row_bytes);
  for (std::uint64_t at = 0; at < job.bytes; at += record_bytes) {
    require_read(reader, row, job.path);
    const std::size_t of_ready = static_cast<std::size_t>(at % expected.size());
    expect(std::span(row).subspan(at_rank, record_bytes),
           std::span(expected).subspan(of_ready, record_bytes), job.path);
  }
}

}  // namespace sluice::ranks
