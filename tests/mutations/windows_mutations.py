"""Mutations of the system calls for Windows."""
import functools

from mutation import Mutation

NAMES = "src/os/windows/system_calls_on_names.cc"
CALLS = "src/os/windows/system_calls.cc"
PATHS = "src/os/windows/paths.cc"
HANDLES = "src/os/windows/handles.cc"
DIRECTORY = "src/os/directory.cc"
RETRIES = "src/os/windows/retries.h"

ON_FILES = "FilesOnWindows.*:JournalOnWindows.*:Windows/SinkContract.*"

WindowsMutation = functools.partial(Mutation, program="sluice_windows_tests.exe")

WINDOWS = [
    WindowsMutation("a file that another program holds is not tried again", RETRIES,
                    "result >= 0 || attempt == max_attempts || !is_passing(result)", "true",
                    ON_FILES),
    WindowsMutation("a file that another program holds is tried once too often", RETRIES,
                    "attempt == max_attempts", "attempt > max_attempts", ON_FILES),
    WindowsMutation("the opening of a file that another program holds is given up", NAMES,
                    "return with_retries([&] { return open_wide(path, flags); }, is_busy);",
                    "return open_wide(path, flags);", ON_FILES),
    WindowsMutation("bytes that are no UTF-8 become another name", PATHS,
                    "MB_ERR_INVALID_CHARS", "0", ON_FILES),
    WindowsMutation("a long path goes without its prefix", PATHS,
                    "if (path.size() < max_short_units ||", "if (true ||", ON_FILES),
    WindowsMutation("a position loses its upper half", CALLS,
                    "static_cast<DWORD>(position >> 32)", "0", ON_FILES),
    WindowsMutation("a file is not emptied before it is written", NAMES,
                    "if (result >= 0 && existed && (flags & O_TRUNC) != 0)", "if (false)",
                    ON_FILES),
    WindowsMutation("an appended record goes over the first one", NAMES,
                    "FILE_APPEND_DATA | SYNCHRONIZE : GENERIC_WRITE",
                    "GENERIC_WRITE : GENERIC_WRITE", ON_FILES),
    WindowsMutation("a file that must be new may exist", NAMES,
                    "? CREATE_NEW : OPEN_ALWAYS", "? OPEN_ALWAYS : OPEN_ALWAYS", ON_FILES),
    WindowsMutation("no fallback replaces a file", NAMES,
                    "return is_unknown ? set_name(handle, FileRenameInfo, to, replace_if_exists) "
                    ": result;", "return result;", ON_FILES),
    WindowsMutation("the directory of a file is not told from the file", NAMES,
                    "if (status == LastStatus::is_directory) return -EISDIR;", "", ON_FILES),
    WindowsMutation("a name begins with its last backslash", PATHS,
                    'path.find_last_of("/\\\\")', 'path.find_last_of("/")', ON_FILES),
    WindowsMutation("a long path on a server keeps a backslash too many", PATHS,
                    "prefix == long_network_prefix ? 1 : 0", "0", ON_FILES),
    WindowsMutation("a file gets the name of a device", PATHS,
                    "is_absolute || is_device(", "is_absolute || (false) && is_device(", ON_FILES),
    WindowsMutation("a pipe ends where a program writes nothing", CALLS,
                    "if (got != 0 || bytes == 0 || !is_pipe(handle)) return got;", "return got;",
                    ON_FILES),
    WindowsMutation("a descriptor that is absent stands for the process", HANDLES,
                    "return handle < 0 ? nullptr : reinterpret_cast<void*>(handle);",
                    "return reinterpret_cast<void*>(handle);", ON_FILES),
    WindowsMutation("a new name is not made durable", DIRECTORY,
                    "names_need_a_sync ? descriptor() : renamed.descriptor()", "descriptor()",
                    ON_FILES),
    WindowsMutation("a text spoils the bytes after it", "src/stdio/print.cc",
                    "room < local_bytes || stream.data_end > file->write_cursor",
                    "room < local_bytes", "StdioOnWindows.*"),
]
