// Other processes. Programs that the program starts are covered too. Before another process starts,
// or this process ends without cleaning up, the functions of events.h are called.
#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/single_threaded.h>
#include <sys/wait.h>
#include <unistd.h>

#include "before.h"
#include "borrowed_memory.h"
#include "environment.h"
#include "events.h"
#include "hook.h"
#include "log_file.h"
#include "memory.h"
#include "program.h"
#include "real.h"

namespace sluice::preload {
namespace {

// The shell that system() and popen() use.
constexpr char shell[] = "/bin/sh";

// SIGINT and SIGQUIT may end the command of system(), but not the process that waits for the
// command. The whole process ignores them, from the first of several overlapping calls of system()
// to the last.
class IgnoredSignals {
 public:
  void begin() {
    pthread_mutex_lock(&mutex_);
    if (calls_++ == 0) {
      struct sigaction ignore {};
      ignore.sa_handler = SIG_IGN;
      sigaction(SIGINT, &ignore, &interrupt_);
      sigaction(SIGQUIT, &ignore, &quit_);
    }
    pthread_mutex_unlock(&mutex_);
  }
  void end() {
    pthread_mutex_lock(&mutex_);
    if (--calls_ == 0) {
      sigaction(SIGINT, &interrupt_, nullptr);
      sigaction(SIGQUIT, &quit_, nullptr);
    }
    pthread_mutex_unlock(&mutex_);
  }

