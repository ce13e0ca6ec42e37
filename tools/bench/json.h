// Results as JSON, schema 1: everything the tables show, and every round's raw figures.
#pragma once

#include <string>

#include "bench/result.h"

namespace sluice::bench {

std::string json_of(const Report& report);

}  // namespace sluice::bench
