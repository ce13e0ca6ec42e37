#include "sluice/sink.h"

#include <cerrno>

namespace sluice {
namespace {

class MemorySink final : public Sink {
 public:
  explicit MemorySink(std::string& target) : target_(target), start_position_(target.size()) {}

  Status write(std::uint64_t, std::span<const ConstBytes> pieces, std::size_t& written) override {
    written = 0;
    for (const ConstBytes piece : pieces) {
      target_.append(reinterpret_cast<const char*>(piece.data()), piece.size());
      written += piece.size();
    }
    return {};
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
  return std::make_unique<MemorySink>(target);
}

}  // namespace sluice
