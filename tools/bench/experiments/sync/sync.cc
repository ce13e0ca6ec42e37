// `sync`: the costs of a flush and of a synchronous write.
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "bench/experiments/output/file_targets.h"
#include "bench/experiments/output/pattern_output.h"
#include "bench/experiments/registry.h"
#include "bench/experiments/sync/durable_records.h"
#include "bench/experiments/sync/replaced_file.h"
#include "bench/latency.h"
#include "sluice/writer.h"

namespace sluice::bench {
namespace {

// Rows that make a system call for every byte write an eighth of the bytes.
constexpr std::uint64_t system_call_divisor = 8;
constexpr std::size_t record_bytes = 100;

template <typename Put>
std::function<void(const std::string&, std::uint64_t)> by_write(int flags, Put put) {
  return [flags, put](const std::string& path, std::uint64_t bytes) {
    RawOutput output(path, flags);
    each_byte(bytes, [&](unsigned char byte) { put(output, byte); });
    output.close();
  };
}

// The row uses fprintf's result. Otherwise the compiler would call fputc instead.
template <typename AfterEach>
std::function<void(const std::string&, std::uint64_t)> by_fprintf(AfterEach after_each) {
  return [after_each](const std::string& path, std::uint64_t bytes) {
    StdioFile file(path, "wb");
    std::FILE* const stream = file.get();
    each_byte(bytes, [&](unsigned char byte) {
      if (std::fprintf(stream, "%c", byte) != 1) fail("write", path);
      after_each(stream, path);
    });
    file.close();
  };
}

// The Writer keeps the failure of a flush, and close() returns it.
template <typename AfterEach>
std::function<void(const std::string&, std::uint64_t)> by_put(AfterEach after_each) {
  return [after_each](const std::string& path, std::uint64_t bytes) {
    Writer writer;
    writer.open(path).throw_if_error();
    each_byte(bytes, [&](unsigned char byte) {
      writer.put(static_cast<std::byte>(byte));
      after_each(writer);
    });
    writer.close().throw_if_error();
  };
}

void write_byte(RawOutput& output, unsigned char byte) { output.write(&byte, 1); }

std::vector<OutputRow> visible_rows() {
  return {
      {"write(2)", Kind::baseline, 0, system_call_divisor, by_write(0, write_byte)},
      {"fprintf", Kind::peer, stdio_buffer_bytes, 1,
       by_fprintf([](std::FILE*, const std::string&) {})},
      {"fprintf + fflush", Kind::peer, stdio_buffer_bytes, system_call_divisor,
       by_fprintf([](std::FILE* stream, const std::string& path) {
         if (std::fflush(stream) != 0) fail("flush", path);
       })},
      {"sluice put", Kind::sluice, WriterOptions{}.block_bytes, 1, by_put([](Writer&) {})},
      {"sluice put + flush(os)", Kind::sluice, WriterOptions{}.block_bytes, system_call_divisor,
       by_put([](Writer& writer) { std::ignore = writer.flush(FlushTo::os); })},
  };
}

std::vector<OutputRow> synchronous_rows() {
  return {
      {"write(2) O_SYNC", Kind::baseline, 0, 1, by_write(O_SYNC, write_byte)},
      {"write(2) O_DSYNC", Kind::peer, 0, 1, by_write(O_DSYNC, write_byte)},
      {"write(2) + fdatasync", Kind::peer, 0, 1,
       by_write(0,
                [](RawOutput& output, unsigned char byte) {
                  write_byte(output, byte);
                  output.synchronize();
                })},
      {"sluice put + flush(storage)", Kind::sluice, WriterOptions{}.block_bytes, 1,
       by_put([](Writer& writer) { std::ignore = writer.flush(FlushTo::storage); })},
  };
}

// Calls `write` with the pattern, in records of record_bytes.
template <typename Write>
void each_record(std::uint64_t bytes, Write write) {
  char record[record_bytes];
  for (std::uint64_t written = 0; written < bytes;) {
    const auto piece =
        static_cast<std::size_t>(std::min<std::uint64_t>(record_bytes, bytes - written));
    for (std::size_t i = 0; i < piece; ++i) record[i] = static_cast<char>(byte_at(written + i));
    write(record, piece);
    written += piece;
  }
}

void fwrite_durably(const std::string& path, std::uint64_t bytes) {
  StdioFile file(path, "wb");
  each_record(bytes, [&](const char* record, std::size_t record_size) {
    std::fwrite(record, 1, record_size, file.get());
  });
  file.synchronize();
  file.close();
}

void sluice_durably(const std::string& path, std::uint64_t bytes) {
  Writer writer;
  writer.open(path, {.durability = Durability::on_close}).throw_if_error();
  each_record(bytes, [&](const char* record, std::size_t record_size) {
    writer.write(record, record_size);
  });
  writer.close().throw_if_error();
}

std::vector<OutputRow> durable_rows() {
  return {
      {"fwrite + fflush + fdatasync", Kind::baseline, stdio_buffer_bytes, 1, fwrite_durably},
      {"sluice write, durability on_close", Kind::sluice, WriterOptions{}.block_bytes, 1,
       sluice_durably},
  };
}

// Large pieces, and then one sync. Pacing shortens the longest operation. The last operation is
// close().
constexpr std::size_t piece_bytes = std::size_t{1} << 20;

template <typename Write, typename Close>
void write_pieces(std::uint64_t bytes, Write write, Close close) {
  std::vector<std::byte> piece(piece_bytes);
  for (std::size_t i = 0; i < piece.size(); ++i) piece[i] = static_cast<std::byte>(byte_at(i));
  std::vector<double> seconds;
  for (std::uint64_t left = bytes; left != 0;) {
    const auto next = static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, left));
    timed(seconds, [&] { write(BytesView(piece).first(next)); });
    left -= next;
  }
  timed(seconds, close);
  note_operations(std::move(seconds));
}

