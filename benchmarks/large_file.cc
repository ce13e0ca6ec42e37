// Writes or reads one large file through a Writer or a Reader, and prints a line of JSON: the
// seconds, and how many bytes of the file were in the kernel's cache, at most and at the end.
//
//   large_file_benchmark write|read FILE BYTES BLOCK_BYTES keep|drop off|on WRITE_BACK_BYTES PIECE
//
// The bytes are handed over, or taken, in aligned pieces of PIECE bytes.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "sluice/reader.h"
#include "sluice/writer.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t look_every_bytes = 256 << 20;
constexpr long cachestat_call = 451;  // Linux 6.5; glibc has no function for it

struct Free {
  void operator()(std::byte* memory) const { std::free(memory); }
};

std::unique_ptr<std::byte, Free> aligned_piece(std::size_t bytes) {
  std::unique_ptr<std::byte, Free> piece(static_cast<std::byte*>(std::aligned_alloc(4096, bytes)));
  std::memset(piece.get(), 'x', bytes);
  return piece;
}

// The bytes of the file that are in the cache; -1 if the kernel does not tell.
std::int64_t cached_bytes(const std::string& path) {
  struct {
    std::uint64_t position = 0, bytes = 0;
  } range;
  struct {
    std::uint64_t cached, dirty, written_back, evicted, recently_evicted;
  } counts{};
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const long result = ::syscall(cachestat_call, file, &range, &counts, 0);
  ::close(file);
  return result < 0 ? -1 : static_cast<std::int64_t>(counts.cached) * 4096;
}

struct Job {
  std::string path;
  std::uint64_t bytes = 0;
  std::size_t block_bytes = 0;
  sluice::Cache cache = sluice::Cache::keep;
  sluice::Direct direct = sluice::Direct::off;
  std::size_t write_back_bytes = 0;
  std::size_t piece_bytes = 0;
  std::int64_t most_cached = 0;

  void look(std::uint64_t position) {
    if (position % look_every_bytes == 0) most_cached = std::max(most_cached, cached_bytes(path));
  }
};

void write(Job& job) {
  const auto piece = aligned_piece(job.piece_bytes);
  sluice::Writer writer;
  writer
      .open(job.path, {.block_bytes = job.block_bytes,
                       .write_back_bytes = job.write_back_bytes,
                       .cache = job.cache,
                       .direct = job.direct})
      .throw_if_error();
  for (std::uint64_t position = 0; position < job.bytes; position += job.piece_bytes) {
    writer.write(piece.get(), job.piece_bytes);
    job.look(position);
  }
  writer.close().throw_if_error();
}

void read(Job& job) {
  sluice::Reader reader;
  reader.open(job.path, {.block_bytes = job.block_bytes, .cache = job.cache, .direct = job.direct})
      .throw_if_error();
  const auto piece = aligned_piece(job.piece_bytes);
  std::uint64_t position = 0;
  while (const std::size_t got = reader.read({piece.get(), job.piece_bytes})) {
    position += got;
    job.look(position);
  }
  reader.close().throw_if_error();
  if (position != job.bytes) std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 9) return 2;
  Job job{.path = argv[2],
          .bytes = std::strtoull(argv[3], nullptr, 10),
          .block_bytes = std::strtoull(argv[4], nullptr, 10),
          .cache = argv[5] == std::string("drop") ? sluice::Cache::drop : sluice::Cache::keep,
          .direct = argv[6] == std::string("on") ? sluice::Direct::on : sluice::Direct::off,
          .write_back_bytes = std::strtoull(argv[7], nullptr, 10),
          .piece_bytes = std::strtoull(argv[8], nullptr, 10)};
  const auto start = Clock::now();
  argv[1] == std::string("write") ? write(job) : read(job);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const std::int64_t cached = cached_bytes(job.path);
  std::printf("{\"seconds\": %.3f, \"most_cached_bytes\": %lld, \"cached_bytes\": %lld}\n", seconds,
              static_cast<long long>(std::max(job.most_cached, cached)),
              static_cast<long long>(cached));
}
