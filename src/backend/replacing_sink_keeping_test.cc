// The properties that a file keeps when it is replaced atomically: its permissions, owner, extended
// attributes and access control list.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string>

#include "sluice/files.h"
#include "sluice/writer.h"
#include "testing/faulty_system_calls.h"
#include "testing/file_facts.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

constexpr WriterOptions replacing{.create = CreateMode::replace_atomically};

class ReplaceKeeping : public ::testing::Test {
 protected:
  void SetUp() override {
    make_file(path_, "old");
    umask_ = ::umask(022);
  }
  void TearDown() override { ::umask(umask_); }

  Status replace(const std::string& path) { return write_file(path, "new", replacing); }

  // Only the old file is there.
  void expect_untouched() {
    EXPECT_EQ(contents_of(path_), "old");
    EXPECT_EQ(number_of_files(directory_.path()), 1u) << "a temporary file stays behind";
  }

  ScratchDirectory directory_;
  const std::string path_ = directory_.file("file");
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
  mode_t umask_ = 0;
};

TEST_F(ReplaceKeeping, KeepsThePermissionsButNotTheSetIdBits) {
  for (const unsigned mode : {0400u, 0600u, 0644u, 0777u, 01755u, 04755u, 02755u, 06711u}) {
    ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
    EXPECT_TRUE(replace(path_).ok());
    EXPECT_EQ(permissions_of(path_), mode & 01777u) << std::oct << mode;
  }
}

TEST_F(ReplaceKeeping, KeepsThePermissionsThatTheFileHasAtClose) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_, replacing).ok());
  ASSERT_EQ(::chmod(path_.c_str(), 0600), 0);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(permissions_of(path_), 0600u);
}

TEST_F(ReplaceKeeping, KeepsThePermissionsOfAFileThatIsGoneAtClose) {
  ASSERT_EQ(::chmod(path_.c_str(), 0600), 0);
  Writer writer;
  ASSERT_TRUE(writer.open(path_, replacing).ok());
  ASSERT_EQ(::unlink(path_.c_str()), 0);
  EXPECT_TRUE(writer.write("new"));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(permissions_of(path_), 0600u);
  EXPECT_EQ(contents_of(path_), "new");
}

TEST_F(ReplaceKeeping, GivesANewFileThePermissionsThatTheUmaskLeaves) {
  for (const unsigned mask : {0u, 022u, 027u, 077u, 0777u}) {
    ::umask(mask);
    const std::string path = directory_.file("mask" + std::to_string(mask));
    WriterOptions options = replacing;
    options.permissions = 0775;
    EXPECT_TRUE(write_file(path, "new", options).ok());
    EXPECT_EQ(permissions_of(path), 0775u & ~mask);
    EXPECT_EQ(::umask(mask), mask) << "the umask was changed";
  }
}

TEST_F(ReplaceKeeping, GivesANewFileNoSetIdBits) {
  const std::string path = directory_.file("another");
  WriterOptions options = replacing;
  options.permissions = 07755;
  EXPECT_TRUE(write_file(path, "new", options).ok());
  EXPECT_EQ(permissions_of(path), 01755u);
}

TEST_F(ReplaceKeeping, TreatsAnUnreadableUmaskAsTheStrictest) {
  calls_.fail(Call::open, 1, ENOENT);  // of /proc/thread-self/status
  const std::string path = directory_.file("another");
  EXPECT_TRUE(replace(path).ok());
  EXPECT_EQ(permissions_of(path), 0600u);
}

TEST_F(ReplaceKeeping, KeepsExtendedAttributes) {
  if (::setxattr(path_.c_str(), "user.one", "first", 5, 0) != 0) {
    GTEST_SKIP() << "no extended attributes in " << path_;
  }
  ASSERT_EQ(::setxattr(path_.c_str(), "user.empty", "", 0, 0), 0);
  ASSERT_EQ(::chmod(path_.c_str(), 0400), 0) << "read-only files must keep attributes too";
  EXPECT_TRUE(replace(path_).ok());
  char value[10];
  EXPECT_EQ(::getxattr(path_.c_str(), "user.one", value, sizeof value), 5);
  EXPECT_EQ(std::string(value, 5), "first");
  EXPECT_EQ(::getxattr(path_.c_str(), "user.empty", value, sizeof value), 0);
}

