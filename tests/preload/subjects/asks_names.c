// usage: asks_names HOW TIMES
//
// Asks by the call HOW for two names TIMES times each: "there" is a file, and "gone" is not. Prints
// the answers. HOW can also be:
// - once, twice: asks for TIMES names, and then perhaps for each of them again
// - in a row: asks for TIMES names, three times for each
// - folders: asks for the same name in TIMES folders
// - changes: does so in folders to which it changes first
// - descriptor: asks about an open file, by no name, in five ways
// - openings: asks about each file that it opens, a few times
// - closed: asks about a descriptor that is closed
// - bad: asks by addresses that are none
// - scan, glob, folder: lists a folder with two files, an empty one and one that is missing
// - own glob: does so by functions of its own
// - filter: lists a folder with two files, and asks for a long name at each of its names
// - flock, lockf, fcntl: locks and unlocks a file for each of TIMES records
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The functions that glibc had before 2.33 for stat() and others.
#ifdef __x86_64__
enum { version = 1 };
#else
enum { version = 0 };
#endif
typedef int OldStat(int, const char*, struct stat*);
typedef int OldStatOfOpen(int, int, struct stat*);
typedef int OldStatAt(int, int, const char*, struct stat*, int);

static long sum;

static int opened(int descriptor) { return descriptor < 0 ? -1 : close(descriptor); }

static int ask(const char* how, const char* name) {
  struct stat status = {0};
  struct statx extended = {0};
  if (strcmp(how, "stat") == 0) return stat(name, &status);
  if (strcmp(how, "lstat") == 0) return lstat(name, &status);
  if (strcmp(how, "fstatat") == 0) return fstatat(AT_FDCWD, name, &status, 0);
  if (strcmp(how, "statx") == 0) return statx(AT_FDCWD, name, 0, STATX_SIZE, &extended);
  if (strcmp(how, "statx by number") == 0) {
    return (int)syscall(SYS_statx, AT_FDCWD, name, 0, STATX_SIZE, &extended);
  }
  if (strcmp(how, "access") == 0) return access(name, R_OK);
  if (strcmp(how, "eaccess") == 0) return eaccess(name, R_OK);
  if (strcmp(how, "faccessat") == 0) return faccessat(AT_FDCWD, name, R_OK, 0);
  if (strcmp(how, "realpath") == 0) {
    char* const path = realpath(name, NULL);
    free(path);
    return path == NULL ? -1 : 0;
  }
  if (strcmp(how, "open") == 0) return opened(open(name, O_RDONLY));
  if (strcmp(how, "openat") == 0) return opened(openat(AT_FDCWD, name, O_RDONLY));
  if (strcmp(how, "fopen") == 0) {
    FILE* const stream = fopen(name, "r");
    return stream == NULL ? -1 : fclose(stream);
  }
  void* const old = dlsym(RTLD_DEFAULT, how);
  if (old == NULL) return stat(name, &status);
  if (strcmp(how, "__fxstatat") == 0) {
    return ((OldStatAt*)old)(version, AT_FDCWD, name, &status, 0);
  }
  return ((OldStat*)old)(version, name, &status);
}

static void ask_in_turn(const char* how, long times) {
  for (long i = 0; i < times; ++i) {
    sum += ask(how, "there");
    sum += 1000 * ask(how, "gone") + errno;
  }
}

static void ask_for_names(long times, int rounds) {
  char name[32];
  for (long i = 0; i < rounds * times; ++i) {
    snprintf(name, sizeof name, "gone-%ld", i % times);
    sum += ask("stat", name) + ask("fopen", name) + ask("access", name);
  }
}

static void ask_in_a_row(long times) {
  char name[32];
  for (long i = 0; i < times; ++i) {
    snprintf(name, sizeof name, "gone-%ld", i);
    sum += ask("stat", name) + ask("access", name) + ask("stat", name);
  }
}

static void ask_in_folders(long times, int changes) {
  char name[32];
  struct stat status;
  for (long i = 0; i < times; ++i) {
    snprintf(name, sizeof name, "folder-%ld", i);
    mkdir(name, 0755);
    const int folder = open(name, O_RDONLY);
    if (changes && (fchdir(folder) != 0 || mkdir("file", 0755) != 0)) exit(2);
    if (!changes && mkdirat(folder, "file", 0755) != 0) exit(2);
    const int from = changes ? AT_FDCWD : folder;
    sum += fstatat(from, "file", &status, 0) + faccessat(from, "file", R_OK, 0);
    sum += fstatat(from, "gone", &status, 0) + openat(from, "gone", O_RDONLY);
    close(folder);
    if (changes && chdir("..") != 0) exit(2);
  }
}

static void ask_by_descriptor(long times) {
  struct stat status;
  struct statx extended;
  const int file = open("there", O_RDONLY);
  OldStatOfOpen* const old = (OldStatOfOpen*)dlsym(RTLD_DEFAULT, "__fxstat");
  for (long i = 0; i < times; ++i) {
    sum +=
        fstat(file, &status) + (old == NULL ? fstat(file, &status) : old(version, file, &status));
    sum += fstatat(file, "", &status, AT_EMPTY_PATH);
    sum += statx(file, "", AT_EMPTY_PATH, STATX_SIZE, &extended);
    errno = 0;
    sum += 1000 * isatty(file) + errno;
  }
}

static void ask_about_openings(long times) {
  struct stat status;
  for (long i = 0; i < times; ++i) {
    const int file = open("there", O_RDONLY);
    for (int question = 0; question < 3; ++question) sum += fstat(file, &status);
    close(file);
  }
}

