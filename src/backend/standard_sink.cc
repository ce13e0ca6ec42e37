#include "backend/standard_sink.h"

#include <cerrno>
#include <utility>

#include "backend/wrapping_sink.h"
#include "os/broken_pipe.h"
#include "os/file.h"
#include "os/guarded.h"

namespace sluice {
namespace {

class StandardSink final : public WrappingSink {
 public:
  StandardSink(std::unique_ptr<Sink> file, Lines lines, bool can_break)
      : WrappingSink(std::move(file)), lines_(lines), can_break_(can_break) {}

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    const os::BrokenPipeHeldBack held_back(can_break_);
    return WrappingSink::write(position, pieces, written);
  }

  bool wants_lines() override { return lines_ == Lines::always || WrappingSink::wants_lines(); }

  bool is_ordinary_end(const Status& failure) override { return failure.code().value() == EPIPE; }

 private:
  const Lines lines_;
  const bool can_break_;
};

}  // namespace

Status open_standard_sink(int descriptor, const std::string& name, Lines lines,
                          const WriterOptions& options, std::unique_ptr<Sink>& sink) {
  return os::guarded_status(name, [&] {
    std::unique_ptr<Sink> file;
    Status status = open_descriptor_sink(descriptor, name, options, file);
    if (!status.ok()) return status;
    const bool can_break = os::can_break(os::File::borrow(descriptor, name));
    sink = std::make_unique<StandardSink>(std::move(file), lines, can_break);
    return status;
  });
}

}  // namespace sluice
