#include "object/object_source.h"

#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <arrow/util/future.h>
#include <arrow/util/thread_pool.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <new>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "object/checked_read.h"

namespace sluice::object {
namespace {

constexpr std::size_t first_range_bytes = 256 * 1024;

// Each time the reader comes to the end of a range, the next ranges become so much larger, and so
// many more are fetched at the same time.
constexpr std::size_t growth = 4;

// The number of ranges that are fetched together with the first one of the object.
constexpr std::size_t ranges_at_the_beginning = 2;

using Memory = std::shared_ptr<std::byte[]>;
using Fetched = arrow::Future<std::int64_t>;

// A part of the object that is fetched, or was fetched.
struct Range {
  std::uint64_t begin;
  std::size_t bytes;
  Memory memory;
  Fetched fetched;  // the number of bytes
  std::stop_source stop;

  std::uint64_t end() const { return begin + bytes; }
};

// The ranges begin where the reader is, and follow one another. The memory of ranges that were read
// is used again: new memory would cost the kernel a tenth of the time of a fast network.
class ObjectSource final : public Source {
 public:
  ObjectSource(Place place, const ObjectOptions& options)
      : place_(std::move(place)),
        max_range_bytes_(options.range_bytes),
        max_ranges_ahead_(options.ranges_ahead) {}

  ~ObjectSource() override { static_cast<void>(close()); }

  ObjectSource(const ObjectSource&) = delete;
  ObjectSource& operator=(const ObjectSource&) = delete;

  Status open() {
    arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> opened =
        place_.file_system->OpenInputFile(place_.path);
    if (!opened.ok()) return result(opened.status(), Operation::open);
    file_ = *std::move(opened);
    const arrow::Result<std::int64_t> size = file_->GetSize();
    if (!size.ok()) return result(size.status(), Operation::stat);
    size_ = static_cast<std::uint64_t>(*size);
    return {};
  }

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    got = 0;
    if (position >= size_) return {};
    try {
      Status status = take(position, into, got);
      if (!status.ok()) forget_ranges();
      return status;
    } catch (const std::bad_alloc&) {
      return Status::failure(Operation::allocate, place_.name, ENOMEM, position);
    }
  }

  Status seek(std::uint64_t /*position*/) override { return {}; }

  Status size(std::uint64_t& bytes) override {
    bytes = size_;
    return {};
  }

  bool reads_anywhere() override { return true; }

  Status close() override {
    if (process_ != process_number()) {  // no thread of the parent fetches in a forked child
      keep_all();
      return {};
    }
    for (Range& range : ranges_) range.stop.request_stop();
    ranges_.clear();
    left_.clear();
    spare_.clear();
    file_.reset();
    return {};
  }

  const std::string& path() const override { return place_.name; }

 private:
  Status result(const arrow::Status& of_arrow, Operation operation,
                std::optional<std::uint64_t> offset = std::nullopt) const {
    return status_of(of_arrow, operation, place_.name, offset);
  }

  Status take(std::uint64_t position, MutableBytesView into, std::size_t& got) {
    go_to(position);
    const Range& range = ranges_.front();
    const arrow::Result<std::int64_t>& fetched = range.fetched.result();
    if (!fetched.ok()) return result(fetched.status(), Operation::read, position);
    if (static_cast<std::size_t>(*fetched) != range.bytes) {
      return Status::failure(
          Operation::read, place_.name, EIO, position,
          "the store has fewer bytes than the object had when it was opened: it may have "
          "been replaced by a shorter one");
    }
    const auto from = static_cast<std::size_t>(position - range.begin);
    got = std::min(into.size(), range.bytes - from);
    std::memcpy(into.data(), range.memory.get() + from, got);
    if (from + got == range.bytes) pass_range();
    return {};
  }

  // Makes the first range the one with the byte at `position`.
  void go_to(std::uint64_t position) {
    while (!ranges_.empty() && ranges_.front().end() <= position) leave_range();
    if (!ranges_.empty() && ranges_.front().begin <= position) return;
    forget_ranges();
    fetch(position, std::min(first_range_bytes, max_range_bytes_));
    if (position == 0) fetch_more_of_the_beginning();
  }

