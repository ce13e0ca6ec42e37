// The runtimes of traced programs: C, C++ iostreams, other languages, databases, tools.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "trace/profile/profile.h"

namespace sluice::trace {

// How one kind of advice is followed in a runtime.
struct Cure {
  std::string_view id;  // of the advice
  std::string_view text;
};

struct Runtime {
  // The rules' words suit `of_rules`, and `library` and `command` where they have none of their
  // own. What an `other_language` itself works for each call is not measured, and not counted. The
  // options of a `command` are its user's choice.
  enum class Kind { of_rules, language, other_language, library, database, tool, command };

  std::string_view name;
  Kind kind = Kind::of_rules;
  std::string_view intro{};  // before each of its cures
  // The beginnings of the names of its executables and libraries. No letter follows them.
  std::span<const std::string_view> objects{};
  std::string_view folder{};  // a part of the path of its other libraries
  // The beginnings of the names of its functions, which may be a part of the program.
  std::span<const std::string_view> functions{};
  // The beginnings of the names of its functions that call its code with other names.
  std::span<const std::string_view> callers{};
  std::span<const Cure> cures{};
  bool seeks_back = false;  // to the end of each line that it reads, after it has read a block
  bool compresses = false;  // between its calls, more for each flush
  bool works_for_each_seek = false;  // and does little else
  bool hands_over = false;           // each call to a thread, and waits until it is done
  // What shows where the language spends its time. Empty if it has no buffers of its own.
  std::string_view profiler{};
};

// Nothing: the words of the advice's rule, which are about C and sluice, are right.
std::string cure_in(const Runtime& runtime, std::string_view id);

// True if the runtime itself has words for it, and not only all languages together.
bool has_own_cure(const Runtime& runtime, std::string_view id);

// The runtime whose code made a call with this stack, as far as the stack shows.
const Runtime& runtime_of_stack(std::span<const Frame> frames);
bool is_code_of(const Runtime& runtime, const Frame& frame);

// True if the file is a command of the system, whose code its users cannot change.
bool is_system_command(const std::string& path);

// The same for the file of code that a frame is in, unless it is surely the user's own.
const Runtime& runtime_of_module(const Frame& frame);

// True if the file is a library of the system, or nobody knows what it is.
bool is_system_library(const std::string& path);

// The runtime whose executable or library has this name or path.
const Runtime& runtime_of_code(const std::string& path);

// All that have a name of their own, C first.
std::span<const Runtime> runtimes();

// By a write to such a file libuv's threads wake the one that has handed work to them.
inline constexpr std::string_view waking_file = "anon_inode:[eventfd]";

// Finds the runtime whose code made a call.
class Runtimes {
 public:
  explicit Runtimes(const Profile& profile);
  const Runtime& of(const Use& use) const;

  // True if the threads of these calls wake another thread after nearly each of them.
  bool is_handed_over(const Use& use) const;

 private:
  const Runtime& runtime_of_command(const Use& use) const;
  const Runtime& runtime_of_process(const Runtime& of_code, const Use& use) const;
  void find_files_of_sqlite();
  bool is_of_lmdb(const std::string& file) const;
  bool has_loaded(std::string_view module) const;
  bool is_of_tie_file(const Use& use) const;
  bool is_of_logging(const Use& use) const;

  const Profile& profile_;
  std::vector<const Runtime*> by_stack_;  // of each site
  // A program may use tens of thousands of files, so their names are not copied.
  std::unordered_set<std::string_view> of_sqlite_;  // the names of databases and journals
  std::unordered_set<std::string_view> mapped_;     // the names of files that were mapped
  std::vector<bool> read_;                          // whether each file was read
  std::vector<bool> written_;                       // whether each file was written
  std::set<int> with_tie_file_;                     // the places of processes that have loaded it
  bool has_logging_ = false;
  bool has_log_handlers_ = false;
  std::vector<std::size_t> wakes_;  // the uses of files by which threads wake each other
  std::set<int> begun_by_stdbuf_;   // the numbers of processes
};

}  // namespace sluice::trace
