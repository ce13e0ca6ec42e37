#include "options.h"

#include <string.h>

namespace sluice::preload {
namespace {

// The value of "name=value" at `text`, else nullptr.
const char* value_of(const char* text, const char* name) {
  const size_t length = strlen(name);
  return strncmp(text, name, length) == 0 && text[length] == '=' ? text + length + 1 : nullptr;
}

bool is(const char* text, const char* name) {
  const size_t length = strlen(name);
  return strncmp(text, name, length) == 0 && (text[length] == ',' || text[length] == '\0');
}

}  // namespace

Options parse_options(const char* text) {
  Options options;
  while (text != nullptr && *text != '\0') {
    if (const char* const logs = value_of(text, "logs")) {
      options.logs = logs;
      break;
    }
    if (is(text, "unlocked")) options.unlocked = true;
    if (is(text, "sizes")) options.sizes = true;
    if (is(text, "no-children")) options.children = false;
    const char* const comma = strchr(text, ',');
    text = comma == nullptr ? nullptr : comma + 1;
  }
  return options;
}

}  // namespace sluice::preload
