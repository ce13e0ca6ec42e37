"""Mutations of the C interface."""
from mutation import Mutation

C_ERROR = "src/c/error.cc"
C_GUARDED = "src/c/error.h"
C_OPTIONS = "src/c/options.cc"
C_WRITER = "src/c/writer.cc"
C_READER = "src/c/reader.cc"
C_TEXT = "src/c/writer_text.cc"
C_CALLBACKS = "src/c/callbacks.cc"
C_LOST_ERROR = "src/c/lost_error.cc"
C_HEADER = "include/sluice/c.h"
C_HANDLES_TEST = "src/c/c_handles_test.cc"

ON_C = "CHandles.*:CFailures.*:CText.*:CSinks.*:CSources.*"

C_INTERFACE = [
    Mutation("an exception reaches a C program", C_GUARDED,
             "} catch (const std::bad_alloc&) {", "} catch (const std::bad_array_new_length&) {",
             ON_C),
    Mutation("a program with another window is accepted", C_OPTIONS,
             "if (window == SLUICE_C_WINDOW) return {};", "return {};", ON_C),
    Mutation("a struct of another size is used", C_OPTIONS,
             "if (given_bytes == bytes) return {};", "return {};", ON_C),
    Mutation("a choice out of range is used", C_OPTIONS,
             "if (choice >= 0 && choice <= last) return {};", "return {};", ON_C),
    Mutation("a refused flush is told as a refused open", C_WRITER,
             "SLUICE_TO_STORAGE, Operation::flush)", "SLUICE_TO_STORAGE)", ON_C),
    Mutation("a C program is told of std::string_view", C_WRITER,
             "if (text == nullptr) return CInterface::refuse(",
             "if (false) return CInterface::refuse(", ON_C),
    Mutation("put uses a null handle", C_WRITER,
             "return writer != nullptr && CInterface::of(*writer).put(",
             "return CInterface::of(*writer).put(", ON_C),
    Mutation("the inline put uses a null handle", C_HEADER,
             "!writer || writer->cursor_ == writer->limit_",
             "writer->cursor_ == writer->limit_", ON_C, test_file=C_HANDLES_TEST),
    Mutation("get uses a null handle", C_READER,
             "return reader == nullptr ? SLUICE_END : CInterface::of(*reader).get();",
             "return CInterface::of(*reader).get();", ON_C),
    Mutation("a record of 0 bytes is read", C_READER,
             "if (record_bytes == 0) {", "if (false) {", ON_C),
    Mutation("a text that was cut is printed by sluice_printf", C_TEXT,
             "if (bytes >= room)", "if (bytes > room)", ON_C),
    Mutation("a format that the C library refuses is forgotten", C_TEXT,
             "if (length < 0) return refuse_format(of);", "if (length < 0) return false;", ON_C),
    Mutation("a call that succeeds changes the error", C_ERROR,
             "if (!status.ok()) describe(status, error);", "describe(status, error);", ON_C),
    Mutation("a text that is cut does not show it", C_ERROR,
             "if (bytes < text.size() && bytes >= cut.size()) {", "if (false) {", ON_C),
    Mutation("the struct of a Sink is released twice", C_CALLBACKS,
             "other.calls_.release = nullptr;", "", ON_C),
    Mutation("the struct of a Sink is not released", C_CALLBACKS,
             "if (calls_.release != nullptr) calls_.release(calls_.context);", "", ON_C),
    Mutation("the bytes of a failed write do not count", C_CALLBACKS,
             "      written += done;\n", "", ON_C),
    Mutation("a C program gets a null pointer to 0 bytes", C_CALLBACKS,
             "bytes.empty() ? static_cast<const void*>(\"\") : bytes.data()", "bytes.data()", ON_C),
    Mutation("a handle that is not closed at exit is opened", "src/c/standard_handles.cc",
             "    return false;\n  }\n\n  void remove", "    return true;\n  }\n\n  void remove",
             ON_C),
    Mutation("standard output is not closed when the program ends", "src/c/standard_handles.cc",
             "if (writer != nullptr) const Writer closed = std::move(*writer);", "", ON_C),
    Mutation("a lost-error handler gets the context of another one", C_LOST_ERROR,
             "handler->call == call && handler->context == context", "handler->call == call", ON_C),
]
