#include "c/options.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "c/error.h"

namespace sluice::c {
namespace {

static_assert(static_cast<int>(CreateMode::truncate) == SLUICE_TRUNCATE);
static_assert(static_cast<int>(CreateMode::append) == SLUICE_APPEND);
static_assert(static_cast<int>(CreateMode::exclusive) == SLUICE_EXCLUSIVE);
static_assert(static_cast<int>(CreateMode::replace_atomically) == SLUICE_REPLACE_ATOMICALLY);
static_assert(static_cast<int>(CreateMode::existing) == SLUICE_EXISTING);
static_assert(static_cast<int>(Durability::none) == SLUICE_NOT_DURABLE);
static_assert(static_cast<int>(Durability::on_close) == SLUICE_DURABLE_ON_CLOSE);
static_assert(static_cast<int>(Durability::every_flush) == SLUICE_DURABLE_EVERY_FLUSH);
static_assert(static_cast<int>(Durability::every_write) == SLUICE_DURABLE_EVERY_WRITE);
static_assert(static_cast<int>(WriteBehind::automatic) == SLUICE_WRITE_BEHIND_AUTOMATIC);
static_assert(static_cast<int>(WriteBehind::off) == SLUICE_WRITE_BEHIND_OFF);
static_assert(static_cast<int>(WriteBehind::on) == SLUICE_WRITE_BEHIND_ON);
static_assert(static_cast<int>(ReadAhead::automatic) == SLUICE_READ_AHEAD_AUTOMATIC);
static_assert(static_cast<int>(ReadAhead::off) == SLUICE_READ_AHEAD_OFF);
static_assert(static_cast<int>(Cache::keep) == SLUICE_CACHE_KEEP);
static_assert(static_cast<int>(Cache::drop) == SLUICE_CACHE_DROP);
static_assert(static_cast<int>(Direct::off) == SLUICE_DIRECT_OFF);
static_assert(static_cast<int>(Direct::on) == SLUICE_DIRECT_ON);
static_assert(static_cast<int>(Direct::if_possible) == SLUICE_DIRECT_IF_POSSIBLE);
static_assert(static_cast<int>(Framing::raw) == SLUICE_RAW);
static_assert(static_cast<int>(Framing::length_crc32c) == SLUICE_LENGTH_CRC32C);

Status refuse(std::string_view path, int code, std::string_view reason) noexcept {
  return Status::failure(Operation::open, path, code, std::nullopt, reason);
}

// Copies the caller's struct over the defaults in `whole`. A program that was compiled with the
// first release has a shorter struct, of `first_bytes` bytes: its other members have the defaults.
template <typename Options>
Status take_struct(std::string_view path, const Options& given, std::size_t first_bytes,
                   std::string_view initialiser, Options& whole) noexcept {
  const std::size_t bytes = given.bytes;
  if (bytes != first_bytes) {
    if (Status status = check_struct(path, bytes, sizeof whole, initialiser); !status.ok()) {
      return status;
    }
  }
  std::memcpy(&whole, &given, bytes);
  return {};
}

// Takes the choices of a struct over, and keeps the first failure.
class Choices {
 public:
  Choices(std::string_view path, Status status) : path_(path), status_(std::move(status)) {}

  template <typename Choice>
  void take(std::string_view option, int given, Choice last, Choice& into) noexcept {
    if (status_.ok()) status_ = check_choice(path_, option, given, static_cast<int>(last));
    if (status_.ok()) into = static_cast<Choice>(given);
  }
  const Status& status() const noexcept { return status_; }

