// Stream: what a sluice_FILE is inside the library, and the steps that all calls are made of.
//
// A stream has one block, which holds the bytes around the file position. While the stream reads,
// the window of the FILE is what the program has not yet read of the block. While it writes, the
// bytes from `dirty` to write_cursor are accepted and not written. A stream begins to write or to
// read at the first call that needs it: begin_writing(), end_writing().
//
// The calls go to the descriptor directly, not through a Writer or a Reader: a FILE goes on after a
// failure, shares its descriptor's offset with other processes, and leaves errno to the program.
//
// Threads: the caller holds the stream's lock, or is the only user of the stream. No call waits for
// a second lock while it holds one, except for the list's lock, which is held for a few
// instructions.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "sluice/stdio_stream.h"
#include "stdio/descriptor.h"
#include "stdio/recursive_lock.h"

namespace sluice::stdio {

enum class Buffering : std::uint8_t { not_chosen, full, line, none };

constexpr std::int64_t page_bytes = 4096;
constexpr std::int64_t unknown_position = -1;  // after bytes were appended
constexpr std::size_t first_fetch_bytes = 4096;
constexpr std::size_t default_block_bytes = 65536;
constexpr std::size_t max_block_bytes = std::size_t{16} << 20;  // that setvbuf() gives
constexpr std::size_t cache_line_bytes = 64;
constexpr std::size_t pushback_bytes = 64;  // room for ungetc() before the block

struct StreamFile {
  sluice_FILE file;  // the first member: a sluice_FILE* is the address of its StreamFile
};

// What freopen() and fclose() make anew, beside the members of the FILE.
struct StreamState {
  unsigned char* memory;  // pushback_bytes or a little more, then the block
  unsigned char* begin;   // the block
  unsigned char* end;
  // The bytes of the file that are in the block. They end at data_position. Bytes before data_begin
  // may have been changed by ungetc().
  unsigned char* data_begin;
  unsigned char* data_end;
  unsigned char* dirty;
  std::int64_t data_position;
  std::int64_t dirty_position;   // where the byte at `dirty` goes
  std::int64_t kernel_position;  // the offset of the descriptor
  std::size_t block_bytes;
  std::size_t fetch_bytes;  // grows while the program reads in sequence

  int descriptor;
  int open_flags;  // what the descriptor was opened with
  Buffering buffering;
  bool readable;
  bool writable;
  bool appends;
  bool follows_end;  // the descriptor appends, and the mode of the stream does not say so
  bool is_started;   // the block is there, and the kind of the target is known
  bool is_seekable;
  bool is_regular;
  bool is_writing;
  bool is_shared;  // other users of the descriptor may want its offset
  // fileno() has told the program the descriptor. It takes no lock: see is_known().
  bool is_known;
  bool is_volatile;  // a file such as those of /proc: its size is 0, and its bytes change
  // Nothing was read or written since the beginning, or since fflush(). Until then POSIX lets the
  // program use the descriptor itself, so its offset may be another one.
  bool is_synchronized;
  // As with glibc, the first seek reads the bytes again. After the end of the file was met, every
  // seek does so, because the block is then empty. A program that waits for another program's bytes
  // seeks there.
  bool reads_again;
  bool has_failed;
  bool at_end;

  // See text.h.
  bool translates;
  bool holds_return;
  std::int64_t raw_begin;
  std::size_t text_bytes;  // that were put into the block

