#include "environment.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "keep_errno.h"
#include "log_file.h"
#include "options.h"
#include "real.h"

namespace sluice::preload {

constinit Options policy;

namespace {

constexpr char preload_variable[] = "LD_PRELOAD";

// The loader's name of this object, and a copy of the entry with the options. Both live as long as
// the process.
const char* own_path = nullptr;
char* own_options = nullptr;

// The file that this object was loaded from. In another root folder its name may stand for another
// file.
struct stat own_file {};

// `text` has words and then "logs=FOLDER" (options.h).
Options parse_options(const char* text) {
  const char* const logs = strstr(text, "logs=");
  const size_t bytes = logs == nullptr ? strlen(text) : static_cast<size_t>(logs - text);
  const auto has = [&](const char* word) {
    return memmem(text, bytes, word, strlen(word)) != nullptr;
  };
  return {.unlocked = has("unlocked"),
          .sizes = has("sizes"),
          .children = !has("no-children"),
          .logs = logs == nullptr ? "" : logs + strlen("logs=")};
}

// "NAME=value" if `entry` sets the variable: returns where its value starts, else nullptr.
char* value_in(char* entry, const char* name) {
  const size_t length = strlen(name);
  return strncmp(entry, name, length) == 0 && entry[length] == '=' ? entry + length + 1 : nullptr;
}

size_t entries_of(char* const* environment) {
  size_t count = 0;
  while (environment != nullptr && environment[count] != nullptr) ++count;
  return count;
}

// A program may give its child a variable twice. The last entry counts here.
char** find_entry(char* const* environment, const char* name) {
  char** found = nullptr;
  for (char* const* entry = environment; entry != nullptr && *entry != nullptr; ++entry) {
    if (value_in(*entry, name) != nullptr) found = const_cast<char**>(entry);
  }
  return found;
}

// True if the program sees the entry, which loses what the command has added: this object, behind
// the user's own preloaded objects.
bool stays(char* entry) {
  char* const list = value_in(entry, preload_variable);
  if (list == nullptr) return true;
  const size_t length = strlen(list);
  const size_t own_length = strlen(own_path);
  char* const own = list + length - own_length;
  if (length < own_length || strcmp(own, own_path) != 0) return true;
  if (own == list) return false;
  own[-1] = '\0';
  return true;
}

// The kernel is asked directly: the functions are hooked, and their hooks would count the calls.
bool look_at_own_path(struct stat& status) {
  return real().syscall(SYS_newfstatat, AT_FDCWD, own_path, &status, 0) == 0;
}

bool is_own_file_there() {
  struct stat status {};
  return look_at_own_path(status) && status.st_dev == own_file.st_dev &&
         status.st_ino == own_file.st_ino;
}

// True if the next program will have a free descriptor: it is free now, or closes when that program
// starts.
bool will_have_a_descriptor() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
  for (rlim_t descriptor = 0; descriptor < limit.rlim_cur; ++descriptor) {
    const long flags = real().syscall(SYS_fcntl, descriptor, F_GETFD);
    if (flags < 0 || (flags & FD_CLOEXEC) != 0) return true;
  }
  return false;
}

// A sandbox (Landlock, AppArmor, a filter of system calls) may refuse to open a file that access(2)
// calls readable. The open descriptors are looked at only if there are too many to open one more.
bool can_open_own_file() {
  const long descriptor =
      real().syscall(SYS_openat, AT_FDCWD, own_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return errno == EMFILE && will_have_a_descriptor();
  real().syscall(SYS_close, descriptor);
  return true;
}

// If this is true, the loader ignores preloaded objects, and the next program would see the
// options.
bool has_rights_of_another() { return getuid() != geteuid() || getgid() != getegid(); }

}  // namespace

bool can_be_preloaded() {
  const KeepErrno kept;
  return !has_rights_of_another() && may_reach(own_path, R_OK) && is_own_file_there() &&
         can_open_own_file();
}

void hide_from_program() {
  own_path = own_object().l_name;
  char** const options = find_entry(environ, options_variable);
  if (options == nullptr) return;
  own_options = strdup(*options);
  policy = parse_options(value_in(own_options, options_variable));
  look_at_own_path(own_file);
  // The command puts the object into each entry of a variable that is given several times.
  char** end = environ;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (entry != options && stays(*entry)) *end++ = *entry;
  }
  *end = nullptr;
}

bool is_covered_already(char* const* environment) {
  return find_entry(environment, options_variable) != nullptr;
}

size_t covered_environment_bytes(char* const* environment) {
  constexpr size_t added = 3;  // two entries, and the end
  char** const preloaded = find_entry(environment, preload_variable);
  const size_t text = (preloaded == nullptr ? sizeof preload_variable : strlen(*preloaded)) +
                      strlen(own_path) + sizeof ":";
  return (entries_of(environment) + added) * sizeof(char*) + text;
}

char** covered_environment(char* const* environment, void* memory) {
  const size_t entries = entries_of(environment);
  char** const covered = static_cast<char**>(memory);
  if (entries > 0) memcpy(covered, environment, entries * sizeof(char*));
  char** end = covered + entries;
  *end = nullptr;
  char** const preloaded = find_entry(covered, preload_variable);
  char** const place = preloaded == nullptr ? end++ : preloaded;
  *end++ = own_options;
  *end++ = nullptr;
  // An empty list gets a colon too, so that the child finds the empty list again.
  char* const text = reinterpret_cast<char*>(end);
  stpcpy(preloaded == nullptr ? stpcpy(stpcpy(text, preload_variable), "=")
                              : stpcpy(stpcpy(text, *preloaded), ":"),
         own_path);
  *place = text;
  return covered;
}

}  // namespace sluice::preload
