// fstat() is a function of glibc since 2.33. Before, it was a macro for this function.
#include <sys/stat.h>

extern "C" int __fxstat(int version, int descriptor, struct stat* status) noexcept;
__asm__(".symver __fxstat, __fxstat@GLIBC_2.2.5");

extern "C" __attribute__((visibility("hidden"))) int fstat(int descriptor,
                                                           struct stat* status) noexcept {
  constexpr int version_of_linux = 1;
  return __fxstat(version_of_linux, descriptor, status);
}
