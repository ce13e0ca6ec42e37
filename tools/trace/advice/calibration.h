// Makes the range of a prediction as wide as the errors of earlier predictions were.
//
// The rules compute a saving from the times of calls. What a changed program really saves differs:
// the processor's speed changes from run to run, the processor works on several calls at once, and
// a change also saves work that no trace sees. Nobody can compute this. So programs were traced and
// changed, and the ends of a range are moved by the narrowest factors of its kind that put the
// savings of more than nine in ten programs into their ranges (split conformal prediction). A
// single figure becomes a range too: of the figures for programs that no build had seen before, a
// quarter was wrong by more than 20 %. The report says why a prediction is a range.
//
// The factors are what `benchmarks/calibration.py docs/measured/mended-calibration.json` prints.
#pragma once

#include "trace/advice/advice.h"

namespace sluice::trace {

// No program saves more than the whole time, `wall_s`.
void calibrate(Advice& advice, double wall_s);

}  // namespace sluice::trace
