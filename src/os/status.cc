#include "sluice/status.h"

#include <array>

namespace sluice {

struct Status::Failure {
  Operation operation;
  int code;
  std::optional<std::uint64_t> offset;
  std::string path;
  std::string reason;
};

std::string_view to_string(Operation operation) noexcept {
  constexpr std::array<std::string_view, 13> words = {
      "open",     "read",  "write",  "sync",    "close",          "stat",   "map",
      "allocate", "flush", "remove", "replace", "sync directory", "discard"};
  return words[static_cast<std::size_t>(operation)];
}

Status Status::failure(Operation operation, std::string_view path, int code,
                       std::optional<std::uint64_t> offset, std::string_view reason) {
  Status status;
  status.failure_ = std::make_shared<const Failure>(
      Failure{operation, code, offset, std::string(path), std::string(reason)});
  return status;
}

Status Status::at(std::uint64_t offset) const {
  if (ok()) return {};
  return failure(operation(), path(), code().value(), offset, failure_->reason);
}

Operation Status::operation() const noexcept {
  return ok() ? Operation::open : failure_->operation;
}

std::string_view Status::path() const noexcept {
  return ok() ? std::string_view() : std::string_view(failure_->path);
}

std::optional<std::uint64_t> Status::offset() const noexcept {
  return ok() ? std::nullopt : failure_->offset;
}

std::error_code Status::code() const noexcept {
  return {ok() ? 0 : failure_->code, std::generic_category()};
}

std::string Status::message() const {
  if (ok()) return "ok";
  return failure_->reason.empty() ? without_code() + ": " + code().message() : without_code();
}

std::string Status::without_code() const {
  std::string text(to_string(failure_->operation));
  text += ' ';
  text += failure_->path;
  if (failure_->offset) text += " at byte " + std::to_string(*failure_->offset);
  if (!failure_->reason.empty()) text += ": " + failure_->reason;
  return text;
}

}  // namespace sluice
