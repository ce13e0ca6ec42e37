// Other processes. Programs that the program starts are covered too. Before another process starts,
// or this process ends without cleaning up, the functions of events.h are called.
#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "borrowed_memory.h"
#include "counters.h"
#include "environment.h"
#include "events.h"
#include "hook.h"
#include "keep_errno.h"
#include "program_kind.h"
#include "real.h"

namespace sluice::preload {

// ---- children of vfork() ----

constinit thread_local pid_t vfork_caller = 0;

namespace {

constinit thread_local bool is_copied = false;

enum class Memory { shared, copied };

// A child of vfork() may itself start a child. The memory is still that of the first parent. If the
// memory is copied, no handler of pthread_atfork() will run in the child.
void before_child(Memory memory) {
  before_another_process();
  if (is_child_of_vfork()) return;
  before_untold_child();
  vfork_caller = getpid();
  is_copied = memory == Memory::copied;
}

}  // namespace

bool asks_is_child_of_vfork() {
  const bool is_child = getpid() != vfork_caller;
  if (is_child && !is_copied) return true;
  vfork_caller = 0;
  if (is_child) begin_in_child();
  return false;
}

namespace {

// ---- covering a program that is started ----
//
// Between vfork and exec nothing but the stack may be used.

bool is_coverable(int folder, const char* path) {
  const KeepErrno kept;
  Interpreter interpreter;
  return program_kind(folder, path, interpreter, real().syscall) == ProgramKind::coverable;
}

// For the program that execvp() finds in PATH.
bool is_coverable_by_name(const char* file) {
  if (strchr(file, '/') != nullptr) return is_coverable(AT_FDCWD, file);
  const char* folders = getenv("PATH");
  if (folders == nullptr) folders = "/bin:/usr/bin";
  const size_t most = strlen(folders) + strlen(file) + 2;
  const size_t path_bytes = most < PATH_MAX ? most : PATH_MAX;
  char* const path = static_cast<char*>(alloca(path_bytes));
  const KeepErrno kept;
  while (true) {
    const size_t length = strcspn(folders, ":");
    if (length + strlen(file) + 2 <= path_bytes) {
      memcpy(path, folders, length);
      char* const name = path + length;
      strcpy(length == 0 ? name : stpcpy(name, "/"), file);
      if (real().syscall(SYS_faccessat, AT_FDCWD, path, X_OK) == 0)
        return is_coverable(AT_FDCWD, path);
    }
    if (folders[length] == '\0') return true;
    folders += length + 1;
  }
}

enum class Finds { by_path, by_name };

// The program that a call starts.
struct Program {
  const char* path;
  int folder = AT_FDCWD;
  Finds finds = Finds::by_path;
};

// False for a program into which the loader puts no object (program_kind.h), and for a program that
// ends at once if an object is put into it. Neither should get the environment that is meant for
// the loader. A call with a bad address starts nothing.
bool can_be_covered(const Program& program) {
  if (!may_be_memory(program.path)) return true;
  return program.finds == Finds::by_name ? is_coverable_by_name(program.path)
                                         : is_coverable(program.folder, program.path);
}

// The report does not have the work of a program that is `out_of_reach` or `without_log`.
enum class Cover { not_wanted, out_of_reach, without_log, given };

// The kernel takes a null pointer for an empty environment, and refuses other bad addresses.
Cover cover_of(char* const* environment, const Program& program, bool may_change_environment) {
  if (environment != nullptr && !may_be_memory(environment)) return Cover::not_wanted;
  if (!children_are_covered() || is_covered_already(environment)) return Cover::not_wanted;
  if (!may_change_environment || !can_be_covered(program) || !can_be_preloaded()) {
    return Cover::out_of_reach;
  }
  return *policy.logs == '\0' || may_begin_log() ? Cover::given : Cover::without_log;
}

// Calls start(environment) with the environment of the new program, which lies on this stack.
// start() returns 0 if the program runs now. If exec succeeds, it does not come back, so the
// program is counted before.
template <typename Start>
long start_program(char** environment, const Program& program, Start start,
                   bool may_change_environment = true) {
  const Cover cover = cover_of(environment, program, may_change_environment);
  const bool is_missing = cover == Cover::out_of_reach || cover == Cover::without_log;
  if (cover == Cover::given || cover == Cover::without_log) {
    void* const memory = alloca(covered_environment_bytes(environment));
    environment = covered_environment(environment, memory);
  }
  if (is_missing) count_out_of_reach(1);
  const long result = start(environment);
  if (is_missing && result != 0) count_out_of_reach(-1);
  return result;
}

// Makes the call, one of whose arguments is the environment.
long start_with(Arguments arguments, int place, const Program& program) {
  return start_program(arguments.address<char*>(place), program, [&](char** environment) {
    arguments.value[place] = reinterpret_cast<long>(environment);
    return long{static_cast<int>(arguments.call())};
  });
}

long exec_with(const Arguments& arguments, int place, const Program& program) {
  before_ending();
  const long result = start_with(arguments, place, program);
  after_failed_exec();
  return result;
}

// An execve() or execvpe() of the program's own may call other functions of this family. So the
// hooks of these do not call execve() or execvpe() by name.
int exec_words(Finds finds, const char* file, char* const* words, char* const* environment) {
  const auto start = [&](char** covered) {
    return long{finds == Finds::by_name ? real().execvpe(file, words, covered)
                                        : real().execve(file, words, covered)};
  };
  const Program program{file, AT_FDCWD, finds};
  before_ending();
  const long result = start_program(const_cast<char**>(environment), program, start);
  after_failed_exec();
  return static_cast<int>(result);
}

}  // namespace

SLUICE_HOOK int execve(const char* path, char* const words[], char* const environment[]) noexcept {
  return exec_words(Finds::by_path, path, words, environment);
}

SLUICE_HOOK int execvpe(const char* file, char* const words[], char* const environment[]) noexcept {
  return exec_words(Finds::by_name, file, words, environment);
}

SLUICE_WORK(long, sluice_execveat) {
  return exec_with(arguments, 3, {arguments.text(1), arguments.number(0)});
}
SLUICE_AROUND(sluice_execveat, "execveat");

SLUICE_WORK(long, sluice_fexecve) { return exec_with(arguments, 2, {"", arguments.number(0)}); }
SLUICE_AROUND(sluice_fexecve, "fexecve");

SLUICE_HOOK int execv(const char* path, char* const argv[]) noexcept {
  return exec_words(Finds::by_path, path, argv, environ);
}

SLUICE_HOOK int execvp(const char* file, char* const argv[]) noexcept {
  return exec_words(Finds::by_name, file, argv, environ);
}

// The number of words that execl() and similar calls were given, with the null pointer at their
// end.
size_t words_with_null(va_list list) {
  size_t count = 2;
  va_list counted;
  va_copy(counted, list);
  while (va_arg(counted, char*) != nullptr) ++count;
  va_end(counted);
  return count;
}

// ENVIRONMENT may be read from `list`, which stands behind the words.
#define SLUICE_EXEC_WORDS(NAME, FINDS, ENVIRONMENT)                            \
  SLUICE_HOOK int NAME(const char* file, const char* first, ...) noexcept {    \
    va_list list;                                                              \
    va_start(list, first);                                                     \
    const size_t count = words_with_null(list);                                \
    char** const words = static_cast<char**>(alloca((count) * sizeof(char*))); \
    words[0] = const_cast<char*>(first);                                       \
    for (size_t i = 1; i < count; ++i) words[i] = va_arg(list, char*);         \
    char* const* const environment = ENVIRONMENT;                              \
    va_end(list);                                                              \
    return exec_words(Finds::FINDS, file, words, environment);                 \
  }
SLUICE_EXEC_WORDS(execl, by_path, environ)
SLUICE_EXEC_WORDS(execlp, by_name, environ)
SLUICE_EXEC_WORDS(execle, by_path, va_arg(list, char* const*))

// The C library has the functions with pidfd since 2.39.
SLUICE_WORK(long, sluice_spawn) {
  before_another_process();
  return start_with(arguments, 5, {arguments.text(1)});
}
SLUICE_AROUND(sluice_spawn, "posix_spawn, pidfd_spawn");

SLUICE_WORK(long, sluice_spawn_by_name) {
  before_another_process();
  return start_with(arguments, 5, {arguments.text(1), AT_FDCWD, Finds::by_name});
}
SLUICE_AROUND(sluice_spawn_by_name, "posix_spawnp, pidfd_spawnp");

// ---- commands of the shell ----

namespace {

constexpr Program shell{"/bin/sh"};

// SIGINT and SIGQUIT may end the command of system(), but not the process that waits for the
// command. The whole process ignores them, from the first of several overlapping calls of system()
// to the last.
constinit pthread_mutex_t waiting_mutex = PTHREAD_MUTEX_INITIALIZER;
constinit int waiting_calls = 0;
constinit struct sigaction interrupt {};
constinit struct sigaction quit {};

void begin_waiting() {
  pthread_mutex_lock(&waiting_mutex);
  if (waiting_calls++ == 0) {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
  }
  pthread_mutex_unlock(&waiting_mutex);
}

void end_waiting() {
  pthread_mutex_lock(&waiting_mutex);
  if (--waiting_calls == 0) {
    sigaction(SIGINT, &interrupt, nullptr);
    sigaction(SIGQUIT, &quit, nullptr);
  }
  pthread_mutex_unlock(&waiting_mutex);
}

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
  end_waiting();
}

// Since 2.38 the C library tells the shell where its options end, so that a command may begin with
// a dash.
bool marks_end_of_options() { return strverscmp(gnu_get_libc_version(), "2.38") >= 0; }

// The command gets the program's own signal handling.
int start_shell(const char* command, const sigset_t& mask, pid_t& process) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  if (interrupt.sa_handler != SIG_IGN) sigaddset(&defaults, SIGINT);
  if (quit.sa_handler != SIG_IGN) sigaddset(&defaults, SIGQUIT);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setsigmask(&attributes, &mask);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  const char* const with_mark[] = {"sh", "-c", "--", command, nullptr};
  const char* const without_mark[] = {"sh", "-c", command, nullptr};
  const auto* const words = marks_end_of_options() ? with_mark : without_mark;
  const long error = start_program(environ, shell, [&](char** environment) {
    return real().posix_spawn(&process, shell.path, nullptr, &attributes,
                              const_cast<char* const*>(words), environment);
  });
  posix_spawnattr_destroy(&attributes);
  return static_cast<int>(error);
}

}  // namespace

