// The words of the system that the library is compiled for. This is the only condition on a system
// in the library: everything else that differs is in files of the folders linux and windows, from
// which CMake chooses.
#pragma once

#ifdef _WIN32
#include "os/windows/words.h"
#else
#include "os/linux/words.h"
#endif
