"""What is broken on purpose of the standard streams."""
from mutation import Mutation, WRITER

STANDARD_SINK = "src/backend/standard_sink.cc"
STANDARD_STREAMS = "src/core/standard_streams.cc"
BROKEN_PIPE = "src/os/broken_pipe.cc"

ON_STREAMS = "Standard*:*SinkContract*"

COPY = "src/core/copy.cc"
ON_COPIES = "Copy.*"

COPIES = [
    Mutation("a copy passes on more than it is asked for", COPY,
             "    next = next.first(std::min<std::uint64_t>(next.size(), bytes - copied));\n", "",
             ON_COPIES),
    Mutation("a copy takes away what the Writer refused", COPY,
             "    if (!to.write(next)) return to.status();\n    from.skip(next.size());",
             "    from.skip(next.size());\n    if (!to.write(next)) return to.status();",
             ON_COPIES),
    Mutation("a copy takes a failure of the Reader for the end", COPY,
             "  return from.status();\n}\n\nStatus copy", "  return {};\n}\n\nStatus copy",
             ON_COPIES),
    Mutation("a copy of nothing takes a failed Writer for a good one", COPY,
             "  if (!to.write(BytesView())) return to.status();", "", ON_COPIES),
    Mutation("a copy takes a closed Reader for an empty one", COPY,
             "  if (!from.is_open()) return not_open(from);\n", "", ON_COPIES),
]

STREAMS = [
    Mutation("a broken pipe ends the program", STANDARD_SINK,
             "    const os::BrokenPipeHeldBack held_back(can_break_);\n", "", ON_STREAMS),
    Mutation("a broken pipe waits until the program unblocks the signal", BROKEN_PIPE,
             "    uninterrupted([] { return calls().take_signal(SIGPIPE); });\n", "", ON_STREAMS),
    Mutation("a broken pipe that waited for the program is taken", BROKEN_PIPE,
             "if (!waited_before_ && calls()", "if (calls()", ON_STREAMS),
    Mutation("SIGPIPE stays blocked", BROKEN_PIPE,
             "  if (!was_blocked_) calls().unblock_signal(SIGPIPE);\n", "", ON_STREAMS),
    Mutation("SIGPIPE is unblocked that the program has blocked", BROKEN_PIPE,
             "  if (!was_blocked_) calls()", "  calls()", ON_STREAMS),
    Mutation("a signal that interrupts the taking leaves SIGPIPE", BROKEN_PIPE,
             "uninterrupted([] { return calls().take_signal(SIGPIPE); });",
             "calls().take_signal(SIGPIPE);", ON_STREAMS),
    Mutation("signals are held back for a file", BROKEN_PIPE,
             "  return S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode);", "  return true;",
             ON_STREAMS),
    Mutation("a broken pipe of standard output is a lost error", WRITER,
             "!closed.ok() && sink_->is_ordinary_end(closed)", "false", ON_STREAMS),
    Mutation("no failure of standard output is a lost error", STANDARD_SINK,
             "failure.code().value() == EPIPE", "!failure.ok()", ON_STREAMS),
    Mutation("standard error waits for a block", STANDARD_SINK,
             "lines_ == Lines::always || ", "", ON_STREAMS),
    Mutation("standard output never wants lines", STANDARD_SINK,
             "lines_ == Lines::always || WrappingSink::wants_lines()", "lines_ == Lines::always",
             ON_STREAMS),
    Mutation("a closed standard output looks like an open one", STANDARD_STREAMS,
             "    static_cast<void>(writer.flush(FlushTo::storage));", "", ON_STREAMS),
    Mutation("a closed standard input looks like an open one", STANDARD_STREAMS,
             "    reader.peek(1);", "", ON_STREAMS),
]
