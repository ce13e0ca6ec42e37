#include "bench/experiments/sync/replaced_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/data.h"
#include "bench/experiments/output/file_targets.h"
#include "bench/experiments/output/pattern_output.h"
#include "bench/latency.h"
#include "sluice/files.h"

namespace sluice::bench {
namespace {

std::string content() {
  std::string text;
  for (std::uint64_t i = 0; i < replaced_file_bytes; ++i) text += static_cast<char>(byte_at(i));
  return text;
}

// The least work that is needed: first the bytes must be on the disk, then the name.
class BareReplacement {
 public:
  explicit BareReplacement(const std::string& path)
      : path_(path),
        temporary_(path + ".new"),
        folder_(::open(path.substr(0, path.rfind('/')).c_str(), O_RDONLY | O_DIRECTORY)) {
    if (folder_ < 0) fail("open the folder of", path);
  }
  ~BareReplacement() { ::close(folder_); }
  BareReplacement(const BareReplacement&) = delete;
  BareReplacement& operator=(const BareReplacement&) = delete;

  void replace(std::string_view text) {
    RawOutput output(temporary_, O_EXCL);
    output.write(text.data(), text.size());
    output.synchronize();
    output.close();
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename", temporary_);
    if (::fsync(folder_) != 0) fail("sync the folder of", path_);
  }

 private:
  std::string path_;
  std::string temporary_;
  int folder_;
};

using Replace = std::function<void(std::string_view text)>;

void replace_again_and_again(std::uint64_t times, const Replace& replace) {
  const std::string text = content();
  std::vector<double> seconds;
  for (std::uint64_t i = 0; i < times; ++i) {
    timed(seconds, [&] { replace(text); });
  }
  note_operations(std::move(seconds));
}

void by_system_calls(const std::string& path, std::uint64_t times) {
  BareReplacement bare(path);
  replace_again_and_again(times, [&](std::string_view text) { bare.replace(text); });
}

void by_sluice(const std::string& path, std::uint64_t times) {
  replace_again_and_again(times, [&](std::string_view text) {
    write_file(path, text, {.create = CreateMode::replace_atomically}).throw_if_error();
  });
}

Strategy strategy_of(std::string name, Kind kind, void (*work)(const std::string&, std::uint64_t),
                     const std::string& path, std::uint64_t times) {
  return {
      .name = std::move(name),
      .kind = kind,
      .buffer_bytes = 0,
      .bytes = times * replaced_file_bytes,
      .operations = times,
      .prepare = [path] { make_pattern_file(path, 1); },
      .run = [work, path, times] { work(path, times); },
      .verify =
          [path] { expect_file(path, replaced_file_bytes, hash_pattern(replaced_file_bytes)); },
  };
}

}  // namespace

Experiment::Group replaced_file_group(const std::string& path, std::uint64_t times) {
  const RawWrite raw{
      .paths = {path}, .bytes = times * replaced_file_bytes, .finish = Finish::durable};
  return {
      .title = "a file of 4 KiB replaced, durable each time",
      .strategies = {raw_write_strategy(raw),
                     strategy_of("write + fdatasync + rename + fsync", Kind::baseline,
                                 by_system_calls, path, times),
                     strategy_of("sluice write_file, replace_atomically", Kind::sluice, by_sluice,
                                 path, times)},
      .why =
          "The disk is waited for twice: for the bytes and for the name. Keeping owner, "
          "permissions and attributes takes only a few system calls more.",
  };
}

}  // namespace sluice::bench
