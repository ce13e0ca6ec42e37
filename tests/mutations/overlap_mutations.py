"""Mutations of the advice to let another thread write."""
import dataclasses

from mutation import Mutation

PROGRAM_RULES = "tools/trace/advice/program_rules.cc"
ON_RULES = "ProgramRules.*"

OVERLAP = [dataclasses.replace(mutation, program="sluice_report_test") for mutation in (
    Mutation("the time for which a write waits is not writing", PROGRAM_RULES,
             "use.amount.time.system_s + use.amount.time.sleep_s;", "use.amount.time.system_s;",
             ON_RULES),
    Mutation("waiting for a processor counts as writing", PROGRAM_RULES,
             "    turns.writing_s -= profile.processes[i].queued_s;", "    ", ON_RULES),
    Mutation("another thread is advised where no processor is idle", PROGRAM_RULES,
             "if (profile.idle_processors * profile.wall_s < saved_s) return std::nullopt;", "",
             ON_RULES),
    Mutation("a thread that writes surely saves all of the time", PROGRAM_RULES,
             "std::min(writing.syncs_wait_s(), saved_s) / 2,", "saved_s,", ON_RULES),
    Mutation("another thread does not wait for the disk", PROGRAM_RULES,
             "if (waits_for_blocks.contains(use.call) && waits) add(use);", "", ON_RULES),
    Mutation("a renaming does not wait for the disk", PROGRAM_RULES,
             "use.call == Call::rename ? is_of_writer(use) : files_", "files_", ON_RULES),
    Mutation("the renamings of other programs wait for the blocks of this one", PROGRAM_RULES,
             "? is_of_writer(use) :", "? true :", ON_RULES),
    Mutation("a program that reads does not write", PROGRAM_RULES,
             "if (writes(*moment) || moment->read_bytes == 0)", "if (moment->read_bytes == 0)",
             ON_RULES),
    Mutation("syncs that can be left out need a thread", "tools/trace/advice/advice.cc",
             "  leave_out_needless_thread(all);\n", "", ON_RULES),
    Mutation("syncs of records are moved to another thread", PROGRAM_RULES,
             "average_system_bytes(use.amount) >= min_block_bytes", "true", ON_RULES),
    Mutation("a short wait for the disk counts like work", PROGRAM_RULES,
             "waiting_s >= min_share_of_waiting * profile.wall_s", "false", ON_RULES),
    Mutation("a thread that waits for the disk is to write blocks", PROGRAM_RULES,
             "const bool syncs = 2 *", "const bool syncs = 0 *", ON_RULES),
)]
