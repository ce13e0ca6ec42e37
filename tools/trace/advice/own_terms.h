// Advice in the terms of the program that made the calls.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trace/advice/advice.h"
#include "trace/places/runtime.h"

namespace sluice::trace {

class FileAmounts;

class OwnTerms {
 public:
  OwnTerms(const Profile& profile, const FileAmounts& amounts);

  // Completes `fix`, and sets `runtime` and `cure`. For a database the advice names no
  // `sluice run`, because only the database itself may delay its writes. For a shell the advice
  // about its seeks in a file stands for its reads of this file too, because both have one cause.
  // For std::cin the advice about its bytes counts those that it puts back. For a language the
  // prediction becomes a range.
  void say(Advice& advice) const;

 private:
  void take_words(Advice& advice, const Runtime& runtime) const;
  void count_work(Advice& advice, const Runtime& runtime) const;
  void count_work_of_streams(Advice& advice) const;
  bool is_needed_by_database(const Advice& advice) const;
  void be_about_database(Advice& advice) const;
  void count_bytes_put_back(Advice& advice) const;
  bool say_measured_words(Advice& advice, double bytes) const;
  struct WorkOfStream {
    std::uint64_t calls;
    const char* of_what;
    double most_s;  // for each call
  };
  void count_work_of_stream(Advice& advice, const WorkOfStream& work) const;
  double work_of_runtime_s(const Advice& advice) const;
  bool is_loop_of_shell(const Advice& advice) const;
  bool is_about_appending(const Advice& advice) const;
  bool count_work_of_runtime(Advice& advice) const;  // false if there is none
  void count_work_of_paths(Advice& advice) const;
  void leave_out_memory(Advice& advice) const;
  void count_compression(Advice& advice) const;
  void count_handing_over(Advice& advice) const;
  void keep_lines_whole(Advice& advice) const;
  void warn_of_crashes(Advice& advice) const;
  double most_for_a_call_s(const Advice& advice) const;
  bool is_of_connection(const Advice& advice) const;
  std::string part_in_words(const Advice& advice) const;
  double seeks_around_writes_s(const Advice& advice) const;
  double share_of_file(const Use& use) const;
  double work_around_call_s(const Use& use) const;
  double work_around_copies_s(const Use& use) const;

  const Profile& profile_;
  const FileAmounts& amounts_;
  Runtimes runtimes_;
  std::map<int, double> work_around_call_s_;  // the user time outside of calls, by process
  std::vector<double> work_on_file_s_;        // before all calls on each file
};

}  // namespace sluice::trace
