#include "object/lost_failure.h"

#include <memory>
#include <new>
#include <utility>

#include "sluice/sink.h"
#include "sluice/writer.h"

namespace sluice::object {
namespace {

// Fails at its end. A Writer that is destroyed over it tells the lost-error handler: the public
// headers have no shorter way there.
class FailingEnd final : public Sink {
 public:
  explicit FailingEnd(const Status& failure) : failure_(failure) {}

  Status write(std::uint64_t /*position*/, std::span<const BytesView> /*pieces*/,
               std::size_t& written) override {
    written = 0;
    return failure_;
  }
  Status sync() override { return failure_; }
  Status close() override { return failure_; }
  const std::string& path() const override { return name_; }

 private:
  const Status failure_;
  const std::string name_;
};

}  // namespace

void report_lost(const Status& failure) noexcept {
  std::unique_ptr<Sink> end(new (std::nothrow) FailingEnd(failure));
  if (!end) return;
  Writer writer;
  static_cast<void>(writer.open(std::move(end)));
}

}  // namespace sluice::object
