// Loads a plug-in that contains the library, uses it, and unloads it. Its threads end, its Writers,
// Journals and Readers are closed, its code and its queues of reads are gone, and a later fork()
// runs none of it.
//
// usage: dlclose_test PLUGIN FOLDER
#include <dlfcn.h>

#include "check.h"

namespace {

// The kernel releases a thread a moment after it was joined.
bool threads_come_down_to(std::size_t count) {
  for (int looks = 0; looks < 1'000; ++looks) {
    if (thread_count() == count) return true;
    ::usleep(10'000);
  }
  return false;
}

void load_use_unload(const char* plugin, const char* folder) {
  const std::size_t threads_before = thread_count();
  void* library = ::dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) std::fprintf(stderr, "%s\n", ::dlerror());
  check(library != nullptr, "the plug-in can be loaded");
  for (const char* name : {"use_the_library", "leave_a_writer_open", "leave_a_journal_open",
                           "leave_a_direct_reader_open"}) {
    const auto function = reinterpret_cast<void (*)(const char*)>(::dlsym(library, name));
    check(function != nullptr, std::string("the plug-in has ") + name);
    function(folder);
  }
  check(thread_count() == threads_before + 2, "the plug-in's engine and its Journal's thread run");
  check(::dlclose(library) == 0, "the plug-in can be unloaded");
  check(threads_come_down_to(threads_before), "both threads have ended");
  check(contents_of("/proc/self/maps").find(plugin) == std::string::npos,
        "the plug-in's code is gone");
  check(contents_of("/proc/self/maps").find("/[aio]") == std::string::npos,
        "the queues of its direct Readers are gone");
  const std::string folder_name = folder;
  check(contents_of(folder_name + "/out") == numbered_lines(0, 100'000), "the file is whole");
  check(contents_of(folder_name + "/left") == numbered_lines(0, 100'000),
        "the Writer that was left open was closed");
  const std::string journal = folder_name + "/journal";
  check(contents_of(journal) == numbered_lines(0, 100'000), "so was the Journal");
  std::remove(journal.c_str());  // the next run would continue this Journal
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: dlclose_test PLUGIN FOLDER\n");
    return 2;
  }
  end_when_hanging();
  for (int i = 0; i < 3; ++i) {
    load_use_unload(argv[1], argv[2]);
    const pid_t child = ::fork();  // a handler of the unloaded library would crash here
    if (child == 0) std::exit(0);
    wait_for_success(child);
  }
  return 0;
}
