// The function by which a program starts. In glibc 2.31 it calls an `init` that is linked into each
// program, and that calls the constructors. A program that was linked with a newer glibc gives no
// `init`: there, glibc itself calls the constructors if it gets none.

using Main = int(int, char**, char**);

extern "C" {

// From the linker: what runs before main().
extern void (*const __init_array_start[])(int, char**, char**)
    __attribute__((visibility("hidden")));
extern void (*const __init_array_end[])(int, char**, char**) __attribute__((visibility("hidden")));

int old_start(Main* main, int argc, char** argv, Main* init, void (*fini)(),
              void (*end_of_loader)(), void* end_of_stack);
}
__asm__(".symver old_start, __libc_start_main@GLIBC_2.2.5");

static int construct(int argc, char** argv, char** environment) {
  for (const auto* next = __init_array_start; next != __init_array_end; ++next) {
    (*next)(argc, argv, environment);
  }
  return 0;
}

extern "C" __attribute__((visibility("hidden"))) int __libc_start_main(Main* main, int argc,
                                                                       char** argv, Main*,
                                                                       void (*fini)(),
                                                                       void (*end_of_loader)(),
                                                                       void* end_of_stack) {
  return old_start(main, argc, argv, construct, fini, end_of_loader, end_of_stack);
}
