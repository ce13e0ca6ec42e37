// Result: a value, or the Status that says why there is no value. Result is for programs that
// prefer values to out-parameters. The price is that no call reuses the memory of the call before.
//
//   sluice::Result<std::string> text = sluice::read_text("settings");
//   if (!text.ok()) return text.status();
//   parse(*text);
//
//   parse(sluice::read_text("settings").value());  // throws StatusError
//
// Threads: the rules for a Result are the rules for its value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include "sluice/bytes.h"
#include "sluice/copy.h"
#include "sluice/files.h"
#include "sluice/options.h"
#include "sluice/reader.h"
#include "sluice/status.h"
#include "sluice/writer.h"

namespace sluice {

// Result::value() throws a StatusError. A StatusError is a std::system_error, and has the code()
// and the what() of the exception that Status::throw_if_error() throws. It also has the whole
// Status, with the operation, the path and the offset.
class StatusError : public std::system_error {
 public:
  // `status` must be a failure.
  explicit StatusError(const Status& status);
  ~StatusError() override;

  // The failure.
  const Status& status() const noexcept { return status_; }

 private:
  Status status_;
};

namespace result_details {

[[noreturn]] void throw_error(const Status& status);
[[noreturn]] void end_program(const Status& status) noexcept;
Status expect_failure(Status status) noexcept;

}  // namespace result_details

template <typename T>
class [[nodiscard]] Result {
  static_assert(std::is_object_v<T> && !std::is_same_v<std::remove_cv_t<T>, Status>,
                "a Result holds a value besides its Status");

 public:
  // A Result is made from a value or from a failure. Making one from an ok Status is a mistake of
  // the program: the Result is then a failure with EINVAL.
  Result(T value) : value_(std::move(value)) {}
  Result(Status failure) noexcept : status_(result_details::expect_failure(std::move(failure))) {}

  // True if there is a value.
  [[nodiscard]] bool ok() const noexcept { return value_.has_value(); }
  explicit operator bool() const noexcept { return ok(); }

  // ok, or why there is no value.
  const Status& status() const noexcept { return status_; }

  // Returns the value. If the Result is a failure, value() throws StatusError. In code that is
  // compiled without exceptions it prints one line on standard error instead, and ends the program
  // by abort().
  [[gnu::always_inline]] T& value() & { return expect_value(), *value_; }
  [[gnu::always_inline]] const T& value() const& { return expect_value(), *value_; }
  [[gnu::always_inline]] T&& value() && { return expect_value(), *std::move(value_); }

  // These return the value without a check. If the Result is a failure, the behaviour is undefined,
  // so ask ok() first.
  T& operator*() & noexcept { return *value_; }
  const T& operator*() const& noexcept { return *value_; }
  T&& operator*() && noexcept { return *std::move(value_); }
  T* operator->() & noexcept { return &*value_; }
  const T* operator->() const& noexcept { return &*value_; }
  T* operator->() && = delete;  // the pointer could outlive the value

  // Returns the value. If the Result is a failure, returns `other`, and the failure is lost.
  template <typename U>
  T value_or(U&& other) const& {
    return ok() ? **this : static_cast<T>(std::forward<U>(other));
  }
  template <typename U>
  T value_or(U&& other) && {
    return ok() ? *std::move(*this) : static_cast<T>(std::forward<U>(other));
  }

 private:
  // This function is inlined into every caller, because one program may have files that are
  // compiled with exceptions and files that are compiled without exceptions.
  [[gnu::always_inline]] void expect_value() const {
    if (ok()) [[likely]]
      return;
#ifdef __cpp_exceptions
    result_details::throw_error(status_);
#else
    result_details::end_program(status_);
#endif
  }

  Status status_;
  std::optional<T> value_;
};

// These functions call the functions of sluice/files.h and sluice/copy.h, and return their results
// as values. After a failure there is no value: the bytes that were read before the failure are
// lost.
Result<Bytes> read_bytes(const std::string& path);
Result<std::string> read_text(const std::string& path);
Result<std::size_t> read_bytes_into(const std::string& path, MutableBytesView into);
Result<std::uint64_t> size_of_file(const std::string& path);
Result<std::uint64_t> size_of_file(int descriptor);
Result<MappedFile> mapped_file(const std::string& path);
Result<std::uint64_t> copy_bytes(Reader& from, Writer& to, std::uint64_t bytes = UINT64_MAX);

// These functions return an open Reader or Writer.
Result<Reader> open_reader(const std::string& path, const ReaderOptions& options = {});
Result<Writer> open_writer(const std::string& path, const WriterOptions& options = {});

}  // namespace sluice
