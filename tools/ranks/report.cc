#include "ranks/report.h"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "bench/machine.h"
#include "bench/statistics.h"
#include "command_line/output.h"
#include "command_line/quantity.h"
#include "sluice/files.h"

namespace sluice::ranks {
namespace {

constexpr std::string_view again = ", again";  // ends the name of a way that runs twice

// The first line of what the MPI says of itself.
std::string mpi_library() {
  char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(library, &length);
  const std::string name(library);  // Open MPI counts the 0 at the end to the length
  return name.substr(0, name.find('\n'));
}

// "Open MPI v4.1.4", "MPICH Version: 4.0.2".
std::string short_name(const std::string& library) {
  std::string name = library.substr(0, library.find(','));
  std::ranges::replace(name, '\t', ' ');
  const auto are_spaces = [](char a, char b) { return a == ' ' && b == ' '; };
  name.erase(std::unique(name.begin(), name.end(), are_spaces), name.end());
  return name;
}

std::string file_system_of(const std::string& directory) {
  try {
    return bench::filesystem_of(directory);
  } catch (const std::runtime_error&) {
    return "an unknown file system";
  }
}

std::string absolute(const std::string& directory) {
  std::error_code unknown;
  const std::filesystem::path path = std::filesystem::absolute(directory, unknown);
  return unknown ? directory : (path / "").lexically_normal().parent_path().string();
}

const Timed* reference_of(const std::vector<Timed>& timed) {
  const auto found = std::ranges::find_if_not(timed, &std::string::empty, &Timed::reference);
  return found == timed.end() ? nullptr : &*found;
}

// How fast a way is, as a multiple of the other way's speed in the same round: the median.
double speed_against(const Timed& way, const Timed& other) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < way.seconds.size(); ++round) {
    ratios.push_back(other.seconds[round] / way.seconds[round]);
  }
  return bench::median_of(ratios);
}

std::string in_short(const std::vector<Timed>& timed) {
  const auto own =
      std::ranges::find_if(timed, [](const Timed& way) { return way.name.starts_with("sluice"); });
  if (own == timed.end()) return "";
  const bench::Spread ratio = bench::spread_of(own->ratios);
  std::string text = fmt::format("In short: {} had {:.2f} times the speed of {}", own->name,
                                 ratio.median, timed[0].name);
  if (ratio.min <= 1 && ratio.max >= 1) text += " (no clear difference: the rounds disagree)";
  if (const Timed* const reference = reference_of(timed)) {
    text += fmt::format(", and {:.2f} times the speed of {}", speed_against(*own, *reference),
                        reference->name);
  }
  return text + ".";
}

}  // namespace

Report::Report(const Job& job, const Request& request)
    : is_first_(job.rank == 0), rounds_(request.rounds) {
  if (!is_first_) return;
  const std::string library = mpi_library();
  const std::string folder = absolute(request.directory);
  const std::string file_system = file_system_of(request.directory);
  const std::string processor = bench::this_machine().cpu;
  const long processors = ::sysconf(_SC_NPROCESSORS_ONLN);
  json_ = {{"ranks", job.count},         {"mpi", library},    {"folder", folder},
           {"file_system", file_system}, {"rounds", rounds_}, {"processor", processor},
           {"processors", processors}};
  fmt::print("{} ranks in {} ({})\n{}, {} {} after the warm-up, rank 0 on {} processors: {}\n",
             job.count, printable(folder), file_system, short_name(library), rounds_,
             rounds_ == 1 ? "round" : "rounds", processors, processor);
}

void Report::add(const std::string& title, const Job& job, const std::vector<Timed>& timed) {
  if (!is_first_) return;
  const auto bytes = job.bytes * static_cast<std::uint64_t>(job.count);
  const Timed* const reference = reference_of(timed);
  fmt::print("\n{}: {} in all\n  {:26} {:>9} {:>9}   {}{}\n", title, format_bytes(bytes), "way",
             "seconds", "MB/s", "against the first",
             reference == nullptr ? "" : "   against " + reference->reference);
  nlohmann::json rows = nlohmann::json::array();
  for (const Timed& way : timed) {
    const double seconds = bench::median_of(way.seconds);
    const bench::Spread ratio = bench::spread_of(way.ratios);
    const std::string other =
        reference == nullptr ? "" : fmt::format("{:9.2f}", speed_against(way, *reference));
    fmt::print("  {:26} {:9.3f} {:9.0f} {:6.2f} ({:.2f} to {:.2f}){}\n", way.name, seconds,
               static_cast<double>(bytes) / seconds / 1e6, ratio.median, ratio.min, ratio.max,
               other);
    rows.push_back({{"way", way.name}, {"seconds", way.seconds}, {"ratios", way.ratios}});
    has_again_ = has_again_ || way.name.ends_with(again);
  }
  fmt::print("{}\n", in_short(timed));
  std::fflush(stdout);
  json_["experiments"].push_back({{"title", title}, {"bytes", bytes}, {"rows", rows}});
  if (reference == nullptr) return;
  if (std::ranges::find(references_, reference->name, &Timed::name) == references_.end()) {
    references_.push_back({reference->name, reference->reference, reference->meaning, {}, {}});
  }
}

void Report::explain() const {
  if (!is_first_) return;
  fmt::print(
      "\nseconds: the median of the rounds. The time of a round is the time of its slowest rank.\n"
      "against the first: the way's speed, as a multiple of the speed that the first way of the\n"
      "table had in the same round: the median of the rounds, and in brackets the slowest and the\n"
      "fastest round. Larger is faster.\n");
  for (const Timed& reference : references_) {
    fmt::print("against {}: the same against `{}`, {}.\n", reference.reference, reference.name,
               reference.meaning);
  }
  if (has_again_) {
    fmt::print(
        "The way whose name ends with `{}` is the first way once more: it shows how much\n"
        "equal ways differ on this machine.\n",
        again.substr(2));
  }
}

Status Report::write(const std::string& path) const {
  if (!is_first_ || path.empty()) return {};
  return write_file(path, json_.dump(1) + "\n");
}

}  // namespace sluice::ranks
