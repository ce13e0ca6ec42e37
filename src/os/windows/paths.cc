#include "os/windows/paths.h"

#include <algorithm>
#include <cstring>
#include <cwchar>
#include <string_view>

#include "os/directory.h"
#include "os/windows/errors.h"
#include "os/windows/handles.h"
#include "os/windows/system.h"

namespace sluice::os {
namespace {

constexpr std::wstring_view long_prefix = L"\\\\?\\";
constexpr std::wstring_view long_network_prefix = L"\\\\?\\UNC";  // before "\server\share"
// A directory must leave room for a name of 8.3 characters.
constexpr std::size_t max_short_units = MAX_PATH - 12;

bool has_drive(std::string_view path) { return path.size() >= 2 && path[1] == ':'; }

// Puts the prefix before the absolute path, which then goes to the system as it is.
std::wstring_view prefix_of(std::wstring_view path) {
  if (path.size() < max_short_units || path.starts_with(L"\\\\?\\") || path.starts_with(L"\\\\.\\"))
    return {};
  return path.starts_with(L"\\\\") ? long_network_prefix : long_prefix;
}

// A device such as NUL has its name in every directory. Behind \\?\ a file would get the name.
bool is_device(std::wstring_view full_path) { return full_path.starts_with(L"\\\\.\\"); }

// Windows leaves out dots and spaces at the end of a name, but not behind \\?\. So "report." would
// be another file there.
std::size_t units_of_name(const wchar_t* name) {
  std::size_t units = std::wcslen(name);
  while (units > 1 && (name[units - 1] == L'.' || name[units - 1] == L' ')) --units;
  return units;
}

}  // namespace

// "C:b" is a name in the current directory of drive C, and "C:\b" is a name in its root.
std::pair<std::string, std::string> split_path(const std::string& path) {
  const std::size_t slash = path.find_last_of("/\\");
  if (slash != std::string::npos) {
    const bool is_root = slash == 0 || (slash == 2 && has_drive(path));
    return {path.substr(0, is_root ? slash + 1 : slash), path.substr(slash + 1)};
  }
  return has_drive(path) ? std::pair(path.substr(0, 2) + ".", path.substr(2))
                         : std::pair(std::string("."), path);
}

WidePath::WidePath(int directory, const char* path) noexcept {
  std::array<wchar_t, max_path_units> wide;
  text_[0] = L'\0';
  if (path[0] == '\0') {
    refuse(-ENOENT);
    return;
  }
  const int units = ::MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide.data(),
                                          static_cast<int>(wide.size()));
  if (units == 0) {
    const bool is_too_long = ::GetLastError() == ERROR_INSUFFICIENT_BUFFER;
    refuse(is_too_long ? -ENAMETOOLONG : -EILSEQ);
    return;
  }
  directory == AT_FDCWD ? start_at_current_directory(wide.data())
                        : start_at(directory, wide.data());
}

void WidePath::refuse(CallResult error) noexcept {
  error_ = error;
  text_[units_ = 0] = L'\0';
}

void WidePath::start_at_current_directory(const wchar_t* path) noexcept {
  constexpr auto most = static_cast<DWORD>(max_path_units);
  const DWORD units = ::GetFullPathNameW(path, most, text_.data(), nullptr);
  if (units == 0) return refuse(last_error());
  const std::wstring_view prefix = prefix_of({text_.data(), std::min(units, most)});
  // The server's name follows the prefix after one backslash, not after two.
  const std::size_t dropped = prefix == long_network_prefix ? 1 : 0;
  if (units + prefix.size() - dropped >= max_path_units) return refuse(-ENAMETOOLONG);
  units_ = units + prefix.size() - dropped;
  std::wmemmove(text_.data() + prefix.size(), text_.data() + dropped, units - dropped + 1);
  std::wmemcpy(text_.data(), prefix.data(), prefix.size());
}

void WidePath::start_at(int directory, const wchar_t* path) noexcept {
  constexpr auto most = static_cast<DWORD>(max_path_units);
  const bool is_absolute = path[0] == L'\\' || path[0] == L'/' || (path[0] != 0 && path[1] == L':');
  const DWORD full_units = ::GetFullPathNameW(path, most, text_.data(), nullptr);
  if (is_absolute || is_device({text_.data(), full_units < most ? full_units : 0})) {
    return start_at_current_directory(path);
  }
  const DWORD units = ::GetFinalPathNameByHandleW(handle_of(directory), text_.data(), most, 0);
  if (units == 0) return refuse(last_error());
  const std::size_t name_units = units_of_name(path);
  if (units + name_units + 2 > max_path_units) return refuse(-ENAMETOOLONG);
  units_ = units;
  if (text_[units_ - 1] != L'\\') text_[units_++] = L'\\';
  std::wmemcpy(text_.data() + units_, path, name_units);
  text_[units_ + name_units] = L'\0';
  // After \\?\ Windows takes no slash and no "..".
  std::replace(text_.data() + units_, text_.data() + units_ + name_units, L'/', L'\\');
  units_ += name_units;
}

CallResult to_utf8(const wchar_t* text, std::size_t units, char* into, std::size_t bytes) noexcept {
  if (units == 0) return 0;
  const int written = ::WideCharToMultiByte(CP_UTF8, 0, text, static_cast<int>(units), into,
                                            static_cast<int>(bytes), nullptr, nullptr);
  if (written > 0) return written;
  return ::GetLastError() == ERROR_INSUFFICIENT_BUFFER ? -ENAMETOOLONG : last_error();
}

CallResult path_of(void* handle, char* into, std::size_t bytes) noexcept {
  std::array<wchar_t, max_path_units> wide;
  const DWORD units =
      ::GetFinalPathNameByHandleW(handle, wide.data(), static_cast<DWORD>(wide.size()), 0);
  if (units == 0) return last_error();
  if (units >= wide.size()) return -ENAMETOOLONG;
  return to_utf8(wide.data(), units, into, bytes);
}

}  // namespace sluice::os