TEST_F(ReplaceKeeping, FailsWhenAnExtendedAttributeCannotBeKept) {
  if (::setxattr(path_.c_str(), "user.one", "first", 5, 0) != 0) {
    GTEST_SKIP() << "no extended attributes in " << path_;
  }
  calls_.fail(Call::set_attribute, 1, ENOSPC);
  const Status status = replace(path_);
  EXPECT_EQ(status.message(), "replace " + path_ +
                                  ": its extended attribute user.one cannot be kept: "
                                  "No space left on device");
  expect_untouched();
}

TEST_F(ReplaceKeeping, FailsWhenThePermissionsCannotBeKept) {
  calls_.fail(Call::fchmod, 1, EIO);
  EXPECT_EQ(replace(path_).message(),
            "replace " + path_ + ": its permissions cannot be kept: Input/output error");
  expect_untouched();
}

// A capability was given to the old bytes, so the new ones must not have it.
TEST_F(ReplaceKeeping, DropsTheCapabilities) {
  const unsigned char capability[20] = {1, 0, 0, 2, 0, 4};  // of revision 2: CAP_NET_BIND_SERVICE
  if (::setxattr(path_.c_str(), "security.capability", capability, sizeof capability, 0) != 0) {
    GTEST_SKIP() << "cannot give a file capabilities";
  }
  EXPECT_TRUE(replace(path_).ok());
  char value[64];
  EXPECT_EQ(::getxattr(path_.c_str(), "security.capability", value, sizeof value), -1);
  EXPECT_EQ(errno, ENODATA);
}

struct ListEntry {
  std::uint16_t tag;
  std::uint16_t permissions;
  std::uint32_t id;
};

// An access control list in the kernel's form: the owner, user 1234, the group, the mask, others.
std::string access_list(std::uint16_t others) {
  const ListEntry entries[] = {{1, 6, UINT32_MAX},
                               {2, 4, 1234},
                               {4, 0, UINT32_MAX},
                               {16, 4, UINT32_MAX},
                               {32, others, UINT32_MAX}};
  std::string list("\2\0\0\0", 4);
  return list.append(reinterpret_cast<const char*>(entries), sizeof entries);
}

std::string attribute_of(const std::string& path, const char* name) {
  std::array<char, 256> value;
  const ssize_t bytes = ::getxattr(path.c_str(), name, value.data(), value.size());
  return bytes < 0 ? "" : std::string(value.data(), static_cast<std::size_t>(bytes));
}

TEST_F(ReplaceKeeping, KeepsTheAccessControlList) {
  const std::string list = access_list(0);
  if (::setxattr(path_.c_str(), "system.posix_acl_access", list.data(), list.size(), 0) != 0) {
    GTEST_SKIP() << "no access control lists in " << path_;
  }
  const unsigned mode = permissions_of(path_);
  EXPECT_TRUE(replace(path_).ok());
  EXPECT_EQ(attribute_of(path_, "system.posix_acl_access"), list);
  EXPECT_EQ(permissions_of(path_), mode);
}

