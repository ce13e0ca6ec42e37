// Results as JSON, schema 1: all figures of the tables, and the raw figures of every round.
#pragma once

#include <string>

#include "bench/result.h"

namespace sluice::bench {

std::string json_of(const Report& report);

}  // namespace sluice::bench
