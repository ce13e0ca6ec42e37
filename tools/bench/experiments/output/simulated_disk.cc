#include "bench/experiments/output/simulated_disk.h"

#include <algorithm>
#include <exception>
#include <thread>

namespace sluice::bench {
namespace {

// The time that the disk needs to write a full cache. A sleep ends about 50 us late, and the disk
// must still have work then.
constexpr std::chrono::milliseconds full_cache{3};
constexpr std::chrono::milliseconds room_again{1};

class SimulatedDiskSink : public Sink {
 public:
  explicit SimulatedDiskSink(SimulatedDisk& disk) : disk_(disk) {}

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    written = 0;
    try {
      for (const BytesView piece : pieces) {
        disk_.write(piece.data(), piece.size());
        written += piece.size();
      }
    } catch (const std::exception& error) {
      return Status::failure(Operation::write, path(), EIO, position + written, error.what());
    }
    return {};
  }
  Status sync() override { return {}; }
  Status close() override { return {}; }  // the owner of the disk closes it
  bool allows_write_behind() override { return true; }
  const std::string& path() const override { return path_; }

 private:
  SimulatedDisk& disk_;
  std::string path_ = "simulated disk";
};

}  // namespace

void SimulatedDisk::write(const void* data, std::size_t bytes) {
  const Clock::time_point start = std::max(Clock::now(), idle_);
  file_.write(data, bytes);
  idle_ = start + std::chrono::nanoseconds(static_cast<std::int64_t>(static_cast<double>(bytes) *
                                                                     nanoseconds_per_byte_));
  if (idle_ - Clock::now() > full_cache) std::this_thread::sleep_until(idle_ - room_again);
}

void SimulatedDisk::close() {
  std::this_thread::sleep_until(idle_);
  file_.close();
}

SimulatedDiskBuffer::SimulatedDiskBuffer(SimulatedDisk& disk)
    : disk_(disk), buffer_(filebuf_buffer_bytes) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

SimulatedDiskBuffer::int_type SimulatedDiskBuffer::overflow(int_type next) {
  sync();
  if (!traits_type::eq_int_type(next, traits_type::eof())) {
    *pptr() = traits_type::to_char_type(next);
    pbump(1);
  }
  return traits_type::not_eof(next);
}

int SimulatedDiskBuffer::sync() {
  disk_.write(pbase(), static_cast<std::size_t>(pptr() - pbase()));
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return 0;
}

std::unique_ptr<Sink> make_simulated_disk_sink(SimulatedDisk& disk) {
  return std::make_unique<SimulatedDiskSink>(disk);
}

}  // namespace sluice::bench
