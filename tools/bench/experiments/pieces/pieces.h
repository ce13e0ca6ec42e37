// Pieces of given sizes, written by every strategy: the common part of `mixed` and `replay`.
#pragma once

#include <string>

#include "bench/experiments/pieces/sizes.h"
#include "bench/strategy.h"

namespace sluice::bench {

// Makes an experiment of one group. Every row writes the pieces of `sequence` to a file in
// `directory`. The caller sets the id and the titles.
Experiment piece_experiment(const std::string& directory, const SizeSequence& sequence);

}  // namespace sluice::bench
