#include "ranks/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <string>

namespace sluice::ranks {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};

// The folder that a signal handler removes. The name is never destroyed, and does not change while
// the handler may run.
const std::string* folder_name = nullptr;

// Another rank may make a file between the removal of the files and the removal of the folder.
constexpr int attempts = 100;

// Removes every file in the open folder, whoever made it: an MPI makes files of its own there, and
// removes them in a moment that a signal may cut off. Makes system calls alone.
void remove_files(int folder) {
  alignas(dirent64) char entries[4096];
  for (;;) {
    const ssize_t size = ::getdents64(folder, entries, sizeof entries);
    if (size <= 0) return;
    for (ssize_t at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      ::unlinkat(folder, entry->d_name, 0);
      at += entry->d_reclen;
    }
  }
}

extern "C" void remove_and_end(int signal) {
  Folder::remove();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

Folder::Folder(const std::string& parent) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  path_ = parent + "/sluice-ranks-XXXXXX";
  int code = 0;
  if (rank == 0 && ::mkdtemp(path_.data()) == nullptr) code = errno;
  MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(path_.data(), static_cast<int>(path_.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  if (code != 0) {
    status_ = Status::failure(Operation::open, parent, code, std::nullopt,
                              "no folder can be made there; choose another --dir");
    return;
  }
  folder_name = new std::string(path_);
  for (const int each : signals) {
    if (std::signal(each, remove_and_end) == SIG_IGN) std::signal(each, SIG_IGN);  // by nohup
  }
}

Folder::~Folder() {
  if (!status_.ok()) return;
  MPI_Barrier(MPI_COMM_WORLD);
  remove();
}

std::string Folder::path_of_shared() const { return path_ + "/shared"; }

// A signal handler calls this, so it makes system calls alone.
void Folder::remove() {
  if (folder_name == nullptr) return;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const int folder = ::open(folder_name->c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    remove_files(folder);
    ::close(folder);
    if (::rmdir(folder_name->c_str()) == 0) return;
  }
}

}  // namespace sluice::ranks
