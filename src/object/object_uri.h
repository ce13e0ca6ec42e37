// ObjectUri: what the URI of an object says, and how messages may show it.
#pragma once

#include <string>
#include <string_view>

#include "sluice/status.h"

namespace sluice::object {

struct ObjectUri {
  std::string text;    // as the program gave it
  std::string scheme;  // in small letters
  std::string shown;   // without its options and without credentials
};

// Takes the URI apart. Fails with EINVAL if it is no URI of an object, or if it holds credentials.
// `uri.shown` is set in every case, and never holds credentials.
Status parse_uri(std::string_view text, ObjectUri& uri);

}  // namespace sluice::object
