// What the libraries of MPI do for themselves: a program can hardly change it.
#pragma once

#include "trace/profile/profile.h"

namespace sluice::trace {

// True for calls of MPI's own libraries on sockets, pipes and the like, on files of the system, and
// while MPI starts or ends. The calls by which MPI reads and writes the files of the program are
// none of these.
bool is_of_mpi_itself(const Profile& profile, const Use& use);

}  // namespace sluice::trace
