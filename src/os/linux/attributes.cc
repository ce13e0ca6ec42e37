#include "os/attributes.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "os/failed_call.h"
#include "os/system_calls.h"

namespace sluice::os {
namespace {

constexpr char access_list[] = "system.posix_acl_access";
constexpr char default_access_list[] = "system.posix_acl_default";
constexpr unsigned most_careful_umask = 077;

Status not_kept(const File& file, CallResult result, std::initializer_list<std::string_view> what) {
  return failed_call(Operation::replace, file.path(), error_of(result), what);
}

bool vouches_for_the_bytes(std::string_view name) {
  return name == "security.capability" || name == "security.ima" || name == "security.evm";
}

// Fills `into` by `call(pointer, bytes)`, which returns the number of bytes when it is given no
// room. Returns the result of the last call. Between two calls another process may make the
// attribute longer.
template <typename Call>
CallResult fill(std::vector<char>& into, Call call) {
  for (;;) {
    const CallResult bytes = uninterrupted([&] { return call(nullptr, 0); });
    if (bytes <= 0) {
      into.clear();
      return bytes;
    }
    into.resize(static_cast<std::size_t>(bytes));
    const CallResult got = uninterrupted([&] { return call(into.data(), into.size()); });
    if (got >= 0) into.resize(static_cast<std::size_t>(got));
    if (got != -ERANGE) return got;
  }
}

CallResult value_of(int descriptor, const char* name, std::vector<char>& value) {
  return fill(value, [&](char* into, std::size_t bytes) {
    return calls().get_attribute(descriptor, name, into, bytes);
  });
}

Status copy_attribute(const Entry& from, File& to, const char* name) {
  std::vector<char> value;
  const CallResult got = value_of(from.file.descriptor(), name, value);
  if (got == -ENODATA) return {};  // removed meanwhile
  if (got < 0) return not_kept(to, got, {"its extended attribute ", name, " cannot be kept"});
  const CallResult result = uninterrupted(
      [&] { return calls().set_attribute(to.descriptor(), name, value.data(), value.size()); });
  if (result >= 0) return {};
  // Some users may not set a security label. But a new file gets a label by default, and this label
  // may be the right one already.
  std::vector<char> present;
  if (value_of(to.descriptor(), name, present) >= 0 && present == value) return {};
  return not_kept(to, result, {"its extended attribute ", name, " cannot be kept"});
}

Status copy_extended_attributes(const Entry& from, File& to) {
  std::vector<char> names;  // each ends with a NUL
  const CallResult listed = fill(names, [&](char* into, std::size_t bytes) {
    return calls().list_attributes(from.file.descriptor(), into, bytes);
  });
  if (listed < 0 && listed != -ENOTSUP) {
    return not_kept(to, listed, {"its extended attributes cannot be read"});
  }
  bool has_access_list = false;
  for (const char* name = names.data(); name < names.data() + names.size();
       name += std::strlen(name) + 1) {
    if (std::strcmp(name, access_list) == 0) {
      has_access_list = true;
    } else if (!vouches_for_the_bytes(name)) {
      if (Status status = copy_attribute(from, to, name); !status.ok()) return status;
    }
  }
  if (has_access_list) return copy_attribute(from, to, access_list);
  // The new file got an access control list from its directory; the old file had no list.
  const CallResult removed =
      uninterrupted([&] { return calls().remove_attribute(to.descriptor(), access_list); });
  if (removed >= 0 || removed == -ENODATA || removed == -ENOTSUP) return {};
  return not_kept(to, removed, {"its access control list cannot be kept"});
}

Status set_mode(File& file, unsigned mode) {
  const CallResult result = uninterrupted([&] { return calls().fchmod(file.descriptor(), mode); });
  return result < 0 ? not_kept(file, result, {"its permissions cannot be kept"}) : Status();
}

// The umask of this thread, read without changing it.
unsigned umask_of_process() {
  const CallResult descriptor =
      uninterrupted([] { return calls().open("/proc/thread-self/status", O_RDONLY, 0); });
  if (descriptor < 0) return most_careful_umask;
  File file = File::adopt(static_cast<int>(descriptor), "/proc/thread-self/status");
  std::array<std::byte, 512> text;  // the umask is the second line
  std::size_t got = 0;
  if (!file.read_next(0, text, got).ok()) return most_careful_umask;
  const std::string_view lines(reinterpret_cast<const char*>(text.data()), got);
  constexpr std::string_view label = "\nUmask:\t";
  const std::size_t at = lines.find(label);
  if (at == std::string_view::npos) return most_careful_umask;  // Linux before 4.7
  unsigned mask = 0;
  for (const char digit : lines.substr(at + label.size())) {
    if (digit < '0' || digit > '7') return mask;
    mask = mask * 8 + static_cast<unsigned>(digit - '0');
  }
  return most_careful_umask;  // the text was cut off
}

// The permissions that a default access control list gives a new file. They have three parts: for
// the owner, for the mask (or else the group), and for others. linux/posix_acl_xattr.h describes
// the list.
unsigned permissions_in(const std::vector<char>& list) {
  struct ListEntry {
    std::uint16_t tag;
    std::uint16_t permissions;
    std::uint32_t id;
  };
  constexpr std::uint16_t owner = 0x01, group = 0x04, mask = 0x10, other = 0x20;
  unsigned of_owner = 0, of_group = 0, of_mask = 7, of_others = 0;
  bool has_mask = false;
  for (std::size_t at = 4; at + sizeof(ListEntry) <= list.size(); at += sizeof(ListEntry)) {
    ListEntry entry;  // little-endian, like the machines that sluice runs on
    std::memcpy(&entry, list.data() + at, sizeof entry);
    if (entry.tag == owner) of_owner = entry.permissions;
    if (entry.tag == group) of_group = entry.permissions;
    if (entry.tag == other) of_others = entry.permissions;
    if (entry.tag == mask) of_mask = entry.permissions, has_mask = true;
  }
  return of_owner << 6 | (has_mask ? of_mask : of_group) << 3 | of_others;
}

}  // namespace

Status copy_owner(const Entry& from, File& to) {
  FileStat facts{};
  CallResult result = facts_of(to.descriptor(), facts);
  if (result < 0) return not_kept(to, result, {"its owner cannot be kept"});
  if (facts.st_uid == from.owner && facts.st_gid == from.group) return {};
  result = uninterrupted([&] { return calls().fchown(to.descriptor(), from.owner, from.group); });
  if (result >= 0) return {};
  return not_kept(to, result,
                  {"its owner (user ", std::to_string(from.owner), ", group ",
                   std::to_string(from.group), ") cannot be kept"});
}

// The access control list comes after the other attributes, because it changes the permissions; the
// permissions come last. Until these two are set, no other user can open the file, and a file that
// will be read-only still takes attributes.
Status copy_attributes(const Entry& from, File& to) {
  if (Status status = copy_owner(from, to); !status.ok()) return status;
  if (Status status = copy_extended_attributes(from, to); !status.ok()) return status;
  return set_mode(to, from.mode & 01777);
}

Status set_new_file_permissions(const Directory& directory, unsigned permissions, File& to) {
  std::vector<char> list;
  const CallResult got = value_of(directory.descriptor(), default_access_list, list);
  const bool has_none = got == 0 || got == -ENODATA || got == -ENOTSUP;
  const unsigned allowed = got > 0    ? permissions_in(list)
                           : has_none ? ~umask_of_process()
                                      : ~most_careful_umask;
  return set_mode(to, permissions & allowed & 01777);
}

}  // namespace sluice::os
