"""Mutations of src/mpi: of its Sinks and its Source on one rank, and of the rest on several."""
import dataclasses

from mutation import Mutation

REGION = "src/mpi/region_sink.cc"
HELD = "src/mpi/held_sink.cc"
PART = "src/mpi/part_source.cc"

CORE = "src/mpi/writer_core.cc"
WRITER_CORE = "src/core/writer_core.cc"
WRITER = "src/mpi/mpi_writer.cc"
READER = "src/mpi/mpi_reader.cc"
PLACEMENT = "src/mpi/placement.cc"
RANKS = "src/mpi/ranks.cc"
SHARED = "src/mpi/shared_file.cc"
OPEN_FILE = "src/mpi/open_file.h"
FAILURE = "src/mpi/failure.cc"

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

NO_MEMORY = "test_every_rank_hears_of_a_call_of_new_that_one_rank_is_refused"
STRIPES = "test_striped_interleaves_the_records"
APPENDS = "test_append_ordered_follows_the_ranks_at_each_flush"
OTHER_FILE = "test_ranks_that_name_different_files_are_refused"
SECOND_FILE = "test_close_returns_why_a_second_file_was_not_opened"
IN_CHILD = "test_a_forked_child_leaves_the_files_to_its_parent"
FULL_DISK = "test_every_rank_hears_of_a_full_disk"