  // The command gets the program's own signal handling.
  void give_to_child(posix_spawnattr_t& attributes, const sigset_t& mask) const {
    sigset_t defaults;
    sigemptyset(&defaults);
    if (interrupt_.sa_handler != SIG_IGN) sigaddset(&defaults, SIGINT);
    if (quit_.sa_handler != SIG_IGN) sigaddset(&defaults, SIGQUIT);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, &mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  int calls_ = 0;
  struct sigaction interrupt_ {};
  struct sigaction quit_ {};
};

constinit IgnoredSignals ignored_signals;

int status_of(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return status;
}

// Called if the thread that waits for the command is cancelled: then the command must end too.
void end_command(void* process) {
  const pid_t command = *static_cast<const pid_t*>(process);
  int state = 0;
  real().kill(command, SIGKILL);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  status_of(command);
  pthread_setcancelstate(state, nullptr);
  ignored_signals.end();
}

int wait_for_command(pid_t process) {
  int status = 0;
  pthread_cleanup_push(end_command, &process);
  status = status_of(process);
  pthread_cleanup_pop(0);
  return status;
}

}  // namespace

enum class Cover { not_wanted, out_of_reach, without_log, given };

namespace {

// The kernel takes a null pointer for an empty environment, and refuses other bad addresses.
bool cover_is_wanted(char* const* environment) {
  if (environment != nullptr && !may_be_memory(environment)) return false;
  return children_are_covered() && !is_covered_already(environment);
}

// The cover of a program that can be covered.
Cover cover_now() {
  if (!can_be_preloaded()) return Cover::out_of_reach;
  const bool has_log = *policy.logs == '\0' || may_create_log_file(policy.logs);
  return has_log ? Cover::given : Cover::without_log;
}

// The report does not have the work of such a program.
bool is_missing(Cover cover) { return cover == Cover::out_of_reach || cover == Cover::without_log; }

}  // namespace

// The cover of a program that is about to be started. COVERABLE tells whether the program can be
// covered; it is asked only if a cover is wanted.
#define SLUICE_COVER_OF_CHILD(environment, COVERABLE) \
  (!cover_is_wanted(environment) ? Cover::not_wanted  \
   : (COVERABLE)                 ? cover_now()        \
                                 : Cover::out_of_reach)

// The program's environment, on the caller's stack.
#define SLUICE_ENVIRONMENT_OF_CHILD(environment, cover)                                   \
  ((cover) == Cover::given || (cover) == Cover::without_log                               \
       ? covered_environment(environment, alloca(covered_environment_bytes(environment))) \
       : const_cast<char**>(environment))

namespace {

int after_spawn(Cover cover, int error) {
  if (is_missing(cover) && error == 0) count_out_of_reach(1);
  return error;
}

}  // namespace

// CALL uses `covered`, the environment of the new program.
#define SLUICE_EXEC(NAME, PARAMETERS, COVERABLE, CALL)                         \
  SLUICE_HOOK int NAME PARAMETERS noexcept {                                   \
    before_ending();                                                           \
    const Cover cover = SLUICE_COVER_OF_CHILD(environment, COVERABLE);         \
    char** const covered = SLUICE_ENVIRONMENT_OF_CHILD(environment, cover);    \
    if (is_missing(cover)) count_out_of_reach(1); /* exec may not come back */ \
    const int result = real().NAME CALL;                                       \
    if (is_missing(cover)) count_out_of_reach(-1);                             \
    after_failed_exec();                                                       \
    return result;                                                             \
  }
SLUICE_EXEC(execve, (const char* path, char* const argv[], char* const environment[]),
            can_be_covered(AT_FDCWD, path), (path, argv, covered))
SLUICE_EXEC(execvpe, (const char* file, char* const argv[], char* const environment[]),
            can_be_covered_by_name(file), (file, argv, covered))
SLUICE_EXEC(execveat,
            (int folder, const char* path, char* const argv[], char* const environment[],
             int flags),
            can_be_covered(folder, path), (folder, path, argv, covered, flags))
SLUICE_EXEC(fexecve, (int descriptor, char* const argv[], char* const environment[]),
            can_be_covered(descriptor, ""), (descriptor, argv, covered))

SLUICE_HOOK int execv(const char* path, char* const argv[]) noexcept {
  return execve(path, argv, environ);
}

SLUICE_HOOK int execvp(const char* file, char* const argv[]) noexcept {
  return execvpe(file, argv, environ);
}

// The number of words that execl() and similar calls were given, up to the null pointer at their
// end.
size_t count_of_words(va_list list) {
  size_t count = 2;
  va_list counted;
  va_copy(counted, list);
  while (va_arg(counted, char*) != nullptr) ++count;
  va_end(counted);
  return count;
}

char** copy_words(char** words, const char* first, size_t count, va_list* list) {
  words[0] = const_cast<char*>(first);
  for (size_t i = 1; i < count; ++i) words[i] = va_arg(*list, char*);
  return words;
}

// ENVIRONMENT may be read from `list`, which stands behind the words. Between vfork and exec
// nothing but the stack may be used.
#define SLUICE_EXEC_WORDS(NAME, BASE, ENVIRONMENT)                              \
  SLUICE_HOOK int NAME(const char* file, const char* first, ...) noexcept {     \
    va_list list;                                                               \
    va_start(list, first);                                                      \
    const size_t count = count_of_words(list);                                  \
    char** const memory = static_cast<char**>(alloca((count) * sizeof(char*))); \
    char** const words = copy_words(memory, first, count, &list);               \
    char* const* const environment = ENVIRONMENT;                               \
    va_end(list);                                                               \
    return BASE(file, words, environment);                                      \
  }
SLUICE_EXEC_WORDS(execl, execve, environ)
SLUICE_EXEC_WORDS(execlp, execvpe, environ)
SLUICE_EXEC_WORDS(execle, execve, va_arg(list, char* const*))

namespace {

using Spawn = decltype(&::posix_spawn);
Spawn real_posix_spawn() { return real().posix_spawn; }
Spawn real_posix_spawnp() { return real().posix_spawnp; }

// The C library has these two since 2.39. They write a number to the place, as posix_spawn() does.
#define SLUICE_REAL_SPAWN(NAME)                                              \
  Spawn real_##NAME() {                                                      \
    static void* found = nullptr;                                            \
    if (__atomic_load_n(&found, __ATOMIC_RELAXED) == nullptr) {              \
      __atomic_store_n(&found, find_real_function(#NAME), __ATOMIC_RELAXED); \
    }                                                                        \
    return reinterpret_cast<Spawn>(found);                                   \
  }
SLUICE_REAL_SPAWN(pidfd_spawn)
SLUICE_REAL_SPAWN(pidfd_spawnp)

}  // namespace

// PROCESS is what the function tells about the new process: its number or a descriptor.
#define SLUICE_SPAWN(NAME, PROCESS, COVERABLE)                                                 \
  SLUICE_HOOK int NAME(                                                                        \
      PROCESS process, const char* file, const posix_spawn_file_actions_t* actions,            \
      const posix_spawnattr_t* attributes, char* const argv[], char* const environment[]) {    \
    before_another_process();                                                                  \
    const Cover cover = SLUICE_COVER_OF_CHILD(environment, COVERABLE);                         \
    return after_spawn(cover, real_##NAME()(process, file, actions, attributes, argv,          \
                                            SLUICE_ENVIRONMENT_OF_CHILD(environment, cover))); \
  }
SLUICE_SPAWN(posix_spawn, pid_t*, can_be_covered(AT_FDCWD, file))
SLUICE_SPAWN(posix_spawnp, pid_t*, can_be_covered_by_name(file))
SLUICE_SPAWN(pidfd_spawn, int*, can_be_covered(AT_FDCWD, file))
SLUICE_SPAWN(pidfd_spawnp, int*, can_be_covered_by_name(file))

namespace {

int start_shell(const char* command, const sigset_t& mask, pid_t& process) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  ignored_signals.give_to_child(attributes, mask);
  const char* const words[] = {"sh", "-c", command, nullptr};
  const Cover cover = SLUICE_COVER_OF_CHILD(environ, can_be_covered(AT_FDCWD, shell));
  const int error =
      after_spawn(cover, real().posix_spawn(&process, shell, nullptr, &attributes,
                                            const_cast<char* const*>(words),
                                            SLUICE_ENVIRONMENT_OF_CHILD(environ, cover)));
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

// glibc's own system() passes on the environment unchanged, so its work is done here.
SLUICE_HOOK int system(const char* command) {
  if (command == nullptr) return real().system(nullptr);
  before_another_process();
  if (!children_are_covered()) return real().system(command);
  constexpr int shell_not_started = 127 << 8;
  sigset_t child;
  sigset_t mask;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  ignored_signals.begin();
  pthread_sigmask(SIG_BLOCK, &child, &mask);
  pid_t process = 0;
  const int error = start_shell(command, mask, process);
  const int status = error == 0 ? wait_for_command(process) : shell_not_started;
  ignored_signals.end();
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  if (error != 0) errno = error;
  return status;
}

// glibc's popen() starts the shell with the environment of this process. So the hook gives this
// process the child's environment during the call. Other threads would see this environment, and
// might call popen() too. In a program with several threads the child is therefore not covered.
SLUICE_HOOK FILE* popen(const char* command, const char* mode) {
  before_another_process();
  char** const own = environ;
  const bool may_be_covered = __libc_single_threaded != 0;
  const Cover cover = SLUICE_COVER_OF_CHILD(own, may_be_covered && can_be_covered(AT_FDCWD, shell));
  if (may_be_covered) environ = SLUICE_ENVIRONMENT_OF_CHILD(own, cover);
  FILE* const stream = real().popen(command, mode);
  if (may_be_covered) environ = own;
  after_spawn(cover, stream == nullptr ? -1 : 0);
  return stream;
}

// A forked child has memory of its own, so the question is settled before.
SLUICE_WORK(sluice_before_fork) {
  is_child_of_vfork();
  before_another_process();
}

// wordexp() may start a shell. For login_tty() the terminal becomes the standard streams.
SLUICE_BEFORE(sluice_before_fork, "fork, _Fork, __fork, daemon, forkpty, login_tty, wordexp");

SLUICE_WORK(sluice_before_vfork) {
  before_another_process();
  before_vfork();
}
SLUICE_BEFORE(sluice_before_vfork, "vfork, __vfork");

// With CLONE_VFORK the parent waits until the child no longer uses its memory.
SLUICE_WORK(sluice_before_clone) {
  const int sharing = arguments.number(2) & (CLONE_VM | CLONE_VFORK);
  before_another_process();
  if (sharing == CLONE_VM) before_sharing_memory();
  if (sharing == (CLONE_VM | CLONE_VFORK)) before_vfork();
}
SLUICE_BEFORE(sluice_before_clone, "clone, __clone");

// ---- ending without cleaning up ----

SLUICE_WORK(sluice_before_ending) { before_ending(); }
SLUICE_BEFORE(sluice_before_ending, "_exit, _Exit, abort, __assert_fail");

SLUICE_WORK(sluice_before_what_may_end) { before_what_may_end(); }
SLUICE_BEFORE(sluice_before_what_may_end,
              "kill, raise, killpg, tgkill, sigqueue, pidfd_send_signal, pthread_kill");

}  // namespace sluice::preload
