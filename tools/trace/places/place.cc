#include "trace/places/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "command_line/output.h"
#include "trace/places/runtime.h"
#include "trace/places/shown_function.h"
#include "trace/profile/own_code.h"

namespace sluice::trace {
namespace {

std::string text_of(const Frame& frame) {
  // main() left its frame for its last call, or has returned.
  if (frame.source.empty() && frame.function == "_start") return "the end of the program";
  const std::string function = shown_function(frame.function);
  if (frame.source.empty()) return function;
  const std::string source = std::filesystem::path(frame.source).filename();
  return fmt::format("{} at {}", function, source);
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

bool is_in_library(const Frame& frame) { return frame.module.find(".so") != std::string::npos; }

// Code of a library without debug information tells the program's author nothing, so the place
// also has the program's line from which it was called.
std::string text_with_caller(const Site& site) {
  const Frame& inner = site.frames.front();
  if (!is_in_library(inner) || !inner.source.empty()) return text_of(inner);
  const auto caller = std::ranges::find_if(site.frames, [](const Frame& frame) {
    return !frame.source.empty() && !is_in_library(frame);
  });
  if (caller == site.frames.end()) return text_of(inner);
  return fmt::format("{}, called by {}", text_of(inner), text_of(*caller));
}

// A library may serve several languages, as SDBM does.
bool is_of_language(const Frame& frame) {
  return runtime_of_module(frame).kind == Runtime::Kind::language;
}

// The nearest code of the program that is no code of a language.
std::string text_of_own(const Site& site, const Runtime& runtime) {
  const Frame& inner = site.frames.front();
  const bool is_compiled = runtime.kind == Runtime::Kind::other_language;
  const auto first = site.frames.begin() + (is_compiled ? 0 : 1);
  const auto own = std::find_if(first, site.frames.end(), [&](const Frame& of) {
    return (is_compiled || is_named(of)) && !is_code_of(runtime, of) && !is_of_language(of) &&
           !is_of_c(of.module) && of.function != "_start";
  });
  if (own == site.frames.end()) return name_of(runtime, inner);
  // Where the language's library was inlined into the program, the line may be the library's.
  const Frame line = {"", own->source, ""};
  return is_compiled && is_code_of(runtime, line) ? shown_function(own->function) : text_of(*own);
}

// The functions of a database tell its users nothing. So its place is its name, with the code that
// calls it.
std::string text_of_database(const Site& site, const Runtime& runtime) {
  const auto caller = std::ranges::find_if(site.frames, [&](const Frame& of) {
    return !is_code_of(runtime, of) && !is_of_c(of.module) && of.function != "_start";
  });
  if (caller == site.frames.end()) return name_of(runtime, site.frames.front());
  const bool is_known = is_named(*caller) && !is_of_language(*caller);
  return fmt::format("{}, called by {}", runtime.name,
                     is_known ? text_of(*caller) : name_of(runtime_of_module(*caller), *caller));
}

}  // namespace

std::string place_of(const Site& site) {
  if (site.frames.empty()) return "(unknown)";
  const Runtime& runtime = runtime_of_stack(site.frames);
  switch (runtime.kind) {
    case Runtime::Kind::tool: return name_of(runtime, site.frames.front());
    case Runtime::Kind::language:
    case Runtime::Kind::other_language: return text_of_own(site, runtime);
    case Runtime::Kind::database: return text_of_database(site, runtime);
    default: return text_with_caller(site);
  }
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
