// The functions of newer C libraries that start a process. They use the C library itself, and not
// what stands in front of it.
#include <dlfcn.h>
#include <spawn.h>
#include <sys/pidfd.h>
#include <sys/wait.h>

typedef int Spawn(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                  char* const[], char* const[]);

static int spawn_by(const char* name, int* descriptor, const char* path,
                    const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
                    char* const words[], char* const environment[]) {
  Spawn* spawn = NULL;
  *(void**)&spawn = dlsym(RTLD_NEXT, name);
  pid_t process = 0;
  const int error = spawn(&process, path, actions, attributes, words, environment);
  if (error != 0) return error;
  *descriptor = pidfd_open(process, 0);
  // The process looks at the file before the program makes its next call.
  int (*wait)(idtype_t, id_t, siginfo_t*, int) = NULL;
  *(void**)&wait = dlsym(RTLD_NEXT, "waitid");
  siginfo_t end;
  return wait(P_PID, (id_t)process, &end, WEXITED | WNOWAIT) == 0 ? 0 : -1;
}

#define SPAWN(NAME, OTHER)                                                                        \
  int NAME(int* descriptor, const char* path, const posix_spawn_file_actions_t* actions,          \
           const posix_spawnattr_t* attributes, char* const words[], char* const environment[]);  \
  int NAME(int* descriptor, const char* path, const posix_spawn_file_actions_t* actions,          \
           const posix_spawnattr_t* attributes, char* const words[], char* const environment[]) { \
    return spawn_by(OTHER, descriptor, path, actions, attributes, words, environment);            \
  }
const char* gnu_get_libc_version(void);
const char* gnu_get_libc_version(void) { return "2.39"; }

SPAWN(pidfd_spawn, "posix_spawn")
SPAWN(pidfd_spawnp, "posix_spawnp")
