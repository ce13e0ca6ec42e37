#include "sluice/reader.h"

#include <cerrno>
#include <new>
#include <utility>

#include "backend/options.h"
#include "core/reader_core.h"
#include "os/cancellation.h"
#include "os/failed_call.h"
#include "os/guarded.h"
#include "os/never_destroyed.h"
#include "sluice/lost_error.h"

namespace sluice {
namespace {

Status already_open(std::string_view path, std::string_view present) {
  return os::refused_call(Operation::open, path, EBUSY,
                          {"the Reader is open already, for ", present});
}

Status no_source() {
  return Status::failure(Operation::open, "(no Source)", ENOMEM, std::nullopt,
                         "the Source is null: there was no memory for it");
}

const Status& never_opened() {
  // Readers with static lifetime may ask for this Status at exit.
  static os::NeverDestroyed<Status> status(
      Status::failure(Operation::read, "(nothing)", EBADF, std::nullopt, "the Reader is not open"));
  return status.get();
}

}  // namespace

Reader::Reader() noexcept : sluice_reader{nullptr, nullptr} {}

Reader::~Reader() { close_from_destructor(); }

// Reports a failure that the program has not asked for, because to the program the failure looked
// like the end.
void Reader::close_from_destructor() noexcept {
  const os::CancellationHeldOff held_off;
  if (is_open()) {
    static_cast<void>(core_->close(*this));
    if (core_->has_untold_failure()) report_lost_error(core_->status());
  }
  core_.reset();
}

Reader::Reader(Reader&& other) noexcept : Reader() { *this = std::move(other); }

Reader& Reader::operator=(Reader&& other) noexcept {
  if (this == &other) return *this;
  close_from_destructor();
  cursor_ = std::exchange(other.cursor_, nullptr);
  limit_ = std::exchange(other.limit_, nullptr);
  newline_ = std::exchange(other.newline_, nullptr);
  newlines_end_ = std::exchange(other.newlines_end_, nullptr);
  scan_base_ = std::exchange(other.scan_base_, nullptr);
  core_ = std::move(other.core_);
  return *this;
}

Status Reader::open(const std::string& path, const ReaderOptions& options) {
  const os::CancellationHeldOff held_off;
  if (is_open()) return already_open(path, core_->path());
  std::unique_ptr<Source> source;
  Status status = open_file_source(path, options, source);
  return start(std::move(status), std::move(source), options);
}

Status Reader::open(std::unique_ptr<Source> source, const ReaderOptions& options) {
  const os::CancellationHeldOff held_off;
  if (is_open()) {
    return already_open(source ? source->path() : "(no Source)", core_->path());
  }
  if (!source) return refuse(no_source());
  Status status =
      os::guarded_status(source->path(), [&] { return check_options(options, source->path()); });
  return start(std::move(status), std::move(source), options);
}

Status Reader::attach(int descriptor, const std::string& name, const ReaderOptions& options) {
  if (is_open()) return already_open(name, core_->path());
  std::unique_ptr<Source> source;
  const Status status = open_descriptor_source(descriptor, name, options, source);
  return status.ok() ? open(std::move(source), options) : refuse(status);
}

// Ends an open call: opens the Reader with the Source, or refuses with the failure.
Status Reader::start(Status status, std::unique_ptr<Source> source, const ReaderOptions& options) {
  if (!status.ok()) return refuse(std::move(status));
  void* const memory = ::operator new(sizeof(Core), std::nothrow);
  if (memory == nullptr) return refuse(os::no_memory(source->path()));
  core_.reset(new (memory) Core(std::move(source), options));
  return {};
}

// Keeps the failure for every later call. If there is no memory for the failure, the Reader counts
// as never opened.
Status Reader::refuse(Status status) {
  core_.reset(new (std::nothrow) Core(status));
  return status;
}

int Reader::get_slow() {
  const os::OtherThreadsHeldOff held_off;
  return core_ ? core_->get(*this) : end;
}

std::size_t Reader::read_slow(void* into, std::size_t bytes) {
  const os::OtherThreadsHeldOff held_off;
  return core_ ? core_->read(*this, {static_cast<std::byte*>(into), bytes}) : 0;
}

BytesView Reader::peek_slow(std::size_t bytes) {
  const os::OtherThreadsHeldOff held_off;
  return core_ ? core_->peek(*this, bytes) : BytesView();
}

std::uint64_t Reader::skip_slow(std::uint64_t bytes) {
  const os::OtherThreadsHeldOff held_off;
  return core_ ? core_->skip(*this, bytes) : 0;
}

// The Core holds off cancellation where it calls the Source. Nothing else in a seek is a
// cancellation point.
Status Reader::seek(std::uint64_t position) {
  return core_ ? core_->seek(*this, position) : never_opened();
}

Status Reader::size(std::uint64_t& bytes) {
  const os::CancellationHeldOff held_off;
  return core_ ? core_->size(bytes) : never_opened();
}

Status Reader::seek_untold(std::uint64_t position) {
  return core_ ? core_->seek_untold(*this, position) : never_opened();
}

std::size_t Reader::read_values_slow(void* into, std::size_t value_bytes, std::size_t values) {
  const MutableBytesView all(static_cast<std::byte*>(into), value_bytes * values);
  if (!core_) return 0;
  // As os::OtherThreadsHeldOff, but without an object whose destructor would need another return.
  if (os::has_one_thread()) return core_->read_values(*this, all, value_bytes);
  const os::CancellationHeldOff held_off;
  return core_->read_values(*this, all, value_bytes);
}

template <typename Memory>
Status Reader::read_rest_into(Memory& out) {
  if (!core_) return never_opened();
  return os::guarded([&] { return core_->read_rest(*this, out); },
                     [&] {
                       core_->run_out_of_memory(*this);
                       return core_->told_status();
                     });
}

Status Reader::read_rest(std::string& out) { return read_rest_into(out); }

Status Reader::read_rest(Bytes& out) { return read_rest_into(out); }

bool Reader::read_until(char delimiter, std::string_view& part) {
  part = {};
  if (!core_) return false;
  os::guarded([&] { part = core_->read_until(*this, static_cast<std::byte>(delimiter)); },
              [&] { core_->run_out_of_memory(*this); });
  return part.data() != nullptr;
}

std::string_view Reader::next_line_slow(CarriageReturn carriage_return) {
  if (!core_) return {};
  return os::guarded([&] { return core_->next_line(*this, carriage_return); },
                     [&] {
                       core_->run_out_of_memory(*this);
                       return std::string_view();
                     });
}

BytesView Reader::take_records(std::size_t record_bytes, std::size_t alignment) {
  if (!core_) return {};
  return os::guarded([&] { return core_->take_records(*this, record_bytes, alignment); },
                     [&] {
                       core_->run_out_of_memory(*this);
                       return BytesView();
                     });
}

std::uint64_t Reader::position() const noexcept {
  return core_ ? core_->limit_position() - static_cast<std::uint64_t>(limit_ - cursor_) : 0;
}

const Status& Reader::status() const noexcept {
  return core_ ? core_->told_status() : never_opened();
}

bool Reader::has_failed() const noexcept { return core_ && core_->has_failed(); }

bool Reader::is_open() const noexcept { return core_ && core_->is_open(); }

Status Reader::close() {
  const os::CancellationHeldOff held_off;
  if (!core_) return never_opened();
  static_cast<void>(core_->told_status());
  return core_->close(*this);
}

}  // namespace sluice
