// Scratch: a new folder for the files of the experiments.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace sluice::bench {

// The constructor makes a folder with a new name inside `parent`. The destructor removes it with
// all its files. Threads: one thread uses it.
class Scratch {
 public:
  // Throws std::runtime_error (one clear line) if `parent` is not a folder or cannot be written to.
  explicit Scratch(const std::string& parent);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& path() const noexcept { return path_; }

  // remove_new() keeps the files that are in the folder at the last keep_present().
  void keep_present();
  void remove_new();

  // Removes everything in the folder.
  void clear();

 private:
  std::string path_;
  std::set<std::string> kept_;
};

// Throws if the file system of `directory` has less room than `needed_bytes` and a margin. The
// message names `purpose`, and ends with "choose another --dir" and the `remedy`.
void expect_room(const std::string& directory, std::uint64_t needed_bytes,
                 const std::string& purpose, const std::string& remedy);

}  // namespace sluice::bench
