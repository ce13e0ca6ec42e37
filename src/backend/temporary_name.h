// The names of temporary files of replacements, before the files take the target's name.
#pragma once

#include <string>
#include <string_view>

#include "os/directory.h"

namespace sluice {

inline constexpr std::string_view temporary_prefix = ".sluice-";

// True only for names that consist of the prefix and an os::random_name().
inline bool is_temporary_name(std::string_view name) {
  if (!name.starts_with(temporary_prefix)) return false;
  name.remove_prefix(temporary_prefix.size());
  return name.size() == os::random_name_letters &&
         name.find_first_not_of(os::letters_of_random_names) == std::string_view::npos;
}

}  // namespace sluice
