#include "os/attributes.h"

#include <array>

#include "os/failed_call.h"
#include "os/windows/errors.h"
#include "os/windows/handles.h"
#include "os/windows/paths.h"
#include "os/windows/system.h"

#include <aclapi.h>

namespace sluice::os {
namespace {

constexpr DWORD kept_attributes = FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_SYSTEM |
                                  FILE_ATTRIBUTE_ARCHIVE | FILE_ATTRIBUTE_NOT_CONTENT_INDEXED;

// The security descriptor that Windows has allocated for a call.
class Descriptor {
 public:
  Descriptor() = default;
  ~Descriptor() { ::LocalFree(descriptor_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  void*& get() { return descriptor_; }
  // True if the list does not change with the list of the directory.
  bool is_protected() const {
    SECURITY_DESCRIPTOR_CONTROL control = 0;
    DWORD revision = 0;
    return ::GetSecurityDescriptorControl(descriptor_, &control, &revision) != 0 &&
           (control & SE_DACL_PROTECTED) != 0;
  }

 private:
  void* descriptor_ = nullptr;
};

struct Name {
  std::array<wchar_t, max_path_units> text;
  bool is_known;
  explicit Name(const File& file) {
    const DWORD units = ::GetFinalPathNameByHandleW(handle_of(file.descriptor()), text.data(),
                                                    static_cast<DWORD>(text.size()), 0);
    is_known = units > 0 && units < text.size();
  }
};

// Access lists are read and set by name, because the handles were not opened for that.
DWORD copy_access_list(const File& from, const File& to) {
  Name from_name(from);
  Name to_name(to);
  if (!from_name.is_known || !to_name.is_known) return ERROR_BAD_PATHNAME;
  Descriptor descriptor;
  ACL* list = nullptr;
  const DWORD got =
      ::GetNamedSecurityInfoW(from_name.text.data(), SE_FILE_OBJECT, DACL_SECURITY_INFORMATION,
                              nullptr, nullptr, &list, nullptr, &descriptor.get());
  if (got != ERROR_SUCCESS) return got;
  const DWORD inheritance = descriptor.is_protected() ? PROTECTED_DACL_SECURITY_INFORMATION
                                                      : UNPROTECTED_DACL_SECURITY_INFORMATION;
  return ::SetNamedSecurityInfoW(to_name.text.data(), SE_FILE_OBJECT,
                                 DACL_SECURITY_INFORMATION | inheritance, nullptr, nullptr, list,
                                 nullptr);
}

Status not_kept(const File& file, int code, std::string_view what) {
  return failed_call(Operation::replace, file.path(), code, {what, " cannot be kept"});
}

}  // namespace

// The new file belongs to the user who made it. Windows lets only administrators change that.
Status copy_owner(const Entry&, File&) { return {}; }

// Times of 0 stay as they are.
Status copy_attributes(const Entry& from, File& to) {
  if (const DWORD error = copy_access_list(from.file, to); error != ERROR_SUCCESS) {
    return not_kept(to, errno_of(error), "its access list");
  }
  FILE_BASIC_INFO facts;
  void* const old = handle_of(from.file.descriptor());
  if (::GetFileInformationByHandleEx(old, FileBasicInfo, &facts, sizeof facts) == 0) {
    return not_kept(to, errno_of(::GetLastError()), "its attributes");
  }
  FILE_BASIC_INFO wanted{};
  wanted.FileAttributes = facts.FileAttributes & kept_attributes;
  if (wanted.FileAttributes == 0) wanted.FileAttributes = FILE_ATTRIBUTE_NORMAL;
  void* const handle = handle_of(to.descriptor());
  if (::SetFileInformationByHandle(handle, FileBasicInfo, &wanted, sizeof wanted) != 0) return {};
  return not_kept(to, errno_of(::GetLastError()), "its attributes");
}

Status set_new_file_permissions(const Directory&, unsigned, File&) { return {}; }

}  // namespace sluice::os