MPI_MUTATIONS += [
    dataclasses.replace(mutation, program="mpi_cases_openmpi") for mutation in [
        Mutation("all regions begin at one byte", CORE,
                 "region = {begin + before, begin + before + options.rank_bytes};",
                 "region = {begin, begin + options.rank_bytes};",
                 "test_contiguous_places_the_regions_in_the_order_of_the_ranks"),
        Mutation("ranks append at the beginning of the file", CORE,
                 "mine = file.size(begin);", "{}", "test_append_goes_on_behind_the_old_file"),
        Mutation("ranks write into an old file", CORE,
                 "empty_file() : Status()", "Status() : Status()",
                 "test_truncate_leaves_nothing_of_a_longer_file"),
        Mutation("a new shared file is truncated", CORE, "status.ok() && bytes > 0 ?",
                 "status.ok() ?", "test_only_a_file_with_bytes_is_truncated"),
        Mutation("ranks replace a file that must be new", CORE,
                 "MPI_MODE_WRONLY | MPI_MODE_CREATE | must_be_new",
                 "MPI_MODE_WRONLY | MPI_MODE_CREATE",
                 "test_every_rank_hears_that_a_file_cannot_be_opened"),
        Mutation("regions are larger than any file", CORE,
                 "Status mine = check_region(before);", "Status mine;",
                 "test_refuses_regions_that_no_file_has"),
        Mutation("regions that no file has empty the old file", CORE,
                 "if (mine.ok()) mine = check_region(bytes_before);", "",
                 "test_a_failure_to_open_leaves_the_old_file"),
        Mutation("the options of the Writer are refused when the file is there", CORE,
                 "return writer.open(make_memory_sink(nothing), options_of_writer());",
                 "return Status();", "test_a_failure_to_open_leaves_the_old_file"),
        Mutation("the old file is emptied before all ranks are open", CORE,
                 "if (mine.ok()) mine = open_writers(writer);",
                 "if (ranks.rank() == 0 && mine.ok()) mine = empty_file();\n"
                 "  if (mine.ok()) mine = open_writers(writer);",
                 "test_a_failure_to_open_leaves_the_old_file"),
        Mutation("a folder is read as a file", READER,
                 "mine = check_kind_of_file(path);", "mine = Status();",
                 "test_a_path_that_can_name_no_file_has_its_reason"),
        Mutation("a path that names no file has no reason", FAILURE,
                 "known = code_of_path(path);", "known = 0;",
                 "test_a_path_that_can_name_no_file_has_its_reason"),
        Mutation("a destroyed rank is silent about a hole", WRITER,
                 "if (closed.ok()) closed = core.check_completeness();", "",
                 "test_a_region_with_a_hole_is_reported_when_its_rank_is_destroyed"),
        Mutation("a region may stay incomplete", CORE, "missing < region.end", "false",
                 "test_a_region_that_is_not_filled_is_a_failure"),
        Mutation("a partial record is dropped", CORE, "partial != 0", "false",
                 "test_rows_that_stay_incomplete_are_a_failure"),
        Mutation("a row may stay incomplete", CORE, "if (my_rows == max_rows) return {};",
                 "return {};", "test_rows_that_stay_incomplete_are_a_failure"),
        Mutation("what a rank could not hold is forgotten", CORE,
                 "if (!placed.status().ok() || writer.status().ok()) return placed.status();",
                 "return placed.status();", "test_a_rank_that_holds_too_much_fails_on_every_rank"),
        Mutation("a failed exchange is no failure", CORE,
                 "  if (!exchange_failure.ok()) return exchange_failure;\n", "",
                 "test_every_rank_hears_of_an_exchange_that_failed_on_one_rank"),
        Mutation("close forgets a failed exchange", WRITER,
                 "  if (!core.exchange_failure.ok()) mine = core.exchange_failure;\n", "",
                 "test_every_rank_hears_of_an_exchange_that_failed_on_one_rank"),
        Mutation("a thread writes although MPI forbids it", CORE,
                 "has_helper = level == MPI_THREAD_MULTIPLE;", "has_helper = true;",
                 "test_works_without_several_threads_and_says_so"),
        Mutation("after a failure to open, the level of threads is not known", CORE,
                 "  has_helper = level == MPI_THREAD_MULTIPLE;\n"
                 "  if (Status status = ranks.open(communicator); !status.ok()) return status;\n"
                 "  std::uint64_t before = 0;\n"
                 "  if (Status status = agree_on_options(before); !status.ok()) return status;\n"
                 "  if (Status status = open_file(); !status.ok()) return status;\n",
                 "  if (Status status = ranks.open(communicator); !status.ok()) return status;\n"
                 "  std::uint64_t before = 0;\n"
                 "  if (Status status = agree_on_options(before); !status.ok()) return status;\n"
                 "  if (Status status = open_file(); !status.ok()) return status;\n"
                 "  has_helper = level == MPI_THREAD_MULTIPLE;\n",
                 "test_every_rank_hears_that_a_file_cannot_be_opened"),
        Mutation("a destroyed rank is silent about what it held", WRITER,
                 "if (!core.held.bytes.empty()) report_lost_error", "if (false) report_lost_error",
                 "test_a_rank_that_is_destroyed_reports_lost_bytes_and_stops_nobody"),
        Mutation("what NFS says at close is lost", SHARED,
                 "is_sent_at_close_ ? MPI_File_sync(file) : MPI_SUCCESS", "MPI_SUCCESS",
                 "test_a_file_on_nfs_is_sent_before_it_is_closed"),
        Mutation("an intercommunicator ends the job", OPEN_FILE,
                 "if (has_two_groups != 0) {", "if (false) {",
                 "test_close_returns_why_a_second_file_was_not_opened"),
        Mutation("the URI of an object is taken for a file", FAILURE,
                 "if (end_of_scheme(path) != 0) {", "if (false) {",
                 "test_close_returns_why_a_second_file_was_not_opened"),
        Mutation("a message shows the URI of an object", FAILURE,
                 "return end == 0 ? path :", "return true ? path :",
                 "test_close_returns_why_a_second_file_was_not_opened"),
        Mutation("MPI cuts a name at a NUL byte", FAILURE,
                 "if (path.find('\\0') != std::string::npos) {", "if (false) {",
                 "test_close_returns_why_a_second_file_was_not_opened"),
        Mutation("a failure closes only the failed rank's Writer", WRITER,
                 "if (!opened.ok()) close_writers();", "",
                 "test_every_rank_hears_of_a_call_of_new_that_one_rank_is_refused"),
        Mutation("a failure closes only the failed rank's Reader", READER,
                 "if (!opened.ok()) reader_ = Reader();", "",
                 "test_a_reader_gives_nothing_after_a_failure_to_open"),
        Mutation("rows are placed over the rows before", PLACEMENT, "  rows += count;\n", "",
                 STRIPES),
        Mutation("placed records stay held", PLACEMENT, "  held.drop(count * record);\n", "",
                 STRIPES),
        Mutation("rows that the ranks cannot share equally are lost", PLACEMENT,
                 "return rank * rows / count;", "return rows / count * rank;",
                 "test_striped_waits_with_rows_that_not_every_rank_has_filled"),
        Mutation("a second round repeats the first one's records", PLACEMENT,
                 "(parts.begin(rank) + done) * record", "parts.begin(rank) * record",
                 "test_striped_exchanges_in_rounds"),
        Mutation("only the first round is exchanged", PLACEMENT,
                 "done < parts.longest(); done += step", "done < 1; ++done",
                 "test_striped_exchanges_in_rounds"),
        Mutation("a second append begins where the first one did", PLACEMENT,
                 "  end += total;\n", "", APPENDS),
        Mutation("all ranks append at one byte", PLACEMENT, "end + before;", "end;", APPENDS),
        Mutation("the first failure wins, not the lowest", PLACEMENT,
                 "return agree_on_lowest(writer);", "return agreed.status;",
                 "test_the_lowest_failure_wins_although_it_comes_later"),
        Mutation("a failure without an offset wins", RANKS,
                 "if (!status.offset()) return failed_without_offset;",
                 "if (!status.offset()) return 0;",
                 "test_a_failure_with_an_offset_wins_over_one_without"),
        Mutation("ranks may have different options", RANKS,
                 "if (ends[2 * i] == -ends[2 * i + 1]) continue;", "continue;",
                 "test_refuses_options_of_one_rank_on_every_rank"),
        Mutation("ranks agree after MPI has ended", RANKS,
                 "if (Status runs = check_that_mpi_runs(operation_, path_); !runs.ok()) "
                 "return alone(runs);", "", "test_a_writer_that_outlives_mpi_reports_it"),
        Mutation("a rank without memory for its file goes its own way", OPEN_FILE,
                 "Ranks::agree_on_memory(communicator, path, core != nullptr)",
                 "core != nullptr ? Status() : Status::failure(Operation::open, path, ENOMEM)",
                 NO_MEMORY),
        Mutation("a rank without memory to say why leaves the others waiting", RANKS,
                 "  } catch (const std::bad_alloc&) {\n    std::string_view",
                 "  } catch (const std::bad_cast&) {\n    std::string_view", NO_MEMORY),
        Mutation("ranks may write different files", CORE, "      ranks.path(),\n", "",
                 OTHER_FILE),
        Mutation("ranks may read different files", READER, "      ranks.path(),\n", "",
                 OTHER_FILE),
        Mutation("a FIFO is opened", FAILURE, "if (kind != std::filesystem::file_type::fifo)",
                 "if (true)", "test_a_fifo_is_refused_and_keeps_no_rank_waiting"),
        Mutation("close of a MpiWriter forgets why it has no file", WRITER,
                 "return not_begun_.ok() ? never_opened() : not_begun_;",
                 "return never_opened();", SECOND_FILE),
        Mutation("close of a MpiReader forgets why it has no file", READER,
                 "return not_begun_.ok() ? never_opened() : not_begun_;",
                 "return never_opened();", SECOND_FILE),
        Mutation("close returns the result of the file before", OPEN_FILE,
                 "  core.reset();\n  if (Status status = check_that",
                 "  if (Status status = check_that", SECOND_FILE),
        Mutation("MPI gets a communicator that is none", OPEN_FILE,
                 "communicator == MPI_COMM_NULL", "false", SECOND_FILE),
        Mutation("a forked child reports bytes that its parent writes", WRITER,
                 "if (!is_open() || core_->file.is_of_parent()) return;",
                 "if (!is_open()) return;", IN_CHILD),
        Mutation("a forked child closes the file of its parent", SHARED,
                 "file_ == MPI_FILE_NULL || is_of_parent()", "file_ == MPI_FILE_NULL", IN_CHILD),
        Mutation("a write that MPI cuts short does not go on", SHARED,
                 "    written += static_cast<std::size_t>(moved);\n",
                 "    written += static_cast<std::size_t>(moved);\n    break;\n",
                 "test_writes_that_are_cut_short_go_on"),
        Mutation("a block that is ready is copied", WRITER_CORE,
                 "const bool leaves = data.size() >= gather_bytes_ &&",
                 "const bool leaves = data.size() > gather_bytes_ &&",
                 "test_a_block_that_is_ready_leaves_by_the_call_of_a_bare_loop"),
        Mutation("a call of MPI gets more bytes than an int counts", SHARED,
                 "std::min(bytes.size() - written, max_call_bytes)", "bytes.size() - written",
                 "test_no_call_of_mpi_writes_more_than_a_gibibyte"),
        Mutation("rows that cannot reach their place are written elsewhere", PLACEMENT,
                 "fail(placed.seek(begin +", "static_cast<void>(placed.seek(begin +",
                 "test_rows_behind_the_largest_position_replace_no_others"),
        Mutation("MPI's count of written bytes is not looked at", SHARED,
                 "    const int moved = bytes_moved(status, asked);\n    if (moved <= 0) {",
                 "    const int moved = asked;\n    if (moved <= 0) {", FULL_DISK,
                 needs_root=True),
        Mutation("the mpirun of another MPI is not noticed", RANKS,
                 "if (world != 1 || comparison != MPI_IDENT) return {};", "return {};",
                 "test_ranks_of_the_other_mpirun_are_refused"),
        Mutation("a file of each rank is refused under the mpirun of another MPI", RANKS,
                 "if (world != 1 || comparison != MPI_IDENT) return {};", "",
                 "test_ranks_of_the_other_mpirun_are_refused"),
        Mutation("durable bytes are not synced", SHARED, "MPI_File_sync(file_)", "MPI_SUCCESS",
                 "test_durable_bytes_are_synced"),
        Mutation("hints do not reach MPI", SHARED, "mode, hints, &file_", "mode, MPI_INFO_NULL, "
                 "&file_", "test_hints_reach_mpi"),
        Mutation("parts of ranks are unequal", READER,
                 "return count / ranks_count * rank + count % ranks_count * rank / ranks_count;",
                 "return count / ranks_count * rank;", "test_reads_equal_parts"),
        Mutation("the bytes behind the last record are lost", READER,
                 "if (ranks.rank() + 1 == ranks.count()) part.end = file_bytes;", "",
                 "test_reads_whole_records"),
        Mutation("a line that begins a part belongs to the rank before", PART,
                 "for (begin = from - 1;", "for (begin = from;",
                 "test_a_line_belongs_to_the_part_that_has_its_first_byte"),
        Mutation("a failure names a position in the part", READER,
                 "if (!mine.ok() && mine.offset()) mine = "
                 "mine.at(core_->part.begin + *mine.offset());", "",
                 "test_every_rank_hears_that_a_file_has_become_shorter"),
    ]
]
