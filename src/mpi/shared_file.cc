#include "mpi/shared_file.h"

#include <unistd.h>
#if __has_include(<sys/vfs.h>)
#include <sys/vfs.h>
#endif

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

#include "mpi/failure.h"

namespace sluice {
namespace {

// MPI's counts are of type int.
constexpr std::size_t max_call_bytes = std::size_t{1} << 30;

// The number of bytes that a call has moved, or -1 if MPI cannot tell or tells nonsense.
int bytes_moved(MPI_Status& status, int asked) {
  int count = MPI_UNDEFINED;
  if (MPI_Get_count(&status, MPI_BYTE, &count) != MPI_SUCCESS) return -1;
  return count < 0 || count > asked ? -1 : count;
}

// These file systems send the last bytes when the file is closed. A full disk of the server is a
// failure of close(2), and Open MPI gives this failure to nobody. So the bytes are sent before, by
// a call whose failure is told.
bool sends_at_close(const std::string& path) {
#if __has_include(<sys/vfs.h>)
  constexpr unsigned kinds[] = {0x6969,       // NFS
                                0x5346414F,   // AFS
                                0xFF534D42,   // CIFS
                                0xFE534D42,   // SMB 2
                                0x517B,       // SMB
                                0x65735546};  // FUSE
  struct statfs system {};
  if (::statfs(path.c_str(), &system) != 0) return false;
  return std::find(std::begin(kinds), std::end(kinds), static_cast<unsigned>(system.f_type)) !=
         std::end(kinds);
#else
  static_cast<void>(path);
  return false;
#endif
}

}  // namespace

SharedFile::SharedFile(std::string path) : path_(std::move(path)), process_(::getpid()) {}

bool SharedFile::is_of_parent() const noexcept { return process_ != ::getpid(); }

Status SharedFile::open(int mode, MPI_Info hints) {
  const int code = MPI_File_open(MPI_COMM_SELF, path_.c_str(), mode, hints, &file_);
  if (code != MPI_SUCCESS) {
    file_ = MPI_FILE_NULL;
    return mpi_failure(Operation::open, path_, code);
  }
  MPI_File_set_errhandler(file_, MPI_ERRORS_RETURN);
  is_sent_at_close_ = (mode & MPI_MODE_RDONLY) == 0 && sends_at_close(path_);
  return {};
}

Status SharedFile::size(std::uint64_t& bytes) {
  MPI_Offset size = 0;
  const int code = MPI_File_get_size(file_, &size);
  bytes = static_cast<std::uint64_t>(size);
  return code == MPI_SUCCESS ? Status() : mpi_failure(Operation::stat, path_, code);
}

Status SharedFile::set_size(std::uint64_t bytes) {
  const int code = MPI_File_set_size(file_, static_cast<MPI_Offset>(bytes));
  return code == MPI_SUCCESS ? Status() : mpi_failure(Operation::open, path_, code);
}

// Calls of a file after MPI_Finalize end the process. A destructor that comes so late must not.
Status SharedFile::sync() {
  if (Status status = check_that_mpi_runs(Operation::sync, path_); !status.ok()) return status;
  const int code = MPI_File_sync(file_);
  return code == MPI_SUCCESS ? Status() : mpi_failure(Operation::sync, path_, code);
}

Status SharedFile::close() {
  if (file_ == MPI_FILE_NULL || is_of_parent()) return {};
  MPI_File file = file_;
  file_ = MPI_FILE_NULL;
  if (Status status = check_that_mpi_runs(Operation::close, path_); !status.ok()) return status;
  const int synced = is_sent_at_close_ ? MPI_File_sync(file) : MPI_SUCCESS;
  const int closed = MPI_File_close(&file);
  if (synced != MPI_SUCCESS) return mpi_failure(Operation::sync, path_, synced);
  return closed == MPI_SUCCESS ? Status() : mpi_failure(Operation::close, path_, closed);
}

// OMPIO reports success for bytes that found no room: only the count shows it. A short write is
// continued, so that the next call gives the reason, or writes nothing.
Status SharedFile::write(std::uint64_t position, BytesView bytes, std::size_t& written) {
  written = 0;
  if (Status status = check_that_mpi_runs(Operation::write, path_); !status.ok()) return status;
  while (written < bytes.size()) {
    const int asked = static_cast<int>(std::min(bytes.size() - written, max_call_bytes));
    MPI_Status status;
    const std::uint64_t at = position + written;
    const int code = MPI_File_write_at(file_, static_cast<MPI_Offset>(at), bytes.data() + written,
                                       asked, MPI_BYTE, &status);
    if (code != MPI_SUCCESS) {
      return mpi_failure(Operation::write, path_, code, at);
    }
    const int moved = bytes_moved(status, asked);
    if (moved <= 0) {
      return Status::failure(Operation::write, path_, EIO, position + written,
                             "MPI reported success, but wrote nothing; the disk may be full");
    }
    written += static_cast<std::size_t>(moved);
  }
  return {};
}

Status SharedFile::read(std::uint64_t position, MutableBytesView into, std::size_t& got) {
  got = 0;
  if (Status status = check_that_mpi_runs(Operation::read, path_); !status.ok()) return status;
  const int asked = static_cast<int>(std::min(into.size(), max_call_bytes));
  MPI_Status status;
  const int code = MPI_File_read_at(file_, static_cast<MPI_Offset>(position), into.data(), asked,
                                    MPI_BYTE, &status);
  if (code != MPI_SUCCESS) return mpi_failure(Operation::read, path_, code, position);
  const int moved = bytes_moved(status, asked);
  if (moved < 0) {
    return Status::failure(Operation::read, path_, EIO, position,
                           "MPI did not tell how many bytes it has read");
  }
  got = static_cast<std::size_t>(moved);
  return {};
}

}  // namespace sluice
