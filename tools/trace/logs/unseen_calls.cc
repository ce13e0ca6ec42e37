#include "trace/logs/unseen_calls.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

namespace sluice::trace {
namespace {

using Names = std::set<std::string, std::less<>>;

constexpr std::string_view wide_calls[] = {
    "fgetwc",   "getwc",    "getwchar", "fgetws",   "ungetwc", "fputwc",
    "putwc",    "putwchar", "fputws",   "fwprintf", "wprintf", "vfwprintf",
    "vwprintf", "fwscanf",  "wscanf",   "vfwscanf", "vwscanf",
};

// Of libaio and liburing, which call the kernel without the C library.
constexpr std::string_view kernel_calls[] = {
    "io_submit",
    "io_uring_submit",
    "io_uring_submit_and_get_events",
    "io_uring_submit_and_wait",
    "io_uring_submit_and_wait_timeout",
    "io_uring_queue_init",
    "io_uring_queue_init_params",
};

constexpr std::string_view posix_calls[] = {
    "aio_read", "aio_read64", "aio_write", "aio_write64", "lio_listio", "lio_listio64",
};

constexpr std::string_view socket_calls[] = {
    "recv", "recvfrom", "recvmsg", "recvmmsg", "send", "sendto", "sendmsg", "sendmmsg",
};

// The parts of mangled names: of constructors and of tables that inlined constructors use.
constexpr std::pair<std::string_view, std::string_view> string_streams[] = {
    {"19basic_istringstreamIc", "std::istringstream"},
    {"18basic_stringstreamIc", "std::stringstream"},
    {"19basic_ostringstreamIc", "std::ostringstream"},
};

// The C++ library's own streams of wide characters call exactly these functions. A program may have
// this library in itself and use no wide characters.
const Names of_cplusplus = {"getwc", "putwc", "ungetwc"};

// "__fwprintf_chk" is fwprintf in a fortified program, "__isoc99_fwscanf" is the C99 form of
// fwscanf, and "fgetwc_unlocked" is fgetwc without the lock.
std::string_view plain_name(std::string_view name) {
  for (const std::string_view prefix : {"__isoc99_", "__isoc23_", "__"}) {
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    break;
  }
  for (const std::string_view end : {"_unlocked_chk", "_unlocked", "_chk"}) {
    if (!name.ends_with(end)) continue;
    name.remove_suffix(end.size());
    break;
  }
  return name;
}

template <std::size_t count>
bool has(const std::string_view (&names)[count], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

// The libraries of MPI import the calls of POSIX, and their users hardly ever call them.
bool is_library(std::string_view path) {
  return path.substr(path.rfind('/') + 1).find(".so") != std::string_view::npos;
}

// Many programs of the system can use sockets, and seldom do. A file in /usr/local is the user's.
bool is_of_system(std::string_view path) {
  return path.starts_with("/usr/") && !path.starts_with("/usr/local/");
}

// Empty if the import is of no call that is listed here.
std::string_view unseen_name_of(std::string_view import) {
  for (const auto& [part, name] : string_streams) {
    if (import.find(part) != std::string_view::npos) return name;
  }
  const std::string_view name = plain_name(import);
  const bool is_unseen =
      has(wide_calls, name) || is_asynchronous(name) || is_of_sockets(name) || is_of_openmp(name);
  return is_unseen ? name : "";
}

void add_imports(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, Names& found) {
  Elf_Data* const data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
  for (int i = 1; i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, i, &symbol) == nullptr) return;
    if (symbol.st_shndx != SHN_UNDEF) continue;
    const char* const text = elf_strptr(elf, header.sh_link, symbol.st_name);
    const std::string_view name = unseen_name_of(text == nullptr ? "" : text);
    if (!name.empty()) found.emplace(name);
  }
}

Names unseen_imports_of(int descriptor) {
  Names found;
  const std::unique_ptr<Elf, decltype(&elf_end)> elf(
      elf_begin(descriptor, ELF_C_READ_MMAP, nullptr), elf_end);
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNSYM) continue;
    add_imports(elf.get(), section, header, found);
  }
  return found;
}

}  // namespace

bool is_asynchronous(std::string_view call) {
  return has(kernel_calls, call) || has(posix_calls, call);
}

bool is_of_sockets(std::string_view call) { return has(socket_calls, call); }

bool is_of_string_streams(std::string_view call) {
  return std::ranges::any_of(string_streams, [&](const auto& of) { return of.second == call; });
}

// Of GCC's library, and of that of LLVM and Intel.
bool is_of_openmp(std::string_view call) {
  return call.starts_with("GOMP_") || call.starts_with("kmpc_");
}

std::vector<std::string> unseen_calls_of(const std::string& path) {
  elf_version(EV_CURRENT);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  Names found = unseen_imports_of(descriptor);
  ::close(descriptor);
  if (is_library(path)) {
    std::erase_if(found, [](const std::string& name) { return has(posix_calls, name); });
  }
  if (is_library(path) || is_of_system(path)) {
    std::erase_if(found, is_of_sockets);
    std::erase_if(found, is_of_string_streams);
  }
  Names wide;
  std::ranges::copy_if(found, std::inserter(wide, wide.end()),
                       [](const std::string& name) { return has(wide_calls, name); });
  if (wide == of_cplusplus) {
    std::erase_if(found, [](const std::string& name) { return has(wide_calls, name); });
  }
  return {found.begin(), found.end()};
}

}  // namespace sluice::trace
