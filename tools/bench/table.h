// Results as text for a terminal.
#pragma once

#include <string>

#include "bench/result.h"

namespace sluice::bench {

// The text before the first table: the machine, the folder, and the meaning of the columns.
std::string table_heading(const Report& report);

// The definitions of the two ratios, for the heading and for --help.
std::string ratio_definitions();

// The tables of one experiment: its title, then a table for each group.
std::string table_of(const ExperimentResult& experiment);

}  // namespace sluice::bench
