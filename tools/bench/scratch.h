// Scratch: a folder of our own for the files of the experiments.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace sluice::bench {

// Made with a new name inside `parent`, removed with all that is in it by the destructor.
// Threads: used by one.
class Scratch {
 public:
  // Throws std::runtime_error (one clear line) when `parent` is no folder that can be written to.
  explicit Scratch(const std::string& parent);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& path() const noexcept { return path_; }

  // What is in the folder now survives remove_new().
  void keep_present();
  void remove_new();

  // Removes everything in the folder.
  void clear();

 private:
  std::string path_;
  std::set<std::string> kept_;
};

// Throws when the file system of `directory` has less room than `needed_bytes` and a margin, naming
// `purpose` in the message.
void expect_room(const std::string& directory, std::uint64_t needed_bytes,
                 const std::string& purpose);

}  // namespace sluice::bench
