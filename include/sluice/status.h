// Status: what became of an operation that can fail.
//
// A Status is either ok or a failure that names the operation, the path, the byte offset (where one
// makes sense) and the operating system's error code. Its message reads
// `write /data/run.bin at byte 1048576: No space left on device`.
// Copying is cheap (one shared pointer) and an ok Status allocates nothing. A failure needs memory
// for its path and reason alone: where there is none, it has operation, code and offset all the
// same, and its message says so. Immutable after construction, so one object may be read from
// several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace sluice {

enum class Operation : std::uint8_t {
  open,
  read,
  write,
  sync,
  close,
  stat,
  map,
  allocate,
  flush,
  remove,
  replace,         // putting a file in the place of another
  sync_directory,  // making durable that it is there: it is, but may not survive a power cut
  discard,
  seek,
};

// The word used in messages: "open", "read", ...
std::string_view to_string(Operation operation) noexcept;

class [[nodiscard]] Status {
 public:
  Status() noexcept = default;  // ok

  // `code` is an errno value and must not be 0. `offset` is in bytes from the start of the target.
  // `reason`, when not empty, stands in the message in place of the code's own text.
  static Status failure(Operation operation, std::string_view path, int code,
                        std::optional<std::uint64_t> offset = std::nullopt,
                        std::string_view reason = {}) noexcept;

  // The same failure at another offset; an ok Status stays ok.
  Status at(std::uint64_t offset) const noexcept;

  // This failure, with a message that tells of `second` too when both have failed. When one of them
  // has failed, that one. Ok when both are ok.
  Status also(const Status& second) const noexcept;

  bool ok() const noexcept { return !failed_; }

  // The following describe a failure. On an ok Status they give Operation::open, "", no offset,
  // the zero code and "ok". message() needs memory, and throws std::bad_alloc as std::string does.
  Operation operation() const noexcept;
  std::string_view path() const noexcept;
  std::optional<std::uint64_t> offset() const noexcept;
  std::error_code code() const noexcept;
  std::string message() const;

#ifdef __cpp_exceptions
  // For callers who prefer exceptions: throws std::system_error with code() and what() as message()
  // has it.
  void throw_if_error() const {
    if (!ok()) throw std::system_error(code(), without_code());
  }
#endif

 private:
  friend class StatusError;  // sluice/result.h
  // The message, but for the code's text, which std::system_error puts behind it.
  std::string without_code() const;
  bool has_reason() const noexcept;

  struct Text;
  Operation operation_ = Operation::open;
  bool failed_ = false;
  bool has_offset_ = false;
  int code_ = 0;
  std::uint64_t offset_ = 0;
  std::shared_ptr<const Text> text_;  // null when ok, and when there was no memory for it
};

}  // namespace sluice
