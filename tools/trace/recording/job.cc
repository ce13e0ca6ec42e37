#include "trace/recording/job.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

namespace sluice::trace {
namespace {

// The variables in which an MPI, or SLURM, tells a process about its job. Each may be nullptr but
// the first two.
struct Variables {
  const char* rank;
  const char* ranks;
  const char* ranks_here;  // their number
  const char* list_here;   // the ranks here, with commas between them
  const char* name;
  const char* second_name;
};

// A launcher of MPI may use SLURM, whose ranks are then those of the launcher's helpers. So SLURM
// comes last. A batch script has SLURM_PROCID too, but no step.
constexpr Variables of_slurm{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", nullptr,
                             "SLURM_GTIDS",  "SLURM_JOB_ID",         "SLURM_STEP_ID"};
constexpr Variables known[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", nullptr,
     "PMIX_NAMESPACE", nullptr},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", nullptr, nullptr, nullptr},
    of_slurm,
};

const char* text_in(const char* variable) {
  return variable == nullptr ? nullptr : std::getenv(variable);
}

std::optional<unsigned> number_in(const char* variable) {
  const char* const text = text_in(variable);
  if (text == nullptr) return std::nullopt;
  const std::string_view all(text);
  unsigned number = 0;
  const auto [read_to, error] = std::from_chars(all.data(), all.data() + all.size(), number);
  if (error != std::errc() || read_to != all.data() + all.size()) return std::nullopt;
  return number;
}

// The name and the parent of a process; see proc(5).
struct Named {
  std::string name;
  pid_t parent = 0;
};

Named process_of(pid_t number) {
  std::ifstream file(fmt::format("/proc/{}/stat", number));
  std::string line;
  std::getline(file, line);
  const std::size_t begin = line.find('(');
  const std::size_t end = line.rfind(')');
  if (begin == std::string::npos || end == std::string::npos) return {};
  std::istringstream words(line.substr(end + 1));
  Named process{line.substr(begin + 1, end - begin - 1)};
  std::string state;
  words >> state >> process.parent;
  return process;
}

// On one machine the ranks of a job have one ancestor: MPICH's daemon. If there is none of this
// name, the parent is taken for it.
pid_t ancestor_of_ranks() {
  for (pid_t process = ::getppid(); process > 1;) {
    const Named named = process_of(process);
    if (named.name == "hydra_pmi_proxy") return process;
    process = named.parent;
  }
  return ::getppid();
}

// The name becomes part of a folder's name.
std::string name_of_job(const Variables& variables) {
  const char* const text = text_in(variables.name);
  const char* const second = text_in(variables.second_name);
  std::string name = text == nullptr ? fmt::format("of-{}", ancestor_of_ranks()) : text;
  if (second != nullptr) name += fmt::format("-{}", second);
  for (char& letter : name) {
    const bool is_plain = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                          (letter >= 'A' && letter <= 'Z') || letter == '-';
    if (!is_plain) letter = '_';
  }
  return name;
}

std::optional<unsigned> ranks_here(const Variables& variables) {
  const char* const list = text_in(variables.list_here);
  if (list == nullptr || *list == '\0') return number_in(variables.ranks_here);
  return static_cast<unsigned>(1 + std::ranges::count(std::string_view(list), ','));
}

// The ranks of MPI are those of the step of SLURM: SLURM itself gives them, without their number on
// this machine.
bool are_those_of_step(unsigned rank, unsigned ranks) {
  return number_in(of_slurm.rank) == rank && number_in(of_slurm.ranks) == ranks;
}

}  // namespace

std::optional<Job> job_of_environment() {
  for (const Variables& variables : known) {
    const std::optional<unsigned> rank = number_in(variables.rank);
    const std::optional<unsigned> ranks = number_in(variables.ranks);
    if (!rank || !ranks || *rank >= *ranks) continue;
    if (*ranks == 1) return std::nullopt;
    const std::optional<unsigned> here = ranks_here(variables);
    const bool is_step = variables.rank == std::string_view(of_slurm.rank) ||
                         (!here && are_those_of_step(*rank, *ranks));
    if (is_step) {
      // An interactive shell of srun is alone: the other ranks have ended.
      if (text_in("SLURM_PTY_PORT") != nullptr) return std::nullopt;
      return Job{name_of_job(of_slurm), *rank, *ranks, ranks_here(of_slurm).value_or(*ranks)};
    }
    return Job{name_of_job(variables), *rank, *ranks, here.value_or(*ranks)};
  }
  return std::nullopt;
}

}  // namespace sluice::trace
