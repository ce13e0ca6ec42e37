#include "backend/options.h"

#include <cerrno>
#include <initializer_list>
#include <string>

#include "os/memory.h"

namespace sluice {
namespace {

constexpr std::uint64_t max_blocks_in_flight = 64;
constexpr std::uint64_t max_write_back_bytes = std::uint64_t{1} << 40;
constexpr std::uint64_t max_line_bytes = std::uint64_t{1} << 62;

// Returns the first failure of the checks, or ok.
Status first_failure(std::initializer_list<Status> checks) {
  for (const Status& check : checks) {
    if (!check.ok()) return check;
  }
  return {};
}

Status check_direct(std::string_view path, Direct direct, std::size_t block_bytes) {
  Status status = check_choice(path, "direct", direct, Direct::if_possible);
  if (!status.ok() || direct == Direct::off || block_bytes % os::page_bytes == 0) return status;
  const std::string reason = "option block_bytes is " + std::to_string(block_bytes) +
                             ", must be a multiple of 4096 with option direct";
  return Status::failure(Operation::open, path, EINVAL, std::nullopt, reason);
}

}  // namespace

Status check_range(std::string_view path, std::string_view option, std::uint64_t value,
                   std::uint64_t min, std::uint64_t max) {
  if (value >= min && value <= max) return {};
  const std::string reason = "option " + std::string(option) + " is " + std::to_string(value) +
                             ", must be " + std::to_string(min) + " to " + std::to_string(max);
  return Status::failure(Operation::open, path, EINVAL, std::nullopt, reason);
}

Status check_options(const WriterOptions& options, std::string_view path) {
  return first_failure(
      {check_range(path, "block_bytes", options.block_bytes, 1, max_block_bytes),
       check_range(path, "blocks_in_flight", options.blocks_in_flight, 1, max_blocks_in_flight),
       check_choice(path, "create", options.create, CreateMode::existing),
       check_choice(path, "durability", options.durability, Durability::every_write),
       check_choice(path, "write_behind", options.write_behind, WriteBehind::on),
       check_range(path, "write_back_bytes", options.write_back_bytes, 0, max_write_back_bytes),
       check_range(path, "permissions", options.permissions, 0, max_permissions),
       check_choice(path, "cache", options.cache, Cache::drop),
       check_direct(path, options.direct, options.block_bytes)});
}

Status check_options(const ReaderOptions& options, std::string_view path) {
  return first_failure(
      {check_range(path, "block_bytes", options.block_bytes, 1, max_block_bytes),
       check_choice(path, "read_ahead", options.read_ahead, ReadAhead::off),
       check_range(path, "max_line_bytes", options.max_line_bytes, 1, max_line_bytes),
       check_choice(path, "cache", options.cache, Cache::drop),
       check_direct(path, options.direct, options.block_bytes)});
}

Status refuse_direct(std::string_view path, Direct direct, std::string_view reason) {
  if (direct != Direct::on) return {};
  return Status::failure(Operation::open, path, EINVAL, std::nullopt,
                         "option direct is on: " + std::string(reason));
}

}  // namespace sluice
