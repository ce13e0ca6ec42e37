// Result: a value, or the Status that says why there is none. For who prefers values to
// out-parameters, at the price of memory that is not reused.
//
//   sluice::Result<std::string> text = sluice::read_text("settings");
//   if (!text.ok()) return text.status();
//   parse(*text);
//
//   parse(sluice::read_text("settings").value());  // throws StatusError
//
// Threads: a Result is used like its value.
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

// What Result::value() throws: a std::system_error as Status::throw_if_error() throws it, that
// still has the operation, the path and the offset.
class StatusError : public std::system_error {
 public:
  explicit StatusError(const Status& status);
  ~StatusError() override;
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
  // A value; or a failure, for which an ok Status is a mistake of the program: it becomes one with
  // EINVAL.
  Result(T value) : value_(std::move(value)) {}
  Result(Status failure) noexcept : status_(result_details::expect_failure(std::move(failure))) {}

  bool ok() const noexcept { return value_.has_value(); }
  explicit operator bool() const noexcept { return ok(); }
  const Status& status() const noexcept { return status_; }

  // The value. Of a failure it throws StatusError; where the program is compiled without exceptions
  // it prints one line on standard error and ends the program by abort().
  [[gnu::always_inline]] T& value() & { return expect_value(), *value_; }
  [[gnu::always_inline]] const T& value() const& { return expect_value(), *value_; }
  [[gnu::always_inline]] T&& value() && { return expect_value(), *std::move(value_); }

  // The same for who has asked ok() before: of a failure they are undefined.
  T& operator*() & noexcept { return *value_; }
  const T& operator*() const& noexcept { return *value_; }
  T&& operator*() && noexcept { return *std::move(value_); }
  T* operator->() noexcept { return &*value_; }
  const T* operator->() const noexcept { return &*value_; }

  // The value, or `other` where there is none. The failure is lost then.
  template <typename U>
  T value_or(U&& other) const& {
    return ok() ? **this : static_cast<T>(std::forward<U>(other));
  }
  template <typename U>
  T value_or(U&& other) && {
    return ok() ? *std::move(*this) : static_cast<T>(std::forward<U>(other));
  }

 private:
  // Inlined wherever it is called: a program may have files with exceptions and without.
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

// The functions of sluice/files.h and sluice/copy.h under other names, with their results as
// values. After a failure there is no value: not the bytes that were read until then either.
Result<Bytes> read_bytes(const std::string& path);
Result<std::string> read_text(const std::string& path);
Result<std::size_t> read_bytes_into(const std::string& path, MutableBytesView into);
Result<std::uint64_t> size_of_file(const std::string& path);
Result<std::uint64_t> size_of_file(int descriptor);
Result<MappedFile> mapped_file(const std::string& path);
Result<std::uint64_t> copy_bytes(Reader& from, Writer& to, std::uint64_t bytes = UINT64_MAX);

// An open Reader or Writer.
Result<Reader> open_reader(const std::string& path, const ReaderOptions& options = {});
Result<Writer> open_writer(const std::string& path, const WriterOptions& options = {});

}  // namespace sluice
