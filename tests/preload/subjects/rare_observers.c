// usage: rare_observers
//
// Writes a line to "file" before each of some calls that may let somebody look at the file, and
// prints how long the file is after the call. It asks the kernel by an instruction of its own,
// which no preloaded object sees. After "nothing" the file may lack the line: it stands at the
// begin, and behind the last call that must not end the holding back of bytes.
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <iconv.h>
#include <locale.h>
#include <malloc.h>
#include <mntent.h>
#include <mqueue.h>
#include <netdb.h>
#include <nl_types.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <setjmp.h>
#include <shadow.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <ucontext.h>
#include <ulimit.h>
#include <unistd.h>
#include <utmp.h>
#include <utmpx.h>

ssize_t __write(int descriptor, const void* data, size_t bytes);
off_t __lseek(int descriptor, off_t offset, int whence);

static const struct timespec moment = {0, 1};
static int file;
static FILE* stream;  // of another file, with pending bytes
static sigset_t no_signals;

static long bytes_in_file(void) {
  struct stat status;
  long result = 0;
#if defined(__x86_64__)
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(SYS_fstat), "D"((long)file), "S"(&status)
                   : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long number __asm__("x8") = SYS_fstat;
  register long first __asm__("x0") = file;
  register void* second __asm__("x1") = &status;
  __asm__ volatile("svc 0" : "+r"(first) : "r"(number), "r"(second) : "memory");
  result = first;
#endif
  return result == 0 ? (long)status.st_size : -1;
}

static void do_nothing(void) {}
static void do_sigprocmask(void) { sigprocmask(SIG_UNBLOCK, &no_signals, NULL); }
static void do_pthread_sigmask(void) { pthread_sigmask(SIG_UNBLOCK, &no_signals, NULL); }
static void do_process_vm_writev(void) { process_vm_writev(-1, NULL, 0, NULL, 0, 0); }
static void do_ptrace(void) { ptrace(PTRACE_POKEDATA, -1, NULL, NULL); }
static void do_umask(void) { umask(022); }
static void do_chdir(void) { chdir("."); }
static void do_setpriority(void) { setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0)); }
static void do_prctl(void) { prctl(PR_SET_NAME, "observers"); }
static void do_sched_setaffinity(void) { sched_setaffinity(0, 0, NULL); }
static void do_ulimit(void) { ulimit(UL_GETFSIZE); }
static void do_setmntent(void) {
  FILE* const table = setmntent("/dev/null", "r");
  if (table != NULL) endmntent(table);
}
static void do_getxattr(void) { getxattr("file", "user.none", NULL, 0); }
static void do_fgetxattr(void) { fgetxattr(file, "user.none", NULL, 0); }
static void do_inotify_add_watch(void) { inotify_add_watch(-1, "file", IN_MODIFY); }
static void do_bind(void) {
  const struct sockaddr_un name = {AF_UNIX, "socket"};
  bind(-1, (const struct sockaddr*)&name, sizeof name);
}
static void do_shm_open(void) { shm_open("/no/such/memory", O_RDONLY, 0); }
static void do_thrd_sleep(void) { thrd_sleep(&moment, NULL); }
static void do_cond_timedwait(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_cond_timedwait(&condition, &mutex, &moment);
  pthread_mutex_unlock(&mutex);
}
static void do_mutex_timedlock(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_timedlock(&mutex, &moment);
}
static void do_rewind(void) { rewind(stream); }
static void do_fseek(void) {
  fputc('x', stream);
  fseek(stream, 0, SEEK_END);
}
static void do_setvbuf(void) { setvbuf(stream, NULL, _IONBF, 0); }
static void do_siglongjmp(void) {
  static sigjmp_buf place;
  if (sigsetjmp(place, 1) == 0) siglongjmp(place, 1);
}
static void do_swapcontext(void) {
  static ucontext_t here;
  static volatile int times;
  times = 0;
  getcontext(&here);
  if (times++ == 0) setcontext(&here);
}
static void do_dlopen(void) { dlopen("no such library", RTLD_NOW); }
static void do_backtrace(void) {
  void* frames[1] = {0};
  backtrace_symbols_fd(frames, 0, 2);
}
static void do_getopt(void) {
  char* words[] = {"program", NULL};
  getopt(1, words, "");
}
static void do_write_of_libc(void) { __write(-1, "", 1); }
static void do_lseek_of_libc(void) { __lseek(file, 0, SEEK_CUR); }
// Functions of the C library that read or write its tables, tell others something, or wait. None of
// them has to succeed.
#define LOOK(name, ...) \
  static void do_##name(void) { __VA_ARGS__; }
