#include "real.h"

#include <dlfcn.h>

namespace sluice::preload {

constinit RealFunctions real_functions{};
constinit bool real_functions_found = false;

void* find_real_function(const char* name) { return dlsym(RTLD_NEXT, name); }

// The table is complete before another thread, or a hook that dlsym() itself has called, can take
// it for complete.
void find_real_functions() {
  RealFunctions found{};
#define SLUICE_FIND_REAL(name) \
  found.name = reinterpret_cast<decltype(found.name)>(find_real_function(#name));
  SLUICE_REAL_FUNCTIONS(SLUICE_FIND_REAL)
#undef SLUICE_FIND_REAL
  real_functions = found;
  __atomic_store_n(&real_functions_found, true, __ATOMIC_RELEASE);
}

}  // namespace sluice::preload
