// usage: filtered prctl|by-number|refused FILE
//
// Writes 1,000 lines to FILE, installs a filter with which most system calls end the process, and
// writes 1,000 more lines, in a child too. "refused": the kernel does not take the filter.
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const int allowed[] = {SYS_read,   SYS_write, SYS_fstat,          SYS_newfstatat, SYS_brk,
                              SYS_close,  SYS_lseek, SYS_exit_group,     SYS_exit,       SYS_clone,
                              SYS_clone3, SYS_wait4, SYS_set_robust_list};
enum { allowed_calls = sizeof allowed / sizeof *allowed };

static void filter_calls(const char* how) {
  struct sock_filter filter[allowed_calls + 3];
  struct sock_filter* next = filter;
  *next++ =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (int i = 0; i < allowed_calls; ++i) {
    const unsigned char after = (unsigned char)(allowed_calls - i);
    *next++ =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[i], after, 0);
  }
  *next++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  *next++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {(unsigned short)(next - filter), filter};
  if (strcmp(how, "refused") == 0) program.len = 0;
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const long result = strcmp(how, "by-number") == 0
                          ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)
                          : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
  if ((result != 0) != (strcmp(how, "refused") == 0)) exit(77);
}

// The same call writes all lines.
static __attribute__((noinline)) void write_lines(FILE* stream, const char* line) {
  for (int i = 0; i < 1000; ++i) fputs(line, stream);
}

static void write_in_child(int descriptor) {
  const pid_t child = fork();
  if (child == 0) _exit(write(descriptor, "a child\n", 8) != 8);
  int status = 1;
  if (waitpid(child, &status, 0) != child || status != 0) exit(1);
}

int main(int count, char** words) {
  if (count != 3) return 2;
  FILE* const stream = fopen(words[2], "w+");
  FILE* const other = fopen(words[2], "r");
  write_lines(stream, "before\n");
  filter_calls(words[1]);
  write_lines(stream, "after it\n");
  fprintf(stream, "%d\n", 1000);
  fflush(stream);
  char text[64];
  if (fread(text, 7, 1, other) != 1 || fgets(text, sizeof text, other) == NULL) return 1;
  if (fseek(other, 4096, SEEK_SET) != 0 || fclose(other) != 0) return 1;
  free(realloc(malloc(100000), 110000));
  write_in_child(fileno(stream));
  return fclose(stream) != 0;
}
