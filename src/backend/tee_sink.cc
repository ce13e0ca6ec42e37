#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include "backend/pieces.h"
#include "os/failed_call.h"
#include "os/guarded.h"
#include "sluice/sinks.h"

namespace sluice {
namespace {

// The weight of a failure of sync() or publish(). A failure with which a Writer loses more weighs
// more.
int weight_of(const Status& status) {
  if (status.ok()) return 0;
  if (os::is_unsupported_sync(status)) return 1;
  return os::is_failed_directory_sync(status) ? 2 : 3;
}

// Combines the failures of two writes that began at `position`. The failure at the earlier byte
// comes first.
struct Written {
  Status status;
  std::size_t bytes;
};
Status earlier_of(std::uint64_t position, const Written& first, const Written& second) {
  const Status of_first = first.status.at(position + first.bytes);
  const Status of_second = second.status.at(position + second.bytes);
  return second.bytes < first.bytes ? of_second.also(of_first) : of_first.also(of_second);
}

// Combines two outcomes. A failure that is not final must not hide the final failure of the other
// Sink.
Status both(const Status& first, const Status& second) {
  return weight_of(first) >= weight_of(second) ? first.also(second) : second.also(first);
}

class TeeSink final : public Sink {
 public:
  TeeSink(std::unique_ptr<Sink> first, std::unique_ptr<Sink> second)
      : first_(std::move(first)),
        second_(std::move(second)),
        path_(first_->path() + " and " + second_->path()),
        first_start_(first_->start_position()),
        second_start_(second_->start_position()),
        next_(first_start_) {
    if (first_->is_staged() == second_->is_staged()) return;
    refusal_ = Status::failure(Operation::write, path_, EINVAL, std::nullopt,
                               "a file that is replaced atomically cannot be written together "
                               "with a file that is not");
  }

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    written = 0;
    if (!refusal_.ok()) return refusal_;
    Status status =
        os::guarded_status(path_, [&] { return write_both(position, pieces, written); });
    next_ = position + written;
    return status.offset() ? status : status.at(next_);
  }

  Status write_at(std::uint64_t position, BytesView bytes, std::size_t& written) override {
    written = 0;
    if (!can_go_to(position)) return cannot_go_to(Operation::write, position);
    std::size_t in_first = 0;
    const Status first = first_->write_at(position, bytes, in_first);
    const Status second =
        second_->write_at(in_the_second(position), bytes.first(in_first), written);
    return earlier_of(position, {first, in_first},
                      {of_the_second(second, position + written), written});
  }

  Status seek(std::uint64_t position) override {
    if (!can_go_to(position)) return cannot_go_to(Operation::seek, position);
    if (Status status = first_->seek(position); !status.ok()) return status;
    Status status = second_->seek(in_the_second(position));
    if (status.ok()) {
      next_ = position;
    } else if (Status back = first_->seek(next_); !back.ok()) {
      return lost_place(back);
    }
    return of_the_second(status, position).at(position);
  }

  Status sync() override {
    const Status first = first_->sync();
    return both(first, second_->sync());
  }

  // True also if only one of the two Sinks is staged. Every write then fails. The Writer of a
  // staged Sink publishes nothing after a failed write, so the staged target stays as it was.
  bool is_staged() override { return first_->is_staged() || second_->is_staged(); }

  // The second file is published even if the name of the first file may not survive a power cut,
  // because for the Writer such a failure means that everything is in place.
  Status publish() override {
    if (!refusal_.ok()) return refusal_;
    Status first = first_published_ ? Status() : first_->publish();
    first_published_ = first.ok();
    if (!first.ok() && first.operation() != Operation::sync_directory) return first;
    Status second = second_published_ ? Status() : second_->publish();
    second_published_ = second.ok();
    return both(first, second);
  }

  Status close() override {
    const Status first = first_->close();
    return first.also(second_->close());
  }

  bool wants_lines() override { return first_->wants_lines() || second_->wants_lines(); }
  bool wants_full_blocks() override {
    return first_->wants_full_blocks() || second_->wants_full_blocks();
  }
  bool is_compute_bound() override {
    return first_->is_compute_bound() || second_->is_compute_bound();
  }
  bool allows_write_behind() override {
    return first_->allows_write_behind() && second_->allows_write_behind();
  }
  std::uint64_t start_position() override { return first_start_; }
  Durability durability() override { return std::max(first_->durability(), second_->durability()); }
  const std::string& path() const override { return path_; }

 private:
  // The second Sink gets the bytes that have reached the first one.
  Status write_both(std::uint64_t position, std::span<const BytesView> pieces,
                    std::size_t& written) {
    std::size_t in_first = 0;
    const Status first = first_->write(position, pieces, in_first);
    const std::uint64_t second_position = in_the_second(position);
    const Status second =
        in_first == bytes_in(pieces)
            ? second_->write(second_position, pieces, written)
            : second_->write(second_position, first_bytes(pieces, in_first), written);
    return earlier_of(position, {first, in_first},
                      {of_the_second(second, position + written), written});
  }

  // The first Sink may now write anywhere. EIO ends the Writer. After ESPIPE or EFBIG the Writer
  // would go on.
  Status lost_place(const Status& failure) const {
    return Status::failure(
        Operation::seek, first_->path(), EIO, next_,
        "it cannot go back to the place of the next byte: " + failure.code().message());
  }

  // Returns the failure of the second Sink with the offset in the first Sink. If the two Sinks
  // began at different positions, the message also has the offset in the second Sink.
  Status of_the_second(const Status& failure, std::uint64_t position) const {
    if (failure.ok() || first_start_ == second_start_) return failure;
    const auto put_together = [&] {
      return Status::failure(failure.operation(), path_, failure.code().value(), position,
                             failure.at(in_the_second(position)).message());
    };
    return os::guarded(put_together, [&] { return failure; });
  }

  std::uint64_t in_the_second(std::uint64_t position) const {
    return position - first_start_ + second_start_;
  }

  // True if both Sinks have positions, and `position` exists in both. The call tests both Sinks by
  // a seek to the place of the next byte, which moves nothing, before either Sink moves.
  bool can_go_to(std::uint64_t position) {
    if (!refusal_.ok()) return false;
    if (has_no_counterpart(position)) return false;
    if (!have_positions_) {
      have_positions_ = first_->seek(next_).ok() && second_->seek(in_the_second(next_)).ok();
    }
    return *have_positions_;
  }

  Status cannot_go_to(Operation operation, std::uint64_t position) const {
    return Status::failure(operation, path_, ESPIPE, position,
                           has_no_counterpart(position)
                               ? "the two Sinks began at different positions, and the bytes before "
                                 "the beginnings do not correspond"
                               : os::no_positions);
  }

  bool has_no_counterpart(std::uint64_t position) const {
    return first_start_ != second_start_ && position < first_start_;
  }

  const std::unique_ptr<Sink> first_;
  const std::unique_ptr<Sink> second_;
  const std::string path_;
  const std::uint64_t first_start_;
  const std::uint64_t second_start_;
  std::uint64_t next_;  // the position of the next write in the first Sink
  Status refusal_;
  std::optional<bool> have_positions_;
  bool first_published_ = false;
  bool second_published_ = false;
};

}  // namespace

std::unique_ptr<Sink> make_tee_sink(std::unique_ptr<Sink> first, std::unique_ptr<Sink> second) {
  if (!first || !second) return nullptr;
  return os::guarded(
      [&]() -> std::unique_ptr<Sink> {
        return std::make_unique<TeeSink>(std::move(first), std::move(second));
      },
      []() -> std::unique_ptr<Sink> { return nullptr; });
}

}  // namespace sluice
