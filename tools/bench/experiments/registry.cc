#include "bench/experiments/registry.h"

#include <algorithm>
#include <array>

namespace sluice::bench {

std::span<const RegisteredExperiment> registry() {
  static constexpr std::array experiments = {
      RegisteredExperiment{"bytes", "one byte a call, writing and reading", bytes_experiment},
      RegisteredExperiment{"sync", "what a flush and a synchronous write cost", sync_experiment},
      RegisteredExperiment{"read-whole", "a whole file into memory", read_whole_experiment},
      RegisteredExperiment{"read-lines", "a file line by line", read_lines_experiment},
      RegisteredExperiment{"write-lines", "a file written line by line", write_lines_experiment},
      RegisteredExperiment{"numbers", "numbers as text, one a line, written and read",
                           numbers_experiment},
      RegisteredExperiment{"console", "standard input and output through pipes",
                           console_experiment},
      RegisteredExperiment{"overlap", "computing and writing at the same time", overlap_experiment},
      RegisteredExperiment{"many-writers", "several threads, a file for each",
                           many_writers_experiment},
      RegisteredExperiment{"mixed", "small and large writes interleaved", mixed_experiment},
      RegisteredExperiment{"random",
                           "eight bytes read or patched at a time, at random and near positions",
                           random_experiment},
      RegisteredExperiment{"replay", "the recorded write sizes of a real program (replay FILE)",
                           replay_experiment},
      RegisteredExperiment{"small-files", "many files of 100 bytes", small_files_experiment},
      RegisteredExperiment{"memory", "what writing costs in memory", memory_experiment},
      RegisteredExperiment{"compress", "data written as it is, and compressed",
                           compress_experiment},
      RegisteredExperiment{"cache",
                           "a program that needs its cached megabytes, beside a large file",
                           cache_experiment},
      RegisteredExperiment{"cold",
                           "blocks of 4 KiB at random places of a file that is not in the cache",
                           cold_experiment},
  };
  return experiments;
}

const RegisteredExperiment* find_experiment(std::string_view id) {
  const auto all = registry();
  const auto found = std::ranges::find(all, id, &RegisteredExperiment::id);
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> libraries_left_out() {
  std::vector<std::string> names;
#if !SLUICE_HAVE_FMT_OUTPUT_FILE
  names.emplace_back("fmt::output_file");
#endif
#if !SLUICE_HAVE_BOOST_IOSTREAMS
  names.emplace_back("Boost.Iostreams");
#endif
#if !SLUICE_HAVE_APR
  names.emplace_back("APR");
#endif
  return names;
}

}  // namespace sluice::bench
