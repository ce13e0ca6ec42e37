// Status: the result of an operation that can fail.
//
// A Status is either ok or a failure. A failure names the operation, the path, the byte offset
// (where an offset makes sense) and the operating system's error code. Its message reads
// `write /data/run.bin at byte 1048576: No space left on device`.
//
// Copying is cheap (one shared pointer), and an ok Status allocates nothing. A failure allocates
// memory for its path and reason only. If there is no memory for them, the failure still has
// operation, code and offset, and its message says "(no memory for the path)".
// Threads: a Status is immutable after construction, so several threads may read one object.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace sluice {

// The operation that has failed.
enum class Operation : std::uint8_t {
  open,      // opening a file, or attaching a descriptor
  read,      // reading bytes
  write,     // writing bytes
  sync,      // making bytes durable
  close,     // releasing a file
  stat,      // finding the size or the kind of a file
  map,       // mapping a file into memory
  allocate,  // getting memory
  flush,     // a flush() that was refused
  remove,    // removing a file
  replace,   // putting a new file in the place of an old file
  // Making a file's name durable. If this fails, the file is in place, but its name may not survive
  // a power cut.
  sync_directory,
  discard,  // a discard() that was refused
  seek,     // going to another position
};

// The word used in messages: "open", "read", ...
std::string_view to_string(Operation operation) noexcept;

class [[nodiscard]] Status {
 public:
  Status() noexcept = default;  // ok

  // `code` is an errno value and must not be 0. `offset` is in bytes from the start of the target.
  // A `reason` that is not empty replaces the code's own text in the message.
  static Status failure(Operation operation, std::string_view path, int code,
                        std::optional<std::uint64_t> offset = std::nullopt,
                        std::string_view reason = {}) noexcept;

  // Returns this failure with another offset. For an ok Status, returns an ok Status.
  Status at(std::uint64_t offset) const noexcept;

  // Combines two results. If both are failures, returns this failure, with a message that also
  // describes `second` (unless `second` is the same failure). If only one of them is a failure,
  // returns that failure. Otherwise returns ok.
  Status also(const Status& second) const noexcept;

  // True if nothing has failed.
  [[nodiscard]] bool ok() const noexcept { return !failed_; }
  operator bool() const = delete;  // use ok()

  // These calls describe a failure. On an ok Status they give Operation::open, "", no offset, the
  // zero code and "ok". message() allocates a std::string, and throws std::bad_alloc if there is no
  // memory for it.
  Operation operation() const noexcept;
  std::string_view path() const noexcept;
  std::optional<std::uint64_t> offset() const noexcept;
  std::error_code code() const noexcept;
  std::string message() const;

  // Inserts message() into `stream`, such as std::cerr.
  template <typename Stream>
  requires requires(Stream& stream, const std::string& text) { stream << text; }
  friend Stream& operator<<(Stream& stream, const Status& status) {
    stream << status.message();
    return stream;
  }

#ifdef __cpp_exceptions
  // For programs that prefer exceptions. If this Status is a failure, the call throws a
  // std::system_error with this code(). If the message has the text of code(), what() is the
  // message. If the message has a reason instead, what() is the message and then the text of
  // code().
  void throw_if_error() const {
    if (!ok()) throw std::system_error(code(), without_code());
  }
#endif

 private:
  friend class StatusError;  // sluice/result.h
  // Returns the message without the code's text, because std::system_error adds that text itself.
  std::string without_code() const;
  bool has_reason() const noexcept;
  bool is_same_as(const Status& other) const noexcept;
  bool tells_of(const Status& other) const noexcept;

  struct Text;
  Operation operation_ = Operation::open;
  bool failed_ = false;
  bool has_offset_ = false;
  int code_ = 0;
  std::uint64_t offset_ = 0;
  std::shared_ptr<const Text> text_;  // null if ok, or if there was no memory for it
};

}  // namespace sluice