void write_pieces_raw(const std::string& path, std::uint64_t bytes) {
  RawOutput output(path);
  write_pieces(
      bytes, [&](BytesView piece) { output.write(piece.data(), piece.size()); },
      [&] {
        output.synchronize();
        output.close();
      });
}

std::function<void(const std::string&, std::uint64_t)> pieces_by_writer(std::size_t paced_bytes) {
  return [paced_bytes](const std::string& path, std::uint64_t bytes) {
    Writer writer;
    writer.open(path, {.durability = Durability::on_close, .write_back_bytes = paced_bytes})
        .throw_if_error();
    write_pieces(
        bytes, [&](BytesView piece) { writer.write(piece); },
        [&] { writer.close().throw_if_error(); });
  };
}

std::vector<OutputRow> paced_rows() {
  const std::size_t block = WriterOptions{}.block_bytes;
  return {
      {"write(2) + fdatasync", Kind::baseline, piece_bytes, 1, write_pieces_raw},
      {"sluice write, on_close", Kind::sluice, block, 1, pieces_by_writer(0)},
      {"sluice write, on_close, write_back=1M", Kind::sluice, block, 1,
       pieces_by_writer(piece_bytes)},
      {"sluice write, on_close, write_back=16M", Kind::sluice, block, 1,
       pieces_by_writer(16 * piece_bytes)},
  };
}

struct GroupText {
  std::string title;
  std::string why;
};

Experiment::Group group_of(GroupText text, const RawWrite& raw, const std::vector<OutputRow>& rows,
                           std::uint64_t operations) {
  Experiment::Group group{std::move(text.title), {raw_write_strategy(raw)}, std::move(text.why)};
  for (const OutputRow& row : rows) {
    group.strategies.push_back(output_strategy(row, raw.paths.front(), {raw.bytes, operations}));
  }
  return group;
}

}  // namespace

Experiment sync_experiment(const Settings& settings) {
  constexpr std::uint64_t mebibyte = 1 << 20;
  const bool sized = settings.size_bytes != 0;
  const std::uint64_t bytes = sized ? settings.size_bytes : (settings.quick ? 1 : 10) * mebibyte;
  const std::uint64_t durable_bytes =
      sized ? settings.size_bytes : (settings.quick ? 16 : 64) * mebibyte;
  const std::uint64_t synchronous_writes = settings.quick ? 128 : 1024;
  // A 99th percentile needs many records. With a thousand, the ten slowest would be the records
  // that the start of the threads delays.
  const std::uint64_t durable_records = settings.quick ? 128 : 8192;
  const std::uint64_t paced_bytes =
      sized ? settings.size_bytes : (settings.quick ? 64 : 1024) * mebibyte;
  const std::string path = settings.directory + "/sync.out";
  return {
      .id = "sync",
      .title = "what a flush and a synchronous write cost",
      .groups =
          {
              group_of({"one byte a call, visible at the end",
                        "A flush after every byte is a system call for every byte, with any "
                        "library. Without the flush there is one call for each full buffer."},
                       {.paths = {path}, .bytes = bytes}, visible_rows(), bytes),
              group_of({"one byte a call, each durable before the next",
                        "Each row waits for the device once for each byte. The wait is the "
                        "device's, not the library's. Only fewer waits make it shorter."},
                       {.paths = {path}, .bytes = synchronous_writes, .finish = Finish::durable},
                       synchronous_rows(), synchronous_writes),
              group_of({fmt::format("records of {} bytes, durable at the end", record_bytes),
                        "There is one wait for the device, at the end. Before it, all writing is "
                        "buffered."},
                       {.paths = {path}, .bytes = durable_bytes, .finish = Finish::durable},
                       durable_rows(), durable_bytes / record_bytes),
              durable_records_group(path, durable_records),
              replaced_file_group(path, synchronous_writes / 4),
              group_of({"pieces of 1 MiB, durable at the end",
                        "Without pacing the kernel decides when it begins to write. The sync at "
                        "the end waits for all bytes that are left."},
                       {.paths = {path}, .bytes = paced_bytes, .finish = Finish::durable},
                       paced_rows(), paced_bytes / piece_bytes + 1),
          },
      .bytes = bytes,
      .scratch_bytes = std::max(
          {bytes, durable_bytes, paced_bytes, max_bytes_of_durable_records(durable_records)}),
      .set_up = {},
  };
}

}  // namespace sluice::bench
