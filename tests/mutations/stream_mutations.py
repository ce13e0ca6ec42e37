"""Mutations of the standard streams."""
from mutation import Mutation, WRITER_END

STANDARD_SINK = "src/backend/standard_sink.cc"
STANDARD_STREAMS = "src/core/standard_streams.cc"
BROKEN_PIPE = "src/os/linux/broken_pipe.cc"

ON_STREAMS = "Standard*:*SinkContract*"

COPY = "src/core/copy.cc"
ON_COPIES = "Copy.*"

COPIES = [
    Mutation("a copy begins after a failure of the Reader", COPY,
             "!from.is_open() || !from.status().ok()", "!from.is_open()",
             ON_COPIES + ":*AfterAFailure*"),
    Mutation("a copy passes on more than it is asked for", COPY,
             "    next = next.first(std::min<std::uint64_t>(next.size(), bytes - copied));\n", "",
             ON_COPIES),
    Mutation("a copy takes bytes from the Reader that the Writer refused", COPY,
             "is_accepted ? next.size() : written(to, start + copied, next)", "next.size()",
             ON_COPIES),
    Mutation("a copy forgets the bytes of a piece that were written before the failure", COPY,
             "is_accepted ? next.size() : written(to, start + copied, next)",
             "is_accepted ? next.size() : 0", ON_COPIES),
    Mutation("a copy takes a failure of the Reader for the end", COPY,
             "  return from.status();\n}\n\nStatus copy", "  return {};\n}\n\nStatus copy",
             ON_COPIES),
    Mutation("a copy of 0 bytes to a failed Writer is ok", COPY,
             "  if (!to.write(BytesView())) return to.status();", "", ON_COPIES),
    Mutation("a copy takes a closed Reader for an empty one", COPY,
             "  if (!from.is_open() || !from.status().ok()) return not_open(from);\n", "",
             ON_COPIES),
]

COPY_FILE = "src/core/copy_file.cc"
FILE_COPY = "src/os/file_copy.cc"
ON_COPIED_FILES = "*CopyFile*"

COPIED_FILES = [
    Mutation("a file is copied onto itself", COPY_FILE,
             "if (!status.ok() || !from_facts.is_same_as(to_facts)) return status;",
             "return status;", ON_COPIED_FILES),
    Mutation("equal inode numbers of two file systems count as one file", "src/os/file_copy.h",
             "device == other.device && inode == other.inode", "device == other.device",
             ON_COPIED_FILES),
    Mutation("a copy shares bytes that each write is to make durable", COPY_FILE,
             "kernel_copies_ = options_.durability != Durability::every_write;",
             "kernel_copies_ = true;", ON_COPIED_FILES),
    Mutation("a file that says it is empty is taken for empty", COPY_FILE,
             "  return read_and_write(extent.end, std::numeric_limits<std::uint64_t>::max(), "
             "at_end);",
             "  return {};", ON_COPIED_FILES),
    Mutation("a hole at the end is left out", COPY_FILE,
             "    if (Status status = end_with_hole(extent.end); !status.ok()) return status;\n",
             "", ON_COPIED_FILES),
    Mutation("a hole at the end is not synced where each write is durable", COPY_FILE,
             "  return to_->sync();\n", "  return status;\n", "CrashOfACopy.*"),
    Mutation("a sync of a hole at the end that fails is not reported", COPY_FILE,
             "  return to_->sync();\n", "  static_cast<void>(to_->sync());\n  return status;\n",
             ON_COPIED_FILES),
    Mutation("a hole leaves the old bytes in its place", COPY_FILE,
             "options_.create != CreateMode::append && options_.create != CreateMode::existing",
             "options_.create != CreateMode::append", ON_COPIED_FILES),
    Mutation("bytes that the kernel does not copy are left out", COPY_FILE,
             "  if (extent.begin == extent.end) return {};", "  return {};", ON_COPIED_FILES),
    Mutation("the kernel is asked again for what it cannot copy", COPY_FILE,
             "    kernel_copies_ = bytes > 0;\n", "    if (bytes == 0) break;\n", ON_COPIED_FILES),
    Mutation("after the kernel has copied, reading begins at its first byte again", COPY_FILE,
             "  if (Status status = reader_.seek(position); !status.ok()) return status;\n", "",
             ON_COPIED_FILES),
    Mutation("after the kernel has copied, writing begins at its first byte again", COPY_FILE,
             "  if (Status status = writer_.seek(position); !status.ok()) return status;\n", "",
             ON_COPIED_FILES),
    Mutation("a copy that failed replaces the file", COPY_FILE,
             "is_staged ? writer_.discard() : writer_.close()", "writer_.close()",
             ON_COPIED_FILES),
    Mutation("a copy ignores the permissions of the original", COPY_FILE,
             "options.permissions.value_or(from_facts_.permissions)",
             "options.permissions.value_or(0666)", ON_COPIED_FILES),
    Mutation("a copy gets the set-id bits of the original", FILE_COPY,
             "found.st_mode & 0777U", "found.st_mode & 07777U", ON_COPIED_FILES),
    Mutation("holes are filled", FILE_COPY,
             "if (end > begin) extent = {", "if (false) extent = {", ON_COPIED_FILES),
    Mutation("a signal ends the kernel's copying", FILE_COPY,
             "  const CallResult result = uninterrupted(\n"
             "      [&] { return calls().copy_range(from.descriptor(), to.descriptor(), position,"
             " part_bytes); });",
             "  const CallResult result =\n"
             "      calls().copy_range(from.descriptor(), to.descriptor(), position, part_bytes);",
             ON_COPIED_FILES),
]

