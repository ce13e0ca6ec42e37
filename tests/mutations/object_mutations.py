"""Mutations of objects in a store: of their Sink, their Source and their URIs."""
import dataclasses

from mutation import Mutation

PROGRAM = "sluice_object_tests"
SINK = "src/object/object_sink.cc"
SOURCE = "src/object/object_source.cc"
REASON = "src/object/reason.cc"
URI = "src/object/object_uri.cc"
OPENING = "src/object/object.cc"

ON_SINK = "*ObjectSink.*:*ObjectUpload.*:*ObjectBeside.*"
ON_SOURCE = "ObjectSource.*"
ON_URI = "ObjectUri.*"

OBJECTS = [
    dataclasses.replace(mutation, program=PROGRAM) for mutation in [
        Mutation("the beginning of an object comes in one request after another", SOURCE,
                 "if (position == 0) fetch_more_of_the_beginning();", "", ON_SOURCE),
        Mutation("an upload is not aborted", SINK,
                 "      status = result(stream_->Abort(), Operation::discard);\n", "", ON_SINK),
        Mutation("a stream that cannot be aborted is destroyed", SINK,
                 "if (!stream_->closed()) keep(stream_);", "", ON_SINK),
        Mutation("a forked child gives the parent's upload up", SINK,
                 "if (process_ != process_number()) {", "if (false) {", ON_SINK),
        Mutation("parts are queued without a limit", SINK,
                 "taken.ok() && since_flush_ == bytes_between_flushes_", "false", ON_SINK),
        Mutation("a failed part is not noticed at a flush", SINK,
                 "        taken = stream_->Flush();", "        stream_->Flush().Warn();", ON_SINK),
        Mutation("the upload is given up by Close()", SINK,
                 "const arrow::Future<> closing = stream_->CloseAsync();",
                 "const arrow::Future<> closing = stream_->Close();", ON_SINK),
        Mutation("the store is not asked whether it has the object", SINK,
                 "return status.ok() && must_ask() ? expect_object() : status;",
                 "return status;", ON_SINK),
        Mutation("the store is always asked whether it has the object", SINK,
                 "return !place_.watch || place_.watch->has_repeated();", "return true;", ON_SINK),
        Mutation("the store is not asked after a repeated request", SINK,
                 "return !place_.watch || place_.watch->has_repeated();", "return !place_.watch;",
                 ON_SINK),
        Mutation("the store is asked once for an object that may come later", SINK,
                 "if (std::chrono::steady_clock::now() >= end) return not_there();",
                 "return not_there();", ON_SINK),
        Mutation("the object beside is not removed", SINK,
                 "const arrow::Status removed = place_.file_system->DeleteFile(stream_path_);",
                 "const arrow::Status removed;", ON_SINK),
        Mutation("the object beside is not moved", SINK,
                 "if (status.ok() && place_.staging == Staging::beside) {", "if (false) {",
                 ON_SINK),
        Mutation("the largest object has no limit", SINK,
                 "make_limiting_sink(std::move(object), max_bytes)", "std::move(object)", ON_SINK),
        Mutation("std::bad_alloc leaves the Sink of an object", SINK,
                 "catch (const std::bad_alloc&)", "catch (const int&)", ON_SINK),
        Mutation("a message of the store has several lines", REASON,
                 "if (letter == '\\n' || letter == '\\r') letter = ' ';", "", ON_SINK),
        Mutation("too few bytes of a range count as all", SOURCE,
                 "if (static_cast<std::size_t>(*fetched) != range.bytes) {", "if (false) {",
                 ON_SOURCE),
        Mutation("ranges that were left are remembered for ever", SOURCE,
                 "    forget_finished();\n    left_.reserve", "    left_.reserve", ON_SOURCE),
        Mutation("a range is fetched that is no longer wanted", SOURCE,
                 "if (wanted.stop_requested()) return 0;", "", ON_SOURCE),
        Mutation("an object that cannot be moved is not copied", SINK,
                 "if (!moved.IsNotImplemented()) return moved;", "return moved;", ON_SINK),
        Mutation("the value of an option is taken for its name", URI,
                 "is_name_of_secret(options.substr(0, equals))",
                 "is_name_of_secret(options.substr(0, end))", ON_URI),
        Mutation("an encoded name of an option is not looked at", URI,
                 "plain += is_encoded ? static_cast<char>(letter) : text[at];",
                 "plain += text[at];", ON_URI),
        Mutation("a key before an abfs:// host is taken for a port", URI,
                 "return is_port(host.substr(host.rfind(':') + 1)) && !is_key;", "return true;",
                 ON_URI),
        Mutation("nothing is fetched ahead", SOURCE,
                 "ranges_ahead_ = std::min(ranges_ahead_ * growth, max_ranges_ahead_);", "",
                 ON_SOURCE),
        Mutation("a seek goes on in the old ranges", SOURCE,
                 "if (!ranges_.empty() && ranges_.front().begin <= position) return;",
                 "if (!ranges_.empty()) return;", ON_SOURCE),
        Mutation("a number sign ends the name of an object", URI,
                 "if (question < text.size() && text[question] == '#') {", "if (false) {", ON_URI),
        Mutation("a letter that a URI must not have goes to Arrow", URI,
                 "if (first == text.end()) return {};", "return {};", ON_URI),
        Mutation("credentials in a URI are taken", URI,
                 "if (has_credentials || holds_secret(options)) {", "if (false) {", ON_URI),
        Mutation("a message shows the options of a URI", URI,
                 "place = text.substr(end + separator.size(), question - end - separator.size());",
                 "", ON_URI),
        Mutation("an exclusive object is replaced", OPENING,
                 "    case CreateMode::exclusive:\n",
                 "    case CreateMode::exclusive: return {};\n",
                 ON_URI),
    ]
]
