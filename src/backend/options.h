// Checks the options of a Writer and a Reader at open: numbers and choices that make no sense are
// refused, and the message names the option. core/journal_options.h checks the options of a Journal
// by the same rules.
#pragma once

#include <cstdint>
#include <string_view>

#include "sluice/options.h"
#include "sluice/status.h"

namespace sluice {

inline constexpr std::uint64_t max_block_bytes = std::uint64_t{1} << 30;
inline constexpr std::uint64_t max_permissions = 07777;

Status check_options(const WriterOptions& options, std::string_view path);
Status check_options(const ReaderOptions& options, std::string_view path);

// Refuses Direct::on for a target that the library can never write or read directly.
Status refuse_direct(std::string_view path, Direct direct, std::string_view reason);

// The failure is EINVAL. Its message has the option's name, its value and the allowed values.
Status check_range(std::string_view path, std::string_view option, std::uint64_t value,
                   std::uint64_t min, std::uint64_t max);

// Refuses a number that stands for no enumerator. Such a number may come from a file or from C.
template <typename Enum>
Status check_choice(std::string_view path, std::string_view option, Enum value, Enum last) {
  return check_range(path, option, static_cast<std::uint64_t>(value), 0,
                     static_cast<std::uint64_t>(last));
}

}  // namespace sluice
