// How a function of the C library is replaced.
#pragma once

// Before the definition of a function that the program is to call in the C library's place.
#define SLUICE_HOOK extern "C" __attribute__((visibility("default")))
