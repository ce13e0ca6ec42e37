// The executable of `mpirun -n 4 sluice bench ranks`.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "command_line/options.h"
#include "command_line/output.h"
#include "command_line/quantity.h"
#include "ranks/command_line.h"
#include "ranks/experiment.h"
#include "ranks/folder.h"
#include "ranks/report.h"
#include "ranks/ways.h"

namespace sluice::ranks {
namespace {

const std::vector<Way> block_ways = {
    {"write_at loop", write_at_loop, verify_regions},
    {"write_at_all loop", write_at_all_loop, verify_regions, true},
    {"one file a rank", file_for_each_rank, verify_files},
    {"sluice contiguous", sluice_contiguous, verify_regions},
    {"write_at loop, again", write_at_loop, verify_regions},  // how much equal ways differ
};
const std::vector<Way> computing_ways = {
    {"write_at loop", write_at_loop, verify_regions},
    {"computing alone", compute_alone, {}},
    {"own thread, two blocks", write_at_by_own_thread, verify_regions, false, "own thread",
     "what a program can write by hand: a thread\nwrites one block while the rank computes the "
     "next one"},
    {"sluice contiguous", sluice_contiguous, verify_regions},
    {"sluice, automatic", sluice_by_measuring, verify_regions},
    {"sluice, write-behind off", sluice_without_helper, verify_regions},
};
const std::vector<Way> record_ways = {
    {"write_at a record", write_at_each_record, verify_records},
    {"blocks, not interleaved",
     write_at_blocks,
     {},
     false,
     "blocks",
     "as many bytes in blocks of 4 MiB, each rank\nin a part of the file of its own. Its file has "
     "another order, so this is more than the table asks for"},
    {"write_all by a view", write_all_by_view, verify_records, true},
    {"sluice striped", sluice_striped, verify_records},
    {"sluice striped, off, 1 MiB", sluice_striped_small_blocks, verify_records},
};

std::vector<Way> chosen(std::vector<Way> ways, const Request& request) {
  if (request.has_no_collective_ways) std::erase_if(ways, std::mem_fn(&Way::is_collective));
  return ways;
}

// The shorter of two runs, because a busy machine only makes a run longer.
double least_time(const Job& job, const std::function<void(const Job&)>& run) {
  const double first = time_once(job, run);
  return std::min(first, time_once(job, run));
}

// As many passes as make computing take as long as writing does.
Job with_computing(Job job, double writing_seconds) {
  job.passes = 1 + more_passes;
  const double many = least_time(job, compute_alone);
  job.passes = 1;
  const double one = least_time(job, compute_alone);
  job.passes = passes_for(writing_seconds, one, many, job.bytes);
  return job;
}

void measure_blocks(const Request& request, Job job, Report& report) {
  const auto count = static_cast<std::uint64_t>(job.count);
  job.bytes = std::max<std::uint64_t>(request.size_bytes / count / block_bytes, 1) * block_bytes;
  const auto rounds = static_cast<unsigned>(request.rounds);
  job.ready = ready_block(job);
  const bool must_know_writing = request.has("computing") || request.has("accelerator");
  const double writing = must_know_writing ? least_time(job, write_at_loop) : 0;
  if (request.has("blocks")) {
    report.add("nothing computed", job, time_ways(job, chosen(block_ways, request), 0, rounds));
  }
  if (request.has("computing")) {
    const Job computing = with_computing(job, writing);
    report.add("computing and writing take equal time", computing,
               time_ways(computing, computing_ways, 0, rounds));
  }
  job.passes = 1;
  if (request.has("accelerator")) {
    job.think_per_byte = writing / static_cast<double>(job.bytes);
    report.add("the same, and a simulated accelerator computes", job,
               time_ways(job, computing_ways, 0, rounds));
  }
  if (request.has("waiting")) {
    job.bytes = std::max(job.bytes / 2 / block_bytes, std::uint64_t{4}) * block_bytes;
    job.wait_per_byte = 1 / static_cast<double>(request.simulated_bytes_per_second);
    job.think_per_byte = job.wait_per_byte;
    report.add(fmt::format("the same, on a simulated file system of {}/s for each rank",
                           format_bytes(request.simulated_bytes_per_second)),
               job, time_ways(job, computing_ways, 0, rounds));
  }
}

constexpr std::uint64_t max_usual_records_bytes = std::uint64_t{256} << 20;

void measure_records(const Request& request, Job job, Report& report) {
  if (!request.has("records")) return;
  const std::uint64_t usual =
      std::min<std::uint64_t>(request.size_bytes / 4, max_usual_records_bytes);
  const std::uint64_t all = request.records_bytes == 0 ? usual : request.records_bytes;
  const auto count = static_cast<std::uint64_t>(job.count);
  job.bytes = std::max<std::uint64_t>(all / count / record_bytes, 1) * record_bytes;
  job.ready = ready_records(job);
  report.add(
      "records of 100 bytes, interleaved by rank", job,
      time_ways(job, chosen(record_ways, request), 0, static_cast<unsigned>(request.rounds)));
}

// One rank speaks for all. The others wait, because mpirun ends the job when one has failed.
int answer(const std::string& text, int exit_code) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 && exit_code == 0) fmt::print("{}", text);
  if (rank == 0 && exit_code != 0) complain("sluice bench ranks", text);
  std::fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  return exit_code;
}

int run(const Request& request) {
  Job job;
  MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &job.count);
  const Folder folder(request.directory);
  if (!folder.status().ok()) return answer(folder.status().message(), 1);
  job.path = folder.path_of_shared();
  Report report(job, request);
  measure_blocks(request, job, report);
  measure_records(request, job, report);
  report.explain();
  const Status status = report.write(request.json_file);
  if (!status.ok()) fmt::print(stderr, "sluice bench ranks: {}\n", status.message());
  return status.ok() ? 0 : 1;
}

int run_with_threads(const Request& request, int level) {
  if (level == MPI_THREAD_MULTIPLE) return run(request);
  return answer("this MPI was built without MPI_THREAD_MULTIPLE, which two of the ways need", 1);
}

}  // namespace
}  // namespace sluice::ranks

int main(int argc, char** argv) {
  sluice::ranks::Request request;
  std::string text;
  const int parsed = sluice::ranks::parse(argc, argv, request, text);
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  const int code = parsed >= 0 ? sluice::ranks::answer(text, parsed)
                               : sluice::ranks::run_with_threads(request, level);
  MPI_Finalize();
  return code;
}
