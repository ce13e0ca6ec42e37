// Reader::Core: the cold half of a Reader. Only the Reader's own sources include this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/block.h"
#include "core/block_ahead.h"
#include "sluice/bytes.h"
#include "sluice/reader.h"
#include "sluice/source.h"

namespace sluice {

// The cold half of a Reader. It owns the Source and the block, and moves the window [cursor, limit)
// of the Reader's own pointers over the block.
class Reader::Core {
 public:
  Core(std::unique_ptr<Source> source, const ReaderOptions& options)
      : source_(std::move(source)), options_(options), bypass_bytes_(source_->bypass_bytes()) {}

  // Makes the Core of a Reader that could not be opened. The Core is closed, and every call reports
  // the failure.
  explicit Core(Status failure)
      : status_(std::move(failure)), close_result_(status_), closed_(true) {}

  const Status& status() const { return status_; }
  // Notes that the program is given the Status of the Reader.
  const Status& told_status() {
    is_told_ = true;
    return status_;
  }
  bool is_open() const { return !closed_; }
  const std::string& path() const { return source_->path(); }  // of a Reader that is open
  bool has_failed() const { return !status_.ok(); }
  // True if there is a failure that no code has asked for.
  bool has_untold_failure() const { return !status_.ok() && !is_told_; }
  std::uint64_t limit_position() const { return limit_position_; }

  int get(Reader& reader);
  std::size_t read(Reader& reader, MutableBytesView into);
  BytesView peek(Reader& reader, std::size_t bytes);
  std::uint64_t skip(Reader& reader, std::uint64_t bytes);
  Status seek(Reader& reader, std::uint64_t position);
  Status seek_untold(Reader& reader, std::uint64_t position);
  Status size(std::uint64_t& bytes);
  std::size_t read_values(Reader& reader, MutableBytesView into, std::size_t value_bytes);
  template <typename Memory>
  Status read_rest(Reader& reader, Memory& out);
  std::string_view read_until(Reader& reader, std::byte delimiter);
  std::string_view next_line(Reader& reader, CarriageReturn carriage_return);
  template <typename T, typename Form>
  bool next_number(Reader& reader, T& value, Form form);
  bool skip_bad_number(Reader& reader, std::string_view& text, std::string_view delimiters);
  BytesView take_records(Reader& reader, std::size_t record_bytes, std::size_t alignment);
  Status close(Reader& reader);
  // Fails the Reader with EINVAL, because a call made no sense. Returns false.
  bool refuse_call(Reader& reader, std::string_view reason);
  // Fails the Reader after std::bad_alloc has ended a call. Returns false.
  bool run_out_of_memory(Reader& reader);

 private:
  void fail_if_closed();
  bool gives_nothing();
  bool fetch(Reader& reader, MutableBytesView into, std::size_t& got);
  bool refill(Reader& reader, std::size_t alignment = 1);
  bool refill_from_source(Reader& reader, std::size_t alignment);
  bool take_block_ahead(Reader& reader, std::size_t alignment);
  void read_block_ahead();
  void fetch_more_next_time();
  bool is_after_far_seek() const;
  void fetch_lines_after_seek(Reader& reader, std::size_t bytes);
  bool place_pending(Reader& reader, std::size_t alignment);
  bool may_stay(const Reader& reader, std::size_t alignment) const;
  std::size_t wanted_bytes(std::size_t pending) const;
  void move_pending(Reader& reader, std::byte* to, std::size_t pending);
  Status go_to(Reader& reader, std::uint64_t position);
  bool reads_anywhere() { return reads_anywhere_ ? *reads_anywhere_ : ask_if_reads_anywhere(); }
  bool ask_if_reads_anywhere();
  // Returns false and changes nothing if the position is not in the block.
  bool seek_in_block(Reader& reader, std::uint64_t position);
  Status go_near(Reader& reader, std::uint64_t position);
  Status closed_already(Operation operation) const;
  void fail_partial(Reader& reader, std::string_view what, std::uint64_t position,
                    std::size_t bytes, std::size_t whole_bytes);
  std::string_view take_last(Reader& reader);
  BytesView pending(const Reader& reader) const;
  std::uint64_t take(Reader& reader, std::uint64_t bytes);
  void skip_by_position(Reader& reader, std::uint64_t& left);
  bool find_in_window(Reader& reader);
  void scan(Reader& reader);
  bool skip_whitespace(Reader& reader);
  bool fetch_text(Reader& reader, std::string_view inner_bytes);
  bool fail_number(Reader& reader, std::errc error);
  bool is_too_long(std::ptrdiff_t bytes) const;
  std::string_view fail_line(Reader& reader);  // no line
  bool fail_too_long(Reader& reader);
  bool fail(Reader& reader, Status status);
  bool fail_fetch(Reader& reader, Status status);
  void forget_failure();

  std::unique_ptr<Source> source_;
  const ReaderOptions options_;
  const std::size_t bypass_bytes_ = SIZE_MAX;  // see Source::bypass_bytes
  Status status_;
  Status close_result_;   // status_ at the first close(); later reads may make the Reader fail
  bool is_told_ = false;  // the program was given the failure
  bool closed_ = false;
  bool ended_ = false;
  std::optional<bool> reads_anywhere_;  // empty until the first seek asks the Source
  bool filled_block_ = false;           // the last read left no room: a larger block pays
  Block block_;
  std::unique_ptr<BlockAhead> ahead_;         // null until blocks have come in sequence
  std::uint64_t sequence_begin_ = 0;          // where the last seek went
  const std::byte* window_begin_ = nullptr;   // the block holds the bytes from here to limit_
  std::size_t max_fetched_bytes_ = SIZE_MAX;  // in one read; few after a far seek
  std::uint64_t limit_position_ = 0;          // the position of the Reader's limit_ in the source
  const std::byte* scanned_until_ = nullptr;
  // A failure empties the window. If next_number() found a bad text, the first pointer is the
  // window's old end. If no more bytes could be fetched, the second pointer is the window's old
  // end.
  const std::byte* limit_behind_bad_number_ = nullptr;
  const std::byte* limit_before_failed_fetch_ = nullptr;
  std::unique_ptr<std::uint32_t[]> newlines_;
};

}  // namespace sluice