// glibc's own system() passes on the environment unchanged, so its work is done here.
SLUICE_HOOK int system(const char* command) {
  if (command == nullptr) return real().system(nullptr);
  before_another_process();
  if (!children_are_covered()) return real().system(command);
  int status = 127 << 8;  // if the shell does not start
  sigset_t child;
  sigset_t mask;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  begin_waiting();
  pthread_sigmask(SIG_BLOCK, &child, &mask);
  pid_t process = 0;
  const int error = start_shell(command, mask, process);
  if (error == 0) {
    pthread_cleanup_push(end_command, &process);
    status = status_of(process);
    pthread_cleanup_pop(0);
  }
  end_waiting();
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  if (error != 0) errno = error;
  return status;
}

// glibc's popen() starts the shell with the environment of this process. So the hook gives this
// process the child's environment during the call. Other threads would see this environment, and
// might call popen() too. In a program with several threads the child is therefore not covered.
SLUICE_WORK(long, sluice_popen) {
  before_another_process();
  char** const own = environ;
  const bool may_change = __libc_single_threaded != 0;
  long stream = 0;
  const auto start = [&](char** environment) {
    if (may_change) environ = environment;
    stream = arguments.call();
    if (may_change) environ = own;
    return stream == 0 ? -1 : 0;
  };
  start_program(own, shell, start, may_change);
  return stream;
}
SLUICE_AROUND(sluice_popen, "popen");

