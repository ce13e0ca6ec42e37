#include "trace/recording/meeting.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "launch/log_folder.h"

namespace sluice::trace {
namespace {

namespace fs = std::filesystem;

// The other ranks may be about to end by themselves. A launcher that ends the ranks after a failure
// may give their commands no more than a second.
constexpr std::chrono::milliseconds after_a_failure(500);

// Locks a file or folder for as long as the object lives. All locks end with the process.
class Lock {
 public:
  explicit Lock(const std::string& path, int how = LOCK_EX)
      : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) {
    is_held_ = file_ >= 0 && ::flock(file_, how) == 0;
  }
  ~Lock() {
    if (file_ >= 0) ::close(file_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  bool is_held() const { return is_held_; }
  int file() const { return file_; }
  int release() { return std::exchange(file_, -1); }

 private:
  int file_;
  bool is_held_;
};

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw std::runtime_error(fmt::format(
      "{}: {}: the ranks cannot meet there, so this rank has a report of its own", path, why));
}

void make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) fail(path, std::strerror(errno));
}

// Another user may have made a folder of this name. False if there is no folder.
bool expect_own(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 && errno == ENOENT) return false;
  const bool is_own =
      S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() && (status.st_mode & 077) == 0;
  if (!is_own) fail(path, "this folder belongs to somebody else");
  return true;
}

bool is_still(const std::string& path, int file) {
  struct stat named {};
  struct stat open {};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(file, &open) == 0 &&
         named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

std::string rank_folder(const std::string& group, unsigned rank) {
  return fmt::format("{}/rank-{}", group, rank);
}

// The record and the logs of a rank that still runs.
std::string begun_folder(const std::string& group, unsigned rank) {
  return fmt::format("{}/begun-{}", group, rank);
}

std::string closed_mark(const std::string& group) { return group + "/closed"; }

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::vector<std::string> folders_in(const std::string& parent, std::string_view begins) {
  std::vector<std::string> folders;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    if (entry.path().filename().string().starts_with(begins)) {
      folders.push_back(entry.path().string());
    }
  }
  std::ranges::sort(folders);
  return folders;
}

// True if the command of this rank runs. It then holds the lock of its folder.
bool is_alive(const std::string& rank_folder) {
  return !Lock(rank_folder, LOCK_EX | LOCK_NB).is_held();
}

// True if the command of this rank runs and has not handed its record over.
bool still_runs(const std::string& rank_folder) {
  return !has_record(rank_folder) && is_alive(rank_folder);
}

// The jobs whose commands were all killed left their folders.
void remove_abandoned(const std::string& parent) {
  for (const std::string& folder : folders_in(parent, "sluice-ranks-")) {
    struct stat status {};
    if (::lstat(folder.c_str(), &status) != 0 || status.st_uid != ::geteuid()) continue;
    std::error_code ignored;
    const Lock lock(folder, LOCK_EX | LOCK_NB);
    if (lock.is_held()) fs::remove_all(folder, ignored);
  }
}

}  // namespace

Meeting::Meeting(const Job& job) : job_(job) {
  const std::string parent = parent_of_logs();  // the logs move into the folder of the job
  remove_abandoned(parent);
  enter(fmt::format("{}/sluice-ranks-{}-{}", parent, ::geteuid(), job.name));
  const Lock lock(folder_ + "/lock");
  if (!lock.is_held()) fail(folder_, std::strerror(errno));
  join();
}

Meeting::~Meeting() {
  if (mark_ >= 0) ::close(mark_);
  for (const int folder : opened_) ::close(folder);
  std::error_code ignored;
  for (const std::string& rank : folders_in(reports_ ? group_ : std::string(), "rank-")) {
    fs::remove_all(rank + "/logs", ignored);  // the folder of the job may stay for a long time
  }
  if (entered_ >= 0 && ::flock(entered_, LOCK_EX | LOCK_NB) == 0) fs::remove_all(folder_, ignored);
  if (entered_ >= 0) ::close(entered_);
}

