// What a WriterBuffer and a ReaderBuffer answer to calls that cannot be done.
#pragma once

#include <cerrno>
#include <cstdint>
#include <optional>
#include <streambuf>
#include <string_view>

#include "sluice/status.h"

namespace sluice {

inline constexpr std::string_view stream_name = "the stream";

inline const std::streambuf::pos_type no_position{std::streambuf::off_type{-1}};

// Keeps the failure of a seek in `latest`.
inline std::streambuf::pos_type refuse_seek(Status& latest, int code, std::string_view reason) {
  latest = Status::failure(Operation::seek, stream_name, code, std::nullopt, reason);
  return no_position;
}

inline bool is_before_beginning(std::uint64_t from, std::streamoff offset) {
  return offset < 0 && static_cast<std::uint64_t>(-(offset + 1)) >= from;
}
inline constexpr std::string_view before_beginning = "the position is before the beginning";

// A buffer that borrows an open Writer or Reader cannot open another one.
inline Status refuse_open(std::string_view name, std::string_view reason) {
  return Status::failure(Operation::open, name, EBUSY, std::nullopt, reason);
}

}  // namespace sluice
