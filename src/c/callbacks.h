// A Sink and a Source that call the functions of a C program.
#pragma once

#include <memory>

#include "sluice/c.h"
#include "sluice/sink.h"
#include "sluice/source.h"
#include "sluice/status.h"

namespace sluice::c {

// Make a Sink or a Source from the struct, which is copied. A failure means that the struct makes
// no sense, or that there is no memory. The struct's release() is called once in any case, unless
// the struct has a size that this library does not know.
Status make_sink(unsigned window, const sluice_sink* calls, std::unique_ptr<Sink>& sink) noexcept;
Status make_source(unsigned window, const sluice_source* calls,
                   std::unique_ptr<Source>& source) noexcept;

}  // namespace sluice::c
