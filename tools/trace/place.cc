#include "trace/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "command_line/output.h"
#include "trace/own_code.h"
#include "trace/runtime.h"

namespace sluice::trace {
namespace {

std::string text_of(const Frame& frame) {
  if (frame.source.empty()) return frame.function;
  const std::string source = std::filesystem::path(frame.source).filename();
  return fmt::format("{} at {}", frame.function, source);
}

// False for "0x7f75789455da", "program+0x4a" and "library.so: near name+0x1c".
bool is_named(const Frame& frame) {
  return frame.function.find("+0x") == std::string::npos && !frame.function.starts_with("0x");
}

// "python3.11" for code of this executable, "Tcl" for code of its library.
std::string name_of(const Runtime& runtime, const Frame& frame) {
  const std::string file = std::filesystem::path(frame.module).filename();
  const bool is_executable = !file.empty() && file.find(".so") == std::string::npos;
  return is_executable ? file : std::string(runtime.name);
}

}  // namespace

std::string place_of(const Site& site) {
  if (site.frames.empty()) return "(unknown)";
  const Frame& inner = site.frames.front();
  const Runtime& runtime = runtime_of_stack(site.frames);
  if (runtime.kind == Runtime::Kind::tool) return name_of(runtime, inner);
  if (runtime.kind != Runtime::Kind::language) return text_of(inner);
  const auto own = std::find_if(site.frames.begin() + 1, site.frames.end(), [&](const Frame& of) {
    return is_named(of) && !is_code_of(runtime, of) && !is_of_c(of.module) &&
           of.function != "_start";
  });
  return own == site.frames.end() ? name_of(runtime, inner) : text_of(*own);
}

// A file of O_TMPFILE, and so of tmpfile(), has the name "/tmp/#123 (deleted)".
std::string shown_file(const std::string& name) {
  constexpr std::string_view end = " (deleted)";
  if (!name.ends_with(end)) return on_one_line(name);
  const std::filesystem::path path(name.substr(0, name.size() - end.size()));
  const std::string last = path.filename();
  if (last.size() < 2 || last[0] != '#' || last.find_first_not_of("0123456789", 1) < last.size()) {
    return on_one_line(name);
  }
  return fmt::format("a temporary file in {} that is already deleted",
                     on_one_line(path.parent_path().string()));
}

}  // namespace sluice::trace
