"""Mutations of the streams behind sluice/stdio.h."""
from mutation import Mutation

STREAM = "src/stdio/stream.cc"
OPEN = "src/stdio/open.cc"
READ = "src/stdio/read.cc"
WRITE = "src/stdio/write.cc"
POSITION = "src/stdio/position.cc"
PRINT = "src/stdio/print.cc"
STREAMS = "src/stdio/open_streams.cc"
SCAN = "src/stdio/scan.cc"
CONTROL = "src/stdio/control.cc"

ON_STDIO = "StdioCalls.*:StdioModel.*"

SWITCHED_STREAMS = [
    Mutation("a program with another window of a FILE is accepted", OPEN,
             "if (window == SLUICE_STDIO_WINDOW) return true;", "return true;", ON_STDIO),
    Mutation("fclose forgets a failure", OPEN,
             "return is_written && is_closed ? 0 : EOF;", "return 0;", ON_STDIO),
    Mutation("fclose leaves an inherited descriptor where the block ended", OPEN,
             "stream.is_shared && is_read ? synchronize(stream) : flush_dirty(stream)",
             "flush_dirty(stream)", ON_STDIO),
    Mutation("a write after a seek goes where the kernel is", STREAM,
             "stream.kernel_position == stream.dirty_position;", "true;", ON_STDIO),
    Mutation("a read after a seek begins where the kernel is", STREAM,
             "!stream.is_seekable || stream.kernel_position == stream.data_position;", "true;",
             ON_STDIO),
    Mutation("the window of a write ends before its cursor", WRITE,
             "} else if (stream.file.write_cursor > stream.file.write_limit) {",
             "} else if (false) {", ON_STDIO),
    Mutation("a byte of ungetc is taken for a byte of the file", READ,
             "stream.data_begin = std::max(stream.data_begin, file->read_cursor);",
             "", ON_STDIO),
    Mutation("a line stays in the buffer of a terminal", WRITE,
             "if (!flush_dirty(stream)) return 0;\n  return lines", "return lines", ON_STDIO),
    Mutation("the end does not stay", STREAM,
             "if (stream.at_end) return false;\n  const std::int64_t position",
             "const std::int64_t position", ON_STDIO),
    Mutation("a text that does not fit spoils the bytes after it", PRINT,
             "room < local_bytes || stream.data_end > file->write_cursor", "room < local_bytes",
             ON_STDIO),
    Mutation("scanf keeps the byte that it has put back", SCAN,
             "stream.file.read_cursor -= scanner._IO_read_end - scanner._IO_read_ptr;", "",
             ON_STDIO),
    Mutation("fflush(NULL) takes no lock of a stream", STREAMS,
             "    const StreamLock lock(stream);\n", "", ON_STDIO),
    Mutation("a child keeps the locks of threads that it has not", STREAMS,
             "stream.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;", "", ON_STDIO),
    Mutation("a stream that was closed just now is used again", STREAMS,
             "closed_streams > min_closed_streams", "closed_streams > 0", ON_STDIO),
    Mutation("a closed stream is never used again", STREAMS,
             "closed_streams > min_closed_streams", "false", ON_STDIO),
    Mutation("fclose does not wait for the lock", OPEN,
             "  const StreamLock lock(stream);\n  process = nullptr;",
             "  process = nullptr;", ON_STDIO),
    Mutation("freopen does not wait for the lock", OPEN,
             "  const StreamLock lock(stream);\n  if (stream.is_closed) {",
             "  if (stream.is_closed) {", ON_STDIO),
    Mutation("a closed stream is opened again", OPEN,
             "  if (stream.is_closed) {\n", "  if (false) {\n", ON_STDIO),
    Mutation("a closed stream that is flushed is silent", STREAM,
             "if (!expect_open(stream) || !flush_dirty(stream))", "if (!flush_dirty(stream))",
             ON_STDIO),
    Mutation("a closed stream has no error", OPEN,
             "stream.has_failed = !stream.is_standard;", "", ON_STDIO),
    Mutation("getline of a closed stream leaves errno", READ,
             "!expect_open(stream) || stream.has_failed", "stream.has_failed", ON_STDIO),
    Mutation("fgets of an empty line from a closed stream is silent", READ,
             "if (bytes <= 0 || !expect_open(stream))", "if (bytes <= 0)", ON_STDIO),
    Mutation("fputs of an empty text to a closed stream is silent", WRITE,
             "if (bytes == 0) return expect_open(stream_of(file)) ? 1 : EOF;",
             "if (bytes == 0) return 1;", ON_STDIO),
    Mutation("perror changes the text of strerror", CONTROL,
             "text_of(strerror_r(errno, memory, sizeof memory), memory)", "std::strerror(errno)",
             ON_STDIO),
]
