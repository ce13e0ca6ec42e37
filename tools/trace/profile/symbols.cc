#include "trace/profile/symbols.h"

#include <cxxabi.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <gelf.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "trace/logs/log_text.h"
#include "trace/profile/debug_information.h"
#include "trace/profile/exported.h"
#include "trace/profile/machine_code.h"
#include "trace/profile/own_code.h"

namespace sluice::trace {
namespace {

// Finds debug information on this machine only, because a report should not wait for a server.
int find_debug_information(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base,
                           const char* file, const char* link, GElf_Word checksum, char** found) {
  return dwfl_build_id_find_debuginfo(module, data, name, base, file, link, checksum, found);
}

int find_no_debug_information(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*,
                              const char*, GElf_Word, char**) {
  return -1;
}

char* debug_path = nullptr;

constexpr Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = find_debug_information,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = &debug_path,
};

// For the C library the names of its functions are enough. Its debug information is large, and
// Debian compresses it.
constexpr Dwfl_Callbacks callbacks_for_names = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = find_no_debug_information,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = &debug_path,
};

// The demangler would take "d" for a type's name.
std::string demangled(std::string_view name) {
  if (!name.starts_with("_Z")) return std::string(name);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : std::string(name);
}

// All functions with a name. Of a stripped file only the exported functions have names. (elfutils
// goes through all symbols for each address.)
std::vector<Exported> functions_of(Dwfl_Module* module) {
  std::vector<Exported> functions;
  for (int i = 1; i < dwfl_module_getsymtab(module); ++i) {
    GElf_Sym symbol;
    GElf_Addr address = 0;
    const char* const name =
        dwfl_module_getsym_info(module, i, &symbol, &address, nullptr, nullptr, nullptr);
    const int type = GELF_ST_TYPE(symbol.st_info);
    const bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
    if (name == nullptr || !is_function || symbol.st_shndx == SHN_UNDEF) continue;
    functions.push_back(
        {address, address + symbol.st_size, name, GELF_ST_BIND(symbol.st_info) == STB_GLOBAL});
  }
  order(functions);
  return functions;
}

// The bytes of the file that are loaded to these addresses. None if they are not in one section.
std::span<const unsigned char> bytes_of(Elf* elf, GElf_Addr begin, GElf_Addr end) {
  for (Elf_Scn* at = elf_nextscn(elf, nullptr); at != nullptr; at = elf_nextscn(elf, at)) {
    GElf_Shdr section{};
    if (gelf_getshdr(at, &section) == nullptr || section.sh_type != SHT_PROGBITS) continue;
    if ((section.sh_flags & SHF_EXECINSTR) == 0) continue;
    if (begin < section.sh_addr || end > section.sh_addr + section.sh_size) continue;
    const Elf_Data* const data = elf_rawdata(at, nullptr);
    if (data == nullptr || data->d_buf == nullptr || data->d_size < section.sh_size) return {};
    const auto* const bytes = static_cast<const unsigned char*>(data->d_buf);
    return {bytes + (begin - section.sh_addr), end - begin};
  }
  return {};
}

}  // namespace

