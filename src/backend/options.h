// check_options: numbers and choices that make no sense are refused at open, by name.
#pragma once

#include <string_view>

#include "sluice/options.h"
#include "sluice/status.h"

namespace sluice {

Status check_options(const WriterOptions& options, std::string_view path);
Status check_options(const JournalOptions& options, std::string_view path);
Status check_options(const ReaderOptions& options, std::string_view path);

}  // namespace sluice
