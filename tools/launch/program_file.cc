#include "launch/program_file.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string_view>
#include <utility>

namespace sluice {
namespace {

#if defined(__x86_64__)
constexpr unsigned own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned own_machine = EM_AARCH64;
#else
#error "sluice run knows x86-64 and AArch64"
#endif
constexpr int own_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;

// The kernel follows as many scripts that are interpreted by scripts.
constexpr int most_interpreters = 4;

// An open file, and the ELF library's view of it.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    elf_version(EV_CURRENT);
    if (descriptor_ >= 0) elf_ = elf_begin(descriptor_, ELF_C_READ, nullptr);
  }
  ~ElfFile() {
    elf_end(elf_);
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  // False for a script, and for what cannot be read.
  bool read_header(GElf_Ehdr& header) const {
    return elf_ != nullptr && elf_kind(elf_) == ELF_K_ELF && gelf_getehdr(elf_, &header) != nullptr;
  }

  // The dynamic loader's name; empty for a static program.
  std::string loader(const GElf_Ehdr& header) const {
    for (int i = 0; i < header.e_phnum; ++i) {
      GElf_Phdr segment;
      if (gelf_getphdr(elf_, i, &segment) == nullptr || segment.p_type != PT_INTERP) continue;
      std::string name(segment.p_filesz, '\0');
      const ssize_t got =
          ::pread(descriptor_, name.data(), name.size(), static_cast<off_t>(segment.p_offset));
      return got < 0 ? "" : name.substr(0, name.find('\0'));
    }
    return "";
  }

  bool has_section(std::string_view name) const {
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf_, &names) != 0) return false;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr) continue;
      const char* const found = elf_strptr(elf_, names, header.sh_name);
      if (found != nullptr && name == found) return true;
    }
    return false;
  }

  // Whether the program names `library` among those that it needs.
  bool needs(std::string_view library) const {
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNAMIC) continue;
      Elf_Data* const data = elf_getdata(section, nullptr);
      GElf_Dyn entry;
      for (int i = 0; data != nullptr && gelf_getdyn(data, i, &entry) != nullptr; ++i) {
        if (entry.d_tag != DT_NEEDED) continue;
        const char* const name = elf_strptr(elf_, header.sh_link, entry.d_un.d_val);
        if (name != nullptr && std::string_view(name).starts_with(library)) return true;
      }
    }
    return false;
  }

 private:
  int descriptor_;
  Elf* elf_ = nullptr;
};

// "#!/usr/bin/perl -w" gives "/usr/bin/perl"; empty for what is no script.
std::string interpreter_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || !line.starts_with("#!")) return "";
  const std::size_t begin = line.find_first_not_of(" \t", 2);
  if (begin == std::string::npos) return "";
  return line.substr(begin, line.find_first_of(" \t", begin) - begin);
}

// The kernel gives the program other rights than its caller's; the loader preloads nothing then.
bool gains_rights(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  if ((status.st_mode & S_ISUID) != 0 && status.st_uid != ::getuid()) return true;
  if ((status.st_mode & S_ISGID) != 0 && status.st_gid != ::getgid()) return true;
  return ::geteuid() != 0 && ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

std::string why_not(const ElfFile& file, const GElf_Ehdr& header) {
  if (header.e_ident[EI_CLASS] != own_class) {
    return fmt::format("it is a {}-bit program", header.e_ident[EI_CLASS] == ELFCLASS32 ? 32 : 64);
  }
  if (header.e_machine != own_machine) return "it is built for another processor";
  const bool is_go = file.has_section(".go.buildinfo");
  const std::string loader = file.loader(header);
  if (is_go) return "it is a Go program, which does not use the C library's input and output";
  if (loader.empty()) return "it is statically linked";
  if (loader.find("ld-musl") != std::string::npos) return "it uses musl, another C library";
  if (file.needs("libasan.so")) return "its address sanitizer must be the first library loaded";
  return "";
}

bool is_executable_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string find_program(const std::string& name, int& error) {
  error = ENOENT;
  if (name.find('/') != std::string::npos) {
    if (is_executable_file(name)) return name;
    if (::access(name.c_str(), F_OK) == 0) error = EACCES;
    return "";
  }
  const char* const path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "/bin:/usr/bin" : path;
  while (true) {
    const std::size_t colon = folders.find(':');
    const std::string folder(folders.substr(0, colon));
    const std::string candidate = folder.empty() ? name : folder + "/" + name;
    if (!name.empty() && is_executable_file(candidate)) return candidate;
    if (!name.empty() && ::access(candidate.c_str(), F_OK) == 0) error = EACCES;
    if (colon == std::string_view::npos) return "";
    folders.remove_prefix(colon + 1);
  }
}

std::string why_not_covered(const std::string& path) {
  std::string program = path;
  for (int depth = 0; depth <= most_interpreters; ++depth) {
    if (gains_rights(program)) return "it runs with other rights than yours";
    const ElfFile file(program);
    GElf_Ehdr header;
    if (file.read_header(header)) return why_not(file, header);
    program = interpreter_of(program);
    if (program.empty()) return "";
  }
  return "";
}

ProgramError::ProgramError(const std::string& name, int error)
    : std::runtime_error(fmt::format(
          "{}: {}", name, error == ENOENT ? "there is no such program" : std::strerror(error))),
      exit_code_(error == ENOENT ? exit_not_found : exit_not_executable) {}

Program program_for(const std::string& name) {
  int error = 0;
  std::string path = find_program(name, error);
  if (path.empty()) throw ProgramError(name, error);
  std::string not_covered = why_not_covered(path);
  return {std::move(path), std::move(not_covered)};
}

}  // namespace sluice
