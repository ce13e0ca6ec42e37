#include "testing/recording_sink.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "testing/process_facts.h"

namespace sluice::testing {

std::string Recording::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::uint64_t Recording::byte_count() const {
  const std::lock_guard lock(mutex_);
  return byte_count_;
}

std::vector<SinkCall> Recording::writes() const {
  const std::lock_guard lock(mutex_);
  return writes_;
}

std::size_t Recording::syncs() const {
  const std::lock_guard lock(mutex_);
  return syncs_;
}

std::size_t Recording::publishes() const {
  const std::lock_guard lock(mutex_);
  return publishes_;
}

std::size_t Recording::closes() const {
  const std::lock_guard lock(mutex_);
  return closes_;
}

bool Recording::destroyed() const {
  const std::lock_guard lock(mutex_);
  return destroyed_;
}

std::size_t Recording::questions() const {
  const std::lock_guard lock(mutex_);
  return questions_;
}

bool Recording::out_of_turn() const {
  const std::lock_guard lock(mutex_);
  return out_of_turn_;
}

RecordingSink::~RecordingSink() {
  const std::lock_guard lock(recording_->mutex_);
  recording_->destroyed_ = true;
}

Status RecordingSink::write(std::uint64_t position, std::span<const BytesView> pieces,
                            std::size_t& written) {
  recording_->gate.pass();
  const std::lock_guard lock(recording_->mutex_);
  Recording& recording = *recording_;
  SinkCall call{position, {}, this_thread()};
  std::size_t offered = 0;
  for (const BytesView piece : pieces) {
    call.piece_bytes.push_back(piece.size());
    offered += piece.size();
  }
  if (recording.keep_bytes) recording.writes_.push_back(std::move(call));
  if (position != recording.start_position + recording.next_position_ || recording.closes_ != 0 ||
      recording.publishes_ != 0) {
    recording.out_of_turn_ = true;
  }
  written = accepted_bytes(position, offered);
  recording.byte_count_ += written;
  recording.next_position_ += written;
  std::size_t kept = 0;
  for (const BytesView piece : pieces) {
    const std::size_t part = std::min(written - kept, piece.size());
    keep(position + kept, piece.first(part));
    kept += part;
  }
  if (written == offered) return {};
  --recording.fail_writes;
  const auto offset = recording.offset_in_status ? std::optional(position + written) : std::nullopt;
  return Status::failure(Operation::write, path_, recording.write_error, offset);
}

std::size_t RecordingSink::accepted_bytes(std::uint64_t position, std::size_t offered) {
  if (recording_->fail_writes == 0 || position + offered <= recording_->fail_at) return offered;
  return recording_->fail_at - std::min(position, recording_->fail_at);
}

void RecordingSink::keep(std::uint64_t position, BytesView bytes) {
  if (!recording_->keep_bytes || bytes.empty()) return;
  std::string& target = recording_->bytes_;
  const std::uint64_t at = position - recording_->start_position;
  target.resize(std::max<std::uint64_t>(target.size(), at + bytes.size()));
  std::memcpy(target.data() + at, bytes.data(), bytes.size());
}

Status RecordingSink::write_at(std::uint64_t position, BytesView bytes, std::size_t& written) {
  const std::lock_guard lock(recording_->mutex_);
  if (!recording_->has_positions) return Sink::write_at(position, bytes, written);
  written = accepted_bytes(position, bytes.size());
  keep(position, bytes.first(written));
  if (written == bytes.size()) return {};
  --recording_->fail_writes;
  return Status::failure(Operation::write, path_, recording_->write_error, position + written);
}

Status RecordingSink::seek(std::uint64_t position) {
  const std::lock_guard lock(recording_->mutex_);
  if (!recording_->has_positions) return Sink::seek(position);
  if (recording_->seek_error != 0) {
    return Status::failure(Operation::seek, path_, recording_->seek_error, position);
  }
  recording_->next_position_ = position - recording_->start_position;
  return {};
}

bool RecordingSink::answer(bool knob) {
  const std::lock_guard lock(recording_->mutex_);
  ++recording_->questions_;
  return knob;
}

Status RecordingSink::sync() {
  const std::lock_guard lock(recording_->mutex_);
  ++recording_->syncs_;
  if (recording_->sync_error == 0) return {};
  return Status::failure(recording_->sync_operation, path_, recording_->sync_error);
}

Status RecordingSink::publish() {
  const std::lock_guard lock(recording_->mutex_);
  ++recording_->publishes_;
  if (recording_->closes_ != 0) recording_->out_of_turn_ = true;
  return recording_->publish_status;
}

Status RecordingSink::close() {
  const std::lock_guard lock(recording_->mutex_);
  ++recording_->closes_;
  if (recording_->close_error == 0) return {};
  return Status::failure(Operation::close, path_, recording_->close_error);
}

}  // namespace sluice::testing
