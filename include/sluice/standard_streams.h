// Standard streams: a Writer for standard output and standard error, a Reader for standard input.
//
//   sluice::Reader in = sluice::standard_input();
//   sluice::Writer out = sluice::standard_output();
//   for (std::string_view line : in.lines()) {
//     if (!is_wanted(line)) continue;
//     if (!out.write(line) || !out.put('\n')) break;  // for example, the pipe has no reader left
//   }
//
// Descriptors: each stream is attached to descriptor 0, 1 or 2, which stays open. Its messages say
// "standard input", "standard output" or "standard error".
//
// A stream that cannot be attached: attaching fails if the program or its parent has closed the
// descriptor (EBADF), or if the options make no sense (EINVAL). The returned object then has that
// failure from the beginning: status() gives it, and every other call returns it, or false. If the
// Writer or Reader is destroyed before the program has been given this failure, the failure goes to
// the lost-error handler.
//
// When bytes are written: a line to a terminal is written as soon as the line is complete. A line
// through standard_error() is written as soon as the line is complete, whatever the target is. All
// other bytes are written in blocks, at flush(), and at the latest when the Writer is closed or
// destroyed. A Writer with static lifetime is destroyed when the program ends by exit() or by the
// return from main(). _exit(), quick_exit() and a fatal signal lose the bytes that the Writer
// holds.
//
// Lifetime: keep the returned Reader or Writer in a variable. The lines, parts and records that a
// Reader gives are valid only while the Reader exists.
//
// A broken pipe: if no process reads a pipe or a socket any more, writing fails with EPIPE. SIGPIPE
// does not end the program, and the program's handling of that signal stays as it was. write() and
// put() return false, and status() and close() give the EPIPE, so that a filter can stop. A Writer
// that is destroyed after this failure reports nothing: the reader has gone and wants no bytes.
//
// Several users of one stream: two Writers, or a Writer and printf or std::cout, each have a block
// of their own. No byte is lost or overwritten, even if both write to one file. But the bytes reach
// the stream in the order in which the blocks are written. So flush one of the two before the other
// one goes on. If there are two Readers of standard input, the bytes that one of them fetches are
// lost to the other one.
//
// Threads, fork() and pthread_cancel(): the rules of Writer and Reader hold.
#pragma once

#include "sluice/options.h"
#include "sluice/reader.h"
#include "sluice/writer.h"

namespace sluice {

// The options `create` and `permissions` are ignored.
Writer standard_output(const WriterOptions& options = {});
Writer standard_error(const WriterOptions& options = {});
Reader standard_input(const ReaderOptions& options = {});

}  // namespace sluice
