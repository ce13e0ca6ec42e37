#include "trace/places/shown_function.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <utility>

namespace sluice::trace {
namespace {

bool is_digit(char character) { return std::isdigit(static_cast<unsigned char>(character)) != 0; }

bool is_hex(char character) { return std::isxdigit(static_cast<unsigned char>(character)) != 0; }

void replace_all(std::string& text, std::string_view old, std::string_view by) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at)) {
    text.replace(at, old.size(), by);
    at += by.size();
  }
}

// Leaves out ", std::allocator<int>" and the like: arguments that nearly every program leaves out.
void leave_out_default_argument(std::string& text, std::string_view beginning) {
  for (std::size_t at = text.find(beginning); at != std::string::npos; at = text.find(beginning)) {
    std::size_t end = at + beginning.size();
    for (int depth = 1; depth > 0 && end < text.size(); ++end) {
      if (text[end] == '<') ++depth;
      if (text[end] == '>') --depth;
    }
    text.erase(at, end - at);
  }
}

// "log.constprop.0" is a copy that the compiler made of log.
void leave_out_suffixes(std::string& text) {
  for (const std::string_view suffix :
       {".constprop.", ".isra.", ".part.", ".cold", ".lto_priv.", ".llvm."}) {
    const std::size_t at = text.find(suffix);
    if (at == std::string::npos) continue;
    std::size_t end = at + suffix.size();
    while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
    text.erase(at, end - at);
  }
  replace_all(text, " [clone]", "");
  replace_all(text, " [clone ]", "");
}

// The end of legacy names: "::h" and 16 digits. npos if the name has no such end.
std::size_t hash_of_rust(std::string_view function) {
  constexpr std::size_t digits = 16;
  const std::size_t at = function.rfind("::h");
  if (at == std::string_view::npos || at == 0) return std::string_view::npos;
  const std::string_view hash = function.substr(at + 3);
  const bool is_hash = hash.size() == digits && std::ranges::all_of(hash, is_hex);
  return is_hash ? at : std::string_view::npos;
}

// The mangled form of a legacy name. The demangler knows no suffix after its end.
bool is_mangled_rust(std::string_view function) {
  return function.starts_with("_ZN") && function.find("17h") != std::string_view::npos;
}

// The name after its length. Empty if there is none.
std::string_view name_after_length(std::string_view text) {
  std::size_t size = 0;
  while (!text.empty() && is_digit(text.front()) && size < text.size()) {
    size = size * 10 + static_cast<std::size_t>(text.front() - '0');
    text.remove_prefix(1);
  }
  if (text.starts_with('_')) text.remove_prefix(1);
  return size <= text.size() ? text.substr(0, size) : std::string_view{};
}

// A number of a v0 name, "s3fX_".
void skip_disambiguator(std::string_view& text) {
  if (!text.starts_with('s')) return;
  const std::size_t end = text.find('_');
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
}

// The first crate in a v0 name: the one that has the function, or the implementation of a trait.
std::string_view crate_of_v0(std::string_view name) {
  name.remove_prefix(2);  // "_R"
  while (!name.empty() && name.front() != 'C') {
    const char tag = name.front();
    if (tag != 'N' && tag != 'M' && tag != 'X' && tag != 'I') return {};
    name.remove_prefix(tag == 'N' ? std::min<std::size_t>(2, name.size()) : 1);
    if (tag == 'M' || tag == 'X') skip_disambiguator(name);
  }
  if (name.empty()) return {};
  name.remove_prefix(1);
  skip_disambiguator(name);
  return name_after_length(name);
}

// "_$LT$std..io..Write$GT$" is "<std::io::Write>".
std::string without_escapes(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> escapes[] = {
      {"_$LT$", "<"}, {"$LT$", "<"},  {"$GT$", ">"},  {"$u20$", " "}, {"$u7b$", "{"},
      {"$u7d$", "}"}, {"$RF$", "&"},  {"$BP$", "*"},  {"$LP$", "("},  {"$RP$", ")"},
      {"$C$", ","},   {"$u5b$", "["}, {"$u5d$", "]"}, {"..", "::"},
  };
  std::string text(name);
  for (const auto& [escape, character] : escapes) replace_all(text, escape, character);
  return text;
}

}  // namespace

std::string rust_crate_of(std::string_view function) {
  if (function.starts_with("_R") && !function.starts_with("_R_")) {
    return std::string(crate_of_v0(function));
  }
  std::string path;
  if (is_mangled_rust(function)) {
    path = without_escapes(name_after_length(function.substr(3)));
  } else if (const std::size_t hash = hash_of_rust(function); hash != std::string_view::npos) {
    path = without_escapes(function.substr(0, hash));
  }
  const auto is_of_name = [](char character) {
    return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
  };
  const auto begin = std::ranges::find_if(path, is_of_name);
  return {begin, std::find_if_not(begin, path.end(), is_of_name)};
}

// A v0 name's own rules are long, so only its crate is shown.
std::string shown_function(std::string_view function) {
  if (const std::string crate = rust_crate_of(function); !crate.empty()) {
    const std::size_t hash = hash_of_rust(function);
    if (hash == std::string_view::npos) return crate + "::...";
    return without_escapes(function.substr(0, hash));
  }
  std::string text(function);
  leave_out_suffixes(text);
  replace_all(text, "[abi:cxx11]", "");
  replace_all(text, "std::__cxx11::", "std::");
  for (const std::string_view beginning :
       {", std::allocator<", ", std::char_traits<", ", std::less<", ", std::hash<",
        ", std::equal_to<", ", std::default_delete<"}) {
    leave_out_default_argument(text, beginning);
  }
  replace_all(text, " >", ">");
  replace_all(text, "std::basic_string<char>", "std::string");
  replace_all(text, "std::basic_string_view<char>", "std::string_view");
  return text;
}

}  // namespace sluice::trace
