#include <algorithm>
#include <cerrno>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "backend/file_of.h"
#include "os/file_copy.h"
#include "os/guarded.h"
#include "sluice/copy.h"

namespace sluice {
namespace {

// Both files, one with its Reader and one with its Writer. The kernel copies as many bytes as it
// can, without the Reader and the Writer. The Reader and the Writer then copy the bytes that are
// left. The Writer closes the new file.
class FileCopy {
 public:
  Status open(const std::string& from, const std::string& to, const CopyOptions& options);
  Status run();

 private:
  Status copy_bytes();
  Status copy_data();
  Status end_with_hole(std::uint64_t end);
  Status copy_extent(os::Extent extent, bool& at_end);
  Status read_and_write(std::uint64_t position, std::uint64_t bytes, bool& at_end);
  Status give_up(const Status& failure);

  CopyOptions options_;
  Reader reader_;
  Writer writer_;
  os::File* from_ = nullptr;  // the Reader's
  os::File* to_ = nullptr;    // the Writer's
  os::FileFacts from_facts_;
  bool kernel_copies_ = true;
};

// Refuses to copy a file onto itself: it would be cut before it is read, and its bytes lost.
Status refuse_same_file(const os::FileFacts& from_facts, const std::string& from,
                        const std::string& to) {
  os::FileFacts to_facts;
  Status status = os::find_facts(to, to_facts);
  if (!status.ok() || !from_facts.is_same_as(to_facts)) return status;
  return Status::failure(Operation::open, to, EINVAL, std::nullopt,
                         "it is the same file as " + from);
}

Status FileCopy::open(const std::string& from, const std::string& to, const CopyOptions& options) {
  options_ = options;
  std::unique_ptr<Source> source;
  if (Status status = open_file_source(from, {}, source, from_); !status.ok()) return status;
  if (Status status = os::find_facts(*from_, from_facts_); !status.ok()) return status;
  if (Status status = refuse_same_file(from_facts_, from, to); !status.ok()) return status;
  if (Status status = reader_.open(std::move(source)); !status.ok()) return status;
  const WriterOptions writer_options{
      .create = options.create,
      .durability = options.durability,
      .permissions = options.permissions.value_or(from_facts_.permissions)};
  std::unique_ptr<Sink> sink;
  if (Status status = open_file_sink(to, writer_options, sink, to_); !status.ok()) return status;
  return writer_.open(std::move(sink), writer_options);
}

Status FileCopy::run() {
  Status status = copy_bytes();
  if (status.ok()) status = reader_.close();
  return status.ok() ? writer_.close() : give_up(status);
}

// Ends the Writer after a failure. A file that was to be replaced atomically stays as it was.
Status FileCopy::give_up(const Status& failure) {
  if (!writer_.status().ok()) return writer_.close();
  const bool is_staged = options_.create == CreateMode::replace_atomically;
  return failure.also(is_staged ? writer_.discard() : writer_.close());
}

// The kernel copies, and holes are kept, only if both files are regular and the new file is empty.
// In all other cases the bytes are read and written.
Status FileCopy::copy_bytes() {
  os::FileFacts to_facts;
  if (Status status = os::find_facts(*to_, to_facts); !status.ok()) return status;
  const bool is_empty =
      options_.create != CreateMode::append && options_.create != CreateMode::existing;
  if (!from_facts_.is_regular || !to_facts.is_regular || !is_empty) return copy(reader_, writer_);
  // A copy by the kernel would neither wait for the disk nor report the disk's errors.
  kernel_copies_ = options_.durability != Durability::every_write;
  return kernel_copies_ && os::clone(*from_, *to_) ? Status() : copy_data();
}

// The size of the file and the places of its data are hints. So the last step reads until there are
// no more bytes.
Status FileCopy::copy_data() {
  os::Extent extent;
  bool at_end = false;
  while (os::find_data(*from_, extent.end, extent)) {
    Status status = copy_extent(extent, at_end);
    if (!status.ok() || at_end) return status;
  }
  if (extent.end > extent.begin) {  // the file ends with a hole
    if (Status status = end_with_hole(extent.end); !status.ok()) return status;
  }
  return read_and_write(extent.end, std::numeric_limits<std::uint64_t>::max(), at_end);
}

// The Writer does not know of this change. With every_write its Sink does not sync the file again,
// because each write is durable, so this function has to sync. With the other values close() syncs.
Status FileCopy::end_with_hole(std::uint64_t end) {
  Status status = to_->truncate(end);
  if (!status.ok() || options_.durability != Durability::every_write) return status;
  return to_->sync();
}

Status FileCopy::copy_extent(os::Extent extent, bool& at_end) {
  while (kernel_copies_ && extent.begin < extent.end) {
    const std::uint64_t bytes =
        os::copy_range(*from_, *to_, extent.begin, extent.end - extent.begin);
    kernel_copies_ = bytes > 0;
    extent.begin += bytes;
  }
  if (extent.begin == extent.end) return {};
  return read_and_write(extent.begin, extent.end - extent.begin, at_end);
}

Status FileCopy::read_and_write(std::uint64_t position, std::uint64_t bytes, bool& at_end) {
  if (Status status = reader_.seek(position); !status.ok()) return status;
  if (Status status = writer_.seek(position); !status.ok()) return status;
  std::uint64_t copied = 0;
  Status status = copy(reader_, writer_, bytes, copied);
  at_end = copied < bytes;
  return status;
}

}  // namespace

Status copy_file(const std::string& from, const std::string& to, const CopyOptions& options) {
  return os::guarded_status(from, [&] {
    FileCopy files;
    Status status = files.open(from, to, options);
    return status.ok() ? files.run() : status;
  });
}

}  // namespace sluice
