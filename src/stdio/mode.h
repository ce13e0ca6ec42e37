// Mode: what a mode string of fopen() asks for.
#pragma once

namespace sluice::stdio {

struct Mode {
  int flags = 0;  // of open()
  bool reads = false;
  bool writes = false;
  bool appends = false;
};

// False with EINVAL if the text makes no sense.
bool parse_mode(const char* text, Mode& mode);

}  // namespace sluice::stdio