static void ask_about_closed(long times) {
  struct stat status;
  const int file = open("there", O_RDONLY);
  close(file);
  for (long i = 0; i < times; ++i) sum += fstat(file, &status);
}

static void ask_by_bad_addresses(void) {
  const char* const ways[] = {"stat",   "fstatat", "statx", "statx by number",
                              "access", "open",    "fopen"};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
    for (int at = 0; at < 0x30000; at += 0x10000) {
      const int answer = ask(ways[i], (const char*)(intptr_t)at);
      printf("%s %d: %d %d\n", ways[i], at, answer, errno);
    }
  }
  struct stat* volatile bad = (struct stat*)(intptr_t)8;
  const int answer = stat("there", bad);
  printf("%d %d\n", answer, errno);
}

static int ask_for_long_name(const struct dirent* entry) {
  char name[4000];
  struct stat status;
  for (size_t i = 0; i < sizeof name; ++i) name[i] = "./"[i % 2];
  name[sizeof name - 1] = '\0';
  sum += stat(name, &status);
  return entry != NULL;
}

static int has_no_dot(const struct dirent* entry) { return entry->d_name[0] != '.'; }

static int scan(const char* folder, int (*filter)(const struct dirent*)) {
  struct dirent** entries = NULL;
  const int count = scandir(folder, &entries, filter, alphasort);
  for (int i = 0; i < count; ++i) free(entries[i]);
  free(entries);
  return count;
}

static void* open_folder(const char* folder) { return opendir(folder); }
static struct dirent* next_of_folder(void* folder) { return readdir(folder); }
static void close_folder(void* folder) { closedir(folder); }

static int find(const char* folder, int flags) {
  char pattern[32];
  glob_t found = {.gl_opendir = open_folder,
                  .gl_readdir = next_of_folder,
                  .gl_closedir = close_folder,
                  .gl_stat = stat,
                  .gl_lstat = lstat};
  snprintf(pattern, sizeof pattern, "%s/*", folder);
  const int answer = glob(pattern, flags, NULL, &found);
  const int count = (int)found.gl_pathc;
  globfree(&found);
  return 10 * answer + count;
}

static int list_open(const char* name) {
  const int file = open(name, O_RDONLY | O_DIRECTORY);
  DIR* const folder = file < 0 ? NULL : fdopendir(file);
  if (folder == NULL) return -1;
  int count = 0;
  while (readdir(folder) != NULL) ++count;
  closedir(folder);
  return count;
}

static int list(const char* how, const char* folder) {
  if (strcmp(how, "filter") == 0) return scan(folder, ask_for_long_name);
  if (strcmp(how, "scan") == 0) return scan(folder, has_no_dot);
  if (strcmp(how, "glob") == 0) return find(folder, 0);
  if (strcmp(how, "own glob") == 0) return find(folder, GLOB_ALTDIRFUNC);
  return list_open(folder);
}

static void list_folders(const char* how, long times) {
  const char* const folders[] = {"listed", "empty", "missing"};
  mkdir("listed", 0700);
  mkdir("empty", 0700);
  close(open("listed/a", O_WRONLY | O_CREAT, 0600));
  close(open("listed/b", O_WRONLY | O_CREAT, 0600));
  const int count = strcmp(how, "filter") == 0 ? 1 : 3;
  for (long i = 0; i < times * count; ++i) {
    errno = 0;
    sum += 100 * list(how, folders[i % count]) + errno;
  }
}

static void lock(int file, const char* how, int locks) {
  struct flock whole = {.l_type = (short)(locks ? F_WRLCK : F_UNLCK), .l_whence = SEEK_SET};
  if (strcmp(how, "flock") == 0) sum += flock(file, locks ? LOCK_EX : LOCK_UN);
  if (strcmp(how, "fcntl") == 0) sum += fcntl(file, F_SETLKW, &whole);
  if (strcmp(how, "lockf") == 0) sum += lockf(file, locks ? F_LOCK : F_ULOCK, 0);
}

static void write_locked(const char* how, long times) {
  const int file = open("there", O_WRONLY | O_APPEND);
  for (long i = 0; i < times; ++i) {
    lock(file, how, 1);
    sum += write(file, "a record\n", 9);
    lock(file, how, 0);
  }
}

int main(int count, char** words) {
  if (count != 3) return 2;
  const char* const how = words[1];
  const long times = atol(words[2]);
  if (opened(open("there", O_WRONLY | O_CREAT, 0644)) != 0) return 2;
  if (strcmp(how, "once") == 0) {
    ask_for_names(times, 1);
  } else if (strcmp(how, "twice") == 0) {
    ask_for_names(times, 2);
  } else if (strcmp(how, "folders") == 0 || strcmp(how, "changes") == 0) {
    ask_in_folders(times, strcmp(how, "changes") == 0);
  } else if (strcmp(how, "descriptor") == 0) {
    ask_by_descriptor(times);
  } else if (strcmp(how, "in a row") == 0) {
    ask_in_a_row(times);
  } else if (strcmp(how, "openings") == 0) {
    ask_about_openings(times);
  } else if (strcmp(how, "closed") == 0) {
    ask_about_closed(times);
  } else if (strcmp(how, "bad") == 0) {
    ask_by_bad_addresses();
  } else if (strstr("flock lockf fcntl", how) != NULL) {
    write_locked(how, times);
  } else if (strstr("scan own glob folder filter", how) != NULL) {
    list_folders(how, times);
  } else {
    ask_in_turn(how, times);
  }
  printf("%ld\n", sum);
  return 0;
}
