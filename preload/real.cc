#include "real.h"

#include <dlfcn.h>

namespace sluice::preload {

constinit RealFunctions real_functions{};

namespace {

template <typename Function>
void find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

void find_real_functions() {
#define SLUICE_FIND_REAL(name) find(real_functions.name, #name);
  SLUICE_REAL_FUNCTIONS(SLUICE_FIND_REAL)
#undef SLUICE_FIND_REAL
}

}  // namespace sluice::preload
