// usage: pitfalls CASE
//
// Each case does something that is a problem for a library that holds a program's bytes back. A
// case writes to "file" and prints its observations, which are the same every time.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { lines = 40000 };  // enough for a stream to count as large

static int descriptor = -1;  // open on "file"
static FILE* stream;         // open on "stream"

static void write_line(int to, int number) {
  char line[32];
  const int bytes = snprintf(line, sizeof line, "%07d\n", number);
  if (write(to, line, (size_t)bytes) != bytes) printf("write: errno %d\n", errno);
}

static void put_line(FILE* to, int number) {
  char line[32];
  const int bytes = snprintf(line, sizeof line, "%07d\n", number);
  if (fwrite(line, 1, (size_t)bytes, to) != (size_t)bytes) printf("fwrite: errno %d\n", errno);
}

static void open_both(void) {
  descriptor = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  stream = fopen("stream", "w");
  for (int i = 0; i < lines; ++i) put_line(stream, i);
  for (int i = 0; i < 100; ++i) write_line(descriptor, i);
}

static void go_on(void) {
  for (int i = 100; i < 200; ++i) write_line(descriptor, i);
  for (int i = 0; i < 1000; ++i) put_line(stream, i);
}

static long size_of(const char* name) {
  struct stat status;
  return stat(name, &status) == 0 ? (long)status.st_size : -errno;
}

static void close_both(void) {
  printf("close %d\n", close(descriptor));
  printf("fclose %d\n", fclose(stream));
  printf("sizes %ld %ld\n", size_of("file"), size_of("stream"));
}

// ---- 10: two ways to one file ----

static void fileno_and_stream(void) {
  open_both();
  const int same = fileno(stream);
  for (int i = 0; i < 3; ++i) {
    fputs("by the stream\n", stream);
    fflush(stream);
    write_line(same, i);
    fputs("not flushed\n", stream);
    printf("at %ld\n", (long)lseek(same, 0, SEEK_CUR));
    write_line(descriptor, i);
  }
  close_both();
}

static void read_own_output(void) {
  open_both();
  char seen[9] = "";
  const int again = open("file", O_RDONLY);
  for (int i = 0; i < 5; ++i) {
    write_line(descriptor, 1000 + i);
    printf("%zd %s\n", pread(again, seen, 8, size_of("file") - 8), seen);
  }
  const int stream_again = open("stream", O_RDONLY);
  struct stat status;
  fstat(stream_again, &status);
  printf("%zd", pread(stream_again, seen, 8, status.st_size - 8));
  printf(" %ld %s\n", (long)status.st_size, seen);
  close_both();
}

