// usage: written_lines FILE LINES [HOW]
//
// Writes LINES lines to FILE, each by a write() of its own, and reports a failed write. HOW can be:
//   append, synchronous, readable
//                        opens the file with O_APPEND, O_DSYNC or O_RDWR
//   appends              sets O_APPEND after the first line
//   copied, mapped, twice
//                        copies the descriptor, maps or opens the file again after the first line
//   forked, called       starts a process or makes a system call by syscall() after the first line
//   threaded             starts a thread, unseen by the objects, after the first line
//   alarmed, shared, requested, secured, watched
//                        does before the first line what ends all coalescing
//   secured_early        makes a call of seccomp by syscall() before it opens the file
//   inherited            writes to the open descriptor 3
//   has_mapped           has mapped the file before
//   started              starts a process, and then opens the file for the second time
//   high                 has a descriptor above 1,023
//   stream               opens the file by fopen
//   handled              has a signal handler until the lines are written
//   look                 asks for the file's size after each line
//   printed              has a signal handler only while it prints other lines first
//   read                 reads a byte of another file after each line
//   unclosed             does not close the file before exit
#include <aio.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void ignore(int number) { (void)number; }

static void print_while_there_is_a_handler(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  signal(SIGUSR1, ignore);
  for (int i = 0; i < 100; ++i) printf("line %d\n", i);
  signal(SIGUSR1, SIG_DFL);
}

static const char* how = "";
static int is(const char* name) { return strcmp(how, name) == 0; }

static int start_process(void) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  return waitpid(child, NULL, 0) == child;
}

// The thread waits for ever. The function is found before the first line, in the C library itself.
typedef int (*Starter)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
static Starter start_unseen;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static void* wait_for_ever(void* none) {
  pthread_mutex_lock(&held);
  return none;
}
static int start_thread(void) {
  pthread_t thread;
  pthread_mutex_lock(&held);
  return start_unseen(&thread, NULL, wait_for_ever, NULL) == 0;
}

static int map_file(const char* name) {
  const int descriptor = open(name, O_RDONLY | O_CREAT, 0644);
  const int is_mapped = mmap(NULL, 1, PROT_READ, MAP_SHARED, descriptor, 0) != MAP_FAILED;
  return close(descriptor) == 0 && is_mapped;
}

// What the program does after the first line.
static int do_more(const char* name, int descriptor) {
  if (is("appends")) return fcntl(descriptor, F_SETFL, O_APPEND) == 0;
  if (is("copied")) return dup(descriptor) >= 0;
  if (is("mapped")) return map_file(name);
  if (is("twice")) return open(name, O_RDONLY) >= 0;
  if (is("forked")) return start_process();
  if (is("threaded")) return start_thread();
  if (is("called")) return syscall(SYS_getppid) > 0;
  return 1;
}

// `sluice trace` warns of a program that imports aio_write.
static void write_later(void) {
  struct aiocb request;
  memset(&request, 0, sizeof request);
  request.aio_fildes = -1;
  int (*const function)(struct aiocb*) = (int (*)(struct aiocb*))dlsym(RTLD_DEFAULT, "aio_write");
  if (function != NULL) function(&request);
}

static void open_high_descriptor(void) {
  const struct rlimit limit = {2048, 2048};
  setrlimit(RLIMIT_NOFILE, &limit);
  int descriptor = 0;
  while (descriptor >= 0 && descriptor < 1024) descriptor = open("/dev/null", O_RDONLY);
}

static void end_coalescing(void) {
  if (is("high")) open_high_descriptor();
  if (is("alarmed")) alarm(0);
  if (is("shared")) mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (is("requested")) write_later();
  if (is("secured")) syscall(SYS_seccomp, -1, 0, NULL);
  if (is("watched")) inotify_add_watch(inotify_init1(0), ".", IN_MODIFY);
}

int main(int count, char** words) {
  if (count != 3 && count != 4) return 2;
  if (count == 4) how = words[3];
  const int access = is("readable") ? O_RDWR : O_WRONLY;
  const int append = is("append") ? O_APPEND : is("synchronous") ? O_DSYNC : O_TRUNC;
  if (is("has_mapped") && !map_file(words[1])) return 1;
  if (is("started")) {
    close(open(words[1], O_WRONLY | O_CREAT, 0644));
    if (!start_process()) return 1;
  }
  if (is("secured_early")) syscall(SYS_seccomp, -1, 0, NULL);
  const int descriptor = is("inherited") ? 3
                         : is("stream")  ? fileno(fopen(words[1], "w"))
                                         : open(words[1], access | O_CREAT | append, 0644);
  const int other = open("/dev/zero", O_RDONLY);
  struct stat status;
  char byte;
  if (is("handled")) signal(SIGUSR1, ignore);
  start_unseen = (Starter)dlsym(dlopen("libpthread.so.0", RTLD_LAZY), "pthread_create");
  end_coalescing();
  if (is("printed")) print_while_there_is_a_handler();
  static const char line[] = "a line that is written by one call\n";
  const long lines = strtol(words[2], NULL, 10);
  for (long i = 0; i < lines; ++i) {
    if (write(descriptor, line, sizeof line - 1) < 0) {
      fprintf(stderr, "write: %s\n", strerror(errno));
      return 1;
    }
    if (i == 0 && !do_more(words[1], descriptor)) return 1;
    if (is("look")) stat(words[1], &status);
    if (is("read") && read(other, &byte, 1) != 1) return 1;
  }
  signal(SIGUSR1, SIG_DFL);
  if (is("unclosed") || close(descriptor) == 0) return 0;
  fprintf(stderr, "close: %s\n", strerror(errno));
  return 1;
}
