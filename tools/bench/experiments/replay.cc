// `replay FILE`: every strategy writes pieces of the sizes that a real program wrote.
#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "bench/experiments/pieces/pieces.h"
#include "bench/experiments/registry.h"

namespace sluice::bench {

Experiment replay_experiment(const Settings& settings) {
  if (settings.replay_file.empty()) {
    throw std::runtime_error("replay needs a file of write sizes, lines of SIZE COUNT");
  }
  SizeSequence sequence = read_size_sequence(settings.replay_file);
  // A short sequence is repeated, because a single pass would be too short to measure.
  const std::uint64_t default_bytes = std::uint64_t{settings.quick ? 4U : 64U} << 20;
  sequence.repeat_to(settings.size_bytes != 0 ? settings.size_bytes : default_bytes);

  Experiment experiment = piece_experiment(settings.directory, sequence);
  experiment.id = "replay";
  experiment.title =
      "the write sizes in " + std::filesystem::path(settings.replay_file).filename().string();
  experiment.groups.front().title = fmt::format(
      "{} writes, {} time(s) over", sequence.operations() / sequence.repeats, sequence.repeats);
  experiment.groups.front().why =
      "A small piece costs the call around it. A large piece costs the copying of its bytes, and "
      "one system call for each part that it is cut into.";
  return experiment;
}

}  // namespace sluice::bench
