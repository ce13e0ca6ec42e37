#include "sluice/status.h"

#include <array>
#include <new>

#include "os/guarded.h"

namespace sluice {

struct Status::Text {
  std::string path;
  std::string reason;
};

std::string_view to_string(Operation operation) noexcept {
  constexpr std::array<std::string_view, 14> words = {
      "open",     "read",  "write",  "sync",    "close",          "stat",    "map",
      "allocate", "flush", "remove", "replace", "sync directory", "discard", "seek"};
  return words[static_cast<std::size_t>(operation)];
}

Status Status::failure(Operation operation, std::string_view path, int code,
                       std::optional<std::uint64_t> offset, std::string_view reason) noexcept {
  Status status;
  status.operation_ = operation;
  status.failed_ = true;
  status.has_offset_ = offset.has_value();
  status.code_ = code;
  status.offset_ = offset.value_or(0);
  try {
    status.text_ = std::make_shared<const Text>(Text{std::string(path), std::string(reason)});
  } catch (const std::bad_alloc&) {  // the failure then has no path and no reason
  }
  return status;
}

Status Status::at(std::uint64_t offset) const noexcept {
  Status status = *this;
  status.has_offset_ = failed_;
  status.offset_ = failed_ ? offset : 0;
  return status;
}

Status Status::also(const Status& second) const noexcept {
  if (ok() || second.ok()) return ok() ? second : *this;
  if (is_same_as(second) || tells_of(second)) return *this;
  const auto put_together = [&] {
    const std::string first = has_reason() ? text_->reason : code().message();
    return failure(operation(), path(), code_, offset(), first + "; " + second.message());
  };
  return os::guarded(put_together, [this] { return *this; });
}

bool Status::is_same_as(const Status& other) const noexcept {
  const auto reason = [](const Status& status) {
    return status.text_ ? std::string_view(status.text_->reason) : std::string_view();
  };
  return operation_ == other.operation_ && code_ == other.code_ && offset() == other.offset() &&
         path() == other.path() && reason(*this) == reason(other);
}

// True if also() has added the message of `other` to the message of this Status.
bool Status::tells_of(const Status& other) const noexcept {
  return has_reason() &&
         os::guarded([&] { return text_->reason.ends_with("; " + other.message()); },
                     [] { return false; });
}

Operation Status::operation() const noexcept { return operation_; }

std::string_view Status::path() const noexcept {
  return text_ ? std::string_view(text_->path) : std::string_view();
}

std::optional<std::uint64_t> Status::offset() const noexcept {
  return has_offset_ ? std::optional(offset_) : std::nullopt;
}

std::error_code Status::code() const noexcept { return {code_, std::generic_category()}; }

bool Status::has_reason() const noexcept { return text_ && !text_->reason.empty(); }

std::string Status::message() const {
  if (ok()) return "ok";
  return has_reason() ? without_code() : without_code() + ": " + code().message();
}

std::string Status::without_code() const {
  std::string text(to_string(operation_));
  text += ' ';
  if (!text_) text += "(no memory for the path)";
  if (text_) text += text_->path.empty() ? "(an empty path)" : text_->path;
  if (has_offset_) text += " at byte " + std::to_string(offset_);
  if (has_reason()) text += ": " + text_->reason;
  return text;
}

}  // namespace sluice
