#include "windows/raw_output.h"

#include <windows.h>

#include <filesystem>
#include <stdexcept>

namespace sluice::bench {
namespace {

[[noreturn]] void fail(const char* operation) {
  throw std::runtime_error(std::string(operation) + " failed with error " +
                           std::to_string(::GetLastError()));
}

}  // namespace

RawOutput::RawOutput(const std::string& path)
    : handle_(::CreateFileW(std::filesystem::path(path).c_str(), GENERIC_WRITE, FILE_SHARE_READ,
                            nullptr, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr)) {
  if (handle_ == INVALID_HANDLE_VALUE) fail("CreateFileW");
}

RawOutput::~RawOutput() { ::CloseHandle(handle_); }

void RawOutput::write(const void* data, std::size_t bytes) {
  DWORD written = 0;
  ++calls_;
  if (::WriteFile(handle_, data, static_cast<DWORD>(bytes), &written, nullptr) == 0 ||
      written != bytes) {
    fail("WriteFile");
  }
}

}  // namespace sluice::bench