  FILE* scanner;  // see scan.cc
  unsigned char* scanned_limit;
  FILE* printer;  // see print.cc
  bool print_overflows;
};

// A stream is never freed. After fclose() it refuses every call with EBADF, until fopen() uses it
// again: see open_streams.cc.
struct Stream : StreamFile, StreamState {
  FILE* process;        // what the C library's popen() has given. Null for other streams
  bool is_closed;       // in the queue of closed streams
  bool is_standard;     // stdin, stdout or stderr, which fopen() does not use again
  Stream* next;         // in the list of all streams. Constant once the stream is in the list
  Stream* next_closed;  // in the queue of closed streams
  // Other threads use these three by std::atomic_ref, without the lock. The thread that holds the
  // lock reads, perhaps for ever:
  alignas(std::atomic_ref<bool>::required_alignment) bool is_being_read;
  // The program takes the lock, so other threads may use the stream when they have it:
  alignas(std::atomic_ref<bool>::required_alignment) bool is_used_with_lock;
  // The thread that wrote to this line-buffered stream last:
  alignas(std::atomic_ref<pthread_t>::required_alignment) pthread_t line_writer;
  unsigned locks;  // of calls of the library. Those of flockfile() are the program's own
  RecursiveLock lock;
};

inline Stream& stream_of(sluice_FILE* file) {
  return static_cast<Stream&>(*reinterpret_cast<StreamFile*>(file));
}

inline bool is_known(Stream& stream) {
  return std::atomic_ref(stream.is_known).load(std::memory_order_relaxed);
}

// Holds a stream's lock for a call of the library. The lock is recursive. If the thread is
// cancelled, no destructor runs, and call_that_waits() gives the lock back.
class StreamLock {
 public:
  explicit StreamLock(Stream& stream) : stream_(stream) {
    stream.lock.lock();
    ++stream.locks;
  }
  ~StreamLock() { sluice_stdio_unlock(&stream_.file); }
  StreamLock(const StreamLock&) = delete;
  StreamLock& operator=(const StreamLock&) = delete;

 private:
  Stream& stream_;
};

// Makes a system call that may wait. If the thread is cancelled in it, the locks that the calls of
// the library hold are given back, because these calls never return to unlock the stream. glibc
// does not look for that while the process has one thread.
void give_locks_back(void* stream);
template <typename Call>
std::ptrdiff_t call_that_waits(Stream& stream, Call call) {
  if (stream.locks == 0 || is_alone()) return call();
  return call_with_cleanup([](void* argument) { return (*static_cast<Call*>(argument))(); }, &call,
                           give_locks_back, &stream);
}

// Each of these sets errno and the error indicator when it returns false.
bool expect_open(Stream& stream);
bool start(Stream& stream);
bool begin_writing(Stream& stream);
bool flush_dirty(Stream& stream);
bool flush_dirty(Stream& stream, std::size_t& written);  // the bytes that reached the target
bool end_writing(Stream& stream);
// Forgets the bytes in the block. The next byte goes to the block's beginning.
void restart_block(Stream& stream);
// Fetches bytes from the file if the window is empty. False also at the end of the file.
bool fetch(Stream& stream);

// Writes to the descriptor. `written` is the number of bytes that reached the target.
bool write_through(Stream& stream, const unsigned char* from, std::size_t bytes,
                   std::size_t& written);
// Writes the program's bytes to the descriptor: as they are, or translated. `written` is the number
// of the program's bytes that reached the target.
bool write_out(Stream& stream, const unsigned char* from, std::size_t bytes, std::size_t& written);
// True if the next bytes of the file must be translated. The window must be empty.
bool reads_text(Stream& stream);
// One read into the caller's memory, at the stream's position. The window must be empty.
bool read_through(Stream& stream, unsigned char* into, std::size_t bytes, std::size_t& got);
std::size_t write_bytes(Stream& stream, const unsigned char* from, std::size_t bytes);
bool prepare_reading(Stream& stream);

// The position of the next byte that the program reads or writes. 0 if ungetc() has pushed back
// bytes before the beginning of the file. ESPIPE if there are no positions.
bool find_position(Stream& stream, std::int64_t& position);
// ESPIPE if there are no positions. Afterwards the offset of the descriptor is known.
bool learn_offset(Stream& stream);
void drop_data(Stream& stream, std::int64_t position);
// Gives the descriptor the offset that the program knows.
bool synchronize(Stream& stream);

// Adds the stream to the list of all streams.
void add_stream(Stream& stream);
// Returns the stream that was closed first, if enough streams have been closed after it. Otherwise
// returns null.
Stream* take_closed_stream();
void keep_closed_stream(Stream& stream);
bool flush_all();
// Writes what is left, at the end of the program. The functions of atexit() have run before.
void finish_streams();
// Before a read from a terminal, or from a stream without a buffer. Without a lock the lines of
// another thread stay where they are.
void flush_lines_of_standard_output();
void free_scanner(Stream& stream);
void free_printer(Stream& stream);

}  // namespace sluice::stdio
