// RecordingSink: a Sink into memory that notes every call, and that fails as a test orders.
//
// The Writer owns the Sink. The test keeps the Recording, which must outlive the Writer and the
// Sink.
// Threads: a Recording's knobs are set before the Writer starts. Its notes may be read at any time.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sluice/sink.h"
#include "testing/gate.h"

namespace sluice::testing {

struct SinkCall {
  std::uint64_t position = 0;
  std::vector<std::size_t> piece_bytes;
  pid_t thread = 0;
};

struct Recording {
  // Knobs.
  bool wants_lines = false;
  bool allows_write_behind = true;
  bool wants_full_blocks = false;
  bool is_compute_bound = false;
  std::uint64_t start_position = 0;
  std::uint64_t fail_at = UINT64_MAX;  // the byte that cannot be written, while fail_writes lasts
  int write_error = 28;                // ENOSPC
  std::size_t fail_writes = SIZE_MAX;  // the number of writes that fail; later writes succeed
  bool offset_in_status = true;        // off: the Status of a failed write has no offset
  int sync_error = 0;                  // 0: sync succeeds
  Operation sync_operation = Operation::sync;  // the operation that a failed sync names
  int close_error = 0;
  bool is_staged = false;
  bool has_positions = false;  // write_at() and seek() work
  int seek_error = 0;          // 0: seek succeeds, if there are positions
  Status publish_status;       // the result of every publish()
  bool keep_bytes = true;      // off: bytes are counted, not kept
  Gate gate;                   // every write passes through it first

  // What happened.
  std::string bytes() const;
  std::uint64_t byte_count() const;
  std::vector<SinkCall> writes() const;
  std::size_t syncs() const;
  std::size_t publishes() const;
  std::size_t closes() const;
  bool destroyed() const;
  std::size_t questions() const;  // calls of wants_lines and allows_write_behind
  bool out_of_turn() const;       // a position was not contiguous, or a call came after its time

 private:
  friend class RecordingSink;
  mutable std::mutex mutex_;
  std::string bytes_;
  std::uint64_t byte_count_ = 0;     // of all writes except write_at()
  std::uint64_t next_position_ = 0;  // from the start position on
  std::vector<SinkCall> writes_;
  std::size_t syncs_ = 0;
  std::size_t publishes_ = 0;
  std::size_t closes_ = 0;
  std::size_t questions_ = 0;
  bool destroyed_ = false;
  bool out_of_turn_ = false;
};

class RecordingSink final : public Sink {
 public:
  explicit RecordingSink(std::shared_ptr<Recording> recording) : recording_(std::move(recording)) {}
  ~RecordingSink() override;

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override;
  Status write_at(std::uint64_t position, BytesView bytes, std::size_t& written) override;
  Status seek(std::uint64_t position) override;
  Status sync() override;
  bool is_staged() override { return recording_->is_staged; }
  Status publish() override;
  Status close() override;
  bool wants_lines() override { return answer(recording_->wants_lines); }
  bool allows_write_behind() override { return answer(recording_->allows_write_behind); }
  bool wants_full_blocks() override { return recording_->wants_full_blocks; }
  bool is_compute_bound() override { return recording_->is_compute_bound; }
  std::uint64_t start_position() override { return recording_->start_position; }
  const std::string& path() const override { return path_; }

 private:
  bool answer(bool knob);
  std::size_t accepted_bytes(std::uint64_t position, std::size_t offered);
  void keep(std::uint64_t position, BytesView bytes);

  std::shared_ptr<Recording> recording_;
  std::string path_ = "(recording)";
};

}  // namespace sluice::testing