// A forked child has memory of its own, so the question is settled before.
SLUICE_WORK(void, sluice_before_fork) {
  is_child_of_vfork();
  before_another_process();
}

// wordexp() may start a shell. For login_tty() the terminal becomes the standard streams.
SLUICE_BEFORE(sluice_before_fork, "fork, __fork, daemon, forkpty, login_tty, wordexp");

// This function runs no handlers of pthread_atfork().
SLUICE_WORK(void, sluice_before_raw_fork) { before_child(Memory::copied); }
SLUICE_BEFORE(sluice_before_raw_fork, "_Fork");

SLUICE_WORK(void, sluice_before_vfork) { before_child(Memory::shared); }
SLUICE_BEFORE(sluice_before_vfork, "vfork, __vfork");

namespace {

// With CLONE_VFORK the parent waits until the child no longer uses its memory.
void before_clone(long flags) {
  const long sharing = flags & (CLONE_VM | CLONE_VFORK);
  before_another_process();
  if ((sharing & CLONE_VM) == 0) before_child(Memory::copied);
  if (sharing == CLONE_VM) before_other_code(EndOfHolding::memory);
  if (sharing == (CLONE_VM | CLONE_VFORK)) before_child(Memory::shared);
}

// These calls start nothing, and change no descriptor.
constexpr long harmless[] = {
    SYS_gettid, SYS_getpid,    SYS_getrandom,         SYS_futex,
    SYS_fsync,  SYS_fdatasync, SYS_sched_getaffinity, SYS_sched_setaffinity};

// These calls start code, or let it see memory, which no hook sees.
constexpr long starting_unseen_code[] = {SYS_seccomp, SYS_rt_sigaction, SYS_io_uring_setup,
                                         SYS_io_setup, SYS_clone3};

bool is_one_of(long number, std::span<const long> numbers) {
  return std::ranges::find(numbers, number) != numbers.end();
}

}  // namespace

