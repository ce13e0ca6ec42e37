#include "launch/program_file.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "preload/program_kind.h"

namespace sluice {
namespace {

using preload::ProgramKind;

// Recognises a Go program by the names of its sections. Other signs differ from version to version.
bool is_go_program(const char* path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  Elf64_Shdr names{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || header.e_shoff == 0) return false;
  file.seekg(static_cast<std::streamoff>(header.e_shoff + header.e_shstrndx * sizeof names));
  file.read(reinterpret_cast<char*>(&names), sizeof names);
  file.seekg(static_cast<std::streamoff>(names.sh_offset));
  constexpr std::size_t max_name_bytes = 1 << 20;
  std::string text(std::min<std::size_t>(names.sh_size, max_name_bytes), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  return file && text.find(".go.buildinfo") != std::string::npos;
}

// True if a program of this kind may be a Go program, which has input and output of its own. A Go
// program that links the C library looks like any other program.
bool may_be_go(ProgramKind kind) {
  return kind == ProgramKind::coverable || kind == ProgramKind::statically_linked ||
         kind == ProgramKind::of_other_c_library;
}

std::string text_of(ProgramKind kind) {
  switch (kind) {
    case ProgramKind::coverable: return "";
    case ProgramKind::gaining_rights: return "it runs with other rights than yours";
    case ProgramKind::of_other_word_size: return "it is a 32-bit program";
    case ProgramKind::for_other_processor: return "it is built for another processor";
    case ProgramKind::statically_linked: return "it is statically linked";
    case ProgramKind::of_other_c_library: return "it uses musl, another C library";
    case ProgramKind::address_sanitized:
      return "its address sanitizer must be the first library loaded";
  }
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
  preload::Interpreter interpreter;
  const ProgramKind kind = preload::program_kind(AT_FDCWD, path.c_str(), interpreter, ::syscall);
  const char* const judged = *interpreter == '\0' ? path.c_str() : interpreter;
  if (may_be_go(kind) && is_go_program(judged))
    return "it is a Go program, which does not use the C library's input and output";
  return text_of(kind);
}

bool is_script(const std::string& path) {
  preload::Interpreter interpreter;
  preload::program_kind(AT_FDCWD, path.c_str(), interpreter, ::syscall);
  return *interpreter != '\0';
}

namespace {

// The kernel also says ENOENT when a program's interpreter is missing.
std::string why_not_executed(const std::string& name, int error) {
  if (error != ENOENT) return std::strerror(error);
  const bool is_there = name.find('/') != std::string::npos && ::access(name.c_str(), F_OK) == 0;
  return is_there ? "the interpreter that it needs does not exist" : "there is no such program";
}

}  // namespace

ProgramError::ProgramError(const std::string& name, int error)
    : CommandError(fmt::format("{}: {}", name.empty() ? "''" : name, why_not_executed(name, error)),
                   error == ENOENT ? exit_not_found : exit_not_executable) {}

Program program_for(const std::string& name) {
  int error = 0;
  std::string path = find_program(name, error);
  if (path.empty()) throw ProgramError(name, error);
  std::string not_covered = why_not_covered(path);
  return {std::move(path), std::move(not_covered)};
}

}  // namespace sluice
