// The functions of Writer::Core that end a Writer.
#include <cerrno>
#include <string_view>

#include "core/writer_core.h"
#include "os/failed_call.h"

namespace sluice {

Status Writer::Core::close(Writer& writer) {
  if (closed_) return sync_directory_again();
  static_cast<void>(end(writer));
  return close_result_;
}

// Closes the Writer. Returns the failure to release the Sink, even if the Writer had failed before.
Status Writer::Core::end(Writer& writer) {
  const bool durable = durability_ != Durability::none;
  Status flushed = flush(writer, durable ? FlushTo::storage : FlushTo::os);
  if (!flushed.ok()) fail(writer, std::move(flushed));
  closed_ = true;
  const Status first = status_;
  Status released;
  if (!is_parents()) {  // in a forked child the Sink closes the child's copy of the descriptor
    drain(writer);      // after a failure blocks that will be dropped may still be in flight
    released = release_sink(writer);
  }
  close_result_ = first.also(released);
  in_flight_.reset();
  drop_window(writer);
  return released;
}

Status Writer::Core::release_sink(Writer& writer) {
  Status published;
  if (status_.ok()) {
    published = sink_->publish();
    sink_stays_open_ = os::is_failed_directory_sync(published);
    if (!published.ok()) fail(writer, published);
    if (sink_stays_open_) return published;
  }
  const Status closed = sink_->close();
  if (!closed.ok()) fail(writer, closed);
  return published.also(closed);
}

// Only a publish() that failed leaves the Sink open, so that the directory can be synced again.
Status Writer::Core::sync_directory_again() {
  if (!sink_stays_open_ || is_parents()) return close_result_;
  if (Status status = sink_->publish(); !status.ok()) return status;
  sink_stays_open_ = false;
  close_result_ = sink_->close();
  return close_result_;
}

Status Writer::Core::discard(Writer& writer) {
  const auto refused = [&](int code, std::string_view reason) {
    return Status::failure(Operation::discard, sink_->path(), code, std::nullopt, reason);
  };
  if (!sink_) return told(status_);  // the Writer was never opened
  if (closed_) return refused(EBADF, "the Writer is closed");
  if (!sink_->is_staged()) {
    return refused(EINVAL,
                   "this Writer cannot be discarded, because its bytes go straight to the target");
  }
  if (is_parents())
    return refused(ECANCELED, "a forked child cannot discard: the Writer belongs to its parent");
  drain(writer);
  in_flight_.reset();
  drop_window(writer);
  closed_ = true;
  close_result_ = Status::failure(Operation::close, sink_->path(), ECANCELED, std::nullopt,
                                  "the Writer was discarded");
  return sink_->close();
}

// A failure that the program was given is not lost. A further failure to release the target is.
Status Writer::Core::abandon(Writer& writer) {
  const bool is_known = has_told_failure();
  if (!sink_->is_staged()) {
    const Status released = end(writer);
    const Status lost = is_known ? released : close_result_;
    return !lost.ok() && sink_->is_ordinary_end(lost) ? Status() : lost;
  }
  const Status failed = is_known ? Status() : status_;
  const Status discarded = discard(writer);
  if (const Status lost = failed.also(discarded); is_known || !lost.ok()) return lost;
  return Status::failure(Operation::close, sink_->path(), ECANCELED, std::nullopt,
                         "the Writer was destroyed without close(): nothing was replaced");
}

}  // namespace sluice