SLUICE_WORK(void, sluice_before_clone) { before_clone(arguments.number(2)); }
SLUICE_BEFORE(sluice_before_clone, "clone, __clone");

void before_own_call(long number, const long* arguments) {
  if (is_one_of(number, starting_unseen_code)) before_other_code(EndOfHolding::own_call);
  if (number == SYS_clone) return before_clone(arguments[0]);
  if (number == SYS_clone3) {
    // The flags come first, at an address that may be bad.
    const auto* const flags = reinterpret_cast<const long*>(arguments[0]);
    return before_clone(is_readable(flags) ? *flags : 0);
  }
#ifdef SYS_vfork
  if (number == SYS_vfork) return before_clone(CLONE_VM | CLONE_VFORK);
#endif
  if (!is_one_of(number, harmless)) before_another_process();
#ifdef SYS_fork
  if (number == SYS_fork) before_child(Memory::copied);
#endif
}

// ---- ending without cleaning up ----

SLUICE_WORK(void, sluice_before_ending) { before_ending(); }
SLUICE_BEFORE(sluice_before_ending, "_exit, _Exit, abort, __assert_fail");

// PLACE is that of the signal among the arguments.
#define SLUICE_SIGNALS(work, PROCESS, PLACE, names)                            \
  SLUICE_WORK(void, work) { before_signal(PROCESS, arguments.number(PLACE)); } \
  SLUICE_BEFORE(work, names)
SLUICE_SIGNALS(sluice_before_kill, arguments.number(0), 1, "kill, sigqueue");
SLUICE_SIGNALS(sluice_before_raise, 0, 0, "raise");
SLUICE_SIGNALS(sluice_before_killpg, 0, 1, "killpg, pidfd_send_signal, pthread_kill");
SLUICE_SIGNALS(sluice_before_tgkill, 0, 2, "tgkill");

}  // namespace sluice::preload
