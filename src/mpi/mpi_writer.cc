#include <cerrno>
#include <memory>
#include <new>
#include <utility>

#include "mpi/failure.h"
#include "mpi/writer_core.h"
#include "sluice/lost_error.h"
#include "sluice/mpi.h"

namespace sluice {
namespace {

const Status& never_opened() {
  static const Status status = Status::failure(Operation::open, "(nothing)", EBADF, std::nullopt,
                                               "the MpiWriter is not open");
  return status;
}

Status lost_bytes(const std::string& path, int rank) {
  return failure_because(Operation::close, path, ECANCELED, std::nullopt, [&] {
    return "the MpiWriter of rank " + std::to_string(rank) +
           " was destroyed without close(): the bytes that it held are not in the file";
  });
}

}  // namespace

MpiWriter::MpiWriter() noexcept = default;
MpiWriter::MpiWriter(MpiWriter&& other) noexcept = default;

MpiWriter& MpiWriter::operator=(MpiWriter&& other) noexcept {
  if (this != &other) {
    this->~MpiWriter();
    new (this) MpiWriter(std::move(other));
  }
  return *this;
}

MpiWriter::~MpiWriter() {
  if (!is_open() || core_->file.is_of_parent()) return;  // in a forked child nothing is lost
  const Core& core = *core_;
  if (core.holds()) {
    static_cast<void>(writer_.close());  // to the memory that the rank holds
    if (!core.held.bytes.empty()) report_lost_error(lost_bytes(core.path, core.ranks.rank()));
  } else if (status().ok() && writer_.status().ok()) {  // ~Writer reports its own failure
    Status closed = writer_.close();
    if (closed.ok()) closed = core.check_completeness();
    if (!closed.ok()) report_lost_error(closed);
  }
}

Status MpiWriter::open(MPI_Comm communicator, const std::string& path,
                       const MpiWriterOptions& options) {
  if (is_open()) return refuse_second_open(path, "MpiWriter");
  writer_ = Writer();
  not_begun_ = make_core(communicator, path, options, core_);
  if (!not_begun_.ok()) return not_begun_;
  const Status opened = core_->open(writer_, communicator);
  if (!opened.ok()) close_writers();
  return core_->take_opened(opened);
}

// Another rank may be the one that has failed. Then this rank's Writers are open.
void MpiWriter::close_writers() {
  writer_ = Writer();
  core_->placed = Writer();
}

bool MpiWriter::is_open() const noexcept { return core_ && !core_->is_closed; }

const Status& MpiWriter::status() const noexcept {
  if (core_) return core_->agreed.status;
  return not_begun_.ok() ? never_opened() : not_begun_;
}

int MpiWriter::failed_rank() const noexcept { return core_ ? core_->agreed.rank : -1; }

Status MpiWriter::helper_status() const {
  if (!core_) return status();
  if (core_->has_helper) return {};
  return Status::failure(Operation::open, core_->path, ENOTSUP, std::nullopt,
                         "MPI was initialised without MPI_THREAD_MULTIPLE, so the thread that "
                         "fills a block writes it");
}

Status MpiWriter::refuse_closed() const {
  if (!core_ || !status().ok()) return status();
  return Status::failure(Operation::flush, core_->path, EBADF, std::nullopt,
                         "the MpiWriter is closed");
}

// All ranks have the same agreed failure, so all of them leave here, or none.
Status MpiWriter::place() {
  if (!is_open()) return refuse_closed();
  if (!status().ok() || !core_->holds()) return status();
  static_cast<void>(writer_.flush());
  return core_->place(writer_);
}

Status MpiWriter::flush(FlushTo to) {
  if (Status status = place(); !status.ok()) return status;
  Writer& to_file = core_->holds() ? core_->placed : writer_;
  const Status mine = to_file.flush(to);
  return core_->agree(mine.ok() ? core_->failure_of(writer_) : mine);
}

// Every rank closes what it has open, and then all agree.
Status MpiWriter::close() {
  if (!is_open()) return status();
  Core& core = *core_;
  static_cast<void>(place());
  const bool had_failed = !core.agreed.status.ok();
  Status mine = writer_.close();
  if (core.holds()) mine = core.placed.close();
  if (!core.exchange_failure.ok()) mine = core.exchange_failure;
  if (mine.ok()) mine = core.check_completeness();
  core.is_closed = true;
  if (!had_failed) static_cast<void>(core.agree(mine));
  core.held.bytes = Bytes();
  core.exchanged = Bytes();
  core.ranks.close();
  return status();
}

}  // namespace sluice
