"""Mutations of the objects that `sluice run` puts into programs."""
import dataclasses

from mutation import Mutation

OBSERVERS = "preload/coalesce/observers.cc"
ALONE = "preload/coalesce/alone.cc"
COALESCE = "preload/coalesce/coalesce.cc"
DESCRIPTORS = "preload/coalesce/descriptors.cc"
OPENING = "preload/run/open.cc"
STDIO = "preload/run/stdio.cc"
START = "preload/run/start.cc"
HANDLERS = "preload/handlers.cc"
HOOK = "preload/hook.cc"
STREAM = "preload/stream.h"
REAL = "preload/real.cc"
PROCESSES = "preload/processes.cc"
ENVIRONMENT = "preload/environment.cc"
RECORDER = "preload/trace/recorder.cc"
FILES = "preload/trace/files.cc"
ACCOUNT = "preload/trace/account.cc"

ON_OBSERVERS = "Observers.test_see_coalesced_bytes"
ON_RARE_OBSERVERS = "Observers.test_by_rare_calls_see_coalesced_bytes"


def noticed_by(test_file, *mutations):
    return [dataclasses.replace(mutation, program=f"preload/{test_file}")
            for mutation in mutations]


# What others would see of the held writes.
HELD_WRITES = [
    *noticed_by(
        "observers_test.py",
        Mutation("held bytes are missing after rename", OBSERVERS,
                 '"rename, renameat,', '"renameat,', ON_OBSERVERS),
        Mutation("held bytes are missing while the program waits by poll", OBSERVERS,
                 "pause, poll, ppoll,", "pause, ppoll,", ON_OBSERVERS),
        Mutation("held bytes are missing while scanf waits for input", OBSERVERS,
                 "// for.\nSLUICE_OBSERVERS(", "// for.\n#define SLUICE_IGNORED(names)\n"
                 "SLUICE_IGNORED(", ON_OBSERVERS),
        Mutation("held bytes are missing when a pipe's stream is closed", OPENING,
                 "address<FILE>(0);\n  write_all_held();\n", "address<FILE>(0);\n",
                 ON_OBSERVERS),
        Mutation("held bytes are missing in a forked process", PROCESSES,
                 '"fork, _Fork,', '"_Fork,', ON_OBSERVERS),
        Mutation("bytes are held when a thread is started", ALONE,
                 '"pthread_create, thrd_create"', '"thrd_create"', ON_OBSERVERS),
        Mutation("bytes are held beside a handler that signal() sets", HANDLERS,
                 '"signal, ssignal,', '"ssignal,', ON_OBSERVERS),
        Mutation("bytes are held beside a handler that sigaction() sets", HANDLERS,
                 "if (may_be_memory(action)) look_at(action->sa_handler);", "", ON_OBSERVERS),
        Mutation("bytes are held beside memory that others share", ALONE,
                 "if ((flags & MAP_SHARED) != 0 && may_become_writable(protection, flags, "
                 "descriptor)) {",
                 "if (false) {", ON_OBSERVERS),
        Mutation("memory that is made writable later is not shared memory", ALONE,
                 "(protection & PROT_WRITE) != 0 || (flags & MAP_ANONYMOUS) != 0",
                 "(protection & PROT_WRITE) != 0", ON_RARE_OBSERVERS),
        Mutation("a pending signal may end the program before held bytes are written",
                 OBSERVERS, '"sigprocmask, pthread_sigmask,', '"',
                 ON_RARE_OBSERVERS),
        Mutation("held bytes are missing when another file is opened", DESCRIPTORS,
                 "sluice_open) {\n  write_all_held();\n", "sluice_open) {\n", ON_OBSERVERS),
        Mutation("bytes are held when the descriptor is copied", DESCRIPTORS,
                 '"dup, fdopen"', '"fdopen"', ON_OBSERVERS),
    ),
    *noticed_by(
        "pitfalls_test.py",
        Mutation("the writes to a mapped file are held", ALONE,
                 "    may_not_hold_mapped(descriptor);\n", "",
                 "Pitfalls.test_10_one_file_is_used_in_two_ways"),
        Mutation("close does not tell that held bytes are lost", DESCRIPTORS,
                 "result == 0 && error != 0 ? failure(error) : result;",
                 "result;", "Pitfalls.test_12_errors_arrive_late"),
    ),
    *noticed_by(
        "meaning_test.py",
        Mutation("a failed exec takes an error from the next call", COALESCE,
                 "static_cast<size_t>(bytes));\n}\n",
                 "static_cast<size_t>(bytes));\n  forget_error(descriptor);\n}\n",
                 "Coalescing.test_keeps_an_error_when_the_program_fails_to_become_another"),
        Mutation("the pieces of writev() are read at any address", COALESCE,
                 "  if (!may_be_memory(pieces)) return 0;\n", "", "BadAddresses"),
        Mutation("the name of a program is read at any address", PROCESSES,
                 "const char* path) {\n  if (!may_be_memory(path)) return true;\n",
                 "const char* path) {\n", "BadAddresses"),
        Mutation("an environment is read at any address", PROCESSES,
                 "  if (environment != nullptr && !may_be_memory(environment)) "
                 "return Cover::not_wanted;\n", "",
                 "BadAddresses"),
        Mutation("an empty list of preloaded objects is taken from a child", ENVIRONMENT,
                 'stpcpy(stpcpy(text, *preloaded), ":");',
                 'stpcpy(stpcpy(text, *preloaded), (*preloaded)[11] == 0 ? "" : ":");',
                 "Environment.test_is_the_programs_own_if_it_has_an_empty_list"),
        Mutation("_exit loses held bytes", PROCESSES,
                 '"_exit, _Exit,', '"_Exit,',
                 "Coalescing.test_loses_nothing_however_the_program_ends"),
        Mutation("commands to the kernel are held", COALESCE,
                 "status.st_nlink == 1 && writes_only_store(descriptor);",
                 "status.st_nlink == 1;",
                 "Coalescing.test_carries_out_each_command_to_the_kernel"),
        Mutation("a short write of held bytes counts as a whole one", COALESCE,
                 "written += static_cast<size_t>(result);", "written = bytes;",
                 "Coalescing.test_tells_of_a_full_disk"),
        Mutation("a signal interrupts the write of held bytes", COALESCE,
                 "} else if (errno != EINTR) {", "} else {",
                 "Coalescing.test_goes_on_after_a_write_that_stopped_early"),
        Mutation("a write() of the program's own finds the bytes held that it writes", COALESCE,
                 "  descriptor.bytes = 0;\n  --held_descriptors;\n  size_t written = 0;\n",
                 "  size_t written = 0;\n  struct Later {\n    Descriptor& held;\n"
                 "    ~Later() {\n      held.bytes = 0;\n      --held_descriptors;\n    }\n"
                 "  } later{descriptor};\n",
                 "Coalescing.test_goes_on_after_a_write_that_stopped_early"),
        Mutation("more bytes are held than fit", COALESCE,
                 "if (!fits || bytes > max_held_bytes - found->bytes)", "if (!fits)",
                 "Coalescing.test_loses_nothing_however_the_program_ends"),
    ),
    *noticed_by(
        "command_test.py",
        Mutation("writes at the end of a file are held", COALESCE,
                 "  if ((flags & O_APPEND) != 0) return NotHeld::append;\n", "",
                 "Reports.test_have_the_coalesced_writes"),
        Mutation("fsync does not tell that held bytes are lost", DESCRIPTORS,
                 "return error == 0 ? arguments.call() : failure(error);",
                 "return arguments.call();",
                 "Reports.test_leave_out_lost_bytes_that_a_call_has_told_of"),
        Mutation("lost bytes are not named at the end", START,
                 "  write_all_held();\n  tell_of_lost_writes();", "  write_all_held();",
                 "Reports.test_name_lost_bytes_after_every_way_to_close"),
        Mutation("held bytes that are lost change errno", COALESCE,
                 "  --counters.saved_calls;\n  errno = error;\n", "  --counters.saved_calls;\n",
                 "Reports.test_name_lost_bytes_after_every_way_to_close"),
        Mutation("nobody learns that the table of descriptors has ended all holding", COALESCE,
                 "give_up_holding(EndOfHolding::descriptor)", "give_up_holding(EndOfHolding::none)",
                 "Reports.test_say_that_a_table_of_the_object_is_full"),
        Mutation("nobody learns that the table of mappings has ended all holding", COALESCE,
                 "give_up_holding(EndOfHolding::mappings)", "give_up_holding(EndOfHolding::none)",
                 "Reports.test_say_that_a_table_of_the_object_is_full"),
        Mutation("a child tells of the lost bytes of its parent", COALESCE,
                 "descriptor.failed != 0 && descriptor.failed_in == getpid();",
                 "descriptor.failed != 0;",
                 "Reports.test_name_lost_bytes_after_every_way_to_close"),
    ),
]

