#pragma once

#include <memory>

#include "object/file_system.h"
#include "sluice/object.h"
#include "sluice/source.h"
#include "sluice/status.h"

namespace sluice::object {

// Opens the object for reading. Throws std::bad_alloc.
Status open_source(Place place, const ObjectOptions& options, std::unique_ptr<Source>& source);

}  // namespace sluice::object
