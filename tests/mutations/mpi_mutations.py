"""Mutations of src/mpi: of its Sinks and its Source, on one rank."""
import dataclasses

from mutation import Mutation

REGION = "src/mpi/region_sink.cc"
HELD = "src/mpi/held_sink.cc"
PART = "src/mpi/part_source.cc"

ON_MPI = "Mpi/*"
ON_WRITTEN = "MpiWrittenBytes.*"

MPI_MUTATIONS = [
    dataclasses.replace(mutation, program="mpi_contract_test_mpich") for mutation in [
        Mutation("bytes behind a region are dropped without a word", REGION,
                 "  if (!status.ok() || room == bytes.size()) return status;\n"
                 "  return refuse(Operation::write, position + room);",
                 "  written = bytes.size();\n  return status;", ON_MPI),
        Mutation("the pieces of a region's write are not counted", REGION,
                 "    written += piece_written;\n", "", ON_MPI),
        Mutation("a hole between two writes is not seen", REGION,
                 "touched->first <= written.end)", "true)", ON_WRITTEN),
        Mutation("a rank holds more than it may", HELD,
                 "if (piece.size() > held_.max_bytes - before) {", "if (false) {", ON_MPI),
        Mutation("a part begins with the file", PART,
                 "file_.read(part_.begin + position, into.first(room), got)",
                 "file_.read(position, into.first(room), got)", ON_MPI),
        Mutation("a file that became shorter ends early", PART,
                 "  if (status.ok() && got == 0) status = became_shorter(file_, position);\n", "",
                 ON_MPI),
    ]
]
