// Calls after which the program or another process may look at the program's files. The hook of
// each call first writes the held bytes.
//
// Calls that create, remove or change a name are among them, because programs use names to say that
// a file is complete. Calls that tell another process something are among them, because that
// process may then look at the files. Calls that wait are among them, because a process that
// follows the files must see all bytes while the program waits.
//
// The calls of stdio are here because they may write to a pipe or a terminal, which tells another
// process something, or wait for bytes from there. The hooks do not see the system calls that glibc
// makes. fwrite() and other calls that mostly copy have hooks of their own (run/), which write the
// held bytes only if there is nothing to copy.
#include "coalesce.h"
#include "hook.h"

namespace sluice::preload {

SLUICE_WORK(void, sluice_write_all_held) { write_all_held(); }

// Most calls find nothing held, and such a call must cost next to nothing: printf() may write a
// single byte.
#define SLUICE_OBSERVERS(names) \
  SLUICE_BEFORE_UNLESS_0("sluice_held_descriptors", sluice_write_all_held, names)

// ---- by name ----
// Before glibc 2.33 the headers turned stat() and similar calls into __xstat() and similar calls.
SLUICE_OBSERVERS(
    "stat, stat64, lstat, lstat64, fstatat, fstatat64, statx, __xstat, __lxstat, __xstat64,"
    "__lxstat64, __fxstatat, __fxstatat64, access, faccessat, statfs, statfs64, statvfs,"
    "statvfs64, ftw, ftw64, nftw, nftw64, fts_open, fts_read, fts64_open, fts64_read,"
    "getxattr, lgetxattr, listxattr, llistxattr, setmntent, dlopen, dlmopen, inotify_rm_watch,"
    "openat2, utimensat, utimes, lutimes, utime, futimesat, truncate, truncate64");

// ---- names as marks ----
SLUICE_OBSERVERS(
    "rename, renameat, renameat2, link, linkat, unlink, unlinkat, remove, rmdir, mkdir, mkdirat,"
    "symlink, symlinkat, mkfifo, mkfifoat, mknod, mknodat, mkstemp, mkstemp64, mkstemps,"
    "mkstemps64, mkostemp, mkostemp64, mkostemps, mkostemps64, mkdtemp, chmod, fchmodat, chown,"
    "lchown, fchownat, setxattr, lsetxattr, removexattr, lremovexattr, shm_open, shm_unlink,"
    "mq_open, mq_unlink, msgget, semget, shmget, bind, listen, __xmknod, __xmknodat");

// ---- calls that decide whether a write succeeds ----
SLUICE_OBSERVERS(
    "ulimit, setrlimit, setrlimit64, prlimit, prlimit64, setuid, seteuid, setreuid, setresuid,"
    "setfsuid");

// ---- what other processes see of this one in /proc ----
SLUICE_OBSERVERS(
    "chdir, fchdir, chroot, umask, setpriority, nice, setpgid, setpgrp, setsid, sched_setaffinity,"
    "sched_setscheduler, sched_setparam, pthread_setaffinity_np, pthread_setname_np, unshare,"
    "setns, setgid, setegid, setregid, setresgid, setfsgid, setgroups, initgroups, capset,"
    "sethostname, setdomainname");

// ---- the whole machine ----
SLUICE_OBSERVERS("mount, umount, umount2, pivot_root, swapon, swapoff, acct, reboot");

// ---- tables that the C library reads, or writes, under their names ----
// localtime() and gettext() read files too, mostly once. They are not here, because a program that
// calls them for each line would write each line.
SLUICE_OBSERVERS(
    "tzset, catopen, iconv_open, setlocale, newlocale, lckpwdf, getlogin, getlogin_r, cuserid,"
    "getpwnam, getpwnam_r, getpwuid, getpwuid_r, getpwent, getpwent_r, putpwent, getgrnam,"
    "getgrnam_r, getgrgid, getgrgid_r, getgrent, getgrent_r, putgrent, getgrouplist, getspnam,"
    "getspnam_r, getspent, getspent_r, putspent, getsgnam, getsgnam_r, getsgent, getsgent_r,"
    "putsgent, innetgr, setnetgrent, getusershell, getttyent, getttynam, getfsent, getfsspec,"
    "getfsfile, addmntent, getaliasbyname, getaliasbyname_r, getaliasent, getaliasent_r,"
    "setutent, setutxent, getutent, getutent_r, getutxent, getutid, getutid_r, getutxid,"
    "getutline, getutline_r, getutxline, pututline, pututxline, updwtmp, updwtmpx, logwtmp, login,"
    "logout");

// ---- calls that may let a pending signal end the program ----
SLUICE_OBSERVERS(
    "sigprocmask, pthread_sigmask, sigsetmask, sigrelse, sigpause, gsignal, pthread_sigqueue,"
    "longjmp, _longjmp, siglongjmp, __longjmp_chk, setcontext, swapcontext, __assert_perror_fail");

// ---- by descriptor ----
// The last argument of ioctl() may be another descriptor (FICLONE).
SLUICE_OBSERVERS(
    "read, __read_chk, readv, pread, pread64, __pread_chk, __pread64_chk, preadv, preadv64,"
    "preadv2, preadv64v2, pwrite, pwrite64, pwritev, pwritev64, pwritev2, pwritev64v2, vdprintf,"
    "dprintf, __vdprintf_chk, __dprintf_chk, lseek, lseek64, fstat, fstat64, __fxstat, __fxstat64,"
    "ftruncate, ftruncate64, fallocate, fallocate64, posix_fallocate, posix_fallocate64, sync,"
    "syncfs, sync_file_range, futimens, futimes, fchmod, fchown, fsetxattr, fgetxattr,"
    "flistxattr, fremovexattr, __lseek, __pwrite64, backtrace_symbols_fd, fstatfs, fstatfs64,"
    "fstatvfs, fstatvfs64, flock, lockf, lockf64, sendfile, sendfile64, copy_file_range, splice,"
    "tee, vmsplice, ioctl");

// ---- sockets, queues, semaphores, counters, memory of others, the system's log ----
SLUICE_OBSERVERS(
    "send, sendto, recv, __recv_chk, recvfrom, __recvfrom_chk, recvmsg, recvmmsg, accept, accept4,"
    "connect, shutdown, eventfd_write, eventfd_read, sem_post, sem_wait, sem_timedwait,"
    "sem_clockwait, semop, semtimedop, semctl, msgctl, shmctl, msgsnd, msgrcv, mq_send, "
    "mq_timedsend, mq_receive,"
    "mq_timedreceive, process_vm_writev, ptrace, syslog, vsyslog, __syslog_chk, __vsyslog_chk");

// ---- waiting ----
SLUICE_OBSERVERS(
    "sleep, usleep, nanosleep, clock_nanosleep, pause, poll, ppoll, __poll_chk, __ppoll_chk,"
    "select, pselect, epoll_wait, epoll_pwait, epoll_pwait2, sched_yield, sigsuspend, sigwait,"
    "sigwaitinfo, sigtimedwait, thrd_sleep, __nanosleep, __poll, pthread_cond_wait,"
    "pthread_cond_timedwait, pthread_cond_clockwait, pthread_mutex_timedlock,"
    "pthread_mutex_clocklock, pthread_rwlock_timedrdlock, pthread_rwlock_timedwrlock,"
    "pthread_rwlock_clockrdlock, pthread_rwlock_clockwrlock, cnd_wait, cnd_timedwait,"
    "mtx_timedlock, wait, waitpid, wait3, wait4, waitid, getpass, getaddrinfo, getnameinfo,"
    "gethostbyname, gethostbyname_r, gethostbyname2, gethostbyname2_r, gethostbyaddr,"
    "gethostbyaddr_r, gethostent, gethostent_r, getnetbyname, getnetbyname_r, getnetbyaddr,"
    "getnetbyaddr_r, getnetent, getnetent_r, getservbyname, getservbyname_r, getservbyport,"
    "getservbyport_r, getservent, getservent_r, getprotobyname, getprotobyname_r,"
    "getprotobynumber, getprotobynumber_r, getprotoent, getprotoent_r, getrpcbyname,"
    "getrpcbynumber, ether_hostton, ether_ntohost, res_query, res_search, res_send, __res_query,"
    "__res_search, __res_send, thrd_yield, pthread_yield, tcsetattr, tcdrain, tcflow, tcflush,"
    "tcsendbreak, tcsetpgrp");

// ---- stdio ----
// fopen() and freopen() have hooks in run/open.cc, fflush() and fseek() in run/stdio.cc.
// A stream whose position or buffer changes first writes its own bytes.
SLUICE_OBSERVERS(
    "fcloseall, rewind, fsetpos, fsetpos64,"
    "setvbuf, setbuf, setbuffer, setlinebuf, _IO_putc, _IO_getc,"
    "printf, fprintf, vprintf, vfprintf, __printf_chk, __fprintf_chk, __vprintf_chk,"
    "__vfprintf_chk, wprintf, fwprintf, vwprintf, vfwprintf, __wprintf_chk, __fwprintf_chk,"
    "__vwprintf_chk, __vfwprintf_chk, putw, fputwc, fputwc_unlocked, putwc, putwc_unlocked,"
    "putwchar, putwchar_unlocked, fputws, fputws_unlocked,"
    "getw, fgetwc, fgetwc_unlocked, getwc, getwc_unlocked, getwchar, getwchar_unlocked, fgetws,"
    "fgetws_unlocked, __fgetws_chk, __fgetws_unlocked_chk");
// The names of scanf() and similar functions depend on the standard that the program was compiled
// for.
SLUICE_OBSERVERS(
    "scanf, fscanf, vscanf, vfscanf, wscanf, fwscanf, vwscanf, vfwscanf, __isoc99_scanf,"
    "__isoc99_fscanf, __isoc99_vscanf, __isoc99_vfscanf, __isoc99_wscanf, __isoc99_fwscanf,"
    "__isoc99_vwscanf, __isoc99_vfwscanf,"
    "__isoc23_scanf, __isoc23_fscanf, __isoc23_vscanf, __isoc23_vfscanf, __isoc23_wscanf,"
    "__isoc23_fwscanf, __isoc23_vwscanf, __isoc23_vfwscanf");

// ---- messages on standard error ----
SLUICE_OBSERVERS(
    "perror, psignal, psiginfo, warn, warnx, vwarn, vwarnx, err, errx, verr, verrx, error,"
    "error_at_line, herror, fmtmsg, getopt, getopt_long, getopt_long_only, argp_parse, argp_help,"
    "argp_usage, argp_error, argp_failure, argp_state_help, malloc_info, malloc_stats");

}  // namespace sluice::preload