static void map_own_output(void) {
  const int whole = open("file", O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (ftruncate(whole, 8192) != 0) return;
  const char* const seen = mmap(NULL, 8192, PROT_READ, MAP_SHARED, whole, 0);
  close(whole);
  descriptor = open("file", O_WRONLY);
  for (int i = 0; i < 10; ++i) {
    write_line(descriptor, i);
    char line[8] = "";
    memcpy(line, seen + i * 8,
           7);  // before printf, because that call shows that this process looks
    printf("%s\n", line);
  }
  close(descriptor);
}

static void read_and_write(const char* mode) {
  stream = fopen("file", "w");
  for (int i = 0; i < lines; ++i) put_line(stream, i);
  fclose(stream);
  stream = fopen("file", mode);
  char line[32] = "";
  for (int i = 0; i < 3 * lines; ++i) {
    if (i % 3 == 0) printf("%.7s\n", fgets(line, sizeof line, stream) == NULL ? "end" : line);
    if (i % 3 == 1) fseek(stream, 0, SEEK_CUR);
    if (i % 3 == 2) {
      put_line(stream, -i);
      fflush(stream);
    }
  }
  printf("at %ld\n", ftell(stream));
  fclose(stream);
}
static void read_plus(void) { read_and_write("r+"); }
static void write_plus(void) { read_and_write("w+"); }

// ---- 11: one call each ----

static void with_lseek(void) {
  open_both();
  printf("%ld\n", (long)lseek(descriptor, 0, SEEK_CUR));
  printf("%ld\n", (long)lseek(descriptor, 10, SEEK_SET));
  go_on();
  printf("%ld\n", (long)lseek(descriptor, 0, SEEK_END));
  close_both();
}

static void with_fstat(void) {
  open_both();
  struct stat status;
  fstat(descriptor, &status);
  printf("%ld %ld\n", (long)status.st_size, size_of("stream"));
  go_on();
  close_both();
}

static void with_ftruncate(void) {
  open_both();
  printf("%d\n", ftruncate(descriptor, 50));
  go_on();
  printf("%d\n", truncate("stream", 10));
  close_both();
}

static void copy_by(ssize_t (*copy)(int to, int from)) {
  open_both();
  const int from = open("file", O_RDONLY);
  const int to = open("copy", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  write_line(to, -1);
  write_line(descriptor, -2);
  printf("%zd\n", copy(to, from));
  write_line(to, -3);
  close(to);
  go_on();
  close_both();
}
static ssize_t send_all(int to, int from) { return sendfile(to, from, NULL, 1 << 20); }
static ssize_t copy_all(int to, int from) {
  return copy_file_range(from, NULL, to, NULL, 1 << 20, 0);
}
static void with_sendfile(void) { copy_by(send_all); }
static void with_copy_file_range(void) { copy_by(copy_all); }

static void with_fsync(void) {
  open_both();
  printf("%d %d\n", fsync(descriptor), fdatasync(descriptor));
  go_on();
  close_both();
}

// A process that waits for the lock must see the bytes that were written under the lock.
static void with_flock(void) {
  descriptor = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return;
  flock(descriptor, LOCK_EX);
  const pid_t process = fork();
  if (process == 0) {
    const int own = open("file", O_RDWR);
    char byte = 0;
    if (read(pipe_ends[0], &byte, 1) != 1 || flock(own, LOCK_EX) != 0) _exit(1);
    printf("under the lock: %ld\n", size_of("file"));
    fflush(stdout);
    _exit(0);
  }
  for (int i = 0; i < 100; ++i) write_line(descriptor, i);
  if (write(pipe_ends[1], "x", 1) != 1) return;
  for (int i = 0; i < 100; ++i) write_line(descriptor, i);
  flock(descriptor, LOCK_UN);
  waitpid(process, NULL, 0);
  close(descriptor);
}

static void with_rename(void) {
  open_both();
  printf("%d\n", rename("file", "renamed"));
  printf("%ld\n", size_of("renamed"));
  go_on();
  printf("%d\n", rename("renamed", "file"));
  close_both();
}

static void write_by_both(int copy) {
  for (int i = 0; i < 20; ++i) write_line(i % 2 == 0 ? copy : descriptor, i);
  close(copy);
  go_on();
  close_both();
}
static void with_dup(void) {
  open_both();
  write_by_both(dup(descriptor));
}
static void with_dup2(void) {
  open_both();
  write_by_both(dup2(descriptor, 40));
}
static void with_dup3(void) {
  open_both();
  write_by_both(dup3(descriptor, 40, O_CLOEXEC));
}
static void with_fcntl_dup(void) {
  open_both();
  write_by_both(fcntl(descriptor, F_DUPFD, 40));
}

// Standard output becomes the file. stdio writes to it without the library's notice.
static void with_dup2_to_output(void) {
  open_both();
  const int before = dup(STDOUT_FILENO);
  fflush(stdout);
  dup2(descriptor, STDOUT_FILENO);
  for (int i = 0; i < 10; ++i) {
    write_line(descriptor, i);
    printf("printed %d\n", i);
    fflush(stdout);
  }
  dup2(before, STDOUT_FILENO);
  go_on();
  close_both();
}

static void with_fcntl_append(void) {
  open_both();
  const int other = open("file", O_WRONLY | O_APPEND);
  fcntl(descriptor, F_SETFL, O_APPEND);
  for (int i = 0; i < 20; ++i) write_line(i % 2 == 0 ? other : descriptor, i);
  go_on();
  close_both();
}

static void with_close_range(void) {
  open_both();
  close_range((unsigned)descriptor, (unsigned)descriptor, 0);
  printf("%ld\n", size_of("file"));
  const int next = open("next", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  printf("%d\n", next == descriptor);
  go_on();
  close_both();
}

static void with_exec(void) {
  open_both();
  fflush(stdout);
  execl("/bin/sh", "sh", "-c", "wc -c < file; wc -c < stream", (char*)NULL);
}

static void with_syscall(void) {
  open_both();
  if (syscall(SYS_write, descriptor, "raw\n", 4) != 4) return;
  write_line(descriptor, 1);
  const int copy = (int)syscall(SYS_dup, descriptor);
  write_by_both(copy);
}

// ---- 12: errors that arrive late ----

static void write_until_it_fails(void) {
  for (int i = 0; i < 100000; ++i) {
    char line[16];
    snprintf(line, sizeof line, "%07d\n", i);
    if (write(descriptor, line, 8) != 8) {
      printf("write failed: %s\n", strerror(errno));
      break;
    }
  }
  printf("close %d\n", close(descriptor));
}

static void full_by_write(void) {
  descriptor = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  write_until_it_fails();
}

// More bytes than there is room for, and fewer than are held back: only close() can tell.
static void full_by_write_and_close(void) {
  descriptor = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  int failed = 0;
  for (int i = 0; i < 4000 && !failed; ++i)
    failed = write(descriptor, "0123456789abcdef", 16) != 16;
  failed = close(descriptor) != 0 || failed;
  printf("failed: %d\n", failed);
}

static void full_by_stdio(void) {
  stream = fopen("file", "w");
  int failed = 0;
  for (int i = 0; i < 100000 && !failed; ++i) failed = fputs("0123456\n", stream) < 0;
  printf("failed %d, error %d\n", failed, ferror(stream) != 0);
  printf("fclose %d\n", fclose(stream) != 0);
}

static void full_device(void) {
  descriptor = open("/dev/full", O_WRONLY);
  printf("write %zd\n", write(descriptor, "x", 1));
  stream = fopen("/dev/full", "w");
  int count = 0;
  while (count < 100000 && fputs("0123456\n", stream) >= 0) ++count;
  printf("fputs %d\n", count);
  printf("fclose %d\n", fclose(stream));
}

static void wrong_addresses(void) {
  descriptor = open("file", O_WRONLY | O_CREAT, 0644);
  static const uintptr_t addresses[] = {0, 8, 4000, (uintptr_t)-1, (uintptr_t)-4096};
  for (int i = 0; i < 5; ++i) {
    void* const nothing = (void*)addresses[i];
    printf("write %zd\n", write(descriptor, "before", 6));
    printf("write %zd\n", write(descriptor, nothing, 10));
    printf("%s\n", strerror(errno));
    const struct iovec pieces[] = {{"good", 4}, {nothing, 10}};
    printf("writev %zd\n", writev(descriptor, pieces, 2));
  }
  printf("close %d\n", close(descriptor));
}

// ---- 16: signals and cancelled threads ----

static volatile sig_atomic_t handled;
static int log_descriptor;

static void log_a_byte(int number) {
  const int error = errno;
  ++handled;
  if (number == SIGALRM && write(log_descriptor, "x", 1) != 1) _exit(9);
  errno = error;
}

static void storm(void) {
  log_descriptor = open("log", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  open_both();
  signal(SIGALRM, log_a_byte);
  const struct itimerval often = {{0, 50}, {0, 50}};
  setitimer(ITIMER_REAL, &often, NULL);
  for (int i = 0; i < 10 * lines || handled < 100; ++i) {
    if (i >= 10 * lines) continue;
    put_line(stream, i);
    write_line(descriptor, i);
  }
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  printf("each signal has written: %d\n", size_of("log") == handled);
  unlink("log");
  close_both();
}

static void interrupted(void) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return;
  open_both();
  struct sigaction action = {.sa_handler = log_a_byte};
  sigaction(SIGUSR1, &action, NULL);
  const pid_t process = fork();
  if (process == 0) {
    for (;;) {
      kill(getppid(), SIGUSR1);
      usleep(1000);
    }
  }
  char byte = 0;
  for (int i = 0; i < 20; ++i) {
    errno = 0;
    const ssize_t got = read(pipe_ends[0], &byte, 1);
    printf("%zd errno %d\n", got, errno);
    write_line(descriptor, i);
  }
  FILE* const input = fdopen(pipe_ends[0], "r");
  errno = 0;
  const int got = getc(input);
  printf("getc %d errno %d error %d\n", got, errno, ferror(input) != 0);
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
  close_both();
}

static int cancel_pipe[2];
static int cleaned;

static void clean(void* unused) {
  (void)unused;
  cleaned = 1;
}

static void* read_for_ever(void* how) {
  char bytes[100];
  FILE* const input = how == NULL ? NULL : fdopen(dup(cancel_pipe[0]), "r");
  pthread_cleanup_push(clean, NULL);
  while (how == NULL ? read(cancel_pipe[0], bytes, 1) >= 0 : getc(input) != EOF) {
  }
  pthread_cleanup_pop(0);
  return NULL;
}

static void cancelled(void) {
  open_both();
  if (pipe(cancel_pipe) != 0) return;
  for (int i = 0; i < 2; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, read_for_ever, i == 0 ? NULL : &cleaned);
    if (write(cancel_pipe[1], "x", 1) != 1) return;
    pthread_cancel(thread);
    void* result = NULL;
    pthread_join(thread, &result);
    printf("cancelled %d, cleaned %d\n", result == PTHREAD_CANCELED, cleaned);
    cleaned = 0;
  }
  go_on();
  close_both();
}

// ---- 17: names of open files ----

static void own_names(void) {
  open_both();
  char name[64];
  char target[4096] = "";
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  printf("%s\n", readlink(name, target, sizeof target - 1) > 0 ? strrchr(target, '/') : "none");
  const int again = open(name, O_WRONLY | O_APPEND);
  for (int i = 0; i < 20; ++i) write_line(i % 2 == 0 ? again : descriptor, i);
  close(again);
  FILE* const third = fopen(name, "r");
  char line[32] = "";
  printf("%s", fgets(line, sizeof line, third));
  fclose(third);
  FILE* const output = fopen("/dev/stdout", "w");
  printf("before\n");
  fflush(stdout);
  fprintf(output, "by its name\n");
  fclose(output);
  go_on();
  close_both();
}

static void reopened(void) {
  open_both();
  stream = freopen("stream", "r", stream);
  int count = 0;
  for (char line[32]; fgets(line, sizeof line, stream) != NULL;) ++count;
  printf("%d lines\n", count);
  stream = freopen("stream", "a", stream);
  FILE* const second = fopen("file", "r+");
  put_line(second, 42);
  fflush(second);
  go_on();
  fclose(second);
  close_both();
}

static void with_static_child(void) {
  open_both();
  fflush(stdout);
  execl(getenv("STATIC_CHILD"), "static", (char*)NULL);
}

// ---- 18: input streams ----

static void tell(const char* when) {
  printf("%s: at %ld\n", when, (long)lseek(STDIN_FILENO, 0, SEEK_CUR));
  fflush(stdout);
}

static void read_some(int count) {
  char line[200];
  while (count-- > 0 && fgets(line, sizeof line, stdin) != NULL) {
  }
}

static void input_fflush(void) {
  read_some(5000);
  printf("%d\n", fflush(stdin));
  tell("fflush");
  read_some(3);
  printf("%d\n", fflush(NULL));
  tell("fflush of all");
  read_some(3);
  ungetc('u', stdin);
  printf("%d\n", fflush(stdin));
  tell("ungetc");
}

static void input_fclose(void) {
  const int copy = dup(STDIN_FILENO);
  read_some(5000);
  printf("%d\n", fclose(stdin));
  printf("at %ld\n", (long)lseek(copy, 0, SEEK_CUR));
  FILE* const own = fdopen(copy, "r");
  char line[200] = "";
  printf("%s", fgets(line, sizeof line, own));
}

static void input_exit(void) {
  read_some(5000);
  exit(3);
}

#define CASE(name) \
  { #name, name }
static const struct {
  const char* name;
  void (*run)(void);
} cases[] = {
    CASE(fileno_and_stream), CASE(read_own_output),
    CASE(map_own_output),    CASE(read_plus),
    CASE(write_plus),        CASE(with_lseek),
    CASE(with_fstat),        CASE(with_ftruncate),
    CASE(with_sendfile),     CASE(with_copy_file_range),
    CASE(with_fsync),        CASE(with_flock),
    CASE(with_rename),       CASE(with_dup),
    CASE(with_dup2),         CASE(with_dup3),
    CASE(with_fcntl_dup),    CASE(with_dup2_to_output),
    CASE(with_fcntl_append), CASE(with_close_range),
    CASE(with_exec),         CASE(with_syscall),
    CASE(full_by_write),     CASE(full_by_write_and_close),
    CASE(full_by_stdio),     CASE(full_device),
    CASE(wrong_addresses),   CASE(storm),
    CASE(interrupted),       CASE(cancelled),
    CASE(own_names),         CASE(reopened),
    CASE(with_static_child), CASE(input_fflush),
    CASE(input_fclose),      CASE(input_exit),
};

int main(int count, char** words) {
  for (size_t i = 0; count == 2 && i < sizeof cases / sizeof *cases; ++i) {
    if (strcmp(words[1], cases[i].name) != 0) continue;
    cases[i].run();
    return 0;
  }
  return 2;
}
