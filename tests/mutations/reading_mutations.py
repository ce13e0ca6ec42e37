"""Mutations of a Reader's ways through its input."""
from mutation import Mutation, ON_READERS

CORE = "src/core/reader_core.cc"
LINES = "src/core/reader_lines.cc"
FILE_SOURCE = "src/backend/file_source.cc"

READING = [
    Mutation("bytes behind the end count as passed", CORE,
             "  if (refill(reader)) {\n    left -= passed;\n  } else if (status_.ok()) {",
             "  refill(reader);\n  left -= passed;\n  if (false) {", ON_READERS),
    Mutation("bytes that cannot be passed by position are not read either", CORE,
             "    if (Status status = go_to(reader, begin); !status.ok()) "
             "fail(std::move(status));\n", "", ON_READERS),
    Mutation("a skip that cannot read has passed bytes", CORE,
             "    limit_position_ = begin;  // nothing was passed\n", "", ON_READERS),
    Mutation("a seek back finds no newline", CORE,
             "    scanned_until_ = to;\n", "", ON_READERS),
    Mutation("newlines from before a seek are found again", CORE,
             "  if (to < reader.cursor_) {\n"
             "    reader.newline_ = reader.newlines_end_ = nullptr;\n",
             "  if (to < reader.cursor_) {\n", ON_READERS),
    Mutation("the end stays the end after a seek", CORE,
             "  ended_ = false;  // the file may have grown\n", "", ON_READERS),
    Mutation("a seek finds bytes that a large read has left in the block", CORE,
             "    if (passes_block) window_begin_ = reader.limit_;\n", "", ON_READERS),
    Mutation("a whole block is read behind each seek", CORE,
             "  max_fetched_bytes_ = fetched_bytes_after_seek;\n", "", ON_READERS),
    Mutation("more than a value is read behind a far seek", CORE,
             "  return round_up(before + bytes, cache_line_bytes) - before;\n",
             "  return SIZE_MAX;\n", ON_READERS),
    Mutation("little is read behind each near seek", CORE,
             "  max_fetched_bytes_ = max_fetched_bytes;\n", "", ON_READERS),
    Mutation("nothing is read before a near position", CORE,
             "position < limit_position_ ? bytes - bytes / 4 : bytes / 4;", "0;", ON_READERS),
    Mutation("bytes that cannot be read before a near position are a failure", CORE,
             "  status_ = {};\n", "", ON_READERS),
    Mutation("every seek asks whether there are positions", FILE_SOURCE,
             "has_positions_ = has_positions_ || (", "has_positions_ = (", ON_READERS),
    Mutation("a Source that does not exist is asked for its size", CORE,
             "  if (!source_) return status();  // it was never opened\n", "", ON_READERS),
    Mutation("a partial value is the end", CORE,
             "  if (beyond != 0 && status_.ok())", "  if (false)", ON_READERS),
    Mutation("the rest begins behind the block", CORE,
             "  if (!pending.empty()) "
             "std::memcpy(data(out), pending.data(), pending.size());\n", "", ON_READERS),
    Mutation("a failure counts as reported before it happens", CORE,
             "  is_told_ = false;\n", "", ON_READERS),
    Mutation("a failure that no code asked for is lost", "src/core/reader.cc",
             "    if (core_->has_untold_failure()) report_lost_error(core_->status());\n", "",
             ON_READERS),
    Mutation("a part may be longer than allowed", LINES,
             "      if (is_too_long(at - reader.cursor_)) return fail_line(reader);\n", "",
             ON_READERS),
    Mutation("a descriptor's position 0 is the file's", FILE_SOURCE,
             "file_.seek(start_ + position)", "file_.seek(position)", ON_READERS),
    Mutation("a seek in a pipe says ok", FILE_SOURCE,
             "return has_positions_ ? Status()", "return true ? Status()", ON_READERS),
]
