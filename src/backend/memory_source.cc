#include "sluice/source.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace sluice {
namespace {

class MemorySource final : public Source {
 public:
  explicit MemorySource(BytesView bytes) : bytes_(bytes) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    const BytesView rest = bytes_.subspan(std::min<std::uint64_t>(position, bytes_.size()));
    got = std::min(into.size(), rest.size());
    if (got != 0) std::memcpy(into.data(), rest.data(), got);
    return {};
  }

  Status seek(std::uint64_t) override { return {}; }  // every read names its position

  Status size(std::uint64_t& bytes) override {
    bytes = bytes_.size();
    return {};
  }

  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  BytesView bytes_;
  std::string path_ = "(memory)";
};

}  // namespace

std::unique_ptr<Source> make_memory_source(BytesView bytes) {
  return std::unique_ptr<Source>(new (std::nothrow) MemorySource(bytes));
}

}  // namespace sluice
