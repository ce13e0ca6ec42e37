#include "trace/job.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

namespace sluice::trace {
namespace {

// The variables in which an MPI tells a process about its job.
struct Variables {
  const char* rank;
  const char* ranks;
  const char* ranks_here;
  const char* name;  // nullptr if there is none
};

constexpr Variables known[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE",
     "PMIX_NAMESPACE"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", nullptr},
};

std::optional<unsigned> number_in(const char* variable) {
  const char* const text = std::getenv(variable);
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
std::string name_of_job(const char* variable) {
  const char* const text = variable == nullptr ? nullptr : std::getenv(variable);
  std::string name = text == nullptr ? fmt::format("of-{}", ancestor_of_ranks()) : text;
  for (char& letter : name) {
    const bool is_plain = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                          (letter >= 'A' && letter <= 'Z') || letter == '-';
    if (!is_plain) letter = '_';
  }
  return name;
}

}  // namespace

std::optional<Job> job_of_environment() {
  for (const Variables& variables : known) {
    const std::optional<unsigned> rank = number_in(variables.rank);
    const std::optional<unsigned> ranks = number_in(variables.ranks);
    if (!rank || !ranks || *rank >= *ranks) continue;
    if (*ranks == 1) return std::nullopt;
    const unsigned here = number_in(variables.ranks_here).value_or(*ranks);
    return Job{name_of_job(variables.name), *rank, *ranks, here};
  }
  return std::nullopt;
}

}  // namespace sluice::trace
