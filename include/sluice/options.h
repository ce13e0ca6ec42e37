// The choices a user can make when opening a Writer, a Reader or a Journal. The defaults are meant
// to be right.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice {

// What happens to a file that is there already.
enum class CreateMode : std::uint8_t {
  truncate,   // its bytes are dropped at open
  append,     // every block goes behind its present end (O_APPEND)
  exclusive,  // open fails with EEXIST
  // The bytes go into a new file beside the old one, which takes its name in one step when close()
  // has made it durable, whatever `durability` says. Until then, after any failure and without
  // close() the old file stays as it is. Kept are its owner, permissions (the set-id bits are not),
  // access control list and extended attributes; a new file gets `permissions`. A symbolic link
  // stays one: the file it leads to is replaced, or created. Open fails for what has several names
  // (EMLINK), for what is no regular file, where the owner cannot be kept, where the directory
  // cannot be read or takes no new file, and where chattr(1) has made the file or the directory
  // immutable or append-only (EPERM; from close() where the file system does not tell). A process
  // that is killed leaves a file `.sluice-...`, which remove_abandoned_replacements()
  // (sluice/files.h) takes away.
  replace_atomically,
  // Open fails with ENOENT where there is no file. What is there stays, and is written over from
  // its first byte on, or from where seek() and write_at() say.
  existing,
};

// What a crash may take away. "Power cut" stands for every way the kernel stops; a program that is
// killed loses only what its Writer had not handed to the kernel.
// What has no storage behind it (a pipe, a socket, a terminal, a character device) has nothing to
// make durable: all of these are ok there. A file system that cannot make bytes durable is reported
// (EINVAL, ENOTSUP or ENOSYS, from flush and close; with every_write from the first write), and
// writing may go on, but with every_write.
// The name is made durable by a sync of its directory, which takes permission to read that. Without
// it open refuses to make a new file, for all of these but none; the name of a file that was there
// already then stays as durable as it was. Never synced are the directories above it, and the name
// of what came as a descriptor or in a Sink of the caller's: attach() and open(sink) make the bytes
// durable. docs/durability.md says what else to expect.
enum class Durability : std::uint8_t {
  none,         // close() makes the bytes visible; a power cut may lose any of them
  on_close,     // after an ok close() the bytes and the file's name survive a power cut
  every_flush,  // so do, after an ok flush() of either kind, the bytes accepted before it
  every_write,  // so do, once put, write or commit has returned, its bytes (commit: while status()
                // is ok). Each is a wait for the disk; nothing is buffered or written behind
};

enum class FlushTo : std::uint8_t {
  os,       // visible: other processes can read the bytes
  storage,  // durable: the bytes survive a power cut
};

enum class WriteBehind : std::uint8_t {
  automatic,  // where it is faster: both ways are tried for some blocks of at least 64 KiB, and
              // again from time to time; not while other threads that fill blocks keep all
              // processors busy. Large writes (see Writer::write) leave from the caller's thread,
              // without a copy
  off,        // every block is written by the thread that filled it
  on,         // from the first full block, where the Sink allows it; only writes of a whole block
              // or more leave from the caller's thread. So does every block while both threads of
              // the engine work for other files
};

struct WriterOptions {
  CreateMode create = CreateMode::truncate;
  Durability durability = Durability::none;
  WriteBehind write_behind = WriteBehind::automatic;
  // Bytes in a full-grown block, 1 to 1 GiB. Every size from 64 KiB to 1 MiB writes at the same
  // speed; 256 KiB stays within one core's second-level cache.
  std::size_t block_bytes = 256 * 1024;
  // Blocks that may wait for write-behind before the program does, 1 to 64.
  // Memory is bounded by block_bytes * (blocks_in_flight + 1).
  std::size_t blocks_in_flight = 3;
  // Permission bits of a file that is created, before the process's umask.
  unsigned permissions = 0666;
  // Each time so many bytes have been written the kernel is told to begin putting them on the disk,
  // up to 1 TiB. That may wait briefly for room in the device's queue, never for the bytes to be on
  // the disk. A long write then does not end in one long sync. 0: the kernel begins when it likes.
  // No effect where there are no positions, as in a pipe.
  std::size_t write_back_bytes = 0;
};

enum class ReadAhead : std::uint8_t {
  automatic,  // beyond the first 64 KiB the kernel is told to fetch further ahead than by default;
              // it does so where the file is not in its cache
  off,
};

struct ReaderOptions {
  ReadAhead read_ahead = ReadAhead::automatic;
  // Bytes in a full-grown block, 1 to 1 GiB.
  std::size_t block_bytes = 256 * 1024;
  // A line longer than this (its newline not counted) fails with EMSGSIZE and the line's offset,
  // so that a file without newlines cannot take all memory. 1 to 2^62.
  std::uint64_t max_line_bytes = std::uint64_t{1} << 30;
};

// Whether a line keeps a carriage return that stands right before its newline.
enum class CarriageReturn : std::uint8_t { keep, strip };

// How a Journal tells where a record begins and ends.
enum class Framing : std::uint8_t {
  raw,  // not at all: the file holds the records' bytes and nothing else
  // Each record has its length and a checksum of its bytes, its position and its file. Between
  // records stand marks, which say what was durable when they were written. So what a power cut has
  // torn is told from what is whole, and from what was committed and is damaged.
  // docs/durability.md has the format, `sluice journal 2`. Needs ISA-L when sluice is built.
  length_crc32c,
};

struct JournalOptions {
  Framing framing = Framing::length_crc32c;
  // Bytes that may wait to be written before an append does, 1 to 1 GiB. Memory is bounded by twice
  // as many, and is not touched before it is needed.
  std::size_t buffer_bytes = 1024 * 1024;
  // Permission bits of a file that is created, before the process's umask.
  unsigned permissions = 0666;
};

}  // namespace sluice
