// The ways in which the ranks write. Each opens the file, writes the bytes of its rank, and closes
// the file. A failure ends the job with a message.
#pragma once

#include "ranks/job.h"

namespace sluice::ranks {

// What Job::ready is for whole blocks and for records.
std::shared_ptr<const std::vector<std::byte>> ready_block(const Job& job);
std::shared_ptr<const std::vector<std::byte>> ready_records(const Job& job);

// Of whole blocks: each rank has a region of the shared file.
void compute_alone(const Job& job);
void write_at_loop(const Job& job);
void write_at_by_own_thread(const Job& job);  // what a program can write by hand
void write_at_all_loop(const Job& job);
void file_for_each_rank(const Job& job);  // path.RANK
void sluice_contiguous(const Job& job);
void sluice_by_measuring(const Job& job);    // WriteBehind::automatic
void sluice_without_helper(const Job& job);  // WriteBehind::off

// Of records: the records of the ranks are interleaved.
void write_at_each_record(const Job& job);
void write_at_blocks(const Job& job);  // not interleaved: each rank writes its records to a region
void write_all_by_view(const Job& job);
void sluice_striped(const Job& job);
void sluice_striped_small_blocks(const Job& job);  // of 1 MiB, with WriteBehind::off

// Ends all ranks with a message, if the file has not what the ranks have written. Collective.
void verify_regions(const Job& job);
void verify_files(const Job& job);
void verify_records(const Job& job);

}  // namespace sluice::ranks
