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

bool is_of_programs(std::string_view file) {
  constexpr std::string_view beginnings[] = {"/etc/",         "/proc/",   "/sys/",
                                             "/usr/include/", "/usr/lib", "/lib"};
  constexpr std::string_view folders[] = {
      "/lib/python", "/lib64/python", "/lib/perl",      "/share/perl",     "/share/nodejs",
      "/share/php",  "/gems/",        "/node_modules/", "/site-packages/",
  };
  const auto begins = [&](std::string_view text) { return file.starts_with(text); };
  const auto has = [&](std::string_view text) { return file.find(text) != std::string_view::npos; };
  return std::ranges::any_of(beginnings, begins) || std::ranges::any_of(folders, has);
}

bool is_script(std::string_view file) {
  constexpr std::string_view ends[] = {".js", ".mjs", ".cjs", ".py",  ".pyc",
                                       ".pl", ".pm",  ".rb",  ".php", ".lua"};
  return std::ranges::any_of(ends, [&](std::string_view end) { return file.ends_with(end); });
}

}  // namespace sluice::trace
