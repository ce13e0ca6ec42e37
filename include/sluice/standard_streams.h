// Standard streams: a Writer for standard output and standard error, a Reader for standard input.
//
//   sluice::Reader in = sluice::standard_input();
//   sluice::Writer out = sluice::standard_output();
//   for (std::string_view line : in.lines()) {
//     if (!is_wanted(line)) continue;
//     if (!out.write(line) || !out.put('\n')) break;  // nobody reads any more, say
//   }
//
// Each is attached to descriptor 0, 1 or 2, which stays open, and its messages say "standard
// input", "standard output" or "standard error". Where it cannot be attached (the program or its
// parent has closed the descriptor: EBADF) every call finds that failure, status() from the first
// on, and one that nobody has asked for goes to the lost-error handler. Options that make no sense
// do the same.
//
// Lines leave at once for a terminal, and from standard_error() wherever it leads; otherwise bytes
// leave in blocks, at flush() and at the latest when the Writer is closed or destroyed. So does
// what a Writer with static lifetime holds when the program ends by exit() or by the return from
// main(); _exit(), quick_exit() and a fatal signal lose it.
//
// What these functions return is to be kept in a variable: a loop over standard_input().lines()
// would outlive its Reader.
//
// A broken pipe: when nobody reads a pipe or a socket any more, writing fails with EPIPE. SIGPIPE
// does not end the program, and what the program does with that signal stays as it was. write() and
// put() return false, status() and close() give the EPIPE, so that a filter can stop; a Writer that
// is destroyed is silent, for nothing is lost that somebody wanted.
//
// Two Writers for one stream, or a Writer and printf or std::cout, each have a block of their own.
// No byte is lost or overwritten, also in a file that both write to, but the bytes come in the
// order in which the blocks leave: flush() one before the other goes on. Two Readers of standard
// input each take what they fetch away from the other one.
//
// Threads, fork() and pthread_cancel(): as Writer and Reader.
#pragma once

#include "sluice/options.h"
#include "sluice/reader.h"
#include "sluice/writer.h"

namespace sluice {

// Of the options all but `create` and `permissions` count.
Writer standard_output(const WriterOptions& options = {});
Writer standard_error(const WriterOptions& options = {});
Reader standard_input(const ReaderOptions& options = {});

}  // namespace sluice