 private:
  const std::string_view path_;
  Status status_;
};

}  // namespace

Status check_choice(std::string_view path, std::string_view option, int choice, int last,
                    Operation operation) noexcept {
  if (choice >= 0 && choice <= last) return {};
  return guarded(path, [&] {
    return Status::failure(operation, path, EINVAL, std::nullopt,
                           "option " + std::string(option) + " is " + std::to_string(choice) +
                               ", must be 0 to " + std::to_string(last));
  });
}

Status check_struct(std::string_view path, std::size_t given_bytes, std::size_t bytes,
                    std::string_view initialiser) noexcept {
  if (given_bytes == bytes) return {};
  return guarded(path, [&] {
    return refuse(path, EINVAL,
                  "the size in the struct is " + std::to_string(given_bytes) +
                      " bytes, and this library knows " + std::to_string(bytes) + ": begin with " +
                      std::string(initialiser) +
                      ", and use a library that is at least as new as the header");
  });
}

Status check_window(std::string_view path, unsigned window) noexcept {
  if (window == SLUICE_C_WINDOW) return {};
  return guarded(path, [&] {
    return refuse(path, ENOTSUP,
                  "the program was compiled with a sluice/c.h of window " + std::to_string(window) +
                      ", and this library has window " + std::to_string(SLUICE_C_WINDOW) +
                      ": compile the program with the header of this library");
  });
}

Status take_options(std::string_view path, const sluice_writer_options* given,
                    WriterOptions& options) noexcept {
  if (given == nullptr) return {};
  sluice_writer_options whole = SLUICE_WRITER_OPTIONS_INIT;
  Choices choices(path, take_struct(path, *given, offsetof(sluice_writer_options, cache),
                                    "SLUICE_WRITER_OPTIONS_INIT", whole));
  choices.take("create", whole.create, CreateMode::existing, options.create);
  choices.take("durability", whole.durability, Durability::every_write, options.durability);
  choices.take("write_behind", whole.write_behind, WriteBehind::on, options.write_behind);
  choices.take("cache", whole.cache, Cache::drop, options.cache);
  choices.take("direct", whole.direct, Direct::if_possible, options.direct);
  options.permissions = whole.permissions;
  options.block_bytes = whole.block_bytes;
  options.blocks_in_flight = whole.blocks_in_flight;
  options.write_back_bytes = whole.write_back_bytes;
  return choices.status();
}

Status take_options(std::string_view path, const sluice_reader_options* given,
                    ReaderOptions& options) noexcept {
  if (given == nullptr) return {};
  sluice_reader_options whole = SLUICE_READER_OPTIONS_INIT;
  Choices choices(path, take_struct(path, *given, offsetof(sluice_reader_options, cache),
                                    "SLUICE_READER_OPTIONS_INIT", whole));
  choices.take("read_ahead", whole.read_ahead, ReadAhead::off, options.read_ahead);
  choices.take("cache", whole.cache, Cache::drop, options.cache);
  choices.take("direct", whole.direct, Direct::if_possible, options.direct);
  options.block_bytes = whole.block_bytes;
  options.max_line_bytes = whole.max_line_bytes;
  return choices.status();
}

Status take_options(std::string_view path, const sluice_journal_options* given,
                    JournalOptions& options) noexcept {
  if (given == nullptr) return {};
  Choices choices(path,
                  check_struct(path, given->bytes, sizeof *given, "SLUICE_JOURNAL_OPTIONS_INIT"));
  if (!choices.status().ok()) return choices.status();  // the struct may end before its members
  choices.take("framing", given->framing, Framing::length_crc32c, options.framing);
  options.permissions = given->permissions;
  options.buffer_bytes = given->buffer_bytes;
  return choices.status();
}

Status take_options(std::string_view path, const sluice_copy_options* given,
                    CopyOptions& options) noexcept {
  if (given == nullptr) return {};
  Choices choices(path,
                  check_struct(path, given->bytes, sizeof *given, "SLUICE_COPY_OPTIONS_INIT"));
  if (!choices.status().ok()) return choices.status();  // the struct may end before its members
  choices.take("create", given->create, CreateMode::existing, options.create);
  choices.take("durability", given->durability, Durability::every_write, options.durability);
  if (given->permissions == -1) return choices.status();
  unsigned permissions = 0;
  choices.take("permissions", given->permissions, 07777U, permissions);
  options.permissions = permissions;
  return choices.status();
}

}  // namespace sluice::c
