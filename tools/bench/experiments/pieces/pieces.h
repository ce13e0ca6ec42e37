// Pieces of given sizes, written by every strategy: what `mixed` and `replay` have in common.
#pragma once

#include <string>

#include "bench/experiments/pieces/sizes.h"
#include "bench/strategy.h"

namespace sluice::bench {

// An experiment of one group in which every row writes the pieces of `sequence` to a file in
// `directory`. Neither id nor titles are set.
Experiment piece_experiment(const std::string& directory, const SizeSequence& sequence);

}  // namespace sluice::bench
