"""Mutations of the writes that `sluice run --coalesce` holds, and of what others see of them."""
from mutation import Mutation, noticed_by

OBSERVERS = "preload/coalesce/observers.cc"
ALONE = "preload/coalesce/alone.cc"
COALESCE = "preload/coalesce/coalesce.cc"
DESCRIPTORS = "preload/coalesce/descriptors.cc"
OPENING = "preload/run/open.cc"
START = "preload/run/start.cc"
OTHER_CODE = "preload/other_code.cc"
PROCESSES = "preload/processes.cc"
ENVIRONMENT = "preload/environment.cc"

ON_OBSERVERS = "Observers.test_see_coalesced_bytes"
ON_RARE_OBSERVERS = "Observers.test_by_rare_calls_see_coalesced_bytes"

# What others would see of the held writes.
HELD_WRITES = [
    *noticed_by(
        "observers_test.py",
        Mutation("held bytes are missing when the process has another name", ALONE,
                 "  write_all_held();\n  if (arguments.number(0) == PR_SET_SECCOMP)",
                 "  if (arguments.number(0) == PR_SET_SECCOMP)", ON_RARE_OBSERVERS),
        Mutation("held bytes are missing in another folder", OBSERVERS, '"chdir, fchdir,',
                 '"fchdir,', ON_RARE_OBSERVERS),
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
                 '"fork, __fork,', '"__fork,', ON_OBSERVERS),
        Mutation("bytes are held when a thread is started", ALONE,
                 '"pthread_create, thrd_create"', '"thrd_create"', ON_OBSERVERS),
        Mutation("bytes are held beside a handler that signal() sets", OTHER_CODE,
                 '"signal, ssignal,', '"ssignal,', ON_OBSERVERS),
        Mutation("bytes are held beside a handler that sigaction() sets", OTHER_CODE,
                 "if (may_be_memory(action)) look_at(action->sa_handler);", "", ON_OBSERVERS),
        Mutation("bytes are held beside memory that others share", ALONE,
                 "if (shares_memory(arguments.number(2), flags, descriptor)) {",
                 "if (false) {", ON_OBSERVERS),
        Mutation("memory that is made writable later is not shared memory", OTHER_CODE,
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
        Mutation("fgets orients no stream", "preload/run/stdio.cc",
                 "if (!byte_oriented(stream) || count <= 1", "if (count <= 1",
                 "Edges.test_of_a_stream_that_no_read_has_filled"),
        Mutation("a failed exec takes an error from the next call", COALESCE,
                 "static_cast<size_t>(bytes));\n}\n",
                 "static_cast<size_t>(bytes));\n  forget_error(descriptor);\n}\n",
                 "Coalescing.test_keeps_an_error_when_the_program_fails_to_become_another"),
        Mutation("the pieces of writev() are read at any address", COALESCE,
                 "  if (!may_be_memory(pieces)) return 0;\n", "", "BadAddresses"),
        Mutation("the name of a program is read at any address", PROCESSES,
                 "  if (!may_be_memory(program.path)) return true;\n", "", "BadAddresses"),
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
                 "} else if (result == 0 || errno != EINTR) {", "} else {",
                 "Coalescing.test_goes_on_after_a_write_that_stopped_early"),
        Mutation("a write() of the program's own finds the bytes held that it writes", COALESCE,
                 "  descriptor.bytes = 0;\n  --held_descriptors;\n  count_lone_write(descriptor);\n"
                 "  size_t written = 0;\n",
                 "  size_t written = 0;\n  struct Later {\n    Descriptor& held;\n"
                 "    ~Later() {\n      held.bytes = 0;\n      --held_descriptors;\n    }\n"
                 "  } later{descriptor};\n",
                 "Coalescing.test_goes_on_after_a_write_that_stopped_early"),
        Mutation("more bytes are held than fit", COALESCE,
                 " && bytes <= max_held_bytes - found->bytes;", ";",
                 "Coalescing.test_loses_nothing_however_the_program_ends"),
    ),
    *noticed_by(
        "command_test.py",
        Mutation("a stream that seeks alone have filled is not to be sought in",
                 "preload/run/stdio.cc", "         may_read_bytes(stream) && stream->_IO_save",
                 "         byte_oriented(stream) && stream->_IO_save",
                 "Reports.test_have_the_seeks_of_a_stream_that_no_read_has_filled"),
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
                 "  const KeepErrno kept;\n  const size_t bytes", "  const size_t bytes",
                 "Reports.test_name_lost_bytes_after_every_way_to_close"),
        Mutation("a child tells of the lost bytes of its parent", COALESCE,
                 "descriptor.failed != 0 && descriptor.failed_in == getpid();",
                 "descriptor.failed != 0;",
                 "Reports.test_name_lost_bytes_after_every_way_to_close"),
    ),
    *noticed_by(
        "coalesced_test.py",
        Mutation("a write behind others is held although the memory is full", COALESCE,
                 "bytes > small_bytes || bytes > room || ", "bytes > small_bytes || ",
                 "HeldBytes.test_are_written_whenever_64_kib_are_held"),
        Mutation("the first write is held behind none", COALESCE,
                 "found->bytes == 0 || found->failed != 0", "found->failed != 0",
                 "HeldBytes.test_are_written_whenever_64_kib_are_held"),
    ),
]
