#pragma once

#include <memory>

#include "object/file_system.h"
#include "sluice/object.h"
#include "sluice/sink.h"
#include "sluice/status.h"

namespace sluice::object {

// Begins to write the object. Throws std::bad_alloc.
Status open_sink(Place place, const ObjectOptions& options, std::unique_ptr<Sink>& sink);

}  // namespace sluice::object
