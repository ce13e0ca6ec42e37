// The functions of glibc 2.31 that newer glibcs have under a newer version. New glibcs keep the
// version of this list for old programs. In glibc 2.31 they are in libpthread and libdl.

// Defines a function that jumps to glibc's function of this version. Its caller, which dlsym() asks
// for, stays the caller.
#define OF_VERSION(name, version)                           \
  __asm__(".symver old_" #name ", " #name "@GLIBC_" version \
          "\n"                                              \
          ".text\n"                                         \
          ".globl " #name                                   \
          "\n"                                              \
          ".hidden " #name                                  \
          "\n"                                              \
          ".type " #name ", @function\n" #name              \
          ":\n"                                             \
          "  jmp *old_" #name                               \
          "@GOTPCREL(%rip)\n"                               \
          ".size " #name ", .-" #name "\n")

OF_VERSION(__pthread_key_create, "2.2.5");
OF_VERSION(dlclose, "2.2.5");
OF_VERSION(dlerror, "2.2.5");
OF_VERSION(dlopen, "2.2.5");
OF_VERSION(dlsym, "2.2.5");
OF_VERSION(pthread_cond_clockwait, "2.30");
OF_VERSION(pthread_condattr_setclock, "2.3.3");
OF_VERSION(pthread_create, "2.2.5");
OF_VERSION(pthread_detach, "2.2.5");
OF_VERSION(pthread_getspecific, "2.2.5");
OF_VERSION(pthread_join, "2.2.5");
OF_VERSION(pthread_key_create, "2.2.5");
OF_VERSION(pthread_key_delete, "2.2.5");
OF_VERSION(pthread_once, "2.2.5");
OF_VERSION(pthread_rwlock_destroy, "2.2.5");
OF_VERSION(pthread_rwlock_init, "2.2.5");
OF_VERSION(pthread_rwlock_rdlock, "2.2.5");
OF_VERSION(pthread_rwlock_tryrdlock, "2.2.5");
OF_VERSION(pthread_rwlock_unlock, "2.2.5");
OF_VERSION(pthread_rwlock_wrlock, "2.2.5");
OF_VERSION(pthread_setname_np, "2.12");
OF_VERSION(pthread_setspecific, "2.2.5");
OF_VERSION(pthread_sigmask, "2.2.5");
