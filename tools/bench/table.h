// Results as text for a terminal.
#pragma once

#include <string>
#include <vector>

#include "bench/result.h"

namespace sluice::bench {

// The text before the first table: the machine, the folder, and the meaning of the columns.
std::string table_heading(const Report& report);

// The definitions of the two ratios, for the heading and for --help.
std::string ratio_definitions();

// One line with the names of these libraries. Empty if there are none.
std::string note_of_libraries_left_out(const std::vector<std::string>& names);

// Lines about what others did to the machine meanwhile. Empty if that was little.
std::string note_of_disturbance(const Disturbance& disturbance, const std::string& indent);

// The tables of one experiment: its title, then a table for each group.
std::string table_of(const ExperimentResult& experiment);

}  // namespace sluice::bench
