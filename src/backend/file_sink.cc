#include <cerrno>
#include <string_view>
#include <utility>

#include "backend/options.h"
#include "backend/replacing_sink.h"
#include "backend/write_back.h"
#include "os/file.h"
#include "sluice/sink.h"

namespace sluice {
namespace {

// How bytes find their place: at explicit positions, so that nobody who shares the file is
// disturbed; or one after another, as appending files, pipes and the descriptors of others need.
enum class Placing : std::uint8_t { at_positions, in_sequence };

// What is left for a sync to do: the bytes; also the name, once, of a file that was opened by name;
// the name alone, and what opening has changed, where every write is durable when it returns.
enum class Syncing : std::uint8_t { bytes, bytes_and_name, name_once };

class FileSink final : public Sink {
 public:
  FileSink(os::File file, Placing placing, std::uint64_t start_position, Syncing syncing,
           std::uint64_t write_back_bytes)
      : file_(std::move(file)),
        placing_(placing),
        sync_bytes_(true),
        sync_name_(syncing != Syncing::bytes),
        writes_are_durable_(syncing == Syncing::name_once),
        start_position_(start_position),
        write_back_(write_back_bytes, start_position) {}

  Status write(std::uint64_t position, std::span<const ConstBytes> pieces,
               std::size_t& written) override {
    Status status = write_pieces(position, pieces, written);
    return status.ok() ? write_back_.written_to(position + written, file_) : status;
  }

  Status sync() override {
    if (sync_bytes_) {
      if (Status status = file_.sync(); !status.ok()) return status;
      sync_bytes_ = !writes_are_durable_;
    }
    if (!sync_name_ || !file_.has_storage()) return {};
    Status status = file_.sync_directory();
    if (status.ok()) sync_name_ = false;  // the name is durable from here on
    return status;
  }

  Status close() override { return file_.close(); }

  bool wants_lines() override { return may_be_terminal() && file_.is_terminal(); }

  // What has positions never waits for another process.
  bool allows_write_behind() override { return file_.is_seekable(); }

  std::uint64_t start_position() override { return start_position_; }

  const std::string& path() const override { return file_.path(); }

 private:
  Status write_pieces(std::uint64_t position, std::span<const ConstBytes> pieces,
                      std::size_t& written) {
    if (placing_ == Placing::at_positions) {
      Status status = file_.write_at(position, pieces, written);
      if (written != 0 || status.code().value() != ESPIPE) return status;
      placing_ = Placing::in_sequence;  // a pipe, found out without a call for every file
    }
    return file_.write_next(position, pieces, written);
  }

  // Asking costs 5 % of writing a small file. So files that were opened by name are asked only
  // where terminals live; one that is reached by another name (a symbolic link) is written block by
  // block.
  bool may_be_terminal() const {
    const std::string_view path = file_.path();
    const bool is_device = path.starts_with("/dev/") && !path.starts_with("/dev/shm/");
    return !file_.is_owned() || is_device || path.starts_with("/proc/");
  }

  os::File file_;
  Placing placing_;
  bool sync_bytes_;  // also once where writes are durable: opening may have cut the file
  bool sync_name_;   // who opened it by name may have created it
  const bool writes_are_durable_;
  const std::uint64_t start_position_;
  WriteBack write_back_;
};

os::File::Access access_of(CreateMode create) {
  switch (create) {
    case CreateMode::append: return os::File::Access::append;
    case CreateMode::exclusive: return os::File::Access::exclusive;
    case CreateMode::truncate:
    case CreateMode::replace_atomically: break;  // a Sink of its own
  }
  return os::File::Access::truncate;
}

}  // namespace

Status open_file_sink(const std::string& path, const WriterOptions& options,
                      std::unique_ptr<Sink>& sink) {
  if (Status status = check_options(options, path); !status.ok()) return status;
  if (options.create == CreateMode::replace_atomically) {
    return open_replacing_sink(path, options, sink);
  }
  const bool each_write = options.durability == Durability::every_write;
  os::File file;
  Status status =
      os::File::open(path, access_of(options.create), options.permissions, file,
                     each_write ? os::File::Written::durable : os::File::Written::visible);
  if (!status.ok()) return status;
  const bool append = options.create == CreateMode::append;
  const Placing placing = append ? Placing::in_sequence : Placing::at_positions;
  const std::uint64_t start = append ? file.end_position() : 0;
  sink = std::make_unique<FileSink>(std::move(file), placing, start,
                                    each_write ? Syncing::name_once : Syncing::bytes_and_name,
                                    options.write_back_bytes);
  return {};
}

std::unique_ptr<Sink> make_descriptor_sink(int descriptor, std::string name,
                                           std::uint64_t write_back_bytes) {
  os::File file = os::File::borrow(descriptor, std::move(name));
  const std::uint64_t start = file.next_position();
  return std::make_unique<FileSink>(std::move(file), Placing::in_sequence, start, Syncing::bytes,
                                    write_back_bytes);
}

}  // namespace sluice
