// Each rank writes a line into one file. Rank 0 reads the lines back and prints them.
#include <sluice/mpi.h>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* const words[] = {"alpha", "beta", "gamma"};
  sluice::MpiWriter file;
  sluice::Status status =
      file.open(MPI_COMM_WORLD, argv[1], {.layout = sluice::MpiLayout::append_ordered});
  file->write(std::string_view(words[rank % 3]));
  file->write("\n");
  status = file.close();
  std::string all;
  sluice::Reader reader;
  if (status.ok() && rank == 0 && (status = reader.open(argv[1])).ok()) {
    for (const std::string_view line : reader.lines()) {
      all += all.empty() ? "" : " ";
      all += line;
    }
    std::puts(all.c_str());
  }
  if (!status.ok()) std::fputs((status.message() + "\n").c_str(), stderr);
  MPI_Finalize();
  return status.ok() ? 0 : 1;
}
