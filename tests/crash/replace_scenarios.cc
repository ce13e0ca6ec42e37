// Atomic replacement: the name stands for the old file or the new one, whole.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "scenario.h"
#include "sluice/writer.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"

namespace sluice::crash {
namespace {

constexpr mode_t kept_mode = 0640;
constexpr const char* attribute = "user.sluice";

// A version is whole only with its end, so a version that was cut short cannot pass for another
// one.
std::string version(std::uint64_t number) {
  constexpr std::size_t sizes[] = {30, 5000, 0, 150'000};
  const std::string mark = std::to_string(number) + "\n";
  return mark + testing::pattern(number * 104'729, sizes[number % std::size(sizes)]) + mark;
}

Status replace(const std::string& path, std::uint64_t number) {
  Writer writer;
  Status status =
      writer.open(path, {.create = CreateMode::replace_atomically,
                         .block_bytes = 16384,
                         .permissions = 0600,
                         .cache = number % 3 == 1 ? Cache::drop : Cache::keep,
                         .direct = number % 3 == 2 ? Direct::if_possible : Direct::off});
  if (!status.ok()) return status;
  for (const char byte : version(number)) writer.put(byte);
  return writer.close();
}

// The first version, with all properties that must be kept; made durable without the library.
void make_old_file(Run& run, const std::string& path) {
  testing::make_file(path, version(0));
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  expect(::fchmod(descriptor, kept_mode) == 0, "the mode can be set");
  static_cast<void>(::fsetxattr(descriptor, attribute, "kept", 4, 0));  // not on every system
  const int directory = ::open(run.file(".").c_str(), O_RDONLY | O_CLOEXEC);
  expect(::fsync(descriptor) == 0 && ::fsync(directory) == 0, "the old file is durable");
  ::close(directory);
  ::close(descriptor);
}

bool has_attribute(const std::string& path) {
  char value[8];
  return ::getxattr(path.c_str(), attribute, value, sizeof(value)) == 4;
}

void replace_again_and_again(Run& run) {
  const std::string path = run.file("file");
  make_old_file(run, path);
  run.begin();
  run.acknowledge(0, has_attribute(path) ? 1 : 0);
  for (std::uint64_t number = 1; number <= run.steps(); ++number) {
    run.expect_ok(replace(path, number));
    run.acknowledge(number);
  }
}

bool is_temporary(const std::filesystem::directory_entry& entry) {
  return entry.path().filename().string().starts_with(".sluice-");
}

// The version of the replacement that was under way.
void expect_one_left_behind_at_most(const std::string& folder) {
  const std::filesystem::directory_iterator entries(folder);
  expect(std::count_if(begin(entries), end(entries), is_temporary) <= 1,
         "one temporary file is left behind at most");
}

void check_replaced(const std::string& folder, const Told& told) {
  expect_one_left_behind_at_most(folder);
  if (told.empty()) return;
  const std::string path = folder + "/file";
  expect(testing::file_exists(path), "there is a file under the name");
  const std::string contents = testing::contents_of(path);
  const std::uint64_t found = std::strtoull(contents.c_str(), nullptr, 10);
  expect(contents == version(found), "the file is one of those that were written, whole");
  // A file that was replaced between the last acknowledgement and the cut may be there as well.
  expect(found >= largest(told), "the file is version " + std::to_string(largest(told)) +
                                     ", to which close() said ok, or later: it is " +
                                     std::to_string(found));
  struct stat facts {};
  expect(::stat(path.c_str(), &facts) == 0 && (facts.st_mode & 07777) == kept_mode,
         "the mode is kept");
  if (told.front().detail == 1) expect(has_attribute(path), "the extended attribute is kept");
}

std::string fresh(std::uint64_t number) { return "fresh-" + std::to_string(number); }

void replace_what_is_not_there(Run& run) {
  run.begin();
  for (std::uint64_t number = 0; number < run.steps(); ++number) {
    run.expect_ok(replace(run.file(fresh(number)), number));
    run.acknowledge(number);
  }
}

// The acknowledged versions are there, and every version that is there is whole.
void check_fresh(const std::string& folder, const Told& told) {
  for (const Acknowledged& each : told) {
    expect(testing::file_exists(folder + "/" + fresh(each.value)), fresh(each.value) + " is there");
  }
  expect_one_left_behind_at_most(folder);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (is_temporary(entry)) continue;
    const std::string name = entry.path().filename();
    const std::uint64_t number = std::stoull(name.substr(fresh(0).size() - 1));
    expect(testing::contents_of(entry.path()) == version(number), name + " is whole");
  }
}

constexpr Scenario scenarios[] = {
    {"replace", replace_again_and_again, check_replaced},
    {"replace_nothing", replace_what_is_not_there, check_fresh},
};

}  // namespace

std::span<const Scenario> replace_scenarios() { return scenarios; }

}  // namespace sluice::crash
