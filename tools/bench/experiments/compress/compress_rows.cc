#include "bench/experiments/compress/compress_rows.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <functional>
#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "bench/data.h"
#include "bench/experiments/output/file_targets.h"
#include "bench/experiments/output/pattern_output.h"
#include "bench/experiments/output/simulated_disk.h"
#include "bench/stored_bytes.h"
#include "sluice/codecs.h"
#include "sluice/reader.h"
#include "sluice/writer.h"

namespace sluice::bench {
namespace {

constexpr std::size_t piece_bytes = 64 * 1024;  // that a program gives to a Writer at a time

SimulatedDisk slow_device(const CompressWork& work) {
  return {work.path, slow_device_bytes_per_second};
}

template <typename Use>
void each_piece(const Data& data, std::size_t bytes, Use use) {
  for (std::size_t at = 0; at < data.bytes.size(); at += bytes) {
    use(std::span(data.bytes).subspan(at, std::min(bytes, data.bytes.size() - at)));
  }
}

template <typename Target>
void write_in_pieces(const Data& data, Target& target) {
  each_piece(data, raw_write_block_bytes,
             [&](BytesView piece) { target.write(piece.data(), piece.size()); });
}

void open_on_slow_device(Writer& writer, SimulatedDisk& disk, const Codec* codec) {
  std::unique_ptr<Sink> sink = make_simulated_disk_sink(disk);
  WriterOptions options;
  if (codec != nullptr) {
    std::unique_ptr<Sink> compressing;
    make_compressing_sink(std::move(sink), *codec, {}, compressing).throw_if_error();
    sink = std::move(compressing);
    options.block_bytes = block_bytes_of({});
    options.blocks_in_flight = 2;
  }
  writer.open(std::move(sink), options).throw_if_error();
}

void write_and_close(Writer& writer, const Data& data) {
  each_piece(data, piece_bytes, [&](BytesView piece) { writer.write(piece); });
  writer.close().throw_if_error();
}

// A descriptor that is closed at the latest by the destructor.
class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return descriptor_; }
  void close() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }

 private:
  int descriptor_;
};

struct Pipe {
  static std::array<int, 2> made() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("make a pipe", "");
    return ends;
  }
  explicit Pipe(std::array<int, 2> ends = made()) : out(ends[0]), in(ends[1]) {}

  Descriptor out;
  Descriptor in;
};

// Starts the program with these descriptors as its standard input and output.
pid_t start(const std::vector<std::string>& words, int input, int output) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + words[0]);
  return child;
}

void expect_success(pid_t child, const std::string& name) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw std::runtime_error(name + " failed");
}

// What the work throws; null if it throws nothing.
template <typename Work>
std::exception_ptr failure_of(Work work) {
  try {
    work();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

void throw_first(std::initializer_list<std::exception_ptr> failures) {
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

// A program that ends early makes this fail with EPIPE, because sluice bench ignores SIGPIPE.
void feed(const Data& data, Pipe& pipe) {
  pipe.out.close();  // the program has the other copy
  each_piece(data, piece_bytes, [&](BytesView piece) {
    while (!piece.empty()) {
      const ssize_t written = ::write(pipe.in.get(), piece.data(), piece.size());
      if (written < 0 && errno != EINTR) fail("write", "a pipe");
      if (written > 0) piece = piece.subspan(static_cast<std::size_t>(written));
    }
  });
  pipe.in.close();
}

void copy_to_slow_device(int from, const CompressWork& work) {
  SimulatedDisk disk = slow_device(work);
  std::vector<std::byte> block(piece_bytes);
  for (;;) {
    const ssize_t got = ::read(from, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", "a pipe");
    if (got == 0) break;
    disk.write(block.data(), static_cast<std::size_t>(got));
  }
  disk.close();
}

void by_program_to_file(const CompressWork& work, const std::vector<std::string>& words) {
  Pipe input;
  const Descriptor file(::open(work.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0) fail("open", work.path);
  const pid_t child = start(words, input.out.get(), file.get());
  const std::exception_ptr fed = failure_of([&] { feed(*work.data, input); });
  input.in.close();
  throw_first({failure_of([&] { expect_success(child, words[0]); }), fed});
  if (::fdatasync(file.get()) != 0) fail("sync", work.path);
}

void by_program_to_slow_device(const CompressWork& work, const std::vector<std::string>& words) {
  Pipe input;
  Pipe output;
  const pid_t child = start(words, input.out.get(), output.in.get());
  output.in.close();
  std::exception_ptr copied;
  std::thread copying([&] {
    copied = failure_of([&] { copy_to_slow_device(output.out.get(), work); });
    output.out.close();  // after a failure the program cannot go on
  });
  const std::exception_ptr fed = failure_of([&] { feed(*work.data, input); });
  input.in.close();
  copying.join();
  const std::exception_ptr ended = failure_of([&] { expect_success(child, words[0]); });
  throw_first({copied, ended, fed});  // a later one is a consequence of an earlier one
}

}  // namespace

void by_raw_write(const CompressWork& work) {
  if (work.device == Device::slow) {
    SimulatedDisk disk = slow_device(work);
    write_in_pieces(*work.data, disk);
    disk.close();
    return;
  }
  RawOutput file(work.path);
  write_in_pieces(*work.data, file);
  file.synchronize();
  file.close();
}

void by_writer(const CompressWork& work, const Codec* codec) {
  Writer writer;
  if (work.device == Device::slow) {
    SimulatedDisk disk = slow_device(work);
    open_on_slow_device(writer, disk, codec);
    write_and_close(writer, *work.data);
    disk.close();
    return;
  }
  const WriterOptions durable{.durability = Durability::on_close};
  const Status status = codec != nullptr ? open_compressed(writer, work.path, *codec, {}, durable)
                                         : writer.open(work.path, durable);
  status.throw_if_error();
  write_and_close(writer, *work.data);
}

void by_program(const CompressWork& work, const std::vector<std::string>& words) {
  if (work.device == Device::slow) {
    by_program_to_slow_device(work, words);
  } else {
    by_program_to_file(work, words);
  }
}

bool has_program(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

void expect_stored(const CompressWork& work) {
  Reader reader;
  open_decompressed(reader, work.path, all_codecs()).throw_if_error();
  Hasher hasher;
  std::uint64_t bytes = 0;
  for (BytesView some = reader.peek(1); !some.empty(); some = reader.peek(1)) {
    hasher.update(some.data(), some.size());
    bytes += some.size();
    reader.skip(some.size());
  }
  reader.close().throw_if_error();
  if (bytes != work.data->bytes.size() || hasher.digest() != work.data->hash) {
    throw std::runtime_error(fmt::format("{} does not give the data back", work.path));
  }
  struct stat file {};
  if (::stat(work.path.c_str(), &file) != 0) fail("look at", work.path);
  note_stored_bytes(static_cast<std::uint64_t>(file.st_size));
}

}  // namespace sluice::bench
