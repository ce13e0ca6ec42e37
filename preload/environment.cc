#include "environment.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "options.h"

namespace sluice::preload {
namespace {

constexpr char preload_variable[] = "LD_PRELOAD";

// Both live as long as the process: the loader's name of this object, and a copy of the options.
const char* own_path = nullptr;
const char* own_options = nullptr;

// "NAME=value" if `entry` sets the variable: returns where its value starts, else nullptr.
char* value_in(char* entry, const char* name) {
  const size_t length = strlen(name);
  return strncmp(entry, name, length) == 0 && entry[length] == '=' ? entry + length + 1 : nullptr;
}

char** find_entry(char* const* environment, const char* name) {
  for (char* const* entry = environment; entry != nullptr && *entry != nullptr; ++entry) {
    if (value_in(*entry, name) != nullptr) return const_cast<char**>(entry);
  }
  return nullptr;
}

void remove_entry(char** entry) {
  do {
    entry[0] = entry[1];
  } while (*entry++ != nullptr);
}

// The command puts this object last, after the user's own preloaded objects.
void leave_preloaded_list(char** entry) {
  char* const list = value_in(*entry, preload_variable);
  const size_t length = strlen(list);
  const size_t own_length = strlen(own_path);
  if (length < own_length || strcmp(list + length - own_length, own_path) != 0) return;
  char* const own = list + length - own_length;
  if (own == list) {
    remove_entry(entry);
  } else {
    own[-1] = '\0';
  }
}

const char* find_own_path() {
  Dl_info info{};
  return dladdr(&own_path, &info) != 0 ? info.dli_fname : nullptr;
}

}  // namespace

void hide_from_program() {
  own_path = find_own_path();
  char** const options = find_entry(environ, options_variable);
  if (own_path == nullptr || options == nullptr) return;
  own_options = strdup(value_in(*options, options_variable));
  remove_entry(options);
  if (char** const preloaded = find_entry(environ, preload_variable)) {
    leave_preloaded_list(preloaded);
  }
}

const char* hidden_options() { return own_options; }

bool is_covered_already(char* const* environment) {
  return find_entry(environment, options_variable) != nullptr;
}

size_t covered_environment_bytes(char* const* environment) {
  size_t entries = 3;  // the two added entries, and the end
  for (char* const* entry = environment; entry != nullptr && *entry != nullptr; ++entry) ++entries;
  char** const preloaded = find_entry(environment, preload_variable);
  const size_t text = (preloaded == nullptr ? sizeof preload_variable : strlen(*preloaded)) +
                      strlen(own_path) + sizeof options_variable + strlen(own_options) + 4;
  return entries * sizeof(char*) + text;
}

char** covered_environment(char* const* environment, void* memory) {
  char** const covered = static_cast<char**>(memory);
  size_t entries = 0;
  const char* list = "";
  for (char* const* entry = environment; entry != nullptr && *entry != nullptr; ++entry) {
    if (char* const preloaded = value_in(*entry, preload_variable)) {
      list = preloaded;
    } else {
      covered[entries++] = *entry;
    }
  }
  char* text = reinterpret_cast<char*>(covered + entries + 3);
  covered[entries++] = text;
  text = stpcpy(stpcpy(stpcpy(text, preload_variable), "="), list);
  if (*list != '\0') text = stpcpy(text, ":");
  text = stpcpy(text, own_path) + 1;
  covered[entries++] = text;
  stpcpy(stpcpy(stpcpy(text, options_variable), "="), own_options);
  covered[entries] = nullptr;
  return covered;
}

}  // namespace sluice::preload
