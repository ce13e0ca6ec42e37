// The experiments of `sluice bench` on Windows. Their rows write the pattern of bench/pattern.h.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <utility>

#include "bench/experiments/pieces/sizes.h"
#include "bench/experiments/pieces/small_buffer_policies.h"
#include "bench/pattern.h"
#include "command_line/quantity.h"
#include "sluice/writer.h"
#include "windows/raw_output.h"
#include "windows/row.h"
#include "windows/runtime_stdio.h"

namespace sluice::bench {
namespace {

constexpr std::size_t kibibyte = 1024;
constexpr std::size_t raw_block_bytes = 256 * kibibyte;
constexpr std::uint64_t system_call_divisor = 256;  // a call for each byte takes too long
constexpr std::uint64_t sweep_divisor = 4;
constexpr int full_buffering = 0;  // _IOFBF in ucrtbase.dll

template <typename Put>
void each_byte(std::uint64_t bytes, Put put) {
  for (std::uint64_t i = 0; i < bytes; ++i) put(byte_at(i));
}

WindowsRow raw_row(std::uint64_t bytes) {
  return {"WriteFile 256K",
          [bytes](const std::string& path) {
            const PatternMemory pattern(raw_block_bytes);
            RawOutput output(path);
            for (std::uint64_t at = 0; at < bytes; at += raw_block_bytes) {
              output.write(pattern.at(at), std::min<std::uint64_t>(raw_block_bytes, bytes - at));
            }
            return output.calls();
          },
          bytes};
}

WindowsRow one_byte_row(std::uint64_t bytes) {
  return {"WriteFile 1",
          [bytes](const std::string& path) {
            RawOutput output(path);
            each_byte(bytes, [&](unsigned char byte) { output.write(&byte, 1); });
            return output.calls();
          },
          bytes};
}

// `put(stdio, byte, stream)` writes one byte.
template <typename Put>
WindowsRow stdio_row(std::string name, std::uint64_t bytes, std::size_t buffer_bytes, Put put) {
  if (buffer_bytes != 0) name += " setvbuf=" + format_bytes_short(buffer_bytes);
  const auto run = [=](const std::string& path) -> std::uint64_t {
    const RuntimeStdio& stdio = runtime_stdio();
    const std::unique_ptr<char[]> buffer(new char[std::max<std::size_t>(buffer_bytes, 1)]);
    RuntimeStdio::Stream* const stream = stdio.open(path.c_str(), "wb");
    if (stream == nullptr) throw std::runtime_error("fopen failed: " + path);
    if (buffer_bytes != 0) stdio.set_buffer(stream, buffer.get(), full_buffering, buffer_bytes);
    each_byte(bytes, [&](unsigned char byte) { put(stdio, byte, stream); });
    if (stdio.close(stream) != 0) throw std::runtime_error("fclose failed: " + path);
    return 0;
  };
  return {std::move(name), run, bytes};
}

WindowsRow fwrite_row(std::uint64_t bytes, std::size_t buffer_bytes = 0) {
  return stdio_row("fwrite", bytes, buffer_bytes,
                   [](const RuntimeStdio& stdio, unsigned char byte, RuntimeStdio::Stream* stream) {
                     stdio.write(&byte, 1, 1, stream);
                   });
}

WindowsRow fwrite_nolock_row(std::uint64_t bytes, std::size_t buffer_bytes = 0) {
  return stdio_row("_fwrite_nolock", bytes, buffer_bytes,
                   [](const RuntimeStdio& stdio, unsigned char byte, RuntimeStdio::Stream* stream) {
                     stdio.write_nolock(&byte, 1, 1, stream);
                   });
}

WindowsRow putc_row(std::uint64_t bytes) {
  return stdio_row("putc", bytes, 0,
                   [](const RuntimeStdio& stdio, unsigned char byte, RuntimeStdio::Stream* stream) {
                     stdio.put(byte, stream);
                   });
}

WindowsRow putc_nolock_row(std::uint64_t bytes) {
  return stdio_row("_putc_nolock", bytes, 0,
                   [](const RuntimeStdio& stdio, unsigned char byte, RuntimeStdio::Stream* stream) {
                     stdio.put_nolock(byte, stream);
                   });
}

// Hands every call on to a file's Sink. A Sink of a file makes one call of WriteFile for each piece
// that is not empty, because Windows has no call that gathers pieces.
class CallCountingSink final : public Sink {
 public:
  CallCountingSink(std::unique_ptr<Sink> to, std::uint64_t& calls)
      : to_(std::move(to)), calls_(calls) {}

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    for (const BytesView piece : pieces) calls_ += piece.empty() ? 0U : 1U;
    return to_->write(position, pieces, written);
  }
  Status sync() override { return to_->sync(); }
  Status close() override { return to_->close(); }
  bool allows_write_behind() override { return to_->allows_write_behind(); }
  const std::string& path() const override { return to_->path(); }