// The last command to leave, or one that removes what killed jobs have left, may remove the folder
// at this moment: then this one makes it anew.
void Meeting::enter(const std::string& folder) {
  constexpr int attempts = 100;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    make_folder(folder);
    if (!expect_own(folder)) continue;
    Lock lock(folder, LOCK_SH);
    if (!lock.is_held() || !is_still(folder, lock.file())) continue;
    folder_ = folder;
    entered_ = lock.release();
    const int file =
        ::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file >= 0) ::close(file);
    return;
  }
  fail(folder, "this folder cannot be locked");
}

// A rank may start several traces, one after the other. So each group of ranks has one of each.
void Meeting::join() {
  for (std::size_t number = 0; group_.empty(); ++number) {
    const std::string group = fmt::format("{}/group-{}", folder_, number);
    if (!exists(closed_mark(group)) && !exists(rank_folder(group, job_.rank))) group_ = group;
  }
  make_folder(group_);
  const std::string own = rank_folder(group_, job_.rank);
  make_folder(own);
  Lock mark(own, LOCK_EX | LOCK_NB);
  if (!mark.is_held()) fail(own, "this folder is locked");
  mark_ = mark.release();
}

void Meeting::begin(const Record& record) const {
  const std::string begun = begun_folder(group_, job_.rank);
  make_folder(begun);
  fs::create_directory_symlink(record.logs, begun + "/logs");
  write_record(record, begun);
}

bool Meeting::is_last(const Record& record, std::chrono::milliseconds patience) {
  const std::string own = rank_folder(group_, job_.rank);
  wall_s_ = record.wall_s;
  fs::rename(record.logs, own + "/logs");
  write_record(record, own);
  // If all ranks are stopped for a while, this time does not count.
  constexpr std::chrono::milliseconds pause(10);
  for (std::chrono::milliseconds waited(0);; waited += pause) {
    const Lock lock(folder_ + "/lock");
    const Outcome now = outcome(record.wait_status != 0, waited, patience);
    if (now == Outcome::report) {
      const int mark = ::open(closed_mark(group_).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
      if (mark >= 0) ::close(mark);
      reports_ = true;
    }
    if (now != Outcome::wait) return now == Outcome::report;
    ::flock(lock.file(), LOCK_UN);
    std::this_thread::sleep_for(pause);
  }
}

// To be called with the lock.
Meeting::Outcome Meeting::outcome(bool has_failed, std::chrono::milliseconds waited,
                                  std::chrono::milliseconds patience) const {
  if (exists(closed_mark(group_))) return Outcome::leave;
  const std::vector<std::string> joined = folders_in(group_, "rank-");
  if (std::ranges::any_of(joined, still_runs)) {
    if (!has_failed) return Outcome::leave;
    return waited > after_a_failure ? Outcome::report : Outcome::wait;
  }
  const bool are_all_here = joined.size() >= job_.ranks_here;
  return are_all_here || waited > patience ? Outcome::report : Outcome::wait;
}

// A rank may end at any moment: its logs get another name, and then it hands them over. So their
// folder is opened by the first name that it still has.
std::string Meeting::open_logs(const std::string& begun, const std::string& own) const {
  std::error_code ignored;
  const std::string first = fs::read_symlink(begun + "/logs", ignored).string();
  for (const std::string& name : {first, first + closed_end, own + "/logs"}) {
    const int folder = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) continue;
    opened_.push_back(folder);
    return fmt::format("/proc/self/fd/{}", folder);
  }
  return "";
}

std::vector<Record> Meeting::records() const {
  std::vector<Record> records;
  for (const std::string& own : folders_in(group_, "rank-")) {
    const std::string begun = group_ + "/begun" + own.substr(own.rfind('-'));
    const bool has_begun = has_record(begun) && is_alive(own);
    if (has_record(own)) {
      records.push_back(read_record(own));
    } else if (has_begun) {
      records.push_back(read_record(begun));
      records.back().logs = open_logs(begun, own);
      records.back().wall_s = wall_s_;  // the ranks began at about the same time
    }
    if (!records.empty() && records.back().logs.empty()) records.pop_back();
  }
  std::ranges::sort(records, {}, &Record::rank);
  return records;
}

}  // namespace sluice::trace