STREAMS = [
    Mutation("a broken pipe ends the program", STANDARD_SINK,
             "    const os::BrokenPipeHeldBack held_back(can_break_);\n", "", ON_STREAMS),
    Mutation("the SIGPIPE of a broken pipe stays pending while it is blocked", BROKEN_PIPE,
             "    uninterrupted([] { return calls().take_signal(SIGPIPE); });\n", "", ON_STREAMS),
    Mutation("a SIGPIPE that was pending before the write is consumed", BROKEN_PIPE,
             "if (!waited_before_ && calls()", "if (calls()", ON_STREAMS),
    Mutation("SIGPIPE stays blocked", BROKEN_PIPE,
             "  if (!was_blocked_) calls().unblock_signal(SIGPIPE);\n", "", ON_STREAMS),
    Mutation("a SIGPIPE that the program has blocked is unblocked", BROKEN_PIPE,
             "  if (!was_blocked_) calls()", "  calls()", ON_STREAMS),
    Mutation("a signal that interrupts the consuming of SIGPIPE leaves it pending", BROKEN_PIPE,
             "uninterrupted([] { return calls().take_signal(SIGPIPE); });",
             "calls().take_signal(SIGPIPE);", ON_STREAMS),
    Mutation("SIGPIPE is blocked during writes to a file", BROKEN_PIPE,
             "  return S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode);", "  return true;",
             ON_STREAMS),
    Mutation("a broken pipe of standard output is a lost error", WRITER_END,
             "!lost.ok() && sink_->is_ordinary_end(lost)", "false", ON_STREAMS),
    Mutation("no failure of standard output is a lost error", STANDARD_SINK,
             "failure.code().value() == EPIPE", "!failure.ok()", ON_STREAMS),
    Mutation("a line to standard error waits until the block is full", STANDARD_SINK,
             "lines_ == Lines::always || ", "", ON_STREAMS),
    Mutation("standard output never wants lines", STANDARD_SINK,
             "lines_ == Lines::always || WrappingSink::wants_lines()", "lines_ == Lines::always",
             ON_STREAMS),
    Mutation("a closed standard output looks like an open one", STANDARD_STREAMS,
             "    static_cast<void>(writer.flush_untold(FlushTo::storage));", "", ON_STREAMS),
    Mutation("a closed standard input looks like an open one", STANDARD_STREAMS,
             "    reader.peek(1);", "", ON_STREAMS),
    Mutation("the size of a closed standard input is merely not known", STANDARD_STREAMS,
             "  Status size(std::uint64_t&) override { return refusal_; }\n", "", ON_STREAMS),
]
