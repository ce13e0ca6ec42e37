// Calls that look a name up or change it, counted and timed; and whether the same names are looked
// up again.
#include "names.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "keep_errno.h"
#include "place_table.h"
#include "real.h"

namespace sluice::preload {
namespace {

// The latest names, by their hashes, in pairs with the latest first. Threads may overwrite each
// other's names. A name that was pushed out counts as new when it comes again, so that too few
// look-ups count as repeated.
constexpr int bits_of_pair = 15;
SLUICE_FAR alignas(4096) constinit uint32_t latest_names[1 << bits_of_pair][2]{};

// The first names lie on one page, and are new once more when they are no longer few: a shell that
// lives for a millisecond would otherwise touch a page for each name.
constexpr int bits_of_few = 9;
constexpr uint32_t few_names = 64;
constinit uint32_t names = 0;
constinit uint64_t folder_changes = 0;  // how often the process has changed its working folder

constexpr uint64_t named_after = 16;  // look-ups, and again after twice as many

constinit thread_local uint64_t last_asked_about = 0;

uint32_t* pair_of(uint64_t hash) {
  return latest_names[hash >> (64 - (names < few_names ? bits_of_few : bits_of_pair))];
}

bool has_come_before(uint64_t hash) {
  uint32_t* const pair = pair_of(hash);
  const uint32_t name = static_cast<uint32_t>(hash) | 1;
  const uint32_t latest = __atomic_load_n(&pair[0], __ATOMIC_RELAXED);
  if (latest == name) return true;
  const bool has_come = __atomic_load_n(&pair[1], __ATOMIC_RELAXED) == name;
  __atomic_store_n(&pair[1], latest, __ATOMIC_RELAXED);
  __atomic_store_n(&pair[0], name, __ATOMIC_RELAXED);
  if (!has_come && names < few_names) ++names;
  return has_come;
}

// The kernel has read the name if it answers in one of these ways.
bool is_answer(long result) { return result >= 0 || errno == ENOENT || errno == EACCES; }

// A hash of what a call site has looked up; 0 if nobody can tell whether it comes again. `inode` is
// the file's, if the call has told it: programs that walk through folders ask for the same name in
// each of them.
uint64_t hash_of(const Usage& usage, const Name& name, const uint64_t* inode) {
  const bool is_whole = name.text[0] == '/' || name.folder == AT_FDCWD;
  if (inode == nullptr && !is_whole) return 0;
  const auto site =
      (reinterpret_cast<uintptr_t>(&usage) - reinterpret_cast<uintptr_t>(log)) / sizeof usage;
  const uint64_t where = inode == nullptr ? folder_changes : *inode;
  return hash_of_text((site << 48 ^ where) * 0x9E3779B97F4A7C15, name.text);
}

// Counts the call, which has stopped with this result, and whether its name comes again. Of many
// names most are not in the processor's cache: they are fetched while the call is counted.
void count(Usage& usage, const SlowCall& stopped, long result, const Name& name,
           const uint64_t* inode) {
  const bool has_name = is_answer(result) && name.text != nullptr;  // freopen() may have none
  const uint64_t hash = has_name ? hash_of(usage, name, inode) : 0;
  __builtin_prefetch(pair_of(hash), 1);
  if (result < 0) ++usage.failures;
  stopped.add_to(usage, {1, 0, 0});
  const auto folder = static_cast<uint64_t>(name.folder);
  const bool asks_for_status = usage.call == Call::stat || usage.call == Call::access;
  const uint64_t asked_about = has_name && asks_for_status ? hash_of_text(folder, name.text) : 0;
  if (asked_about != 0 && asked_about == last_asked_about) ++usage.in_a_row;
  last_asked_about = asked_about;
  if (hash == 0 || !has_come_before(hash)) return;
  const uint64_t repeated = ++usage.repeated;
  const bool is_power_of_two = (repeated & (repeated - 1)) == 0;
  if (repeated >= named_after && is_power_of_two) usage.name = keep_text(name.text);
}

// Where a function has its parameters; -1 for none.
struct Parameters {
  int folder;
  int name;
  int flags;
  int status;
  size_t inode_at;               // in the status
  bool returns_address = false;  // and no number
};
constexpr size_t inode_in_stat = offsetof(struct stat, st_ino);
constexpr Parameters of_statx{0, 1, 2, 4, offsetof(struct statx, stx_ino)};
constexpr Parameters of_name{-1, 0, -1, -1, 0};
constexpr Parameters of_name_to_address{-1, 0, -1, -1, 0, true};
constexpr Parameters of_name_in_folder{0, 1, -1, -1, 0};

long result_of(const Parameters& at, const Arguments& arguments) {
  const long result = arguments.call();
  return at.returns_address ? result : static_cast<int>(result);
}

// Programs ask about each file that they open, and need no advice. These questions take no room in
// the log: only what comes after a few of them about one descriptor is counted. Threads may lose
// each other's counts.
bool asks_again(int descriptor) {
  constexpr uint64_t few = 16;
  static uint64_t asked[generations]{};  // the descriptor's generation, and how often since then
  uint64_t& known = asked[descriptor & (generations - 1)];
  const uint64_t last = __atomic_load_n(&known, __ATOMIC_RELAXED);
  const uint64_t now = static_cast<uint64_t>(generation_of(descriptor)) << 8;
  const uint64_t before = last >> 8 == now >> 8 ? last - now : 0;
  if (before < few) __atomic_store_n(&known, now + before + 1, __ATOMIC_RELAXED);
  return before >= few;
}

template <typename Work>
long ask_about(int descriptor, Caller caller, Work work) {
  Usage* const usage = is_recording() && asks_again(descriptor)
                           ? usage_of_descriptor(Call::fstat, descriptor, caller)
                           : nullptr;
  return control(usage, work);
}

template <typename Work>
long look_up(Call call, const long* value, const Parameters& at, Caller caller, Work work) {
  const int folder = at.folder < 0 ? AT_FDCWD : static_cast<int>(value[at.folder]);
  const bool has_name = at.flags < 0 || (value[at.flags] & AT_EMPTY_PATH) == 0;
  if (!has_name) return ask_about(folder, caller, work);
  Usage* const usage = usage_of_descriptor(call, no_descriptor, caller);
  if (usage == nullptr) return work();
  SlowCall slow(*usage);
  const long answer = work();
  slow.stop();
  const KeepErrno kept;
  const long result = answer == 0 && at.returns_address ? -1 : answer;
  const bool tells_inode = result == 0 && at.status >= 0;
  const long inode = tells_inode ? value[at.status] + static_cast<long>(at.inode_at) : 0;
  const Name name{reinterpret_cast<const char*>(value[at.name]), folder};
  count(*usage, slow, result, name, reinterpret_cast<const uint64_t*>(inode));
  return answer;
}

void count_failed_open(const Arguments& arguments, const SlowCall& stopped, const Name& name) {
  const KeepErrno kept;
  Usage* const usage = usage_of(Call::failed_open, arguments, no_place);
  if (usage == nullptr) return;
  ++usage->slow_calls;
  count(*usage, stopped, -1, name, nullptr);
}

}  // namespace

long open_by_name(Call call, const Arguments& arguments, const Name& name) {
  if (!is_recording()) return arguments.call();
  const bool is_stream = call == Call::fopen;
  SlowCall slow(is_opening_to_be_timed());
  const long result = is_stream ? arguments.call() : static_cast<int>(arguments.call());
  slow.stop();
  if (is_stream ? result == 0 : result < 0) {
    count_failed_open(arguments, slow, name);
    return result;
  }
  const int descriptor =
      is_stream ? reinterpret_cast<FILE*>(result)->_fileno : static_cast<int>(result);
  if (descriptor >= 0) note_opened(descriptor, name);
  Usage* const usage = usage_of_descriptor(call, descriptor, arguments.caller());
  if (usage != nullptr) {
    ++usage->slow_calls;
    slow.add_to(*usage, {1, 0, 0});
  }
  return result;
}

// Node asks in this way.
long statx_by_number(const long* given, Caller caller) {
  return look_up(Call::stat, given, of_statx, caller, [&] {
    return real().syscall(SYS_statx, given[0], given[1], given[2], given[3], given[4]);
  });
}

#define SLUICE_LOOK_UPS(work, CALL, PARAMETERS, names)                          \
  SLUICE_WORK(long, work) {                                                     \
    return look_up(Call::CALL, arguments.value, PARAMETERS, arguments.caller(), \
                   [&] { return result_of(PARAMETERS, arguments); });           \
  }                                                                             \
  SLUICE_AROUND(work, names)

// Before glibc 2.33 the headers turned stat() and similar calls into __xstat() and similar calls.
#define SLUICE_STATS(work, FOLDER, NAME, FLAGS, STATUS, names) \
  SLUICE_LOOK_UPS(work, stat, (Parameters{FOLDER, NAME, FLAGS, STATUS, inode_in_stat}), names)

SLUICE_STATS(sluice_stat, -1, 0, -1, 1, "stat, stat64, lstat, lstat64");
SLUICE_STATS(sluice_xstat, -1, 1, -1, 2, "__xstat, __xstat64, __lxstat, __lxstat64");
SLUICE_STATS(sluice_fstatat, 0, 1, 3, 2, "fstatat, fstatat64");
SLUICE_STATS(sluice_fxstatat, 1, 2, 4, 3, "__fxstatat, __fxstatat64");
SLUICE_LOOK_UPS(sluice_statx, stat, of_statx, "statx");
#define SLUICE_QUESTIONS(work, PLACE, names)                              \
  SLUICE_WORK(long, work) {                                               \
    return ask_about(arguments.number(PLACE), arguments.caller(),         \
                     [&] { return static_cast<int>(arguments.call()); }); \
  }                                                                       \
  SLUICE_AROUND(work, names)

SLUICE_QUESTIONS(sluice_fstat, 0, "fstat, fstat64");
SLUICE_QUESTIONS(sluice_fxstat, 1, "__fxstat, __fxstat64");
SLUICE_QUESTIONS(sluice_isatty, 0, "isatty");

SLUICE_LOOK_UPS(sluice_access, access, of_name, "access, eaccess, euidaccess");
SLUICE_LOOK_UPS(sluice_faccessat, access, (Parameters{0, 1, 3, -1, 0}), "faccessat");

SLUICE_LOOK_UPS(sluice_readlink, readlink, of_name, "readlink, __readlink_chk");
SLUICE_LOOK_UPS(sluice_readlinkat, readlink, of_name_in_folder, "readlinkat, __readlinkat_chk");
SLUICE_LOOK_UPS(sluice_realpath, realpath, of_name_to_address,
                "realpath, __realpath_chk, canonicalize_file_name");
SLUICE_LOOK_UPS(sluice_opendir, opendir, of_name_to_address, "opendir");

// It reads all names of a folder. No names are no failure. (glob has two versions, which differ in
// what they call: a hook without a version would give old programs the new one.)
SLUICE_LOOK_UPS(sluice_scandir, opendir, of_name, "scandir, scandir64");

// Most entries of a folder come out of a buffer, and only the calls that fill it are counted. The
// first entry of a buffer lies near the begin of the folder's object.
SLUICE_WORK(long, sluice_readdir) {
  constexpr long most_before_first = 64;
  const uint64_t start = ticks();
  const long entry = arguments.call();
  if (entry - arguments.value[0] > most_before_first || !is_recording()) return entry;
  SlowCall slow(false, ticks() - start);
  slow.stop();
  if (Usage* const usage = usage_of_descriptor(Call::getdents, no_descriptor, arguments.caller())) {
    ++usage->slow_calls;
    slow.add_to(*usage, {1, 0, 0});
  }
  return entry;
}
SLUICE_AROUND(sluice_readdir, "readdir, readdir64");

// The C library takes the address out of such a text, and searches nothing.
bool is_address(const char* host) {
  return host == nullptr || strchr(host, ':') != nullptr ||
         host[strspn(host, "0123456789.")] == '\0';
}

// The C library asks for the status of its table of the time zone in each call, as long as the
// environment does not name one.
bool asks_nothing(const char* file, const Arguments& arguments) {
  if (file == hosts_list) return is_address(arguments.text(0));
  return file == time_zone_file && getenv("TZ") != nullptr;
}

// The C library searches such a list anew each time, or asks a service. The call counts as a
// question for the status of a file. `asks` has a letter for each argument that says what is
// searched for: n is a number, t a text, which may be left out.
long search(const Arguments& arguments, const char* file, const char* asks) {
  if (asks_nothing(file, arguments)) return arguments.call();
  Usage* const usage = usage_of_descriptor(Call::stat, no_descriptor, arguments.caller());
  if (usage == nullptr) return arguments.call();
  uint64_t hash = 0;
  for (int i = 0; asks[i] != '\0'; ++i) {
    if (asks[i] == 'n') hash = static_cast<uint32_t>(arguments.number(i));
    if (asks[i] == 't' && arguments.text(i) != nullptr)
      hash = hash_of_text(hash, arguments.text(i));
  }
  SlowCall slow(*usage);
  const long answer = arguments.call();
  slow.stop();
  const KeepErrno kept;
  count(*usage, slow, 0, {file, AT_FDCWD}, &hash);
  return answer;
}

#define SLUICE_SEARCHES(work, FILE, ASKS, names)                    \
  SLUICE_WORK(long, work) { return search(arguments, FILE, ASKS); } \
  SLUICE_AROUND(work, names)

SLUICE_SEARCHES(sluice_local_time, time_zone_file, "", "localtime, mktime, tzset");
SLUICE_SEARCHES(sluice_user, users_list, "n", "getpwuid, getpwuid_r, getgrgid, getgrgid_r");
SLUICE_SEARCHES(sluice_user_by_name, users_list, "t", "getpwnam, getpwnam_r, getgrnam, getgrnam_r");
SLUICE_SEARCHES(sluice_service, services_list, "nt", "getservbyport, getservbyport_r");
SLUICE_SEARCHES(sluice_service_by_name, services_list, "tt", "getservbyname, getservbyname_r");
SLUICE_SEARCHES(sluice_host, hosts_list, "t", "gethostbyname, gethostbyname_r, gethostbyname2");
SLUICE_SEARCHES(sluice_host_and_service, hosts_list, "tt", "getaddrinfo");

// A file that is replaced again and again has one new name.
SLUICE_LOOK_UPS(sluice_rename, rename, (Parameters{-1, 1, -1, -1, 0}), "rename");
SLUICE_LOOK_UPS(sluice_renameat, rename, (Parameters{2, 3, -1, -1, 0}), "renameat, renameat2");
SLUICE_TRANSFERS(sluice_unlink, unlink, no_place, none, int, "unlink, unlinkat, remove");
SLUICE_TRANSFERS(sluice_mkdir, mkdir, no_place, none, int, "mkdir, mkdirat");
SLUICE_TRANSFERS(sluice_rmdir, rmdir, no_place, none, int, "rmdir");
SLUICE_TRANSFERS(sluice_link, link, no_place, none, int, "link, linkat");
SLUICE_TRANSFERS(sluice_symlink, symlink, no_place, none, int, "symlink, symlinkat");
SLUICE_TRANSFERS(sluice_chmod, chmod, no_place, none, int, "chmod, fchmodat");
SLUICE_TRANSFERS(sluice_chown, chown, no_place, none, int, "chown, lchown, fchownat");
SLUICE_TRANSFERS(sluice_utimensat, utimensat, no_place, none, int,
                 "utimensat, utimes, lutimes, utime, futimesat");

SLUICE_WORK(void, sluice_change_folder) {
  __atomic_add_fetch(&folder_changes, 1, __ATOMIC_RELAXED);
}
SLUICE_BEFORE(sluice_change_folder, "chdir, fchdir");

}  // namespace sluice::preload
