#include "ranks/command_line.h"

#include <CLI/CLI.hpp>
#include <sstream>

#include "command_line/command_error.h"
#include "command_line/options.h"

namespace sluice::ranks {

int parse(int argc, char** argv, Request& request, std::string& text) {
  CLI::App app("Measure how the ranks of an MPI program write one file", "sluice");
  CLI::App* const bench = app.add_subcommand("bench");
  CLI::App* const ranks = bench->add_subcommand(
      "ranks", "Measure how the ranks of an MPI program write one file. Start it by mpirun");
  app.require_subcommand(1);
  bench->require_subcommand(1);
  add_name(*ranks, "--dir", request.directory, "DIR", "The folder whose file system is measured")
      ->capture_default_str();
  add_quantity(*ranks, "--size", request.size_bytes, "Bytes of the shared file, by default 1G");
  add_quantity(*ranks, "--records-size", request.records_bytes,
               "Bytes of the file of interleaved records, by default a quarter of the size, and at "
               "most 256M");
  add_count(*ranks, "--rounds", request.rounds, "5", "Counted rounds after the warm-up round");
  add_quantity(*ranks, "--simulated-rate", request.simulated_bytes_per_second,
               "Bytes a second that the simulated file system takes from each rank, by default "
               "200M");
  ranks
      ->add_option(
          "--only", request.experiments,
          "Run only this experiment: blocks, computing, waiting, accelerator or records; may be "
          "repeated")
      ->check(CLI::IsMember({"blocks", "computing", "waiting", "accelerator", "records"}))
      ->type_name("EXPERIMENT")
      ->allow_extra_args(false);
  ranks->add_flag("--no-collective", request.has_no_collective_ways,
                  "Leave out the ways that write by collective calls, which take long");
  add_name(*ranks, "--json", request.json_file, "FILE", "Also write all times to FILE as JSON");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream unused;
    const bool is_wrong = app.exit(error, out, unused) != 0;
    text = is_wrong ? error.what() : out.str();
    return is_wrong ? exit_usage : 0;
  }
  return -1;
}

}  // namespace sluice::ranks
