"""Mutations of a Writer's seek and write_at."""
from mutation import Mutation, SINK, WRITER

ON_POSITIONS = "*WriterPositions*:WriterAt.*:*SinkContract.*:CrashOfPositions.*"

POSITIONS = [
    Mutation("a patch behind the block overtakes the block", WRITER,
             "  if (!comes_before && !emit(writer, {})) return status_;\n", "", ON_POSITIONS),
    Mutation("a patch overtakes the blocks in flight", WRITER,
             "  if (!drain(writer)) return status_;\n  const bool comes_before",
             "  const bool comes_before", ON_POSITIONS),
    Mutation("a seek leaves the bytes in the block behind", WRITER,
             "  if (!drain(writer) || !emit(writer, {})) return status_;\n"
             "  Status status = os::guarded_status(sink_->path(), [&] { return sink_->seek",
             "  Status status = os::guarded_status(sink_->path(), [&] { return sink_->seek",
             ON_POSITIONS),
    Mutation("a seek that failed is forgotten", WRITER,
             "    fail(writer, std::move(status));\n    return status_;\n  }\n  begin_position_",
             "    return status;\n  }\n  begin_position_", "WriterOfASink.*"),
    Mutation("a patch that failed is forgotten", WRITER,
             "    if (emit(writer, {})) fail(writer, status.at(position + written));\n",
             "    return status;\n", ON_POSITIONS),
    Mutation("a patch that failed loses the bytes in the block", WRITER,
             "if (emit(writer, {})) fail(writer, status.at(position + written));",
             "fail(writer, status.at(position + written));", "WriterOrder.*"),
    Mutation("a patch is not synced with every_write", WRITER,
             "  } else if (durability_ == Durability::every_write) {\n"
             "    sync_each_write(writer);\n  }\n"
             "  return status_;\n}\n\nStatus Writer::Core::seek",
             "  }\n  return status_;\n}\n\nStatus Writer::Core::seek", ON_POSITIONS),
    Mutation("an empty patch is taken for a patch", WRITER,
             "if (!is_usable(writer) || bytes.empty()) return status_;",
             "if (!is_usable(writer)) return status_;", ON_POSITIONS),
    Mutation("a sum of positions overflows", WRITER,
             "bytes <= most - position) return {};", "true) return {};", ON_POSITIONS),
    Mutation("a patch of a file that is appended to lands at its end", SINK,
             "    if (placing_ == Placing::at_the_end) "
             "return Sink::write_at(position, bytes, written);\n", "", ON_POSITIONS),
    Mutation("a file that is appended to goes elsewhere", SINK,
             "    if (placing_ == Placing::at_the_end) return Sink::seek(position);\n", "",
             ON_POSITIONS),
    Mutation("an existing file is cut", SINK,
             "case CreateMode::existing: return os::File::Access::overwrite;",
             "case CreateMode::existing: return os::File::Access::truncate;", ON_POSITIONS),
    Mutation("a file to write says that it has no positions", SINK,
             "    if (placing_ == Placing::at_the_end) return Sink::seek(position);\n",
             "    if (placing_ != Placing::in_sequence) return Sink::seek(position);\n",
             "*SinkContract.*"),
    Mutation("a file to write says that it has no place for a patch", SINK,
             "    if (placing_ == Placing::at_the_end) return Sink::write_at(",
             "    if (placing_ != Placing::in_sequence) return Sink::write_at(", "*SinkContract.*"),
]
