#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "os/guarded.h"
#include "sluice/bytes.h"
#include "sluice/sink.h"

namespace sluice {
namespace {

// The same functions for the three kinds of memory that a Sink writes to. `grow` adds zeros, or
// throws std::bad_alloc. `append` adds bytes.
std::byte* data(std::string& memory) { return reinterpret_cast<std::byte*>(memory.data()); }
std::byte* data(std::vector<std::byte>& memory) { return memory.data(); }
std::byte* data(Bytes& memory) { return memory.data(); }

template <typename Memory>
void grow(Memory& memory, std::uint64_t bytes) {
  if (bytes > memory.max_size()) throw std::bad_alloc();
  memory.resize(bytes);
}

void append(std::string& memory, BytesView bytes) {
  memory.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void append(std::vector<std::byte>& memory, BytesView bytes) {
  memory.insert(memory.end(), bytes.begin(), bytes.end());
}

void grow(Bytes& memory, std::uint64_t bytes) {
  const std::size_t old_bytes = memory.size();
  if (!memory.resize(bytes)) throw std::bad_alloc();
  std::memset(memory.data() + old_bytes, 0, bytes - old_bytes);
}

void append(Bytes& memory, BytesView bytes) {
  if (bytes.empty()) return;
  const std::size_t old_bytes = memory.size();
  if (!memory.resize(old_bytes + bytes.size())) throw std::bad_alloc();
  std::memcpy(memory.data() + old_bytes, bytes.data(), bytes.size());
}

template <typename Memory>
class MemorySink final : public Sink {
 public:
  explicit MemorySink(Memory& target) : target_(target), start_position_(target.size()) {}

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    written = 0;
    return os::guarded_status(path_, [&] {
      for (const BytesView piece : pieces) {
        put(position + written, piece);
        written += piece.size();
      }
      return Status();
    });
  }

  Status write_at(std::uint64_t position, BytesView bytes, std::size_t& written) override {
    return write(position, {&bytes, 1}, written);
  }

  Status seek(std::uint64_t) override { return {}; }  // every write names its position

  Status sync() override {
    return Status::failure(Operation::sync, path_, ENOTSUP, std::nullopt, "memory is not durable");
  }

  Status close() override { return {}; }
  std::uint64_t start_position() override { return start_position_; }
  const std::string& path() const override { return path_; }

 private:
  void put(std::uint64_t position, BytesView bytes) {
    if (bytes.empty()) return;
    if (position > target_.size()) grow(target_, position);
    const std::size_t over = std::min<std::uint64_t>(target_.size() - position, bytes.size());
    if (over != 0) std::memcpy(data(target_) + position, bytes.data(), over);
    append(target_, bytes.subspan(over));
  }

  Memory& target_;
  std::uint64_t start_position_;
  std::string path_ = "(memory)";
};

template <typename Memory>
std::unique_ptr<Sink> make(Memory& target) {
  return std::unique_ptr<Sink>(new (std::nothrow) MemorySink<Memory>(target));
}

}  // namespace

std::unique_ptr<Sink> make_memory_sink(std::string& target) { return make(target); }

std::unique_ptr<Sink> make_memory_sink(std::vector<std::byte>& target) { return make(target); }

std::unique_ptr<Sink> make_memory_sink(Bytes& target) { return make(target); }

}  // namespace sluice
