#include "os/file.h"
#include "sluice/sink.h"

#include <utility>

namespace sluice {
namespace {

class FileSink final : public Sink {
 public:
  // How bytes find their place: at explicit positions, so that nobody who shares the descriptor is
  // disturbed; or one after another, as appending files, pipes and the descriptors of others need.
  enum class Placing : std::uint8_t { at_positions, in_sequence };

  FileSink(os::File file, Placing placing, bool seekable, std::uint64_t start, bool sync_name)
      : file_(std::move(file)),
        placing_(placing),
        seekable_(seekable),
        sync_name_(sync_name),
        start_position_(start) {}

  Status write(std::uint64_t position, std::span<const ConstBytes> pieces,
               std::size_t& written) override {
    return placing_ == Placing::at_positions ? file_.write_at(position, pieces, written)
                                             : file_.write_next(position, pieces, written);
  }

  Status sync() override {
    if (Status status = file_.sync(); !status.ok()) return status;
    if (!sync_name_) return {};
    Status status = os::File::sync_directory_of(file_.path());
    if (status.ok()) sync_name_ = false;  // the name is durable from here on
    return status;
  }

  Status close() override { return file_.close(); }

  SinkTraits traits() override {
    // What has positions never waits for another process, and is no terminal.
    return {.line_buffered = !seekable_ && file_.is_terminal(), .write_behind = seekable_};
  }

  std::uint64_t start_position() override { return start_position_; }

  const std::string& path() const override { return file_.path(); }

 private:
  os::File file_;
  Placing placing_;
  bool seekable_;
  bool sync_name_;
  std::uint64_t start_position_;
};

os::File::Access access_of(CreateMode create) {
  switch (create) {
    case CreateMode::append: return os::File::Access::append;
    case CreateMode::exclusive: return os::File::Access::exclusive;
    case CreateMode::truncate:
    case CreateMode::replace_atomically: break;  // refused before it gets here
  }
  return os::File::Access::truncate;
}

}  // namespace

Status open_file_sink(const std::string& path, const WriterOptions& options,
                      std::unique_ptr<Sink>& sink) {
  os::File file;
  Status status = os::File::open(path, access_of(options.create), options.permissions, file);
  if (!status.ok()) return status;
  const bool seekable = file.is_seekable();
  const bool append = options.create == CreateMode::append;
  const auto placing =
      seekable && !append ? FileSink::Placing::at_positions : FileSink::Placing::in_sequence;
  const std::uint64_t start = append ? file.end_position() : 0;
  sink = std::make_unique<FileSink>(std::move(file), placing, seekable, start,
                                    options.durability != Durability::none);
  return {};
}

std::unique_ptr<Sink> make_descriptor_sink(int descriptor, std::string name) {
  os::File file = os::File::borrow(descriptor, std::move(name));
  const bool seekable = file.is_seekable();
  const std::uint64_t start = file.current_position();
  return std::make_unique<FileSink>(std::move(file), FileSink::Placing::in_sequence, seekable,
                                    start, false);
}

}  // namespace sluice
