#include "c/error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string>

namespace sluice::c {
namespace {

// A sluice_error has the number of an Operation.
static_assert(static_cast<int>(Operation::open) == SLUICE_OPEN);
static_assert(static_cast<int>(Operation::read) == SLUICE_READ);
static_assert(static_cast<int>(Operation::write) == SLUICE_WRITE);
static_assert(static_cast<int>(Operation::sync) == SLUICE_SYNC);
static_assert(static_cast<int>(Operation::close) == SLUICE_CLOSE);
static_assert(static_cast<int>(Operation::stat) == SLUICE_STAT);
static_assert(static_cast<int>(Operation::map) == SLUICE_MAP);
static_assert(static_cast<int>(Operation::allocate) == SLUICE_ALLOCATE);
static_assert(static_cast<int>(Operation::flush) == SLUICE_FLUSH);
static_assert(static_cast<int>(Operation::remove) == SLUICE_REMOVE);
static_assert(static_cast<int>(Operation::replace) == SLUICE_REPLACE);
static_assert(static_cast<int>(Operation::sync_directory) == SLUICE_SYNC_DIRECTORY);
static_assert(static_cast<int>(Operation::discard) == SLUICE_DISCARD);
static_assert(static_cast<int>(Operation::seek) == SLUICE_SEEK);

// Appends the text to what an array holds already.
template <std::size_t size>
void append(char (&array)[size], std::string_view text) noexcept {
  const std::size_t length = std::strlen(array);
  copy_text(text, array + length, size - length);
}

// Status::message() needs memory. This message does not, because it has the code's number instead
// of the code's text.
void describe_without_memory(const Status& status, sluice_error& error) noexcept {
  std::array<char, 12> code;
  const auto end = std::to_chars(code.begin(), code.end(), error.code).ptr;
  error.message[0] = '\0';
  append(error.message, to_string(status.operation()));
  append(error.message, " ");
  append(error.message, status.path());
  append(error.message, ": error ");
  append(error.message, {code.data(), static_cast<std::size_t>(end - code.data())});
}

}  // namespace

void copy_text(std::string_view text, char* into, std::size_t size) noexcept {
  constexpr std::string_view cut = "...";
  if (size == 0) return;
  const std::size_t bytes = std::min(text.size(), size - 1);
  if (bytes != 0) std::memcpy(into, text.data(), bytes);
  if (bytes < text.size() && bytes >= cut.size()) {
    std::memcpy(into + bytes - cut.size(), cut.data(), cut.size());
  }
  into[bytes] = '\0';
}

void describe(const Status& status, sluice_error* error) noexcept {
  if (error == nullptr) return;
  error->code = status.code().value();
  error->operation = static_cast<int>(status.operation());
  error->has_offset = status.offset().has_value();
  error->offset = status.offset().value_or(0);
  copy_text(status.path(), error->path, sizeof error->path);
  try {
    copy_text(status.message(), error->message, sizeof error->message);
  } catch (const std::bad_alloc&) {
    describe_without_memory(status, *error);
  }
}

bool succeeds(const Status& status, sluice_error* error) noexcept {
  if (!status.ok()) describe(status, error);
  return status.ok();
}

Status is_null(Operation operation, std::string_view what) noexcept {
  return Status::failure(operation, "(NULL)", EINVAL, std::nullopt, what);
}

}  // namespace sluice::c

const char* sluice_operation_name(int operation) {
  if (operation < SLUICE_OPEN || operation > SLUICE_SEEK) return "(unknown)";
  // to_string() gives literals, which end with a NUL.
  return sluice::to_string(static_cast<sluice::Operation>(operation)).data();
}
