#include "sluice/sink.h"

#include <cerrno>

#include "os/guarded.h"

namespace sluice {
namespace {

class MemorySink final : public Sink {
 public:
  explicit MemorySink(std::string& target) : target_(target), start_position_(target.size()) {}

  Status write(std::uint64_t, std::span<const ConstBytes> pieces, std::size_t& written) override {
    written = 0;
    return os::guarded_status(path_, [&] {
      for (const ConstBytes piece : pieces) {
        target_.append(reinterpret_cast<const char*>(piece.data()), piece.size());
        written += piece.size();
      }
      return Status();
    });
  }

  Status sync() override {
    return Status::failure(Operation::sync, path_, ENOTSUP, std::nullopt, "memory is not durable");
  }

  Status close() override { return {}; }
  std::uint64_t start_position() override { return start_position_; }
  const std::string& path() const override { return path_; }

 private:
  std::string& target_;
  std::uint64_t start_position_;
  std::string path_ = "(memory)";
};

}  // namespace

std::unique_ptr<Sink> make_memory_sink(std::string& target) {
  return std::unique_ptr<Sink>(new (std::nothrow) MemorySink(target));
}

}  // namespace sluice