 private:
  const std::unique_ptr<Sink> to_;
  std::uint64_t& calls_;
};

// `write_all(writer)` writes everything. Returns the calls.
template <typename WriteAll>
std::uint64_t by_sluice(const std::string& path, WriteAll write_all) {
  std::uint64_t calls = 0;
  std::unique_ptr<Sink> file;
  open_file_sink(path, {}, file).throw_if_error();
  Writer writer;
  writer.open(std::make_unique<CallCountingSink>(std::move(file), calls)).throw_if_error();
  write_all(writer);
  writer.close().throw_if_error();
  return calls;
}

WindowsRow sluice_put_row(std::uint64_t bytes) {
  return {"sluice put",
          [bytes](const std::string& path) {
            return by_sluice(path, [bytes](Writer& writer) {
              each_byte(bytes,
                        [&](unsigned char byte) { writer.put(static_cast<std::byte>(byte)); });
            });
          },
          bytes};
}

WindowsRow sluice_write_row(std::uint64_t bytes) {
  return {"sluice write(&b,1)",
          [bytes](const std::string& path) {
            return by_sluice(path, [bytes](Writer& writer) {
              each_byte(bytes, [&](unsigned char byte) { writer.write(&byte, 1); });
            });
          },
          bytes};
}

using Buffer = SmallBuffer<RawOutput>;
using Policy = void (Buffer::*)(const char*, std::size_t);

WindowsRow policy_row(std::string name, const SizeSequence& sequence, Policy policy) {
  return {std::move(name),
          [sequence, policy](const std::string& path) {
            const PatternMemory pattern(sequence.largest());
            RawOutput output(path);
            Buffer buffer(output);
            each_piece(sequence, pattern,
                       [&](const char* data, std::size_t bytes) { (buffer.*policy)(data, bytes); });
            buffer.finish();
            return output.calls();
          },
          sequence.bytes()};
}

WindowsRow sluice_pieces_row(const SizeSequence& sequence) {
  return {"sluice write",
          [sequence](const std::string& path) {
            const PatternMemory pattern(sequence.largest());
            return by_sluice(path, [&](Writer& writer) {
              each_piece(sequence, pattern,
                         [&](const char* data, std::size_t bytes) { writer.write(data, bytes); });
            });
          },
          sequence.bytes()};
}

WindowsExperiment pieces_experiment(std::string title, const SizeSequence& sequence) {
  return {
      std::move(title),
      {raw_row(sequence.bytes()), policy_row("copy through 4K", sequence, &Buffer::copy_through),
       policy_row("fill flush direct", sequence, &Buffer::fill_flush_direct),
       policy_row("flush then direct", sequence, &Buffer::flush_then_direct),
       sluice_pieces_row(sequence)}};
}

}  // namespace

WindowsExperiment bytes_on_windows(std::uint64_t bytes, bool quick) {
  WindowsExperiment experiment{"bytes: one byte a call", {raw_row(bytes), fwrite_row(bytes)}};
  std::vector<WindowsRow>& rows = experiment.rows;
  rows.push_back(fwrite_nolock_row(bytes));
  const std::vector<std::size_t> some = {64, 256};
  const std::vector<std::size_t> all = {1, 4, 16, 64, 256, 1024, 8192};
  for (const std::size_t kibibytes : quick ? some : all) {
    rows.push_back(fwrite_row(bytes / sweep_divisor, kibibytes * kibibyte));
    rows.push_back(fwrite_nolock_row(bytes / sweep_divisor, kibibytes * kibibyte));
  }
  rows.push_back(putc_row(bytes));
  rows.push_back(putc_nolock_row(bytes));
  rows.push_back(one_byte_row(bytes / system_call_divisor));
  rows.push_back(sluice_put_row(bytes));
  rows.push_back(sluice_write_row(bytes));
  return experiment;
}

WindowsExperiment mixed_on_windows(std::uint64_t bytes) {
  SizeSequence sequence;
  sequence.groups = {{9, 1}, {5, 1}, {86267, 1}, {9, 1}, {5, 1}, {86413, 1}};
  sequence.repeat_to(bytes);
  return pieces_experiment("mixed: pieces of 9, 5, 86267, 9, 5, 86413, ... bytes", sequence);
}

WindowsExperiment replay_on_windows(const std::string& file, std::uint64_t bytes) {
  SizeSequence sequence = read_size_sequence(file);
  sequence.repeat_to(bytes);
  return pieces_experiment("replay " + file, sequence);
}

}  // namespace sluice::bench
