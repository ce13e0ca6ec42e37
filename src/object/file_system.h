// Place: an object's place in a FileSystem of Arrow, and what Arrow can do there.
#pragma once

#include <arrow/filesystem/filesystem.h>
#include <arrow/status.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "object/object_uri.h"
#include "object/request_watch.h"
#include "sluice/status.h"

namespace sluice::object {

// How nothing is visible before close() is ok.
enum class Staging : std::uint8_t {
  upload,  // a stream under the object's own name shows nothing before its end and can be aborted
  beside,  // the bytes go into an object beside it, which is then moved
};

struct Place {
  std::shared_ptr<arrow::fs::FileSystem> file_system;
  std::string path;  // in the file system
  std::string name;  // in messages
  Staging staging = Staging::beside;
  std::uint64_t max_object_bytes = UINT64_MAX;
  std::shared_ptr<RequestWatch> watch;   // null: the store is not S3
  bool counts_what_it_asks_for = false;  // ReadAt() of the file system's files: see checked_read.h
  // For parts that are on their way when the upload is given up.
  std::chrono::milliseconds longest_wait{300'000};
  // The stream sends each smaller write by a request of its own.
  std::size_t least_write_bytes = 0;
  // Move() copies and then removes. It fails if the object is there and the removal has failed.
  bool is_moved_in_steps = false;
};

// The size of the parts that Arrow sends.
inline constexpr std::size_t part_bytes = std::size_t{10} << 20;

// Finds the file system for the URI. Asks the store nothing.
Status find_place(const ObjectUri& uri, Place& place);

// The failure of a call of Arrow, or ok.
Status status_of(const arrow::Status& result, Operation operation, std::string_view name,
                 std::optional<std::uint64_t> offset = std::nullopt);

// Keeps `owner` alive until the process ends. Needs no memory.
void keep_for_ever(std::shared_ptr<void> owner) noexcept;

// The number of this process. An object that was made under another number belongs to the parent.
std::int64_t process_number() noexcept;

}  // namespace sluice::object
