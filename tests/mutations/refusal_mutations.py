"""Mutations of how a Writer refuses arrays that are no text, and bytes while it is not open."""
from mutation import Mutation, WRITER, ON_REFUSALS

REFUSALS = [
    Mutation("a const array of characters counts as text whatever it holds",
             "include/sluice/writer.h",
             "return std::memchr(text, 0, size) == text + (size - 1);", "return true;",
             ON_REFUSALS, test_file="src/core/writer_refusal_test.cc"),
    Mutation("bytes that are refused after close() are lost silently", WRITER,
             "  if (!prepare(writer)) {\n    refuse_bytes();\n", "  if (!prepare(writer)) {\n",
             ON_REFUSALS),
    Mutation("bytes that a Writer refused are forgotten when it is opened anew",
             "src/core/writer.cc",
             "    report_lost_error(core_->status());\n  }\n  core_.reset(core);",
             "  }\n  core_.reset(core);", ON_REFUSALS),
    Mutation("bytes that a Writer refused are forgotten when a descriptor is attached",
             "src/core/writer.cc",
             "  return status.ok() ? open(std::move(sink), options) : refuse(status);",
             "  if (core_) core_->asked();\n"
             "  return status.ok() ? open(std::move(sink), options) : refuse(status);",
             ON_REFUSALS),
    Mutation("refused bytes that the program knows about go to the lost-error handler", WRITER,
             "Status Writer::Core::flush(Writer& writer, FlushTo to) {\n  asked();\n",
             "Status Writer::Core::flush(Writer& writer, FlushTo to) {\n", ON_REFUSALS),
]
