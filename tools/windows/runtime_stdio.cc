#include "windows/runtime_stdio.h"

#include <windows.h>

#include <stdexcept>
#include <string>

namespace sluice::bench {
namespace {

constexpr const char* library = "ucrtbase.dll";

template <typename Function>
void load(HMODULE module, const char* name, Function& function) {
  const FARPROC found = ::GetProcAddress(module, name);
  if (found == nullptr) throw std::runtime_error(std::string(library) + " has no " + name);
  function = reinterpret_cast<Function>(reinterpret_cast<void*>(found));
}

RuntimeStdio load_all() {
  const HMODULE module = ::LoadLibraryA(library);
  if (module == nullptr) throw std::runtime_error(std::string(library) + " is missing");
  RuntimeStdio stdio{};
  load(module, "fopen", stdio.open);
  load(module, "fclose", stdio.close);
  load(module, "setvbuf", stdio.set_buffer);
  load(module, "fwrite", stdio.write);
  load(module, "_fwrite_nolock", stdio.write_nolock);
  load(module, "putc", stdio.put);
  load(module, "_putc_nolock", stdio.put_nolock);
  return stdio;
}

}  // namespace

const RuntimeStdio& runtime_stdio() {
  static const RuntimeStdio stdio = load_all();
  return stdio;
}

}  // namespace sluice::bench
