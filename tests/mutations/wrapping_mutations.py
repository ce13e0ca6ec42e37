"""Mutations of the Sinks and Sources that wrap others."""
from mutation import Mutation

SINKS = "src/backend/wrapping_sinks.cc"
SOURCES = "src/backend/wrapping_sources.cc"
TEE = "src/backend/tee_sink.cc"
WRAPPING = "src/backend/wrapping_sink.h"

ON_WRAPPING = ("WrappingS*:NullS*:CountingS*:LimitingS*:ChecksummingS*:TeeSink.*:Crc32c.*:"
               "*Contract*")

WRAPPERS = [
    Mutation("offered bytes count as written", SINKS,
             "    Status status = WrappingSink::write(position, pieces, written);\n"
             "    bytes_ += written;",
             "    Status status = WrappingSink::write(position, pieces, written);\n"
             "    bytes_ += bytes_in(pieces);", ON_WRAPPING),
    Mutation("patches are not counted", SINKS,
             "    Status status = WrappingSink::write_at(position, bytes, written);\n"
             "    bytes_ += written;",
             "    Status status = WrappingSink::write_at(position, bytes, written);", ON_WRAPPING),
    Mutation("a limit counts from the start of the file", SINKS,
             "wrapped().start_position();", "0;", ON_WRAPPING),
    Mutation("the position of a very large limit overflows", SINKS,
             "std::min(max_bytes, std::numeric_limits<std::uint64_t>::max() - start)",
             "max_bytes", ON_WRAPPING),
    Mutation("bytes that fit before the limit are not written", SINKS,
             "first_bytes(pieces, room), written)", "first_bytes(pieces, 0), written)",
             ON_WRAPPING),
    Mutation("a limit does not hold for patches", SINKS,
             "    if (bytes.size() <= room) return WrappingSink::write_at(position, bytes, "
             "written);",
             "    return WrappingSink::write_at(position, bytes, written);", ON_WRAPPING),
    Mutation("a checksum has bytes that were not written", SINKS,
             "for_first_bytes(pieces, written,", "for_first_bytes(pieces, bytes_in(pieces),",
             ON_WRAPPING),
    Mutation("a Sink with a checksum accepts a patch", SINKS,
             "  Status write_at(std::uint64_t position, BytesView, std::size_t& written) "
             "override {\n    written = 0;\n"
             "    return in_sequence_only(Operation::write, position);",
             "  Status write_at(std::uint64_t position, BytesView bytes, std::size_t& written) "
             "override {\n    return WrappingSink::write_at(position, bytes, written);",
             ON_WRAPPING),
    Mutation("a Sink with a checksum accepts a seek", SINKS,
             "    return in_sequence_only(Operation::seek, position);",
             "    return WrappingSink::seek(position);", ON_WRAPPING),
    Mutation("the second target of a tee gets bytes that the first one has not", TEE,
             "first_bytes(pieces, in_first)", "first_bytes(pieces, bytes_in(pieces))",
             ON_WRAPPING),
    Mutation("a tee writes at one position to targets that start at different ones", TEE,
             "return position - first_start_ + second_start_;", "return position;", ON_WRAPPING),
    Mutation("a tee accepts a seek that only one target can make", TEE,
             "first_->seek(next_).ok() && second_->seek(in_the_second(next_)).ok()", "true",
             ON_WRAPPING),
    Mutation("a tee patches bytes that lie before the start of one target", TEE,
             "    if (has_no_counterpart(position)) return false;\n",
             "", ON_WRAPPING),
    Mutation("a sync that is not supported hides one that failed", TEE,
             "return weight_of(first) >= weight_of(second) ? first.also(second) : "
             "second.also(first);", "return first.also(second);", ON_WRAPPING),
    Mutation("the second target is published although the first could not be", TEE,
             "!first.ok() && first.operation() != Operation::sync_directory", "false",
             ON_WRAPPING),
    Mutation("the second target is not published if the first's name may be lost", TEE,
             "!first.ok() && first.operation() != Operation::sync_directory", "!first.ok()",
             ON_WRAPPING),
    Mutation("a published target is published again", TEE,
             "second_published_ ? Status() : second_->publish()", "second_->publish()",
             ON_WRAPPING),
    Mutation("a tee writes to a staged target and to one that is not", TEE,
             "    if (first_->is_staged() == second_->is_staged()) return;\n", "    return;\n",
             ON_WRAPPING),
    Mutation("publish forgets an earlier refusal", TEE,
             "  Status publish() override {\n    if (!refusal_.ok()) return refusal_;",
             "  Status publish() override {", ON_WRAPPING),
    Mutation("a tee closes the first alone", TEE,
             "    return first.also(second_->close());", "    return first;", ON_WRAPPING),
    Mutation("a tee with a pipe allows write-behind", TEE,
             "first_->allows_write_behind() && second_->allows_write_behind()",
             "first_->allows_write_behind()", ON_WRAPPING),
    Mutation("a wrapped Sink that computes takes the threads of other files",
             "src/backend/wrapping_sink.h", "return wrapped_->is_compute_bound();",
             "return false;", ON_WRAPPING),
    Mutation("a wrapped Sink that wants full blocks gets parts of them",
             "src/backend/wrapping_sink.h", "return wrapped_->wants_full_blocks();",
             "return false;", ON_WRAPPING),
    Mutation("bytes of a failed read are counted", SOURCES,
             "    if (status.ok()) bytes_ += got;", "    bytes_ += got;", ON_WRAPPING),
    Mutation("bytes of a failed read are summed", SOURCES,
             "    if (status.ok()) checksum_.add(into.first(std::min(got, into.size())));",
             "    checksum_.add(into.first(std::min(got, into.size())));", ON_WRAPPING),
    Mutation("a limited Source fetches bytes after its limit", SOURCES,
             "WrappingSource::read(position, into.first(room), got)",
             "WrappingSource::read(position, into, got)", ON_WRAPPING),
    Mutation("a limited Source reports the size of the whole", SOURCES,
             "    if (status.ok()) bytes = std::min(bytes, max_bytes_);\n", "", ON_WRAPPING),
    Mutation("a Source with a checksum accepts a seek", SOURCES,
             "    return Status::failure(Operation::seek, path(), ESPIPE, position,\n"
             "                           \"it has no positions, because its checksum "
             "needs the bytes in sequence\");",
             "    return WrappingSource::seek(position);", ON_WRAPPING),
    Mutation("a tee leaves its first target where the second cannot go", "src/backend/tee_sink.cc",
             "} else if (Status back = first_->seek(next_); !back.ok()) {",
             "} else if (Status back; !back.ok()) {", ON_WRAPPING),
    Mutation("a tee of targets with positions says that it has none", "src/backend/tee_sink.cc",
             "has_no_counterpart(position)\n                               ?",
             "false\n                               ?", ON_WRAPPING),
    Mutation("a tee writes bytes to its second target that the first one has forgotten",
             "src/backend/tee_sink.cc", "in_first == bytes_in(pieces)", "first.ok()", ON_WRAPPING),
    Mutation("a tee publishes its second file after the first could not be made durable",
             "src/backend/tee_sink.cc",
             "!first.ok() && first.operation() != Operation::sync_directory",
             "weight_of(first) > 2", ON_WRAPPING),
    Mutation("a tee goes on although its first target is at a wrong place",
             "src/backend/tee_sink.cc", "      return lost_place(back);\n", "", ON_WRAPPING),
    Mutation("a null Source throws without memory", SOURCES,
             "return os::guarded([]() -> std::unique_ptr<Source> "
             "{ return std::make_unique<NullSource>(); },\n"
             "                     []() -> std::unique_ptr<Source> { return nullptr; });",
             "return std::make_unique<NullSource>();", ON_WRAPPING),
    Mutation("a tee names the later of two failures", "src/backend/tee_sink.cc",
             "return second.bytes < first.bytes ?", "return false ?", ON_WRAPPING),
    Mutation("a failure is told of twice", "src/os/status.cc",
             "is_same_as(second) || tells_of(second)", "is_same_as(second)", "Status.*"),
]