LOOK(tzset, tzset())
LOOK(catopen, catopen("./no such catalog", 0))
LOOK(iconv_open, iconv_open("no such set", "UTF-8"))
LOOK(setlocale, setlocale(LC_ALL, NULL))
LOOK(newlocale, newlocale(LC_ALL_MASK, "no such place", NULL))
LOOK(getpwnam, getpwnam("nobody"))
LOOK(getpwuid, getpwuid(0))
LOOK(getpwent, getpwent())
LOOK(getgrnam, getgrnam("nogroup"))
LOOK(getgrgid, getgrgid(0))
LOOK(getgrouplist, int count = 0; getgrouplist("nobody", 0, NULL, &count))
LOOK(getspnam, getspnam("nobody"))
LOOK(getlogin, getlogin())
LOOK(getusershell, getusershell())
LOOK(getservbyname, getservbyname("domain", NULL))
LOOK(getprotobyname, getprotobyname("tcp"))
LOOK(getutent, getutent())
LOOK(getutxent, getutxent())
LOOK(updwtmp, static const struct utmp entry; updwtmp("./no such folder/wtmp", &entry))
LOOK(listen, listen(-1, 1))
LOOK(shm_unlink, shm_unlink("/no such memory"))
LOOK(mq_unlink, mq_unlink("/no such queue"))
LOOK(msgget, msgget(0x51, 0))
LOOK(msgctl, msgctl(-1, IPC_RMID, NULL))
LOOK(semget, semget(0x51, 1, 0))
LOOK(shmget, shmget(0x51, 1, 0))
LOOK(shmctl, shmctl(-1, IPC_RMID, NULL))
LOOK(setgid, setgid(getgid()))
LOOK(setegid, setegid(getegid()))
LOOK(setfsgid, setfsgid((gid_t)-1))
LOOK(setfsuid, setfsuid((uid_t)-1))
LOOK(umount2, umount2("./no such place", MNT_DETACH))
LOOK(tcsetattr, struct termios settings = {0}; tcsetattr(-1, TCSANOW, &settings))
LOOK(tcdrain, tcdrain(-1))
LOOK(tcflush, tcflush(-1, TCIFLUSH))
LOOK(tcsetpgrp, tcsetpgrp(-1, 1))
LOOK(thrd_yield, thrd_yield())
LOOK(malloc_info, malloc_info(0, stream))
// The last ones: they end all holding back of bytes.
static void do_shared_memory(void) { mmap(NULL, 1, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); }

#define CASE(name) \
  { #name, do_##name }
static const struct {
  const char* name;
  void (*look)(void);
} cases[] = {
    CASE(nothing),
    CASE(sigprocmask),
    CASE(pthread_sigmask),
    CASE(umask),
    CASE(process_vm_writev),
    CASE(ptrace),
    CASE(chdir),
    CASE(setpriority),
    CASE(prctl),
    CASE(sched_setaffinity),
    CASE(ulimit),
    CASE(setmntent),
    CASE(getxattr),
    CASE(fgetxattr),
    CASE(bind),
    CASE(shm_open),
    CASE(thrd_sleep),
    CASE(cond_timedwait),
    CASE(mutex_timedlock),
    CASE(rewind),
    CASE(fseek),
    CASE(setvbuf),
    CASE(siglongjmp),
    CASE(swapcontext),
    CASE(dlopen),
    CASE(backtrace),
    CASE(getopt),
    CASE(write_of_libc),
    CASE(lseek_of_libc),
    CASE(tzset),
    CASE(catopen),
    CASE(iconv_open),
    CASE(setlocale),
    CASE(newlocale),
    CASE(getpwnam),
    CASE(getpwuid),
    CASE(getpwent),
    CASE(getgrnam),
    CASE(getgrgid),
    CASE(getgrouplist),
    CASE(getspnam),
    CASE(getlogin),
    CASE(getusershell),
    CASE(getservbyname),
    CASE(getprotobyname),
    CASE(getutent),
    CASE(getutxent),
    CASE(updwtmp),
    CASE(listen),
    CASE(shm_unlink),
    CASE(mq_unlink),
    CASE(msgget),
    CASE(msgctl),
    CASE(semget),
    CASE(shmget),
    CASE(shmctl),
    CASE(setgid),
    CASE(setegid),
    CASE(setfsgid),
    CASE(setfsuid),
    CASE(umount2),
    CASE(tcsetattr),
    CASE(tcdrain),
    CASE(tcflush),
    CASE(tcsetpgrp),
    CASE(thrd_yield),
    CASE(malloc_info),
    CASE(nothing),
    CASE(inotify_add_watch),
    CASE(shared_memory),
};

int main(void) {
  enum { count = sizeof cases / sizeof *cases };
  long bytes[count];
  sigemptyset(&no_signals);
  stream = fopen("other", "w");
  file = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (stream == NULL || file < 0) return 2;
  for (int i = 0; i < count; ++i) {
    if (write(file, "a line\n", 7) != 7) return 2;
    cases[i].look();
    bytes[i] = bytes_in_file();
  }
  for (int i = 0; i < count; ++i) printf("%s: %ld\n", cases[i].name, bytes[i]);
  return 0;
}
