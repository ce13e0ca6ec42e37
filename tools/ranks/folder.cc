#include "ranks/folder.h"

#include <mpi.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <vector>

namespace sluice::ranks {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};

// What a signal handler removes. It is never destroyed, and does not change while the handler may
// run.
struct Names {
  std::vector<std::string> files;
  std::string folder;
};
Names* names = nullptr;

extern "C" void remove_and_end(int signal) {
  Folder::remove();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

Folder::Folder(const std::string& parent) {
  int rank = 0;
  int count = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
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
  names = new Names{{path_of_shared()}, path_};
  for (int each = 0; each < count; ++each) {
    names->files.push_back(path_of_shared() + "." + std::to_string(each));
    names->files.push_back(names->files.back() + ".other");
  }
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
  if (names == nullptr) return;
  for (const std::string& file : names->files) ::unlink(file.c_str());
  ::rmdir(names->folder.c_str());
}

}  // namespace sluice::ranks
