// Lets an object that is built with a new glibc load where glibc is 2.31. CMake includes this
// header in every file of the objects if SLUICE_OLD_GLIBC is on.
#pragma once

#include <sys/single_threaded.h>

// The versions that these functions had when they were in libdl and libpthread. New glibcs keep
// them for old programs.
__asm__(".symver dlclose, dlclose@GLIBC_2.2.5");
__asm__(".symver dlsym, dlsym@GLIBC_2.2.5");
__asm__(".symver pthread_key_create, pthread_key_create@GLIBC_2.2.5");
__asm__(".symver pthread_key_delete, pthread_key_delete@GLIBC_2.2.5");
__asm__(".symver pthread_setspecific, pthread_setspecific@GLIBC_2.2.5");
#ifndef SLUICE_HAS_HOOKS_OF_COALESCE  // the object defines these functions itself
__asm__(".symver dlopen, dlopen@GLIBC_2.2.5");
__asm__(".symver pthread_sigmask, pthread_sigmask@GLIBC_2.2.5");
#endif
__asm__(".symver __pthread_register_cancel, __pthread_register_cancel@GLIBC_2.3.3");
__asm__(".symver __pthread_unregister_cancel, __pthread_unregister_cancel@GLIBC_2.3.3");
__asm__(".symver __pthread_unwind_next, __pthread_unwind_next@GLIBC_2.3.3");

// The flag of this name is in glibc 2.32 and newer. With an older one a program counts as a program
// with several threads.
#define __libc_single_threaded sluice_has_one_thread()

extern "C" void* dlsym(void* handle, const char* name) noexcept;

inline char sluice_has_one_thread() {
  static const char* const flag =
      static_cast<const char*>(dlsym(nullptr, "__libc_single_threaded"));
  return flag == nullptr ? '\0' : *flag;
}
