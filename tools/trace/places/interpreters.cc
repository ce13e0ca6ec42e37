#include "trace/places/interpreters.h"

#include <algorithm>
#include <iterator>

#include "trace/places/runtime.h"

namespace sluice::trace {

std::string_view interpreter_in(const std::string& program) {
  constexpr std::string_view starting_at_once[] = {"shell", "awk"};
  if (program == "jq") return "jq";
  const Runtime& runtime = runtime_of_code(program);
  const bool starts_at_once =
      std::ranges::find(starting_at_once, runtime.name) != std::end(starting_at_once);
  return runtime.kind == Runtime::Kind::language && !starts_at_once ? runtime.name : "";
}

bool is_of_program(std::string_view file, const std::string& program) {
  constexpr std::string_view beginnings[] = {"/etc/",         "/proc/",   "/sys/",
                                             "/usr/include/", "/usr/lib", "/lib"};
  constexpr std::string_view folders[] = {
      "/lib/python", "/lib64/python", "/lib/perl",      "/share/perl",     "/share/nodejs",
      "/share/php",  "/gems/",        "/node_modules/", "/site-packages/",
  };
  constexpr std::string_view scripts[] = {".js", ".mjs", ".cjs", ".py",  ".pyc",
                                          ".pl", ".pm",  ".rb",  ".php", ".lua"};
  const auto begins = [&](std::string_view text) { return file.starts_with(text); };
  const auto has = [&](std::string_view text) { return file.find(text) != std::string_view::npos; };
  const auto ends = [&](std::string_view text) { return file.ends_with(text); };
  if (std::ranges::any_of(beginnings, begins) || std::ranges::any_of(folders, has)) return true;
  return std::ranges::any_of(scripts, ends) && !interpreter_in(program).empty();
}

}  // namespace sluice::trace
