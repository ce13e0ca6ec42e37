#include "object/file_system.h"

#include <arrow/io/interfaces.h>
#include <arrow/util/config.h>
#ifdef ARROW_AZURE
#include <arrow/filesystem/azurefs.h>
#endif
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

#include "object/part_pool.h"
#include "object/reason.h"

namespace sluice::object {
namespace {

constexpr std::uint64_t max_parts_of_s3 = 10'000;
constexpr double request_timeout_s = 30;
constexpr int retry_limit_s = 10;
constexpr std::uint64_t max_blocks_of_azure = 50'000;
constexpr std::uint64_t max_bytes_of_gcs = std::uint64_t{5} << 40;
constexpr std::size_t least_write_bytes_of_gcs = std::size_t{8} << 20;

// Without a limit the library of gs:// goes on for minutes where no store answers.
std::string with_retry_limit(const ObjectUri& uri) {
  const bool is_gcs = uri.scheme == "gs" || uri.scheme == "gcs";
  if (!is_gcs || uri.text.find("retry_limit_seconds=") != std::string::npos) return uri.text;
  const std::string end = uri.text.substr(std::min(uri.text.find('#'), uri.text.size()));
  const std::string begin = uri.text.substr(0, uri.text.size() - end.size());
  const char* const separator = begin.find('?') == std::string::npos ? "?" : "&";
  return begin + separator + "retry_limit_seconds=" + std::to_string(retry_limit_s) + end;
}

// Arrow may repeat a URI with all its options.
arrow::Status without_options(const arrow::Status& result, const ObjectUri& uri) {
  const std::string given = with_retry_limit(uri);
  const std::string_view options =
      std::string_view(given).substr(std::min(given.find_first_of("?#"), given.size()));
  const std::string& text = result.message();
  const std::size_t at = options.size() < 2 ? std::string::npos : text.find(options);
  if (at == std::string::npos) return result;
  return result.WithMessage(text.substr(0, at), text.substr(at + options.size()));
}

// Without EnsureFinalized() the library of S3 complains at exit. A forked child has none of the
// threads that this call would wait for. What is registered last runs first at exit, and the
// variables that Arrow makes with the first client of S3 are registered like this function. A call
// after their end would free memory twice. So only the first of several registered calls counts.
void register_for_exit() {
  static const std::int64_t process = process_number();
  static std::atomic<bool> is_done = false;
  const auto finalize = [] {
    if (process == process_number() && !is_done.exchange(true)) arrow::fs::EnsureFinalized();
  };
  static_cast<void>(std::atexit(finalize));
}

// Arrow may have begun although the file system was not made.
void finalize_at_exit(bool has_client_of_s3) {
  static std::atomic<bool> is_registered = false;
  static std::atomic<bool> is_registered_after_s3 = false;
  if (!is_registered.exchange(true)) register_for_exit();
  if (has_client_of_s3 && !is_registered_after_s3.exchange(true)) register_for_exit();
}

void set_limits(std::string_view scheme, Place& place) {
  if (scheme == "s3") {
    place.staging = Staging::upload;
    place.max_object_bytes = max_parts_of_s3 * part_bytes;
    place.counts_what_it_asks_for = true;
  } else if (scheme == "abfs" || scheme == "abfss") {
    place.max_object_bytes = max_blocks_of_azure * part_bytes;
  } else if (scheme == "gs" || scheme == "gcs") {
    place.max_object_bytes = max_bytes_of_gcs;
    place.least_write_bytes = least_write_bytes_of_gcs;
    place.is_moved_in_steps = true;
  }
}

arrow::io::IOContext io_context() { return arrow::io::IOContext(&part_pool()); }

// The library of S3 gives a request up that gets no byte for 3 seconds. Some stores need longer for
// the last request of a large upload, because they then copy its parts.
arrow::Result<std::shared_ptr<arrow::fs::FileSystem>> s3_file_system(const ObjectUri& uri,
                                                                     Place& place) {
  ARROW_RETURN_NOT_OK(arrow::fs::EnsureS3Initialized());
  ARROW_ASSIGN_OR_RAISE(arrow::fs::S3Options options,
                        arrow::fs::S3Options::FromUri(uri.text, &place.path));
  place.watch = std::make_shared<RequestWatch>();
  options.retry_strategy = place.watch;
  options.request_timeout = request_timeout_s;
  return arrow::fs::S3FileSystem::Make(options, io_context());
}

// The programs of Azure take the key of an account from AZURE_STORAGE_KEY. Arrow takes it from the
// URI alone, where others could read it.
arrow::Result<std::shared_ptr<arrow::fs::FileSystem>> azure_file_system(const ObjectUri& uri,
                                                                        Place& place) {
#ifdef ARROW_AZURE
  const char* const key = std::getenv("AZURE_STORAGE_KEY");
  const bool is_chosen = uri.text.find("credential_kind=") != std::string::npos ||
                         uri.text.find("client_id=") != std::string::npos;
  if (key != nullptr && *key != '\0' && !is_chosen) {
    ARROW_ASSIGN_OR_RAISE(arrow::fs::AzureOptions options,
                          arrow::fs::AzureOptions::FromUri(uri.text, &place.path));
    ARROW_RETURN_NOT_OK(options.ConfigureAccountKeyCredential(key));
    return arrow::fs::AzureFileSystem::Make(options, io_context());
  }
#endif
  return arrow::fs::FileSystemFromUri(uri.text, io_context(), &place.path);
}

arrow::Result<std::shared_ptr<arrow::fs::FileSystem>> file_system_of(const ObjectUri& uri,
                                                                     Place& place) {
  if (uri.scheme == "s3") return s3_file_system(uri, place);
  if (uri.scheme == "abfs" || uri.scheme == "abfss") return azure_file_system(uri, place);
  return arrow::fs::FileSystemFromUri(with_retry_limit(uri), io_context(), &place.path);
}

struct Kept {
  std::shared_ptr<void> owner;
  Kept* next;
};
std::atomic<Kept*> first_kept = nullptr;

}  // namespace

Status find_place(const ObjectUri& uri, Place& place) {
  place.name = uri.shown;
  arrow::Result<std::shared_ptr<arrow::fs::FileSystem>> found = file_system_of(uri, place);
  finalize_at_exit(found.ok() && uri.scheme == "s3");
  if (!found.ok()) {
    return status_of(without_options(found.status(), uri), Operation::open, place.name);
  }
  place.file_system = *std::move(found);
  set_limits(uri.scheme, place);
  return {};
}

Status status_of(const arrow::Status& result, Operation operation, std::string_view name,
                 std::optional<std::uint64_t> offset) {
  if (result.ok()) return {};
  return Status::failure(operation, name, code_of(result), offset, reason_of(result));
}

// Without memory the owner stays alive too: its copy here is never destroyed.
void keep_for_ever(std::shared_ptr<void> owner) noexcept {
  Kept* const kept = new (std::nothrow) Kept{nullptr, first_kept.load()};
  if (kept == nullptr) {
    alignas(std::shared_ptr<void>) std::byte undestroyed[sizeof owner];
    new (undestroyed) std::shared_ptr<void>(std::move(owner));
    return;
  }
  kept->owner = std::move(owner);
  while (!first_kept.compare_exchange_weak(kept->next, kept)) {
  }
}

std::int64_t process_number() noexcept { return ::getpid(); }

}  // namespace sluice::object
