// How each advice is followed in PHP, in compiled languages, and with libraries for files.
#pragma once

#include "trace/places/cures.h"
#include "trace/places/runtime.h"

namespace sluice::trace::cures {

// In place of Python's own words, if the program has loaded `logging`: for small writes, and for
// questions about a file that it writes.
inline constexpr Cure python_logging[] = {
    {"tiny-writes",
     "`logging` flushes each record: use a `logging.FileHandler` whose `flush` does nothing (its "
     "`close` writes the rest), or log fewer records. Otherwise leave out `flush=True`, `flush()`, "
     "`buffering=0` and `python -u`."},
    {"looked-up-again",
     "`RotatingFileHandler` and `WatchedFileHandler` of `logging.handlers` ask for their file "
     "before each record: log fewer records, or use a subclass whose `shouldRollover` is that of "
     "`RotatingFileHandler`, but asks only once whether the file is a regular one. (One that adds "
     "up the bytes of the records saves the seeks too.) A `FileHandler` asks for nothing. Keep "
     "answers for other names in a dict."},
};

// In place of Node's own words for small writes, if a thread of its pool makes each of them.
inline constexpr Cure awaited_node[] = {
    {"tiny-writes",
     "join lines into pieces of 64 KiB, and `write` these. The program waits for each write "
     "(`await`, or its callback) before it makes the next one, and so the stream or file has "
     "nothing to gather: wait only if `write` of a stream has returned false, for `drain`."},
    {"tiny-reads",
     "read 64 KiB at a time: leave `highWaterMark` of `fs.createReadStream` out, or give "
     "`fs.read` and `FileHandle.read` a large buffer."},
};

inline constexpr std::string_view gathered_by_php =
    "join many pieces into one string, and write it in one call. For standard output, PHP does so "
    "after `ob_start(null, 65536)`, or with `output_buffering=65536` in php.ini. `fputcsv` writes "
    "each line: let it write to a stream of `php://memory`, and write the text of many lines, "
    "which `stream_get_contents` hands over, in one call.";
inline constexpr Cure php[] = {
    {"tiny-writes", gathered_by_php},
    {"flush-after-each", gathered_by_php},
    {"read-again",
     "read the file once, before the loop, and keep what it holds: `$lines = file($path)`. "
     "`include` and `require` may read and compile the file each time: include a template once, "
     "before the loop, and let it return or define a function, which the loop calls for each "
     "record."},
    {"listed-again",
     "call `glob` or `scandir` once, before the loop, and keep the names in an array, or only "
     "their number: add what the program itself makes. List the folder again only when others may "
     "have changed it."},
    {"reopened",
     "open the file once, before the loop, by `fopen`: `file_put_contents` and `error_log($text, "
     "3, $path)` open and close it each time."},
    {"moved-by-copy",
     "move the file by `rename($from, $to)`, which copies it only if it goes to another file "
     "system. The file keeps its owner, mode and times."},
};

inline constexpr std::string_view buffered_reader_of_rust =
    "put a `BufReader` around the `File`, and read lines or blocks from it.";
inline constexpr std::string_view buffered_writer_of_rust =
    "put a `BufWriter` around the `File`, and call `flush` once, at the end. `println!` writes "
    "each line, and `eprintln!` each part of a line: put a `BufWriter` around "
    "`std::io::stdout().lock()` or `std::io::stderr().lock()` once, and use `writeln!`.";
inline constexpr Cure rust[] = {
    {"tiny-writes", buffered_writer_of_rust},
    {"tiny-reads", buffered_reader_of_rust},
    {"small-buffer",
     "give the buffer more bytes: `BufWriter::with_capacity(1 << 16, file)`, "
     "`BufReader::with_capacity(1 << 16, file)`."},
    {"seek-before-read",
     "keep in memory what the program reads of the file, `std::fs::read(path)`; or use `read_at` "
     "of `std::os::unix::fs::FileExt`."},
    {"read-again", "keep the bytes: `std::fs::read(path)` once."},
    {"sync-after-each",
     "call `sync_all` once at the end, or once for many records. That changes what survives a "
     "power cut."},
    {"reopened", "keep the `File` open: open it once, before the loop."},
};

inline constexpr std::string_view more_in_one_statement_of_fortran =
    "move more in one statement: `read` and `write` of a whole array, and no `flush` after each "
    "record.";
inline constexpr Cure fortran[] = {
    {"tiny-writes", more_in_one_statement_of_fortran},
    {"tiny-reads", more_in_one_statement_of_fortran},
    {"flush-after-each", more_in_one_statement_of_fortran},
    {"seek-before-read",
     "read the whole file into an array, by one `read`; leave out `backspace`, `rewind` and "
     "`read` with `pos=` for each record."},
    {"small-buffer",
     "set the environment variables GFORTRAN_FORMATTED_BUFFER_SIZE and "
     "GFORTRAN_UNFORMATTED_BUFFER_SIZE to 65536 or more."},
    {"reopened",
     "keep the unit open: `open` before the loop and `close` behind it, and not for each record."},
};

inline constexpr std::string_view lines_of_ada =
    "read and write whole lines, `Get_Line` and `Put_Line`, in place of `Get` and `Put` of "
    "characters.";
inline constexpr Cure ada[] = {
    {"tiny-stdio-writes", lines_of_ada},
    {"tiny-stdio-reads", lines_of_ada},
    {"tiny-prints", lines_of_ada},
    {"char-at-a-time", lines_of_ada},
    {"flush-after-each", "leave out `Flush` after each record: `Close` writes what is left."},
    {"reopened",
     "keep the file open: `Open` or `Create` before the loop and `Close` behind it, and not for "
     "each record."},
};

inline constexpr Cure newlisp[] = {
    {"reopened",
     "open the file once, `(open path \"append\")`, and use `write-line`: `append-file` opens and "
     "closes it each time."},
};

inline constexpr Cure pari[] = {
    {"reopened",
     "open the file once, `fileopen(path, \"a\")`, and use `filewrite`: `write` opens and closes "
     "it each time."},
};

// The rules' words suit all other advice about a library.
inline constexpr Cure zlib[] = {
    {"tiny-writes",
     "zlib makes these calls: give it a larger buffer, `gzbuffer(file, 1 << 18)`, before the first "
     "write or read."},
    {"tiny-reads",
     "zlib makes these calls: give it a larger buffer, `gzbuffer(file, 1 << 18)`, before the first "
     "write or read."},
    {"small-buffer",
     "zlib makes these calls: give it a larger buffer, `gzbuffer(file, 1 << 18)`, before the first "
     "write or read."},
    {"reopened", "Keep the file of `gzopen` open between records."},
};
inline constexpr Cure flushed_zlib[] = {
    {otherwise,
     "Leave out `gzflush` after each record: `gzclose` writes what is left. Each flush also ends a "
     "block, so the file becomes larger and its compression takes longer."},
};

inline constexpr Cure rrdtool[] = {
    {otherwise,
     "Put many values into one update, `update file time:value time:value ...`: each update opens, "
     "locks and closes the file."},
};

}  // namespace sluice::trace::cures