# What the program would see of the objects.
HOOKS = [
    *noticed_by(
        "meaning_test.py",
        Mutation("a hook changes an argument in a register for floating point", HOOK,
                 "movaps 16*\\number(%rsp), %xmm\\number",
                 "xorps %xmm\\number, %xmm\\number",
                 "Arguments.test_reach_the_c_library_unchanged"),
        Mutation("a hook changes the sixth argument", HOOK,
                 "popq %\\register\n  .endr\n  movq",
                 "popq %\\register\n  .endr\n  xorl %r9d, %r9d\n  movq",
                 "Arguments.test_reach_the_c_library_unchanged"),
        Mutation("threads read and write without a stream's lock", STDIO,
                 "return needs_no_lock(stream) || policy.unlocked;", "return true;",
                 "Threads.test_wait_for_the_lock_of_a_stream"),
        Mutation("fgets fills the last byte", STDIO,
                 "static_cast<size_t>(count) - 1;", "static_cast<size_t>(count);",
                 "Edges.test_of_the_room_for_a_line"),
        Mutation("getdelim leaves no room for the zero", STDIO,
                 "held_line(stream, delimiter, *line_bytes - 1);",
                 "held_line(stream, delimiter, *line_bytes);",
                 "Edges.test_of_the_room_for_a_line"),
        Mutation("a seek reaches bytes before the buffer", STDIO,
                 "if (target < buffer_start || ", "if (",
                 "AnySequenceOfCalls.test_gives_the_same_results"),
        Mutation("a seek counts from the end of the buffer", STDIO,
                 "__builtin_add_overflow(offset, position_of(stream), &target)",
                 "__builtin_add_overflow(offset, stream->_offset, &target)",
                 "AnySequenceOfCalls.test_gives_the_same_results"),
        Mutation("a seek after fork leaves the shared position", START,
                 "  forget_all_private();\n", "", "Edges.test_of_a_position_that_others_move"),
        Mutation("a seek after fileno leaves a position that the program moves", OPENING,
                 "SLUICE_BEFORE(sluice_fileno, \"fileno, ",
                 "SLUICE_BEFORE(sluice_fileno, \"",
                 "Edges.test_of_a_position_that_others_move"),
        Mutation("the program sees the variables of sluice", ENVIRONMENT,
                 "  remove_entry(options);\n", "", "Environment.test_is_the_programs_own"),
    ),
    *noticed_by(
        "pitfalls_test.py",
        Mutation("lines wait in the buffer of a stream that became line-buffered", STREAM,
                 "byte_oriented(stream) && (stream->_flags & stream_line_buffered) == 0;",
                 "byte_oriented(stream);", "Pitfalls.test_19_a_stream_becomes_line_buffered_late"),
        Mutation("a hook calls the wrong function", REAL,
                 "dlsym(RTLD_NEXT, name);", "dlsym(RTLD_DEFAULT, name);",
                 "Pitfalls.test_15_calls_come_before_our_constructor"),
        Mutation("a stream that endmntent has closed stays private", OPENING,
                 '"endmntent, pclose, _IO_fclose"', '"pclose, _IO_fclose"',
                 "Pitfalls.test_23_a_streams_memory_is_that_of_a_stream_which_the_c_library_has_"
                 "closed"),
    ),
    *noticed_by(
        "command_test.py",
        Mutation("programs that the program starts are not covered", PROCESSES,
                 "  if (cover == Cover::given || ", "  if (false && ",
                 "Reports.test_count_every_process"),
    ),
    *noticed_by(
        "loader_test.py",
        Mutation("a file of the object's name counts as the object", ENVIRONMENT,
                 "  return is_own;", "  return true;",
                 "AnObjectThatCannotBeRead."
                 "test_that_is_another_file_in_another_root_folder", needs_root=True),
        Mutation("a user who cannot read the object gets it", ENVIRONMENT,
                 "&& may_read_own_file() && can_open_own_file();", "&& can_open_own_file();",
                 "AnObjectThatCannotBeRead.test_by_another_user", needs_root=True),
        Mutation("a program without free descriptors gets the object", ENVIRONMENT,
                 "&& may_read_own_file() && can_open_own_file();", "&& may_read_own_file();",
                 "AnObjectThatCannotBeRead.test_without_a_free_descriptor"),
        Mutation("nobody counts a program that cannot be covered", PROCESSES,
                 "!can_be_preloaded()) return Cover::out_of_reach;",
                 "!can_be_preloaded()) return Cover::not_wanted;",
                 "AProgramThatLeavesNoRecord.test_because_it_cannot_have_the_object"),
        Mutation("nobody counts a program that cannot write a log", PROCESSES,
                 "  return has_log ?", "  return true ?",
                 "AProgramThatLeavesNoRecord."
                 "test_because_its_user_may_not_write_to_the_folder_of_the_logs", needs_root=True),
    ),
    *noticed_by(
        "edges_test.py",
        Mutation("a function of a library that others do not see is not found", REAL,
                 "if (function == nullptr) function = find_in_each_object(name);", "",
                 "FunctionsThatTheCLibraryLacks."
                 "test_are_found_in_a_library_that_only_another_library_sees"),
        Mutation("pidfd_spawn has no hook", PROCESSES,
                 "SLUICE_AROUND_IF_THERE(sluice_spawn, \"pidfd_spawn\");\n", "",
                 "FunctionsThatTheCLibraryLacks.test_that_start_a_process_let_it_see_all_bytes"),
        Mutation("functions are looked up when they are first called", START,
                 "  find_functions_behind_hooks();\n", "",
                 "FunctionsBehindTheHooks.test_are_looked_up_before_the_program_runs"),
        Mutation("a child of vfork uses the tables of its parent", PROCESSES,
                 "  before_another_process();\n  before_vfork();\n",
                 "  before_another_process();\n",
                 "ChildrenOfVfork.test_leave_no_bytes_to_the_parent "
                 "ChildrenOfVfork.test_leave_the_descriptors_of_the_parent"),
        Mutation("descriptors that one call closes stay in the table", COALESCE,
                 "    stop_holding(number);\n", "",
                 "FilesClosedByOneCall.test_are_forgotten"),
        Mutation("a forked process without a log is not counted", RECORDER,
                 "__atomic_fetch_add(&log->out_of_reach, 1, __ATOMIC_RELAXED);", "",
                 "AFullDisk.test_is_like_a_limit_of_the_size_of_files"),
        Mutation("the last file that found no room gives its name to all", FILES,
                 "if (place == max_files - 1) {", "if (false) {",
                 "ManyFiles.test_have_one_name_if_they_are_too_many"),
        Mutation("calls that open a file never wait", ACCOUNT,
                 "return before < always || before % openings_per_timed == 0;", "return false;",
                 "CallsThatWait.test_to_open_a_file_are_not_taken_for_work"),
    ),
    *noticed_by(
        "waiting_test.py",
        Mutation("long calls count like short ones that were not timed", ACCOUNT,
                 "long_ = end_ns_ - start_ns_ >= long_ns && last_asked.clock_ns != 0;",
                 "long_ = false;",
                 "Waiting.test_of_a_few_long_calls_among_many_short_ones_is_no_work"),
    ),
    *noticed_by(
        "trace_test.py",
        Mutation("a stream without an orientation is read by the C library alone",
                 "preload/stream.h",
                 "inline bool may_read_bytes(const FILE* stream) { return stream->_mode <= 0; }",
                 "inline bool may_read_bytes(const FILE* stream) { return stream->_mode < 0; }",
                 "Counts.test_of_reading_are_those_of_strace"),
    ),
    *noticed_by(
        "descriptors_test.py",
        Mutation("a file keeps the name by which it was first opened", FILES,
                 "if (is_same_file && entry.opened_as == hash) return known;",
                 "if (is_same_file) return known;",
                 "OpenedAgain.test_is_the_file_of_its_present_name"),
        Mutation("another file of the same path is taken for the old one", FILES,
                 "if (is_same_file && entry.opened_as == hash) return known;",
                 "return known;",
                 "OpenedAgain.test_is_the_file_of_its_present_name"),
        Mutation("the time of fcntl is not recorded", "preload/trace/descriptors.cc",
                 "const int result = control(usage_of(Call::fcntl, arguments), call);",
                 "const int result = call();",
                 "CopiedDescriptors.test_are_of_the_right_file"),
    ),
    *noticed_by(
        "advice_test.py",
        Mutation("writes that take no lock are taken for writes that do",
                 "preload/trace/stdio_write.cc",
                 "if (locking == Locking::by_caller) usage->unlocked = 1;", "",
                 "OfCalls.test_calls_without_a_lock_beside_a_thread"),
        Mutation("flags that fcntl sets are not known", "preload/trace/descriptors.cc",
                 "if (command == F_SETFL) note_flags(descriptor);", "",
                 "OfCalls.test_tiny_writes_that_nobody_may_coalesce"),
    ),
]
