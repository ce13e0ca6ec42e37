"""Mutations of the adapters to the standard streams."""
from mutation import Mutation

IOSTREAM = "include/sluice/iostream.h"
WRITER_BUFFER = "src/iostream/writer_buffer.cc"
READER_BUFFER = "src/iostream/reader_buffer.cc"
OSTREAM_WRITER = "src/iostream/ostream_writer.cc"
ISTREAM_READER = "src/iostream/istream_reader.cc"
OSTREAM_SINK = "src/iostream/ostream_sink.cc"
ISTREAM_SOURCE = "src/iostream/istream_source.cc"

ON_OUTPUT = "OStreamWriter*.*:AdaptedStreams.*"
ON_INPUT = "IStreamReaderTest.*"
ON_ADAPTED = "AdaptedStreams.*:*SinkContract*OStream*:*SourceContract*IStream*"

ADAPTED_STREAMS = [
    Mutation("a stream that is destroyed drops its put area", WRITER_BUFFER,
             "WriterBuffer::~WriterBuffer() { hand_over(); }",
             "WriterBuffer::~WriterBuffer() {}", ON_OUTPUT),
    Mutation("direct use of a Writer overtakes the put area", WRITER_BUFFER,
             "  note_end();\n  hand_over();\n  return *writer_;", "  return *writer_;", ON_OUTPUT),
    Mutation("an unbuffered stream keeps bytes", WRITER_BUFFER,
             "  if (accepted && is_unbuffered_) accepted = sync() == 0;\n", "", ON_OUTPUT),
    Mutation("a failed flush looks like a good one", WRITER_BUFFER,
             "  return latest_.ok() ? 0 : -1;", "  return 0;", ON_OUTPUT),
    Mutation("the end of an existing file is taken for its beginning", WRITER_BUFFER,
             "  if (options.create != CreateMode::existing) return 0;\n", "  return 0;\n",
             ON_OUTPUT),
    Mutation("a stream does not note how far it has written before a seek", WRITER_BUFFER,
             "  note_end();\n  hand_over();\n  const", "  hand_over();\n  const", ON_OUTPUT),
    Mutation("a seek before the beginning wraps around", WRITER_BUFFER,
             "if (offset < 0 && static_cast<std::uint64_t>(-(offset + 1)) >= from) {",
             "if (false) {", ON_OUTPUT),
    Mutation("a stream that borrows an open Writer opens another one", WRITER_BUFFER,
             "  if (writer_ == &own_) return {};", "  return {};", ON_OUTPUT),
    Mutation("a stream that is moved leaves its borrowed Writer behind", WRITER_BUFFER,
             "  writer_ = other.writer_ == &other.own_ ? &own_ : other.writer_;\n", "", ON_OUTPUT),
    Mutation("an inlined call flushes no tied stream", IOSTREAM, "good() && tie() == nullptr && ",
             "good() && ", ON_OUTPUT, test_file="src/iostream/ostream_writer_test.cc"),
    Mutation("an inlined call ignores a width", IOSTREAM,
             "!out.is_plain() || out.width() != 0 || !out.buffer_.fits(view",
             "!out.is_plain() || !out.buffer_.fits(view", ON_OUTPUT,
             test_file="src/iostream/ostream_writer_test.cc"),
    Mutation("a close that fails leaves an output stream good", OSTREAM_WRITER,
             "  if (!status.ok()) setstate(badbit | failbit);\n", "", ON_OUTPUT, quick=True),
    Mutation("a read that fails looks like the end", READER_BUFFER,
             "  if (stream_ != nullptr) stream_->setstate(std::ios_base::badbit);\n", "", ON_INPUT,
             quick=True),
    Mutation("badbit counts as asking for a failure", READER_BUFFER,
             "!reader_->has_failed()) {\n    return;", "reader_->status().ok()) {\n    return;",
             ON_INPUT),
    Mutation("the byte before a block cannot be put back", READER_BUFFER,
             "  if (area_ != Area::in_block || !last_) return false;\n", "  return false;\n",
             ON_INPUT),
    Mutation("a borrowed Reader stays at the beginning of the get area", READER_BUFFER,
             "ReaderBuffer::~ReaderBuffer() { settle(); }", "ReaderBuffer::~ReaderBuffer() {}",
             ON_INPUT),
    Mutation("a sync drops a character that was put back", READER_BUFFER,
             "  if (area_ == Area::in_block || gptr() != eback()) settle();\n", "  settle();\n",
             ON_INPUT),
    Mutation("a moved stream leaves badbit to the old one", ISTREAM_READER,
             "  set_rdbuf(&buffer_);\n  buffer_.set_stream(this);", "  set_rdbuf(&buffer_);",
             ON_INPUT),
    Mutation("a Sink over a stream holds bytes back", OSTREAM_SINK,
             "    if (flushes()) return {};\n", "    if (true) return {};\n", ON_ADAPTED),
    Mutation("a Sink over a stream ignores bytes that the stream refuses", OSTREAM_SINK,
             "      if (bytes != piece.size()) return refused(position + written);\n", "",
             ON_ADAPTED),
    Mutation("a patch leaves the stream behind the patch", OSTREAM_SINK,
             "if (status.ok() && !move_to(next))", "if (false)", ON_ADAPTED),
    Mutation("a gap in a stream is not filled", OSTREAM_SINK,
             " && !fills_up_to(position)", "", ON_ADAPTED),
    Mutation("a Source over a stream takes a failure for the end", ISTREAM_SOURCE,
             "    if (taken < 0) {", "    if (taken < 0) taken = 0;\n    if (taken < 0) {",
             ON_ADAPTED),
]
