#include "core/journal_options.h"

#include "backend/options.h"

namespace sluice {

Status check_options(const JournalOptions& options, std::string_view path) {
  if (Status status = check_range(path, "buffer_bytes", options.buffer_bytes, 1, max_block_bytes);
      !status.ok()) {
    return status;
  }
  if (Status status = check_choice(path, "framing", options.framing, Framing::length_crc32c);
      !status.ok()) {
    return status;
  }
  return check_range(path, "permissions", options.permissions, 0, max_permissions);
}

}  // namespace sluice
