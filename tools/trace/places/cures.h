// How each advice is followed in the terms of a runtime. Code stands in backquotes.
#pragma once

#include "trace/places/runtime.h"

namespace sluice::trace::cures {

// The cure for all other advice.
inline constexpr std::string_view otherwise = "otherwise";

inline constexpr Cure iostreams[] = {
    {"tiny-stdio-writes",
     "Call `std::ios::sync_with_stdio(false)` before the first output: `std::cout` then has a "
     "buffer of its own. Or use sluice::Writer."},
    {"tiny-stdio-reads",
     "Call `std::ios::sync_with_stdio(false)` before the first input: `std::cin` then has a buffer "
     "of its own. Or use sluice::Reader."},
    {"char-at-a-time",
     "Call `std::ios::sync_with_stdio(false)` before the first input: `std::cin` then has a buffer "
     "of its own. Or use sluice::Reader."},
    {"tiny-writes",
     "Write '\\n' and not `std::endl`, and leave out `std::flush`, `std::unitbuf` and calls of "
     "`flush()`, so that the stream fills its buffer; or use sluice::Writer."},
    {"tiny-reads",
     "Leave the stream's buffer as it is, without `pubsetbuf(nullptr, 0)`, or use sluice::Reader."},
    {"flush-after-each",
     "Write '\\n' and not `std::endl`, and leave out `std::flush`, `std::unitbuf` and calls of "
     "`flush()` where nobody waits for the bytes; or use sluice::Writer."},
    {"unbuffered-stream",
     "Leave out `std::unitbuf` and `pubsetbuf(nullptr, 0)`, so that the stream has a buffer; or "
     "use sluice::Writer or sluice::Reader."},
    {"large-pieces",
     "Append the pieces to a `std::string` or an array, and write that by one `write` when it has "
     "64 KiB; or use sluice::Writer, which gathers pieces of this size too."},
    {"small-buffer",
     "Give a file's stream a larger buffer before it opens the file, "
     "`file.rdbuf()->pubsetbuf(memory, 1 << 20)`; or use sluice::Writer or sluice::Reader, also in "
     "place of `std::cout` and `std::cin`."},
    {"pieces-of-large-file",
     "Use `pread` with a descriptor of the file, which takes the position as an argument; or, if "
     "one `read` of a few bytes follows each seek, give the stream no buffer, which each seek "
     "fills anew: `file.rdbuf()->pubsetbuf(nullptr, 0)` before it opens the file."},
    {"seek-before-read",
     "Keep in memory what the program reads of the file: read it once, by `file.read` of its size "
     "or by sluice::read_file. If the program changes the file, make the changes there too, and "
     "write them at the end."},
    {"reopened",
     "Keep the file open between records: one `std::ofstream` or `std::ifstream`, or one "
     "sluice::Writer or sluice::Reader."},
    {"looked-up-again",
     "Keep what `std::filesystem` has answered (`exists`, `last_write_time`, `file_size`) or "
     "whether the stream could be opened, by name; ask again only when it may have changed, once "
     "for many records or once in a second. In a loop over a folder, ask the `directory_entry` "
     "(`entry.is_regular_file()`), which knows the kind of its file, or ask once for its "
     "`status()`."},
    {"asked-in-a-row",
     "Ask once for each name: `std::filesystem::status` has kind and rights, and the entries of a "
     "`directory_iterator` know the kind of their files. `stat` has size and times too."},
};

// Of writes that a read causes. They are flushes, whatever advice there is about them.
inline constexpr Cure tied_iostreams[] = {
    {otherwise,
     "Call `std::cin.tie(nullptr)` before the first input: `std::cin` is tied to `std::cout`, so "
     "each `>>` and `std::getline` first writes what is in `std::cout`. A program that asks "
     "questions then needs `std::flush` after each question."},
};

// Of standard streams in step with stdio, whose C stream has no buffer.
inline constexpr Cure unbuffered_iostreams[] = {
    {otherwise,
     "`std::cerr` has no buffer, and each `<<` is a system call: put the text of many lines into a "
     "`std::ostringstream`, and write it by one `<<`. `std::clog` has no buffer either while it is "
     "in step with stdio."},
};

// Of writes that a read or a seek of the same file causes.
inline constexpr Cure read_and_written_iostreams[] = {
    {otherwise,
     "A `std::fstream` writes what is in its buffer whenever the program reads or seeks: make the "
     "changes in memory, and write them in order at the end."},
};

inline constexpr Cure python[] = {
    {"tiny-writes",
     "let the file's buffer gather the pieces: leave out `flush=True`, `flush()`, `buffering=0`, "
     "`buffering=1`, `os.write` and `python -u` (PYTHONUNBUFFERED). `input()` flushes what `print` "
     "has gathered: read by `for line in sys.stdin`. `sys.stderr` writes each line at once: join "
     "many lines, and write them by one call."},
    {"pipe-pieces",
     "leave out `flush=True`, `flush()`, `bufsize=1` (or 0) and `python -u` (PYTHONUNBUFFERED), "
     "where the other program need not see each line at once: the file then gathers the lines."},
    {"round-trips",
     "send many questions in one piece, and then read all their answers: a `multiprocessing` pool "
     "takes `chunksize=100`; or do the work in this process."},
    {"tiny-reads",
     "open the file without `buffering=0` and use its `read`, not `os.read`; or read more in one "
     "call: `file.read(1 << 20)`."},
    {"small-buffer",
     "move more bytes in one call: `open(path, \"w\", buffering=1 << 20)` to write; to read, "
     "`open(path, \"rb\", buffering=1 << 20)` or `file.read(1 << 20)`. (A file that is read as "
     "text ignores `buffering`.)"},
    {"pieces-of-large-file",
     "use `os.pread(file.fileno(), bytes, position)`, which takes the position as an argument."},
    {"seek-before-read",
     "keep in memory what the program reads of the file: `data = file.read()`. "
     "`os.pread(file.fileno(), bytes, position)` in place of both calls saves a part of this."},
    {"asked-positions",
     "count the positions in place of `tell()`, which asks the kernel each time and decodes a part "
     "of a text again: open the file with `\"rb\"`, and add `len(line)` for each line."},
    {"scattered-writes",
     "map the file by `m = mmap.mmap(file.fileno(), 0)`, and change the small pieces there: "
     "`m[p:p + len(piece)] = piece`."},
    {"read-again",
     "read the file once, before the loop, and keep the bytes or what the program makes of them: "
     "`data = file.read()`, a dict, one open `zipfile.ZipFile`. (A `gzip`, `bz2` or `lzma` file "
     "begins anew for a seek backwards.) If the program changes the file, make the changes in "
     "memory too, and write them at the end."},
    {"archive-opened-again",
     "open the archive once, before the loop, and take all members from it, or add all members to "
     "it: `zipfile.ZipFile` and `tarfile.open` read the list of its members each time."},
    {"sync-after-each",
     "call `os.fsync`, or `flush` of a mapping, once at the end, or once for many records. In "
     "place of `os.sync`, which writes all files of the machine, use `os.fsync`. That changes what "
     "survives a power cut."},
    {"synchronous-writes",
     "join records before they are written, or open the file without `os.O_SYNC` and call "
     "`os.fsync` once at the end. That changes what survives a power cut."},
    {"reopened",
     "open the file once, before the loop, and not for each record. A module such as `dbm.dumb` "
     "opens its files for each value: keep the values in a dict, and store it at the end as one "
     "file, by `json.dump` or `pickle.dump`; or use `sqlite3`."},
    {"overlap",
     "let another `threading.Thread` write: Python runs other threads while one of them waits for "
     "a file."},
    {"cold-mapping",
     "read the file in large pieces, `file.read(1 << 20)`, or call `madvise(mmap.MADV_WILLNEED)` "
     "of the mapping."},
    {"looked-up-again",
     "keep the answers of `os.path.exists`, `os.stat`, `os.path.getmtime` and `Path.is_file` in a "
     "dict, by name, or list the folder once by `os.scandir`; ask again only when they may have "
     "changed, once for many records or once in a second."},
    {"asked-in-a-row",
     "ask once for each name, by `os.stat`, and take kind, size and times from its answer; the "
     "entries of `os.scandir` have some of these already."},
    {"listed-again",
     "call `os.listdir`, `os.scandir`, `glob.glob` or `Path.iterdir` once for many records, and "
     "keep the names; list the folder again only when these are done, or when it may have "
     "changed."},
    {"locked-for-each",
     "call `fcntl.flock` or `fcntl.lockf` once, for all records or for many, if no other process "
     "has to write in between; and leave out `file.flush()` after each record."},
    {"started-programs",
     "use a module in place of the command (`datetime`, `re`, `pathlib`, `shutil`, `hashlib`); or "
     "start the command once, by `subprocess.Popen`, and hand it all records."},
    {"moved-by-copy",
     "move the file by `os.replace`, or by `shutil.move`, which copies it only if it goes to "
     "another file system. The file keeps its owner, mode and times."},
};

inline constexpr Cure perl[] = {
    {"pieces-of-large-file",
     "use `sysseek` and `sysread`, which fill no buffer, in place of `seek` and `read`."},
    {"tiny-writes",
     "leave out `$| = 1` and `autoflush` for this file, so that `print` fills the buffer; with "
     "`syswrite`, join many pieces and write them in one call. `STDERR` has no buffer: join many "
     "lines, and print them at once."},
    {"tiny-reads", "use `read` or `<$file>`, which have a buffer, and not `sysread`."},
    {"small-buffer",
     "move more bytes in one call: PerlIO's buffer has 8 KiB. Join the pieces in a string, and "
     "`syswrite` it when it has 1 MiB; read with `sysread` of 1 MiB. (Use `binmode` first, and "
     "neither `print` nor `<$file>` on the same handle.)"},
    {"read-again",
     "read the file once, before the loop, and keep it in an array or a hash: `my @lines = "
     "<$file>`. If the program changes the file, make the changes there too, and write them at the "
     "end. (`Tie::File` moves the rest of the file for each line whose length changes.)"},
    {"sync-after-each",
     "call `$file->sync` once at the end, or once for many records. That changes what survives a "
     "power cut."},
    {"looked-up-again",
     "keep the answers of `-e`, `-f`, `-M` and `stat` in a hash, by name; ask again only when they "
     "may have changed, once for many records or once in a second. After `stat` or a test, `_` in "
     "place of the name uses its answer."},
    {"locked-for-each",
     "call `flock` once, for all records or for many, if no other process has to write in between: "
     "`flock` and `seek` write what `print` has gathered."},
    {"started-programs",
     "do this work in Perl in place of backquotes, `system` and `open(..., \"-|\")`: `split`, "
     "`substr`, `mkdir`, `rename`, `unlink`, `POSIX::strftime`; or start the command once, and "
     "hand it all records."},
    {"moved-by-copy",
     "move the file by `rename $from, $to`, or by `move` of `File::Copy`, which copies it only if "
     "it goes to another file system. The file keeps its owner, mode and times."},
};

inline constexpr Cure tie_file[] = {
    {"seek-before-read",
     "read the lines into an array, `my @lines = <$file>`, change them there, and write them at "
     "the end: `Tie::File` seeks and reads anew for most lines that the program asks it for."},
};

inline constexpr Cure node[] = {
    {"stream-pieces",
     "join many lines into one string before `write` of the stream: `lines.push(line)`, and for "
     "each thousand of them `stream.write(lines.join(\"\\n\") + \"\\n\")`."},
    {"tiny-writes",
     "join many lines into one string and write it in one call, or use "
     "`fs.createWriteStream(path)`, which gathers them. `console.log`, `process.stdout.write`, "
     "`fs.writeSync` and `fs.appendFileSync` write each piece at once."},
    {"tiny-reads",
     "read more in one call: `fs.readFileSync(path)`, `fs.createReadStream(path)`, or "
     "`fs.readSync` into a buffer of 64 KiB or more."},
    {"small-buffer",
     "move more bytes in one call: `fs.createReadStream` and `fs.createWriteStream` with "
     "`{highWaterMark: 1 << 20}`, or larger buffers for `fs.readSync` and `fs.writeSync`."},
    {"pieces-of-large-file", "give `fs.readSync` the position as its last argument."},
    {"seek-before-read", "give `fs.readSync` the position as its last argument."},
    {"read-again",
     "read the file once, before the loop, `data = fs.readFileSync(path)`, and keep the bytes or "
     "what the program makes of them, as in a `Map`."},
    {"sync-after-each",
     "call `fs.fsyncSync` once at the end, or once for many records. That changes what survives a "
     "power cut."},
    {"reopened",
     "open the file once and write to its descriptor, or use "
     "`fs.createWriteStream(path, {flags: \"a\"})`: `fs.appendFileSync` and `fs.writeFileSync` "
     "open and close the file each time."},
    {"looked-up-again",
     "keep the answers of `fs.existsSync`, `fs.statSync` and `fs.accessSync` in a `Map`, by name, "
     "or list the folder once by `fs.readdirSync`; ask again only when they may have changed, or "
     "let `fs.watch` tell."},
    {"listed-again",
     "call `fs.readdirSync` once, before the loop, and keep the names in a `Set`, or only their "
     "number: add what the program itself makes. List the folder again only when others may have "
     "changed it; `fs.watch` tells."},
    {"started-programs",
     "use a module in place of `execSync`, `execFileSync` and `spawnSync` (`fs`, `path`, `crypto`, "
     "`zlib`, `Intl`); or start the command once, by `spawn`, and hand it all records."},
    {"moved-by-copy",
     "move the file by `fs.renameSync(from, to)`. Only if this fails with `EXDEV`, because the "
     "file goes to another file system, copy and remove it. The file keeps its owner, mode and "
     "times."},
};

inline constexpr std::string_view one_command_reads =
    "`read` makes system calls for each line or even each byte: let one command such as awk read "
    "the lines.";
inline constexpr Cure shell[] = {
    {"tiny-writes",
     "each `echo` or `printf` is a system call: let one command write many lines, such as awk, or "
     "one `printf` with many arguments."},
    {"unbuffered-stream",
     "each `echo` or `printf` is a system call: let one command write many lines, such as awk, or "
     "one `printf` with many arguments."},
    {"tiny-reads", one_command_reads},
    {"pieces-of-large-file", one_command_reads},
    {"seek-before-read", one_command_reads},
    {"asked-again", one_command_reads},
    {"here-strings",
     "take a text apart without a here-string: `${line%%,*}` and `${line#*,}` are its parts around "
     "a comma. Or let the loop itself split the lines of the file: `while IFS=, read -r a b; do "
     "... done < file`; or let one command such as awk read all lines."},
    {"read-again",
     "read the file once, before the loop: `text=$(<file)` keeps its text in a variable, and in "
     "bash `mapfile -t lines < file` keeps its lines in an array; or let one command such as awk "
     "read the lines."},
    {"reopened",
     "redirect the whole loop and not each of its commands: `done >> file` opens the file once."},
    {"looked-up-again",
     "keep the answer of `[ -f file ]` in a variable, before the loop; ask again only when it may "
     "have changed. In bash, an array `known[$file]` keeps the answers of many names."},
    {"moved-by-copy", "move the files by `mv`, many of them by one command."},
};

inline constexpr std::string_view larger_reads_of_awk =
    "`nextfile` or `exit` leaves out what the program does not need of a file. If it needs all, "
    "another awk may read and write larger pieces; with gawk, set the environment variable "
    "AWKBUFSIZE to the size of the pieces.";
inline constexpr Cure awk[] = {
    {"flush-after-each",
     "leave out `fflush()` and `system(\"\")` after each record; or, if a command waits for the "
     "records, print to one pipe, `print | \"command\"`."},
    {"tiny-stdio-writes",
     "no change of the program helps: awk is quicker to print a piece than to join pieces."},
    {"tiny-writes",
     "leave out mawk's `-W interactive`, and join the lines for `/dev/stderr`. "
     "No other change of the program helps."},
    {"tiny-reads", larger_reads_of_awk},
    {"small-buffer", larger_reads_of_awk},
    {"read-again",
     "read the file once, in `BEGIN`, into an array: `while ((getline line < file) > 0)`. After "
     "`close(file)`, `getline < file` begins at the file's start again."},
    {"reopened",
     "leave out `close(file)` after each record: `print >> file` then keeps the file open until "
     "the end. With more files than `ulimit -n`, sort the records by file first."},
    {"started-programs",
     "`system()` and `command | getline` start a shell each time: print to a file or to one "
     "command that stays open, `print >> file`, `print | \"command\"`; in gawk use `strftime()` "
     "for date. Where the command's answer is needed, use awk's own functions (`gsub`, `toupper`, "
     "`substr`, `sprintf`), or in gawk one coprocess, `|&`. In place of `system(\"\")`, which "
     "writes "
     "what is gathered, use `fflush()`, or neither."},
};

inline constexpr Cure ruby[] = {
    {"tiny-writes",
     "leave out `$stdout.sync = true`, `file.sync = true`, `flush` and `syswrite`, so that `puts` "
     "and `print` fill the buffer; or join many pieces and write them in one call: "
     "`file.write(lines.join)`. `warn` and `$stderr` write each line at once: "
     "`$stderr.write(lines.join)`."},
    {"unbuffered-stream",
     "`warn` writes each line at once: join many lines, and write them in one call: "
     "`$stderr.write(lines.join)`."},
    {"tiny-reads",
     "read 64 KiB in one call, `block = file.read(65536)`, and take the records out of it, "
     "`block.unpack(\"...\", offset: place)`; read lines by `gets` or `each_line`. (`read` of a "
     "few bytes costs as much as `sysread`.)"},
    {"small-buffer",
     "move more bytes in one call: `file.read(1 << 20)`, `File.binread(path)`, and `file.write` of "
     "strings of 64 KiB or more."},
    {"pieces-of-large-file",
     "use `file.pread(bytes, position)`, which takes the position as an argument."},
    {"seek-before-read",
     "keep in memory what the program reads of the file: `data = File.binread(path)`; or use "
     "`file.pread(bytes, position)`. `file.pos` seeks too: count the positions, `place += "
     "line.bytesize`."},
    {"read-again",
     "read the file once, before the loop, and keep its lines or what the program makes of them: "
     "`lines = File.readlines(path)`."},
    {"sync-after-each",
     "call `file.fsync` once at the end, or once for many records. That changes what survives a "
     "power cut."},
    {"reopened",
     "open the file once, before the loop, `File.open(path, \"a\") do |file|`: `File.write` and "
     "`File.open` in the loop open and close it for each record."},
    {"looked-up-again",
     "keep the answers of `File.exist?`, `File.mtime` and `File.stat` in a `Hash`, by name, or "
     "list the folder once by `Dir.children`; ask again only when they may have changed."},
    {"listed-again",
     "call `Dir.glob`, `Dir.children` or `Dir.entries` once, before the loop, and keep the names "
     "in a `Set`, or only their number: add what the program itself makes. List the folder again "
     "only when others may have changed it."},
    {"locked-for-each",
     "call `file.flock` once, for all records or for many, if no other process has to write in "
     "between."},
    {"started-programs",
     "use a method in place of backquotes and `system` (`File`, `FileUtils`, `Time`, `Digest`); or "
     "start the command once, by `IO.popen`, and hand it all records."},
    {"moved-by-copy",
     "move the file by `File.rename(from, to)`, or by `FileUtils.mv`, which copies it only if it "
     "goes to another file system. The file keeps its owner, mode and times."},
};

inline constexpr Cure java[] = {
    {"tiny-writes",
     "put a `BufferedOutputStream` around the `FileOutputStream`, or a `BufferedWriter` around the "
     "`FileWriter`, and flush once, at the end: `close` flushes too. `System.out` writes each "
     "line; write many lines by `new PrintWriter(System.out)`. A `PrintStream` or `PrintWriter` "
     "with `true` (autoflush) writes each line too: leave it out. `RandomAccessFile` has no "
     "buffer: put many values into a `ByteBuffer`, and write its array in one call."},
    {"tiny-reads",
     "put a `BufferedInputStream` around the `FileInputStream`. `RandomAccessFile` and "
     "`FileChannel` have no buffer: read a block, `file.readFully(block)`, and take its values by "
     "`ByteBuffer.wrap(block)`. To read lines, use `new BufferedReader(new FileReader(path))`."},
    {"small-buffer",
     "give the stream a larger buffer: `new BufferedOutputStream(stream, 1 << 16)`, `new "
     "BufferedInputStream(stream, 1 << 16)`."},
    {"pieces-of-large-file",
     "use `channel.read(buffer, position)` of a `FileChannel`, which takes the position as an "
     "argument."},
    {"seek-before-read",
     "keep in memory what the program reads of the file: `Files.readAllBytes(path)`; or use "
     "`channel.read(buffer, position)` of a `FileChannel`."},
    {"read-again",
     "read the file once, before the loop, `Files.readAllBytes(path)`, and keep the bytes or what "
     "the program makes of them, as in a `HashMap`."},
    {"sync-after-each",
     "call `channel.force(true)` or `FileDescriptor.sync()` once at the end, or once for many "
     "records. That changes what survives a power cut."},
    {"reopened",
     "open the stream once, before the loop: `Files.write` and `Files.writeString` open and close "
     "the file each time."},
    {"moved-by-copy",
     "move the file by `Files.move(from, to)`, which copies it only if it goes to another file "
     "system. The file keeps its owner, mode and times."},
};

inline constexpr Cure tcl[] = {
    {"tiny-writes",
     "let the channel fill its buffer, `fconfigure $channel -buffering full -buffersize 65536`, "
     "without `flush` after each `puts`; or join many pieces and write them in one call: `puts "
     "-nonewline $channel [join $lines \"\"]`."},
    {"tiny-reads",
     "let the channel fill a buffer, `fconfigure $channel -buffersize 65536`, or read more in one "
     "call: `set data [read $channel]`."},
    {"small-buffer", "use a larger buffer: `fconfigure $channel -buffersize 65536`."},
    {"seek-before-read",
     "keep in memory what the program reads of the file: `set data [read $channel]`."},
    {"read-again",
     "read the file once, before the loop, `set data [read $channel]`, and keep the bytes or what "
     "the program makes of them in an array."},
    {"reopened", "open the channel once, before the loop, and not for each record."},
    {"looked-up-again",
     "keep the answers of `file exists` and `file mtime` in an array, by name, or list the folder "
     "once by `glob`; ask again only when they may have changed."},
    {"started-programs",
     "use a command of Tcl in place of `exec` (`clock format`, `file`, `string`, `regexp`); or "
     "start the command once, `open \"|command\" r+`, and hand it all records."},
};

inline constexpr std::string_view lines_of_r =
    "`cat(..., file = con)` flushes after each call: collect the lines in a character vector, and "
    "write them in one call of `writeLines(lines, con)`.";
inline constexpr Cure r[] = {
    {"flush-after-each", lines_of_r},
    {"tiny-writes", lines_of_r},
    {"unbuffered-stream", lines_of_r},
    {"tiny-stdio-writes",
     "collect the lines in a character vector, and write them in one call: `writeLines(lines, "
     "con)`."},
    {"tiny-stdio-reads",
     "read all lines in one call, `readLines(con)`, or all numbers by `scan` or `readBin` of "
     "many."},
    {"char-at-a-time",
     "read all lines in one call, `readLines(con)`, or all numbers by `scan` or `readBin` of "
     "many."},
    {"seek-before-read",
     "keep in memory what the program reads of the file: `readBin(con, \"raw\", bytes)`."},
    {"read-again", "keep the data: read the file once, before the loop."},
    {"reopened",
     "keep the connection open: `con <- file(path, \"w\")` before the loop and `close(con)` behind "
     "it. `cat`, `write` and `writeLines` with the file's name open and close it each time."},
};

inline constexpr Cure ocaml[] = {
    {"tiny-writes",
     "leave out `%!` in formats, `flush`, and functions that flush (`print_endline`, "
     "`print_newline`): an `out_channel` then gathers 64 KiB. With `Unix.write`, gather many "
     "pieces in a `Buffer` and write them in one call."},
    {"tiny-reads",
     "use an `in_channel`, which reads 64 KiB at a time (`Unix.in_channel_of_descr` makes one of a "
     "descriptor), and not `Unix.read` of a few bytes."},
    {"small-buffer",
     "use an `out_channel` or `in_channel`, which moves 64 KiB in one call, and not `Unix.write` "
     "or `Unix.read` of less."},
    {"seek-before-read",
     "keep in memory what the program reads of the file: `really_input_string channel bytes`."},
    {"read-again",
     "keep the bytes: `really_input_string channel (in_channel_length channel)` once."},
    {"sync-after-each",
     "call `Unix.fsync` once at the end, or once for many records. That changes what survives a "
     "power cut."},
    {"reopened", "open the channel once, before the loop, and not for each record."},
};

inline constexpr std::string_view large_pieces_of_lua =
    "read the whole file, `file:read(\"a\")`, or lines, `for line in file:lines() do`, and take "
    "them apart by `string.gmatch` or `string.byte`, in place of `file:read(1)`.";
inline constexpr Cure lua[] = {
    {"tiny-stdio-writes",
     "put the pieces into a table, and write many of them in one call: "
     "`file:write(table.concat(pieces))`."},
    {"tiny-prints",
     "put the pieces of many lines into a table, and write them in one call: "
     "`file:write(table.concat(pieces))`. Each number that `write` gets is printed by a call of "
     "its own."},
    {"tiny-stdio-reads", large_pieces_of_lua},
    {"char-at-a-time", large_pieces_of_lua},
    {"flush-after-each",
     "leave out `file:flush()` and `io.flush()` where nobody waits for the bytes: `file:close()` "
     "and the end of the program write what is left."},
    {"unbuffered-stream",
     "leave out `setvbuf(\"no\")` and `setvbuf(\"line\")`, or call `file:setvbuf(\"full\")`, so "
     "that the file has a buffer."},
    {"small-buffer",
     "move more bytes in one call: `file:write` of strings of 64 KiB or more, which `table.concat` "
     "makes, and `file:read(65536)`. (The size in `setvbuf(\"full\", size)` has no effect with "
     "glibc.)"},
    {"seek-before-read",
     "keep in memory what the program reads of the file: `data = file:read(\"a\")`."},
    {"read-again",
     "read the file once, before the loop, and keep what the program makes of it in a table. (The "
     "bytes alone: `data = file:read(\"a\")`.)"},
    {"reopened", "open the file once, before the loop, and not for each record."},
    {"looked-up-again",
     "keep the answers in a table: `if known[path] == nil then known[path] = exists(path) end`, "
     "where `exists` is the function that tries `io.open`; ask again only when they may have "
     "changed."},
    {"started-programs",
     "use a function in place of `io.popen` and `os.execute`: `os.date`, `os.rename`, `os.remove`, "
     "`string.gsub`; or start the command once, by `io.popen(command, \"w\")`, and hand it all "
     "records."},
};

// For languages without words of their own.
inline constexpr Cure any_language[] = {
    {"tiny-stdio-writes", "gather small pieces in memory and write many of them in one call."},
    {"tiny-stdio-reads", "read lines or large pieces, and take them apart in memory."},
    {"char-at-a-time", "read lines or large pieces, and take them apart in memory."},
    {"tiny-writes",
     "gather small pieces in memory and write many of them in one call; flush only when somebody "
     "waits for the bytes."},
    {"tiny-reads", "read lines or large pieces, and take them apart in memory."},
    {"flush-after-each", "flush only when somebody waits for the bytes, and at the end."},
    {"unbuffered-stream", "let the file have a buffer of 64 KiB or more."},
    {"small-buffer", "use a buffer of 64 KiB or more, and larger pieces."},
    {"seek-before-read", "keep in memory what the program reads of the file."},
    {"asked-positions", "count the bytes, and ask for the position in the file only once."},
    {"read-again", "read the file once, and keep the bytes or what the program makes of them."},
    {"sync-after-each",
     "sync once at the end, or once for many records. That changes what survives a power cut."},
    {"synchronous-writes",
     "gather records before they are written, or sync once at the end. That changes what survives "
     "a power cut."},
    {"reopened", "open the file once, and keep it open between records."},
    {"overlap", "let another thread or process write while the program computes."},
    {"cold-mapping", "read the file in large pieces instead of mapping it."},
    {"looked-up-again",
     "keep the answer for each name, and ask again only when it may have changed: once for many "
     "records, or once in a second."},
    {"listed-again",
     "list the folder once for many records, and keep the names; list it again only when these "
     "are done, or when it may have changed."},
    {"asked-in-a-row",
     "ask once for each name (`stat`), and take kind, size and times from this answer."},
    {"asked-again",
     "keep the answer about the open file (`fstat`), and ask again only when the file may have "
     "changed: at its end, or once for many records. A terminal stays one: ask `isatty` once."},
    {"locked-for-each",
     "lock the file once, for all records or for many, if no other process has to write in "
     "between."},
    {"started-programs",
     "do this work by a function of the language in place of a command; or start the command once, "
     "and hand it all records."},
    {"written-anew",
     "write the file once, after the last change, or only now and then; or append each change to a "
     "journal, and write the whole file seldom. That changes what survives a crash."},
    {"seek-before-write",
     "if the seeks go to the end, open the file to append, and leave them out; if they go to "
     "places in the file, put the pieces together in memory first. Each seek first writes what is "
     "in the buffer."},
    {"temporary-files", "keep the bytes in memory, and hand them over there."},
    {"moved-by-copy",
     "move the file by the function that renames files: as long as both folders lie in the same "
     "file system, no byte is copied. The file keeps its owner, mode and times."},
};

inline constexpr Cure busybox[] = {
    {otherwise, "Another program for the same work may make fewer calls."},
};

}  // namespace sluice::trace::cures
