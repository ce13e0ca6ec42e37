// Compiles every_call.c as C++.
#include "every_call.c"
