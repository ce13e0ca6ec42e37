#include "real.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>

namespace sluice::preload {

constinit RealFunctions real_functions{};
constinit bool real_functions_found = false;

namespace {

// The answer of a function that does not exist. A program that finds such a function here may try
// it, although it would not have found it by itself.
long answer_of_nothing() {
  errno = ENOSYS;
  return -1;
}

bool is_hook(void* function) {
  Dl_info own{};
  Dl_info found{};
  return dladdr(&real_functions, &own) != 0 && dladdr(function, &found) != 0 &&
         own.dli_fbase == found.dli_fbase;
}

// A library that was loaded by dlopen() may call a library that nobody else sees, for example
// libaio.
void* find_in_each_object(const char* name) {
  for (link_map* object = _r_debug.r_map; object != nullptr; object = object->l_next) {
    void* const handle = dlopen(object->l_name, RTLD_LAZY | RTLD_NOLOAD);
    void* const function = handle == nullptr ? nullptr : dlsym(handle, name);
    if (handle != nullptr) dlclose(handle);
    if (function != nullptr && !is_hook(function)) return function;
  }
  return nullptr;
}

}  // namespace

void* find_real_function(const char* name) {
  void* function = dlsym(RTLD_NEXT, name);
  if (function == nullptr) function = find_in_each_object(name);
  return function == nullptr ? reinterpret_cast<void*>(answer_of_nothing) : function;
}

// The table is complete before another thread, or a hook that dlsym() itself has called, can take
// it for complete.
void find_real_functions() {
  RealFunctions found{};
#define SLUICE_FIND_REAL(LOCKING, NAME, ...) \
  found.NAME = reinterpret_cast<decltype(found.NAME)>(find_real_function(#NAME));
  SLUICE_STDIO_CALLS(SLUICE_FIND_REAL)
  SLUICE_OTHER_CALLS(SLUICE_FIND_REAL)
#undef SLUICE_FIND_REAL
  real_functions = found;
  __atomic_store_n(&real_functions_found, true, __ATOMIC_RELEASE);
}

}  // namespace sluice::preload