  // Who reads an object from its first byte on mostly reads all of it. Each range that came only
  // after the one before it was read would cost the time of a request.
  void fetch_more_of_the_beginning() {
    for (std::size_t more = 0; more < ranges_at_the_beginning; ++more) {
      const std::uint64_t next = ranges_.back().end();
      if (ranges_.size() >= max_ranges_ahead_ || next >= size_) return;
      grow();
      fetch(next, range_bytes_);
    }
  }

  void pass_range() {
    const std::uint64_t end = ranges_.front().end();
    if (ranges_.front().bytes == max_range_bytes_) {
      spare_.push_back(std::move(ranges_.front().memory));
    }
    ranges_.pop_front();
    grow();
    forget_finished();
    std::uint64_t next = ranges_.empty() ? end : ranges_.back().end();
    while (ranges_.size() + left_.size() < ranges_ahead_ && next < size_) {
      fetch(next, range_bytes_);
      next = ranges_.back().end();
    }
  }

  void grow() {
    range_bytes_ = std::min(range_bytes_ * growth, max_range_bytes_);
    ranges_ahead_ = std::min(ranges_ahead_ * growth, max_ranges_ahead_);
  }

  void fetch(std::uint64_t begin, std::size_t most) {
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(most, size_ - begin));
    Memory memory = memory_for(bytes);
    std::stop_source stop;
    const auto read = [file = file_, memory, begin, bytes, wanted = stop.get_token(),
                       is_checked =
                           place_.counts_what_it_asks_for]() -> arrow::Result<std::int64_t> {
      if (wanted.stop_requested()) return 0;
      const auto position = static_cast<std::int64_t>(begin);
      const auto count = static_cast<std::int64_t>(bytes);
      return is_checked ? read_checked(*file, position, count, memory.get())
                        : file->ReadAt(position, count, memory.get());
    };
    const arrow::Result<Fetched> submitted = file_->io_context().executor()->Submit(read);
    Fetched fetched = submitted.ok() ? *submitted : Fetched::MakeFinished(submitted.status());
    ranges_.push_back({begin, bytes, std::move(memory), std::move(fetched), std::move(stop)});
  }

  Memory memory_for(std::size_t bytes) {
    if (bytes != max_range_bytes_ || spare_.empty()) {
      return std::make_shared_for_overwrite<std::byte[]>(bytes);
    }
    Memory memory = std::move(spare_.back());
    spare_.pop_back();
    return memory;
  }

  // A range that is still being fetched takes memory until it has come. One whose turn has not come
  // is not fetched: what the reader wants now would wait for it.
  void leave_range() {
    forget_finished();
    left_.reserve(left_.size() + 1);  // before anything changes, because it may throw
    ranges_.front().stop.request_stop();
    left_.push_back(std::move(ranges_.front().fetched));
    ranges_.pop_front();
  }

  void forget_finished() {
    std::erase_if(left_, [](const Fetched& range) { return range.is_finished(); });
  }

  void forget_ranges() {
    while (!ranges_.empty()) leave_range();
    spare_.clear();
    range_bytes_ = std::min(first_range_bytes, max_range_bytes_);
    ranges_ahead_ = std::min<std::size_t>(1, max_ranges_ahead_);
  }

  void keep_all() {
    if (!kept_) return;  // closed before
    kept_->first.swap(ranges_);
    kept_->second.swap(left_);
    keep_for_ever(std::move(kept_));
    keep_for_ever(std::move(file_));
  }

  const Place place_;
  const std::size_t max_range_bytes_;
  const std::size_t max_ranges_ahead_;
  const std::int64_t process_ = process_number();
  // Empty until keep_all(), which must not need memory.
  using Kept = std::pair<std::deque<Range>, std::vector<Fetched>>;
  std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
  std::shared_ptr<arrow::io::RandomAccessFile> file_;
  std::uint64_t size_ = 0;
  std::deque<Range> ranges_;   // the one with the reader's position comes first
  std::vector<Fetched> left_;  // no longer wanted, and perhaps not yet fetched
  std::vector<Memory> spare_;  // of ranges of the largest size
  std::size_t range_bytes_ = first_range_bytes;
  std::size_t ranges_ahead_ = 1;
};

}  // namespace

Status open_source(Place place, const ObjectOptions& options, std::unique_ptr<Source>& source) {
  auto object = std::make_unique<ObjectSource>(std::move(place), options);
  Status status = object->open();
  if (status.ok()) source = std::move(object);
  return status;
}

}  // namespace sluice::object
