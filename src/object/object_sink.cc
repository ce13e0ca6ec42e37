#include "object/object_sink.h"

#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <arrow/util/future.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "object/part_pool.h"
#include "object/reason.h"
#include "sluice/lost_error.h"
#include "sluice/sinks.h"

namespace sluice::object {
namespace {

constexpr std::string_view temporary_prefix = ".sluice-";
constexpr std::string_view hexadecimal_digits = "0123456789abcdef";
constexpr int random_digits = 20;
constexpr std::string_view done_without_answer =
    " (the store may have the object, by a request that got no answer)";

// How a store is asked for an object that may still come. A store that copies the parts needs time
// for each byte.
constexpr std::chrono::milliseconds shortest_pause(50);
constexpr std::chrono::milliseconds longest_pause(2'000);
constexpr std::chrono::milliseconds shortest_time_to_appear(2'000);
constexpr std::chrono::milliseconds longest_time_to_appear(300'000);
constexpr std::uint64_t slowest_bytes_per_ms = 20'000;

// The path of an object beside the one at `path`, with a name that no other writer has.
std::string path_beside(const std::string& path) {
  std::random_device random;
  const std::size_t slash = path.rfind('/');
  std::string beside = path.substr(0, slash == std::string::npos ? 0 : slash + 1);
  beside += temporary_prefix;
  for (int digit = 0; digit < random_digits; ++digit) beside += hexadecimal_digits[random() % 16];
  return beside;
}

// The stream of Arrow has three traps, and this class is built around them:
//  - Its destructor closes the stream, and so publishes an abandoned object. So an open stream is
//    aborted, and a stream that cannot be aborted is never destroyed.
//  - It takes parts without a limit, and only a flush or the end tells that one of them has failed.
//    So a flush comes after every few parts.
//  - If the last part fails, Close() gives the stream up, and the parts stay in the store. After
//    CloseAsync() the stream is still open, so it can be aborted. (close_stream() has the rest.)
class ObjectSink final : public Sink {
 public:
  ObjectSink(Place place, std::size_t parts_in_flight)
      : place_(std::move(place)),
        stream_path_(place_.staging == Staging::beside ? path_beside(place_.path) : place_.path),
        bytes_between_flushes_(parts_in_flight * part_bytes),
        kept_parts_(parts_in_flight) {}

  ~ObjectSink() override { static_cast<void>(close()); }

  ObjectSink(const ObjectSink&) = delete;
  ObjectSink& operator=(const ObjectSink&) = delete;

  Status open() {
    return guarded([&] {
      if (place_.watch) {  // the upload has failed with the first request that fails for good
        place_.watch->set([&watch = *place_.watch] { watch.end_repeating_soon(); });
      }
      arrow::Result<std::shared_ptr<arrow::io::OutputStream>> opened =
          place_.file_system->OpenOutputStream(stream_path_, nullptr);
      if (!opened.ok()) return result(opened.status(), Operation::open);
      stream_ = *std::move(opened);
      return Status();
    });
  }

  // The stream copies the bytes into its part.
  Status write(std::uint64_t /*position*/, std::span<const BytesView> pieces,
               std::size_t& written) override {
    written = 0;
    return guarded([&] {
      for (const BytesView piece : pieces) {
        Status status = write_piece(piece);
        if (!status.ok()) {
          written = 0;
          return failed(status);
        }
        written += piece.size();
      }
      bytes_ += written;
      return Status();
    });
  }

  // The bytes are durable when the object is published.
  Status sync() override {
    return guarded([&] { return result(flush_all(), Operation::sync); });
  }

  bool is_staged() override { return true; }

  Status publish() override {
    if (is_published_) return {};
    return guarded([&] {
      Status status = result(flush_all(), Operation::close);
      if (status.ok()) status = close_stream();
      if (status.ok() && place_.staging == Staging::beside) {
        status = expect_beside();
        if (status.ok()) status = result(move_into_place(), Operation::replace);
      }
      is_published_ = status.ok();
      if (!status.ok()) return failed(status);
      end_repeating_soon();
      return expect_object();
    });
  }

  Status close() override {
    if (!stream_) return {};
    if (process_ != process_number()) {  // in a forked child the upload belongs to the parent
      keep(std::move(stream_));
      return {};
    }
    Status status = is_published_ ? Status() : guarded([&] { return give_up(); });
    const bool would_publish = !is_published_ && !stream_->closed();
    if (would_publish) keep(stream_);
    stream_.reset();
    kept_parts_.reset();
    return status;
  }

  const std::string& path() const override { return place_.name; }

 private:
  template <typename Call>
  Status guarded(Call call) const {
    try {
      return call();
    } catch (const std::bad_alloc&) {
      return Status::failure(Operation::allocate, place_.name, ENOMEM);
    }
  }

  Status result(const arrow::Status& of_arrow, Operation operation) const {
    return status_of(of_arrow, operation, place_.name);
  }

  // The program is told this failure.
  Status failed(const Status& status) {
    failed_code_ = status.code().value();
    return status;
  }

  Status write_piece(BytesView piece) {
    while (!piece.empty()) {
      const std::size_t bytes = std::min(piece.size(), bytes_between_flushes_ - since_flush_);
      arrow::Status taken = give(piece.first(bytes));
      since_flush_ += bytes;
      if (taken.ok() && since_flush_ == bytes_between_flushes_) taken = flush_all();
      if (!taken.ok()) return result(taken, Operation::write);
      piece = piece.subspan(bytes);
    }
    return {};
  }

  arrow::Status give(BytesView bytes) {
    if (gathered_.size() + bytes.size() < place_.least_write_bytes) {
      gathered_.insert(gathered_.end(), bytes.begin(), bytes.end());
      return arrow::Status::OK();
    }
    ARROW_RETURN_NOT_OK(give_gathered());
    return stream_->Write(bytes.data(), static_cast<std::int64_t>(bytes.size()));
  }

  arrow::Status give_gathered() {
    if (gathered_.empty()) return arrow::Status::OK();
    const auto size = static_cast<std::int64_t>(gathered_.size());
    ARROW_RETURN_NOT_OK(stream_->Write(gathered_.data(), size));
    gathered_.clear();
    return arrow::Status::OK();
  }

  arrow::Status flush_all() {
    ARROW_RETURN_NOT_OK(give_gathered());
    since_flush_ = 0;
    return stream_->Flush();
  }

  // If the request fails that completes the upload, the stream gives the upload up without an
  // abort. So the abort comes before this request returns. No part is on its way then: publish()
  // has flushed, and the end of the stream sends the last part alone, before that request.
  Status close_stream() {
    closing_thread_ = std::this_thread::get_id();
    if (place_.watch) place_.watch->set([this] { abort_failed_close(); });
    const arrow::Future<> closing = stream_->CloseAsync();
    is_closing_ = true;
    is_closing_.notify_all();
    const arrow::Status& closed = closing.status();
    if (place_.watch) place_.watch->set({});
    if (closed.ok() || place_.staging == Staging::beside) return result(closed, Operation::close);
    const bool was_part = closed.message().find("UploadPart") != std::string::npos;
    return result(closed.WithMessage(closed.message(), what_may_stay(was_part)), Operation::close);
  }

  // What is known when the last part was not taken, or when the request has failed that completes
  // an upload. Without its last part nothing was completed.
  std::string_view what_may_stay(bool was_part) const {
    if (!was_aborted_ && stream_->closed()) {
      return was_part ? " (the store may keep the parts of the upload)"
                      : " (the store may keep the parts of the upload, or may have the object)";
    }
    return was_repeated_ && !was_part ? done_without_answer : "";
  }

  // The old object stays if the store has lost bytes of the new one. Credentials may allow writing
  // and no question.
  Status expect_beside() const {
    const arrow::Result<arrow::fs::FileInfo> found = place_.file_system->GetFileInfo(stream_path_);
    if (!found.ok() || has_all_bytes(*found)) return {};
    return Status::failure(Operation::close, place_.name, EIO, std::nullopt,
                           "the store said that it has the bytes, but has no object of " +
                               std::to_string(bytes_) + " bytes");
  }

  bool has_all_bytes(const arrow::fs::FileInfo& found) const {
    return found.IsFile() && found.size() == static_cast<std::int64_t>(bytes_);
  }

  // An account of Azure without real folders (no hierarchical namespace) cannot move an object, and
  // gs:// moves it in steps. When the copy is there, the object is, whatever becomes of the one
  // beside it.
  arrow::Status move_into_place() {
    if (place_.is_moved_in_steps) return copy_into_place();
    const arrow::Status moved = place_.file_system->Move(stream_path_, place_.path);
    if (moved.IsNotImplemented()) return copy_into_place();
    if (moved.ok() || !is_beside_gone()) return moved;
    return moved.WithMessage(moved.message(), done_without_answer);
  }

  arrow::Status copy_into_place() {
    ARROW_RETURN_NOT_OK(place_.file_system->CopyFile(stream_path_, place_.path));
    const arrow::Status removed = place_.file_system->DeleteFile(stream_path_);
    if (!removed.ok() && !is_beside_gone()) report_lost_error(copy_stays(removed));
    return arrow::Status::OK();
  }

  Status copy_stays(const arrow::Status& removed) const {
    const std::string reason = "the object is complete, but the object " + stream_path_ +
                               " beside it was not removed, and takes its room: ";
    return Status::failure(Operation::discard, place_.name, code_of(removed), std::nullopt,
                           reason + reason_of(removed));
  }

  // A store may say that all is well although the object is not there, above all to a request that
  // comes again: the first one may have failed, or may still put the parts together. Arrow does not
  // know of every repetition, because the library below it sends a request again if a connection
  // that was kept has ended. So the store is always asked, and the object may come later.
  // Credentials may allow writing and no question, so a first question without an answer counts as
  // a yes.
  Status expect_object() {
    const auto end = std::chrono::steady_clock::now() + time_to_appear();
    std::chrono::milliseconds pause = shortest_pause;
    for (bool was_missing = false;;) {
      const arrow::Result<arrow::fs::FileInfo> found = place_.file_system->GetFileInfo(place_.path);
      if (found.ok() ? has_all_bytes(*found) : !was_missing) return {};
      was_missing = true;
      if (std::chrono::steady_clock::now() >= end) return not_there();
      std::this_thread::sleep_for(pause);
      pause = std::min(pause * 2, longest_pause);
    }
  }

  // Only stores that put parts together need time.
  std::chrono::milliseconds time_to_appear() const {
    if (!place_.watch) return std::chrono::milliseconds(0);
    const std::chrono::milliseconds to_copy(bytes_ / slowest_bytes_per_ms);
    return std::min(shortest_time_to_appear + to_copy, longest_time_to_appear);
  }

  Status not_there() const {
    const std::string_view parts =
        place_.staging == Staging::upload ? "; the parts that were sent may stay in the store" : "";
    return Status::failure(Operation::close, place_.name, EIO, std::nullopt,
                           "the store said that it has the object, but has no object of " +
                               std::to_string(bytes_) + " bytes with this name" +
                               std::string(parts));
  }

  // The requests that come now cannot make a failed object whole, or only confirm it. A store that
  // answers nothing should not keep the program for the time of nine requests more.
  void end_repeating_soon() const {
    if (place_.watch) place_.watch->end_repeating_soon();
  }

  void abort_failed_close() {
    if (std::this_thread::get_id() != closing_thread_) is_closing_.wait(false);
    was_repeated_ = place_.watch->has_repeated();  // before the abort, which may be repeated too
    place_.watch->set({});                         // and may fail too
    end_repeating_soon();
    was_aborted_ = stream_->Abort().ok();
  }

  // Leaves the store as it was. A part that is still on its way could arrive after the abort, and
  // would stay.
  Status give_up() {
    Status status;
    if (!stream_->closed()) {
      end_repeating_soon();
      const bool have_ended = wait_for_parts();
      end_repeating_soon();  // the abort has its own time
      // The thread still uses the stream, and only that of s3:// can be aborted meanwhile.
      if (!have_ended) keep(stream_);
      const bool may_abort = have_ended || place_.staging == Staging::upload;
      if (may_abort) status = abort_stream();
      if (status.ok() && !have_ended) status = parts_may_stay();
    }
    return place_.staging == Staging::beside ? status.also(remove_beside()) : status;
  }

  // The answer to an abort may be lost, and the store then knows no such upload. A store that could
  // not be reached before mostly cannot be reached now: the reason is not said twice.
  Status abort_stream() {
    const arrow::Status aborted = stream_->Abort();
    const bool is_gone = aborted.message().find("NO_SUCH_UPLOAD") != std::string::npos;
    if (is_gone || aborted.ok()) return {};
    if (code_of(aborted) != failed_code_) return result(aborted, Operation::discard);
    return Status::failure(Operation::discard, place_.name, failed_code_, std::nullopt,
                           reason_in_short(aborted));
  }

  // Returns false if parts are still on their way after `longest_wait`. Only a flush waits for
  // them, and it has no limit, so a thread waits in it. The thread owns the stream too.
  bool wait_for_parts() {
    const auto flushed = std::make_shared<std::promise<void>>();
    const std::future<void> end = flushed->get_future();
    const auto flush = [stream = stream_, flushed] {
      try {
        static_cast<void>(stream->Flush());
      } catch (...) {  // the library of a store may throw; the upload is given up in any case
      }
      flushed->set_value();
    };
    try {
      std::thread(flush).detach();
    } catch (const std::exception&) {  // no further thread, or no memory for it
      flush();
    }
    return end.wait_for(place_.longest_wait) == std::future_status::ready;
  }

  Status parts_may_stay() const {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(place_.longest_wait).count();
    return Status::failure(Operation::discard, place_.name, ETIMEDOUT, std::nullopt,
                           "parts were still on their way to the store after " +
                               std::to_string(seconds) + " s, and may stay there");
  }

  // An aborted stream may have left nothing to remove.
  Status remove_beside() const {
    const arrow::Status removed = place_.file_system->DeleteFile(stream_path_);
    if (removed.ok()) return {};
    if (is_beside_gone()) return {};
    const std::string what = "; the object " + stream_path_ + " may stay in the store";
    return result(removed.WithMessage(removed.message(), what), Operation::discard);
  }

  bool is_beside_gone() const {
    const arrow::Result<arrow::fs::FileInfo> left = place_.file_system->GetFileInfo(stream_path_);
    return left.ok() && left->type() == arrow::fs::FileType::NotFound;
  }

  // Its destructor would publish.
  static void keep(std::shared_ptr<arrow::io::OutputStream> stream) noexcept {
    keep_for_ever(std::move(stream));
  }

  const Place place_;
  const std::string stream_path_;
  const std::size_t bytes_between_flushes_;
  const std::int64_t process_ = process_number();
  std::optional<KeptParts> kept_parts_;  // until close()
  std::shared_ptr<arrow::io::OutputStream> stream_;
  std::vector<std::byte> gathered_;  // not given to the stream yet
  std::size_t since_flush_ = 0;
  std::uint64_t bytes_ = 0;  // of the object
  bool is_published_ = false;
  int failed_code_ = 0;  // of the last failure before the upload is given up
  std::thread::id closing_thread_;
  std::atomic<bool> is_closing_ = false;  // CloseAsync() has returned
  std::atomic<bool> was_aborted_ = false;
  std::atomic<bool> was_repeated_ = false;  // the request that failed at the end
};

}  // namespace

Status open_sink(Place place, const ObjectOptions& options, std::unique_ptr<Sink>& sink) {
  const std::uint64_t max_bytes = place.max_object_bytes;
  auto object = std::make_unique<ObjectSink>(std::move(place), options.parts_in_flight);
  if (Status status = object->open(); !status.ok()) return status;
  sink = make_limiting_sink(std::move(object), max_bytes);
  return sink ? Status() : Status::failure(Operation::allocate, "(object)", ENOMEM);
}

}  // namespace sluice::object
