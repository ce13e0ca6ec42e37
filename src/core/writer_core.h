// Writer::Core: the cold half of a Writer. Only the Writer's own sources include this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/block.h"
#include "core/blocks_in_flight.h"
#include "core/write_behind_choice.h"
#include "os/clock.h"
#include "os/process.h"
#include "sluice/sink.h"
#include "sluice/writer.h"

namespace sluice {

// The cold half of a Writer. It owns the Sink, the block and the blocks in flight. It moves the
// window [begin, limit) of the Writer's own three pointers over the block.
class Writer::Core {
 public:
  Core(std::unique_ptr<Sink> sink, const WriterOptions& options);

  // Makes the Core of a Writer that could not be opened. The Core is closed, and every call reports
  // the failure.
  explicit Core(const Status& failure) : status_(failure), closed_(true), close_result_(failure) {}

  const Status& status() const { return status_; }
  // Notes that the program is given this Status of the Writer.
  Status told(Status status) {
    if (!status.ok()) is_told_ = true;
    return status;
  }
  const Status& told_status() {
    is_told_ = true;
    return status_;
  }
  bool is_open() const { return !closed_; }
  const std::string& path() const { return sink_->path(); }  // of a Writer that is open
  bool is_parents() const { return fork_generation_ != os::fork_generation(); }
  std::uint64_t begin_position() const { return begin_position_; }

  bool write(Writer& writer, BytesView data);
  MutableBytesView reserve(Writer& writer, std::size_t bytes);
  void commit(Writer& writer, std::size_t bytes);
  // Fails the Writer, because a call made no sense. Returns false.
  bool refuse_call(Writer& writer, int code, std::string_view reason);
  // Patches bytes that all lie in the block. Returns false, and changes nothing, if they do not. A
  // Writer that is closed or has failed has no bytes in the block.
  bool patch_block(Writer& writer, std::uint64_t position, BytesView bytes);
  Status write_at(Writer& writer, std::uint64_t position, BytesView bytes);
  Status seek(Writer& writer, std::uint64_t position);
  Status flush(Writer& writer, FlushTo to);
  Status close(Writer& writer);
  Status discard(Writer& writer);
  // Ends an open Writer that is destroyed. Returns ok if nothing is lost.
  Status abandon(Writer& writer);
  // Fails the Writer after std::bad_alloc has ended a call. Returns false.
  bool run_out_of_memory(Writer& writer);

  // True if bytes were refused because the Writer is not open, and the program was given no Status
  // since then.
  bool has_untold_refusal() const { return has_refused_ && !is_told_; }
  void refuse_bytes() {
    if (!closed_) return;
    has_refused_ = true;
    is_told_ = false;
  }

 private:
  bool is_usable(Writer& writer);
  bool prepare(Writer& writer);
  bool may_gather(const Writer& writer, BytesView data) const;
  bool gather(Writer& writer, BytesView data);
  BytesView fill_block(Writer& writer, BytesView data);
  bool copy(Writer& writer, BytesView data);
  bool write_lines(Writer& writer, BytesView data);
  Status refuse_beyond(Operation operation, std::uint64_t position, std::size_t bytes) const;
  Status patch_target(Writer& writer, std::uint64_t position, BytesView bytes);
  Status ask_for_patches(std::uint64_t position);
  Status ask_for_seeks();
  Status seek_sink(std::uint64_t position);
  bool make_room(Writer& writer, std::size_t bytes);
  bool grow(Writer& writer, std::size_t bytes);
  bool emit_full_block(Writer& writer);
  bool emit(Writer& writer, BytesView payload);
  bool emit_the_faster_way(Writer& writer);
  bool hand_over(Writer& writer);
  bool may_write_behind();
  bool drain(Writer& writer);
  std::size_t reserved_bytes(const Writer& writer) const;
  static void end_reservation(Writer& writer);
  void refuse_commit(Writer& writer, std::size_t bytes, std::size_t reserved);
  bool sync_each_write(Writer& writer);
  Status end(Writer& writer);
  Status release_sink(Writer& writer);
  bool has_told_failure() const { return !status_.ok() && is_told_; }
  Status sync_directory_again();
  bool fail(Writer& writer, Status status);
  void place_window(Writer& writer, std::size_t pending);
  void drop_window(Writer& writer);

  std::unique_ptr<Sink> sink_;
  const WriterOptions options_;
  const Durability durability_ = Durability::none;
  const std::size_t alignment_ = 1;     // see Sink::block_alignment
  const std::size_t gather_bytes_ = 0;  // payloads of this size or more are not copied: gather()
  const unsigned fork_generation_ = os::fork_generation();
  Status status_;
  bool closed_ = false;
  Status close_result_;
  bool has_refused_ = false;      // bytes were refused because the Writer is not open
  bool is_told_ = false;          // the program was given the failure
  bool sink_stays_open_ = false;  // after close(): only the directory has to be synced again
  bool prepared_ = false;         // there is a block, and by_lines_ is known
  bool by_lines_ = false;
  bool has_window_ = true;      // false if this class sees every byte: lines, every_write
  bool takes_patches_ = false;  // the Sink has accepted patches, and is not asked again
  bool takes_seeks_ = false;
  Block block_;
  std::uint64_t begin_position_ = 0;      // the position of the Writer's begin_ in the target
  std::optional<bool> may_write_behind_;  // unknown until the block is full-grown
  WriteBehindChoice choice_;              // with WriteBehind::automatic
  std::optional<os::Clock::time_point> last_block_left_;
  std::unique_ptr<BlocksInFlight> in_flight_;  // declared after sink_, which it uses until its end
};

}  // namespace sluice