// One file of code. The file is read when the first of its addresses is looked up.
class Symbols::File {
 public:
  explicit File(const std::string& path)
      : path_(path), dwfl_(dwfl_begin(is_of_c(path) ? &callbacks_for_names : &callbacks)) {
    dwfl_report_begin(dwfl_);
    dwfl_report_elf(dwfl_, path.c_str(), path.c_str(), -1, 0, true);
    dwfl_report_end(dwfl_, nullptr, nullptr);
  }
  ~File() { dwfl_end(dwfl_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // The size that the call before this address asks for, if it is std::istream::read() and its code
  // says so; else 0.
  std::uint32_t read_bytes_before(Dwarf_Addr address) const {
    constexpr std::size_t most_bytes = 40;  // of the instructions before a call
    const Dwarf_Addr begin = address - std::min<Dwarf_Addr>(address, most_bytes);
    Dwfl_Module* const module = dwfl_addrmodule(dwfl_, begin);
    Dwarf_Addr bias = 0;
    Elf* const elf = module == nullptr ? nullptr : dwfl_module_getelf(module, &bias);
    GElf_Ehdr header{};
    if (elf == nullptr || gelf_getehdr(elf, &header) == nullptr || header.e_machine != EM_X86_64)
      return 0;
    const std::span<const unsigned char> code = bytes_of(elf, begin - bias, address - bias);
    return third_argument_before(code).value_or(0);
  }

  // `address` belongs to the file. The result has the functions inlined there, innermost first, and
  // then the function itself. Each frame has the place in its function to which the address
  // belongs.
  const std::vector<Frame>& frames_at(Dwarf_Addr address) {
    const auto [known, is_new] = known_.try_emplace(address);
    if (is_new) known->second = find_frames(address);
    return known->second;
  }

 private:
  std::vector<Frame> find_frames(Dwarf_Addr address) {
    Frame frame{.function = fmt::format("{}+{:#x}", file_name(), address + 1),
                .source = "",
                .module = path_};
    Dwfl_Module* const module = dwfl_addrmodule(dwfl_, address);
    if (module == nullptr) return {frame};
    if (const Exported* const function = function_at(functions(module), address)) {
      frame.function = demangled(function->name);
    } else if (const std::string near = name_near(functions(module), address + 1, demangled);
               !near.empty()) {
      frame.function = fmt::format("{}: {}", file_name(), near);
    }
    return debug_information_.frames_at(module, address, std::move(frame));
  }

  const std::vector<Exported>& functions(Dwfl_Module* module) {
    if (!functions_) functions_ = functions_of(module);
    return *functions_;
  }

  std::string file_name() const { return std::filesystem::path(path_).filename().string(); }

  std::string path_;
  Dwfl* dwfl_;
  std::map<Dwarf_Addr, std::vector<Frame>> known_;
  DebugInformation debug_information_;
  std::optional<std::vector<Exported>> functions_;
};

Symbols::Symbols() = default;

Symbols::~Symbols() = default;

Symbols::Place Symbols::place_of(const preload::Log& log, std::uint64_t return_address) {
  const std::uint64_t address = return_address - 1;  // inside of the call, not after it
  for (std::uint32_t i = 0; i < log.modules && i < preload::max_modules; ++i) {
    const preload::Module& module = log.module(i);
    if (address < module.begin || address >= module.end) continue;
    const std::string_view path = view_at(log, module.name);
    auto known = files_.find(path);
    if (known == files_.end()) {
      known = files_.emplace(path, std::make_unique<File>(std::string(path))).first;
    }
    return {known->second.get(), address - module.bias};
  }
  return {nullptr, return_address};
}

// Many processes come to the same call by the same functions.
const Site& Symbols::site_of(const preload::Log& log, const preload::Site& site) {
  std::vector<Place> stack;
  for (const std::uint64_t address : site.frames) {
    if (address == 0) break;
    stack.push_back(place_of(log, address));
  }
  const auto [known, is_new] = sites_.try_emplace(std::move(stack));
  if (!is_new) return known->second;
  std::vector<Frame> frames;
  std::uint32_t piece_bytes = 0;
  for (const Place& place : known->first) {
    if (place.file == nullptr) {
      frames.push_back(
          {.function = fmt::format("{:#x}", place.address), .source = "", .module = ""});
      continue;
    }
    if (!frames.empty() && reads_pieces(frames.back())) {
      piece_bytes = place.file->read_bytes_before(place.address + 1);
    }
    const std::vector<Frame>& here = place.file->frames_at(place.address);
    frames.insert(frames.end(), here.begin(), here.end());
  }
  known->second = site_in_own_code(std::move(frames));
  known->second.piece_bytes = piece_bytes;
  return known->second;
}

}  // namespace sluice::trace