// The list makes the file read-only, and a read-only file takes no attributes. tmpfs names the list
// before the other attributes.
TEST_F(ReplaceKeeping, SetsTheAccessControlListBehindTheOtherAttributes) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  std::string list = access_list(0);
  list[6] = 4;  // the owner may only read
  if (::setxattr(path_.c_str(), "user.one", "first", 5, 0) != 0 ||
      ::setxattr(path_.c_str(), "system.posix_acl_access", list.data(), list.size(), 0) != 0) {
    GTEST_SKIP() << "no extended attributes or access control lists in " << path_;
  }
  ASSERT_EQ(::chown(path_.c_str(), 65534, 65534), 0);
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0777), 0);
  const int code = exit_code_of_child([&] {
    if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(2);
    const Status status = replace(path_);
    if (!status.ok()) std::fputs((status.message() + '\n').c_str(), stderr);
    ::_exit(status.ok() ? 0 : 3);
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(attribute_of(path_, "system.posix_acl_access"), list);
  EXPECT_EQ(attribute_of(path_, "user.one"), "first");
  EXPECT_EQ(permissions_of(path_), 0440u);
}

// A file that had no list must not get the directory's default list.
TEST_F(ReplaceKeeping, TakesNoAccessControlListFromTheDirectory) {
  const std::string list = access_list(4);
  if (::setxattr(directory_.path().c_str(), "system.posix_acl_default", list.data(), list.size(),
                 0) != 0) {
    GTEST_SKIP() << "no access control lists in " << path_;
  }
  ASSERT_EQ(::chmod(path_.c_str(), 0640), 0);
  EXPECT_TRUE(replace(path_).ok());
  EXPECT_EQ(attribute_of(path_, "system.posix_acl_access"), "");
  EXPECT_EQ(permissions_of(path_), 0640u);
}

TEST_F(ReplaceKeeping, GivesANewFileTheDirectorysDefaultAccessControlList) {
  const ListEntry minimal[] = {{1, 6, UINT32_MAX}, {4, 4, UINT32_MAX}, {32, 0, UINT32_MAX}};
  std::string short_list("\2\0\0\0", 4);
  short_list.append(reinterpret_cast<const char*>(minimal), sizeof minimal);
  for (const std::string& list : {access_list(0), access_list(4), short_list}) {
    if (::setxattr(directory_.path().c_str(), "system.posix_acl_default", list.data(), list.size(),
                   0) != 0) {
      GTEST_SKIP() << "no access control lists in " << path_;
    }
    for (const unsigned permissions : {0666u, 0640u, 0600u}) {
      const std::string usual = directory_.file("usual");
      const std::string path = directory_.file("replaced");
      ::unlink(usual.c_str());
      ::unlink(path.c_str());
      WriterOptions options{.permissions = permissions};
      EXPECT_TRUE(write_file(usual, "new", options).ok());
      options.create = CreateMode::replace_atomically;
      EXPECT_TRUE(write_file(path, "new", options).ok());
      EXPECT_EQ(permissions_of(path), permissions_of(usual)) << std::oct << permissions;
      EXPECT_EQ(attribute_of(path, "system.posix_acl_access"),
                attribute_of(usual, "system.posix_acl_access"));
    }
  }
}

TEST_F(ReplaceKeeping, KeepsTheOwnerAndTheGroup) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  ASSERT_EQ(::chown(path_.c_str(), 1234, 5678), 0);
  ASSERT_EQ(::chmod(path_.c_str(), 0640), 0);
  EXPECT_TRUE(replace(path_).ok());
  EXPECT_EQ(facts_of(path_).st_uid, 1234u);
  EXPECT_EQ(facts_of(path_).st_gid, 5678u);
  EXPECT_EQ(permissions_of(path_), 0640u);
}

TEST_F(ReplaceKeeping, KeepsTheOwnerThatTheFileHasAtClose) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  Writer writer;
  ASSERT_TRUE(writer.open(path_, replacing).ok());
  ASSERT_EQ(::chown(path_.c_str(), 1234, 5678), 0);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(facts_of(path_).st_uid, 1234u);
  EXPECT_EQ(facts_of(path_).st_gid, 5678u);
}

