// What the first bytes of a file tell if none of a Reader's codecs recognises them.
#pragma once

#include <string>

#include "sluice/bytes.h"
#include "sluice/status.h"

namespace sluice {

// `beginning` has the first 4 bytes of the file, or all its bytes, and no codec recognises them.
// Ok if they are plain. Fails with EINVAL if they begin a compressed format that has no codec in
// the list. Fails with EBADMSG if the file ends after the first 2 or 3 bytes of such a format, and
// if one bit is wrong in the beginning of a file that this library writes. May throw
// std::bad_alloc.
Status refuse_unless_plain(BytesView beginning, const std::string& path);

}  // namespace sluice
