#include "sluice/writer.h"

#include <cerrno>
#include <new>
#include <utility>

#include "backend/options.h"
#include "core/writer_core.h"
#include "os/cancellation.h"
#include "os/failed_call.h"
#include "os/guarded.h"
#include "os/never_destroyed.h"
#include "sluice/lost_error.h"

namespace sluice {
namespace {

Status already_open(std::string_view path, std::string_view present) {
  return os::refused_call(Operation::open, path, EBUSY,
                          {"the Writer is open already, for ", present});
}

Status no_sink() {
  return Status::failure(Operation::open, "(no Sink)", ENOMEM, std::nullopt,
                         "the Sink is null: there was no memory for it");
}

const Status& never_opened() {
  // Writers with static lifetime may ask for this Status at exit.
  static os::NeverDestroyed<Status> status(
      Status::failure(Operation::write, "(nothing)", EBADF, std::nullopt,
                      "the Writer was never opened, or was moved from"));
  return status.get();
}

}  // namespace

Writer::Writer() noexcept : sluice_writer{nullptr, nullptr, nullptr} {}

Writer::~Writer() { close_from_destructor(); }

Writer::Writer(Writer&& other) noexcept
    : sluice_writer{std::exchange(other.begin_, nullptr), std::exchange(other.cursor_, nullptr),
                    std::exchange(other.limit_, nullptr)},
      reserved_at_(std::exchange(other.reserved_at_, nullptr)),
      reserved_bytes_(std::exchange(other.reserved_bytes_, 0)),
      core_(std::move(other.core_)) {}

Writer& Writer::operator=(Writer&& other) noexcept {
  if (this == &other) return *this;
  close_from_destructor();
  begin_ = std::exchange(other.begin_, nullptr);
  cursor_ = std::exchange(other.cursor_, nullptr);
  limit_ = std::exchange(other.limit_, nullptr);
  reserved_at_ = std::exchange(other.reserved_at_, nullptr);
  reserved_bytes_ = std::exchange(other.reserved_bytes_, 0);
  core_ = std::move(other.core_);
  return *this;
}

void Writer::close_from_destructor() noexcept {
  const os::CancellationHeldOff held_off;
  if (is_open() && !core_->is_parents()) {
    if (Status status = core_->abandon(*this); !status.ok()) report_lost_error(status);
  }
  replace_core(nullptr);  // in a forked child this closes the descriptor
}

// Only the old Core knows whether bytes were refused, so it is asked before it is destroyed.
void Writer::replace_core(Core* core) {
  if (core_ && !core_->is_parents() && core_->has_untold_refusal()) {
    report_lost_error(core_->status());
  }
  core_.reset(core);
}

Status Writer::open(const std::string& path, const WriterOptions& options) {
  return open_wrapped(path, options, {}, nullptr, nullptr);
}

Status Writer::open_wrapped(const std::string& path, const WriterOptions& options, Status before,
                            std::unique_ptr<Sink> wrapper, Wrap wrap) {
  const os::CancellationHeldOff held_off;
  if (is_open()) return already_open(path, core_->path());
  if (!before.ok()) return refuse(std::move(before));
  void* const memory = ::operator new(sizeof(Core), std::nothrow);  // before open cuts the file
  if (memory == nullptr) return refuse(os::no_memory(path));
  std::unique_ptr<Sink> sink;
  const Status status = open_file_sink(path, options, sink);
  if (status.ok() && wrapper) {
    wrap(*wrapper, std::move(sink));
    sink = std::move(wrapper);
  }
  replace_core(status.ok() ? new (memory) Core(std::move(sink), options)
                           : new (memory) Core(status));
  return status;
}

Status Writer::open(std::unique_ptr<Sink> sink, const WriterOptions& options) {
  const os::CancellationHeldOff held_off;
  if (is_open()) {
    return already_open(sink ? sink->path() : "(no Sink)", core_->path());
  }
  if (!sink) return refuse(no_sink());
  Status status =
      os::guarded_status(sink->path(), [&] { return check_options(options, sink->path()); });
  return start(std::move(status), std::move(sink), options);
}

Status Writer::attach(int descriptor, const std::string& name, const WriterOptions& options) {
  if (is_open()) return already_open(name, core_->path());
  std::unique_ptr<Sink> sink;
  const Status status = open_descriptor_sink(descriptor, name, options, sink);
  return status.ok() ? open(std::move(sink), options) : refuse(status);
}

// Ends an open call: opens the Writer with the Sink, or refuses with the failure.
Status Writer::start(Status status, std::unique_ptr<Sink> sink, const WriterOptions& options) {
  if (!status.ok()) return refuse(std::move(status));
  void* const memory = ::operator new(sizeof(Core), std::nothrow);
  if (memory == nullptr) return refuse(os::no_memory(sink->path()));
  replace_core(new (memory) Core(std::move(sink), options));
  return {};
}

// Keeps the failure for every later call. If there is no memory for the failure, the Writer counts
// as never opened.
Status Writer::refuse(Status status) {
  replace_core(new (std::nothrow) Core(status));
  return status;
}

// Fails the Writer after std::bad_alloc has ended a call. Returns false.
bool Writer::run_out_of_memory() {
  const os::CancellationHeldOff held_off;
  return core_ && core_->run_out_of_memory(*this);
}

// A Writer that was never opened makes a Core to record that bytes were refused. Without memory for
// the Core the refusal is not recorded.
bool Writer::refuse_bytes() {
  core_.reset(new (std::nothrow) Core(never_opened()));
  if (core_) core_->refuse_bytes();
  return false;
}

bool Writer::put_slow(std::byte value) { return write_slow(&value, 1); }

bool Writer::write_slow(const void* data, std::size_t bytes) {
  if (!core_) return bytes != 0 && refuse_bytes();
  const BytesView all(static_cast<const std::byte*>(data), bytes);
  return os::guarded([&] { return core_->write(*this, all); },
                     [&] { return core_->run_out_of_memory(*this); });
}

MutableBytesView Writer::reserve_slow(std::size_t bytes) {
  if (!core_) return {};
  return os::guarded([&] { return core_->reserve(*this, bytes); },
                     [&] {
                       core_->run_out_of_memory(*this);
                       return MutableBytesView();
                     });
}

void Writer::commit_slow(std::size_t bytes) {
  if (!core_) {
    if (bytes != 0) refuse_bytes();
    return;
  }
  os::guarded([&] { core_->commit(*this, bytes); }, [&] { core_->run_out_of_memory(*this); });
}

std::uint64_t Writer::position() const noexcept {
  if (!core_) return 0;
  return core_->begin_position() + static_cast<std::uint64_t>(cursor_ - begin_);
}

const Status& Writer::status() const noexcept {
  return core_ ? core_->told_status() : never_opened();
}

bool Writer::is_open() const noexcept { return core_ && core_->is_open(); }

// A patch in the block is not a cancellation point, and need not hold cancellation off.
Status Writer::write_at(std::uint64_t position, BytesView bytes) {
  if (core_ && core_->patch_block(*this, position, bytes)) return {};
  const os::CancellationHeldOff held_off;
  return core_ ? core_->told(core_->write_at(*this, position, bytes)) : never_opened();
}

Status Writer::write_at(std::uint64_t position, std::string_view text) {
  return write_at(position, std::as_bytes(std::span(text)));
}

Status Writer::seek(std::uint64_t position) {
  const os::CancellationHeldOff held_off;
  return core_ ? core_->told(core_->seek(*this, position)) : never_opened();
}

std::string_view Writer::target_path() const {
  return core_ ? std::string_view(core_->path()) : "(not open)";
}

Status Writer::flush(FlushTo to) {
  const os::CancellationHeldOff held_off;
  return core_ ? core_->told(core_->flush(*this, to)) : never_opened();
}

Status Writer::seek_untold(std::uint64_t position) {
  const os::CancellationHeldOff held_off;
  return core_ ? core_->seek(*this, position) : never_opened();
}

Status Writer::flush_untold(FlushTo to) {
  const os::CancellationHeldOff held_off;
  return core_ ? core_->flush(*this, to) : never_opened();
}

Status Writer::discard() {
  const os::CancellationHeldOff held_off;
  return core_ ? core_->discard(*this) : never_opened();
}

Status Writer::close() {
  const os::CancellationHeldOff held_off;
  return core_ ? core_->told(core_->close(*this)) : never_opened();
}

}  // namespace sluice