TEST_F(ReplaceKeeping, KeepsAllAttributesThoughSignalsInterruptEveryCall) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const std::string list = access_list(0);
  if (::setxattr(path_.c_str(), "user.one", "first", 5, 0) != 0 ||
      ::setxattr(path_.c_str(), "system.posix_acl_access", list.data(), list.size(), 0) != 0) {
    GTEST_SKIP() << "no extended attributes or access control lists in " << path_;
  }
  ASSERT_EQ(::chown(path_.c_str(), 1234, 5678), 0);
  calls_.interrupt_every_call();
  for (const bool has_list : {true, false}) {
    if (!has_list) ::removexattr(path_.c_str(), "system.posix_acl_access");
    const Status status = replace(path_);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(attribute_of(path_, "system.posix_acl_access"), has_list ? list : "");
    EXPECT_EQ(attribute_of(path_, "user.one"), "first");
    EXPECT_EQ(facts_of(path_).st_uid, 1234u);
  }
  Writer writer;
  ASSERT_TRUE(writer.open(path_, replacing).ok());
  EXPECT_TRUE(writer.discard().ok());
  EXPECT_EQ(number_of_files(directory_.path()), 1u) << "a temporary file stays behind";
}

TEST_F(ReplaceKeeping, RefusesAtOpenAFileOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0777), 0);
  const int code = exit_code_of_child([&] {
    if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(2);
    Writer writer;
    const Status status = writer.open(path_, replacing);
    if (status.code().value() != EPERM) ::_exit(3);
    if (status.message().find("its owner (user 0, group 0) cannot be kept") == std::string::npos) {
      ::_exit(4);
    }
  });
  EXPECT_EQ(code, 0);
  expect_untouched();
}

TEST_F(ReplaceKeeping, RefusesADirectoryWithoutWritePermission) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  ASSERT_EQ(::chown(path_.c_str(), 65534, 65534), 0);
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0755), 0);
  const int code = exit_code_of_child([&] {
    if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(2);
    const Status status = replace(path_);
    if (status.message() !=
        "open " + path_ + ": no file can be created in its directory: Permission denied") {
      ::_exit(3);
    }
  });
  EXPECT_EQ(code, 0);
  expect_untouched();
}

// ---- what chattr has fixed ----

class ReplaceFixed : public ReplaceKeeping {
 protected:
  void TearDown() override {
    for (const std::string& path : {path_, directory_.path()}) set_flags(path, 0);
    ReplaceKeeping::TearDown();
  }

  static bool set_flags(const std::string& path, int flags) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool done = ::ioctl(descriptor, FS_IOC_SETFLAGS, &flags) == 0;
    ::close(descriptor);
    return done;
  }
};

TEST_F(ReplaceFixed, IsRefusedAtOpen) {
  if (!set_flags(path_, FS_IMMUTABLE_FL)) GTEST_SKIP() << "no such flags in " << path_;
  set_flags(path_, 0);
  const struct {
    const std::string& path;
    int flags;
    const char* reason;
  } cases[] = {{path_, FS_IMMUTABLE_FL, "it is immutable"},
               {path_, FS_APPEND_FL, "it is append-only"},
               {directory_.path(), FS_IMMUTABLE_FL, "its directory is immutable"},
               {directory_.path(), FS_APPEND_FL, "its directory is append-only"}};
  for (const auto& [path, flags, reason] : cases) {
    ASSERT_TRUE(set_flags(path, flags));
    Writer writer;
    const Status status = writer.open(path_, replacing);
    EXPECT_EQ(status.message(),
              "open " + path_ + ": " + reason + " (chattr): it cannot be replaced");
    EXPECT_EQ(status.code().value(), EPERM);
    set_flags(path, 0);
    expect_untouched();
  }
}

TEST_F(ReplaceFixed, IsAskedAboutWithoutTrustingThatAnybodyCanTell) {
  calls_.fail(Call::fixed_attributes, 1, ENOSYS, Repeat::for_ever);
  EXPECT_TRUE(replace(path_).ok());
  EXPECT_EQ(calls_.count(Call::fixed_attributes), 2u);
}

}  // namespace
}  // namespace sluice::testing
