#include "mpi/failure.h"

#include <mpi.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace sluice {
namespace {

struct KnownClass {
  int mpi_class;
  int code;
};

// 0 if the class says no more than that the call has failed.
int code_of_class(int mpi_class) {
  const KnownClass known[] = {{MPI_ERR_NO_SPACE, ENOSPC}, {MPI_ERR_QUOTA, EDQUOT},
                              {MPI_ERR_ACCESS, EACCES},   {MPI_ERR_NO_SUCH_FILE, ENOENT},
                              {MPI_ERR_READ_ONLY, EROFS}, {MPI_ERR_FILE_EXISTS, EEXIST},
                              {MPI_ERR_NO_MEM, ENOMEM}};
  for (const KnownClass& each : known) {
    if (each.mpi_class == mpi_class) return each.code;
  }
  return 0;
}

// MPICH says the reason only in its text. 0 if the text has none of these reasons.
int code_in_text(const std::string& text) {
  for (const int code : {ENOSPC, EDQUOT, EFBIG, EROFS, EACCES, ENOENT, EISDIR, ENOTDIR}) {
    if (text.find(std::generic_category().message(code)) != std::string::npos) return code;
  }
  return 0;
}

// MPI has one class for all paths that cannot name a file, or no class. 0 if the path may name one.
int code_of_path(const std::string& path) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) return EISDIR;
  const bool is_bad = failed == std::errc::filename_too_long ||
                      failed == std::errc::not_a_directory ||
                      failed == std::errc::too_many_symbolic_link_levels;
  return is_bad ? failed.value() : 0;
}

// The text of MPI's failures, in one line.
std::string text_of(int mpi_code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(mpi_code, text, &length);
  std::string line(text, static_cast<std::size_t>(length));
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

// 0 if the path is no URI of an object.
std::size_t end_of_scheme(std::string_view path) noexcept {
  for (const std::string_view scheme :
       {"s3://", "gs://", "gcs://", "abfs://", "abfss://", "hdfs://"}) {
    if (path.starts_with(scheme)) return scheme.size();
  }
  return 0;
}

}  // namespace

Status mpi_failure(Operation operation, const std::string& path, int code,
                   std::optional<std::uint64_t> offset) noexcept {
  int mpi_class = MPI_ERR_UNKNOWN;
  MPI_Error_class(code, &mpi_class);
  int known = code_of_class(mpi_class);
  const auto reason = [&] {
    std::string text = text_of(code);
    if (known == 0) known = code_in_text(text);
    if (known == 0 && operation == Operation::open) known = code_of_path(path);
    // Open MPI's ROMIO gives no reason for a full disk.
    if (operation == Operation::write && known != EINTR) text += "; the disk may be full";
    return text;
  };
  Status status = failure_because(operation, path, EIO, offset, reason);
  return known == 0 ? status : Status::failure(operation, path, known, offset);
}

std::string shown_path(const std::string& path) {
  const std::size_t end = end_of_scheme(path);
  return end == 0 ? path : path.substr(0, end) + "...";
}

Status check_kind_of_file(const std::string& path) noexcept {
  if (path.find('\0') != std::string::npos) {
    return Status::failure(Operation::open, path, EINVAL, std::nullopt,
                           "the name contains a NUL byte");
  }
  if (end_of_scheme(path) != 0) {
    return Status::failure(
        Operation::open, path, ENOENT, std::nullopt,
        "this is a URI, and not a file: MPI writes no objects, but each rank can "
        "write one of its own by open_object (sluice/object.h)");
  }
  try {
    std::error_code unknown;
    const std::filesystem::file_type kind = std::filesystem::status(path, unknown).type();
    if (kind == std::filesystem::file_type::directory) {
      return Status::failure(Operation::open, path, EISDIR);
    }
    if (kind != std::filesystem::file_type::fifo) return {};
  } catch (const std::bad_alloc&) {
    return Status::failure(Operation::allocate, path, ENOMEM);
  }
  return Status::failure(Operation::open, path, ESPIPE, std::nullopt,
                         "it is a FIFO, in which bytes have no positions");
}

std::string reason_of(const Status& failure) {
  const std::string message = failure.message();
  std::string before(failure.path());
  if (failure.offset()) before += " at byte " + std::to_string(*failure.offset());
  before += ": ";
  const std::size_t at = message.find(before);
  return at == std::string::npos ? message : message.substr(at + before.size());
}

Status check_that_mpi_runs(Operation operation, const std::string& path) noexcept {
  int is_initialised = 0;
  int is_finalised = 0;
  MPI_Initialized(&is_initialised);
  MPI_Finalized(&is_finalised);
  if (is_initialised != 0 && is_finalised == 0) return {};
  return Status::failure(operation, path, EINVAL, std::nullopt,
                         is_finalised != 0 ? "MPI is finalised" : "MPI is not initialised");
}

}  // namespace sluice
