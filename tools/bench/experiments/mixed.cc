// `mixed`: two small writes and a large one, again and again, as a version control system writes.
#include "bench/experiments/pieces/pieces.h"
#include "bench/experiments/registry.h"

namespace sluice::bench {

Experiment mixed_experiment(const Settings& settings) {
  SizeSequence sequence;
  sequence.groups = {{9, 1}, {5, 1}, {86267, 1}, {9, 1}, {5, 1}, {86413, 1}};
  const std::uint64_t default_bytes = std::uint64_t{settings.quick ? 64U : 256U} << 20;
  sequence.repeat_to(settings.size_bytes != 0 ? settings.size_bytes : default_bytes);

  Experiment experiment = piece_experiment(settings.directory, sequence);
  experiment.id = "mixed";
  experiment.title = "small and large writes interleaved";
  experiment.groups.front().title = "pieces of 9, 5, 86267, 9, 5, 86413, ... bytes";
  experiment.groups.front().why =
      "Copying a large piece through a small buffer takes one system call for each full buffer. If "
      "the piece leaves in one call together with the buffered bytes, it is not copied at all.";
  return experiment;
}

}  // namespace sluice::bench
