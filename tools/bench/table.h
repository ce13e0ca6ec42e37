// Results as text for a terminal.
#pragma once

#include <string>

#include "bench/result.h"

namespace sluice::bench {

// The machine, the folder, and what the columns mean; before the first table.
std::string table_heading(const Report& report);

// What the two ratios are, for the heading and for --help.
std::string ratio_definitions();

// One experiment: its title, then a table for each group.
std::string table_of(const ExperimentResult& experiment);

}  // namespace sluice::bench
