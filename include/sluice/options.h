// The choices that a user can make when opening a Writer, a Reader or a Journal. The defaults are
// meant to suit most programs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice {

// How opening treats a file that exists already.
enum class CreateMode : std::uint8_t {
  truncate,   // open removes the file's old bytes
  append,     // every block goes to the present end of the file (O_APPEND)
  exclusive,  // open fails with EEXIST if the file exists
  // The bytes go into a new file beside the old one. close() makes the new file durable, whatever
  // `durability` says, and then gives it the old file's name in one step. The old file stays as it
  // is until that step. It also stays if there is a failure, or if the Writer is never closed.
  // There is one exception: after a failure with Operation::sync_directory the file is replaced,
  // but a power cut may bring back the old one.
  //
  // The new file keeps the old file's owner, permissions (but not the set-id bits), access control
  // list and extended attributes. If there was no old file, the new file gets `permissions`.
  // (On Windows the new file keeps the access list and the attributes, and the user who writes it
  // becomes its owner.)
  // A symbolic link stays a link: the file that it leads to is replaced or created.
  //
  // Open fails if
  //  - the file has several names (EMLINK),
  //  - the target is not a regular file,
  //  - the owner cannot be kept,
  //  - the directory cannot be read, or takes no new file,
  //  - chattr(1) has made the file or the directory immutable or append-only (EPERM). If the file
  //    system does not show these flags to open, close() fails instead.
  // A process that is killed leaves a file `.sluice-...` behind. remove_abandoned_replacements()
  // (sluice/files.h) removes such files.
  replace_atomically,
  // The file keeps its bytes. New bytes overwrite the old ones, from the first byte on or at the
  // positions given to seek() and write_at(). Open fails with ENOENT if there is no file.
  existing,
};

// Which bytes survive a power cut. "Power cut" stands for every way in which the kernel stops. A
// program that is killed loses only the bytes that its Writer had not handed to the kernel.
//
// Targets without storage (a pipe, a socket, a terminal, a character device) have nothing to make
// durable, so a sync of such a target is always ok. If a file system cannot make bytes durable,
// each flush and close that has to make bytes durable fails with EINVAL, ENOTSUP or ENOSYS. After
// such a flush writing may go on. With every_write the first write fails with one of these codes,
// and writing may not go on.
//
// If the sync of the directory fails, each flush and close that has to make the name durable fails
// with Operation::sync_directory: the bytes are durable, but the name may not survive a power cut.
// After such a flush writing may go on, except with every_write. If the file system cannot sync a
// directory at all, the failure has Operation::sync and EINVAL, ENOTSUP or ENOSYS, and names the
// directory's path.
//
// A sync of the directory makes the file's name durable. It needs permission to read the directory.
// Without that permission open refuses to make a new file (except with Durability::none). An old
// file is opened all the same, and the library does not sync its name.
//
// The library never syncs the directories above that directory. attach() makes only the bytes
// durable, never the file's name. With open(sink) the Sink's sync() makes the bytes durable; a Sink
// from open_file_sink() makes the file's name durable too. docs/durability.md says what else to
// expect.
enum class Durability : std::uint8_t {
  // close() makes the bytes visible. A power cut may lose any of them.
  none,
  // After an ok close() the bytes and the file's name survive a power cut.
  on_close,
  // After an ok flush(), with FlushTo::os or FlushTo::storage, the bytes accepted before it and the
  // file's name survive a power cut. (With replace_atomically only close() does this, because a
  // power cut before close() leaves the old file.) After an ok close(), all bytes and the file's
  // name survive a power cut.
  every_flush,
  // Every put, write and commit waits for the disk: when put or write has returned true, or commit
  // has returned while status() is ok, its bytes and the file's name survive a power cut. The
  // Writer keeps no bytes back, and uses no write-behind. With replace_atomically no call but
  // close() waits for the disk, because a power cut before close() leaves the old file.
  every_write,
};

// How far Writer::flush() takes the bytes.
enum class FlushTo : std::uint8_t {
  os,       // the bytes become visible: other processes can read them
  storage,  // the bytes become durable: they survive a power cut
};

// Whether one of the library's own threads writes a full block while the program fills the next
// one. The library has at most two such threads, which are called the engine, and two more for
// Writers that compress.
enum class WriteBehind : std::uint8_t {
  // The Writer uses write-behind if this is faster. To find out, the Writer times blocks of at
  // least 64 KiB with and without write-behind, at first and again from time to time. It does not
  // use write-behind while other threads that fill blocks keep all processors busy. Large writes
  // (see Writer::write) leave from the caller's thread, without a copy.
  automatic,
  // The thread that fills a block writes it.
  off,
  // The engine writes every full block from the first one on, if the Sink allows it. Two kinds of
  // bytes still leave from the caller's thread: writes of a whole block or more, and every block
  // while both threads of the engine work for other files.
  on,
};

// Whether a file's pages stay in the kernel's cache, the memory in which the kernel keeps the bytes
// of files. The option has no effect on targets without a cache (a pipe, a terminal), nor on files
// that lie in memory (tmpfs), nor on Windows.
enum class Cache : std::uint8_t {
  // The pages stay until the kernel needs their memory. A file that is larger than the free memory
  // pushes the pages of other files out.
  keep,
  // The pages leave the cache behind the Writer or the Reader, so that the pages of other files
  // stay.
  //
  // A Writer has at most 64 MiB of the file in the cache, and after an ok close() nothing. To give
  // pages up it waits until the disk has taken them: a long write goes at the speed of the disk,
  // and close() waits for the disk even for a small file. If the disk does not take them, the
  // Writer fails. But the bytes are not durable, because the disk has a cache of its own, which a
  // power cut empties: this needs a sync (see Durability).
  //
  // A Reader gives up the pages that it has read, after every 8 MiB and at close(). It also gives
  // up 2 MiB before these pages and, at close(), 32 MiB behind them, because the kernel may have
  // read these bytes ahead. If a Reader seeks, it gives up all pages between its lowest and its
  // highest byte. Pages that were in the cache before leave it too. Three kinds of pages stay:
  // those that a process has mapped, those whose bytes the disk does not have yet (of a file that
  // was just written), and those that the kernel is still reading ahead.
  drop,
};

// Whether bytes go between the program's memory and the disk directly (O_DIRECT), not through the
// kernel's cache. Each write then waits for the disk: choose blocks of 1 MiB or more. The bytes are
// not durable: this needs a sync (see Durability).
//
// The kernel reads nothing ahead. A Reader that has read 8 blocks in sequence reads a block ahead
// itself (by Linux AIO), if read_ahead is automatic. The Reader begins this only if at least
// 256 MiB follow, or if an earlier Reader of the process has left a queue. The Reader's two blocks
// then take block_bytes and up to 2 MiB each. Bytes that are written meanwhile, also by this
// program, may be missed for two blocks.
//
// Only whole, aligned pages can go directly. The bytes around them go through the cache: the end of
// the file, the bytes around a flush, and the bytes of write_at(). block_bytes must be a multiple
// of 4096.
enum class Direct : std::uint8_t {
  off,  // bytes go through the cache
  // Open fails with ENOTSUP if the kernel tells of no direct I/O for the file (on tmpfs, for a
  // pipe, before Linux 6.1, on Windows), and with EINVAL for CreateMode::append and for attach().
  // After ENOTSUP an old file has its bytes, but a new file may have been created.
  on,
  // Bytes go directly if the file has direct I/O. All bytes of a file without direct I/O go through
  // the cache.
  if_possible,
};

// How a Writer opens and writes its target.
struct WriterOptions {
  // How opening treats a file that exists already.
  CreateMode create = CreateMode::truncate;
  // Which bytes survive a power cut.
  Durability durability = Durability::none;
  // Whether a thread of the engine writes full blocks.
  WriteBehind write_behind = WriteBehind::automatic;
  // The size up to which a block grows, in bytes: 1 to 1 GiB. Every size from 64 KiB to 1 MiB
  // writes at the same speed; 256 KiB stays within one core's second-level cache.
  std::size_t block_bytes = 256 * 1024;
  // The number of blocks that may wait for write-behind before the program has to wait, 1 to 64.
  // Memory: at most block_bytes (from 4 MiB on: rounded up to 2 MiB) * (blocks_in_flight + 1).
  std::size_t blocks_in_flight = 3;
  // Permission bits of a file that is created, before the process's umask; at most 07777. Windows
  // does not use them.
  unsigned permissions = 0666;
  // Each time this many bytes have been written, the Writer tells the kernel to begin putting them
  // on the disk, so that a long write does not end in one long sync. At most 1 TiB; with 0 the
  // kernel decides when to begin. The call that tells the kernel may wait briefly for room in the
  // device's queue, but never until the bytes are on the disk. A seek to another place begins the
  // count anew. The option has no effect on targets without positions, such as a pipe.
  std::size_t write_back_bytes = 0;
  // Whether the pages of the file stay in the kernel's cache.
  Cache cache = Cache::keep;
  // Whether bytes go to the disk directly.
  Direct direct = Direct::off;
};

// Whether a Reader advises the kernel to read ahead, and whether it reads a block ahead of direct
// reads: see Direct.
enum class ReadAhead : std::uint8_t {
  // Beyond the first 64 KiB the Reader tells the kernel to fetch further ahead than by default. The
  // kernel does so for a file that is not in its cache.
  automatic,
  // The Reader gives the kernel no advice, and reads no block ahead.
  off,
};

// How a Reader reads its source.
struct ReaderOptions {
  // Whether bytes are read ahead.
  ReadAhead read_ahead = ReadAhead::automatic;
  // The size up to which a block grows, in bytes: 1 to 1 GiB.
  std::size_t block_bytes = 256 * 1024;
  // A line of more bytes than this (not counting its newline) fails with EMSGSIZE and the line's
  // offset, so that a file without newlines cannot take all memory. 1 to 2^62.
  std::uint64_t max_line_bytes = std::uint64_t{1} << 30;
  // Whether the pages of the file stay in the kernel's cache.
  Cache cache = Cache::keep;
  // Whether bytes come from the disk directly.
  Direct direct = Direct::off;
};

// Whether a line keeps a carriage return that stands right before its newline.
enum class CarriageReturn : std::uint8_t {
  keep,   // the line keeps a carriage return before its newline
  strip,  // the line is given without a carriage return before its newline
};

// How a Journal tells where a record begins and ends.
enum class Framing : std::uint8_t {
  // The file holds the bytes of the records and nothing else. The Journal cannot tell where a
  // record begins or ends.
  raw,
  // Each record has its length and a checksum. The checksum covers the record's bytes, its length,
  // its position, and the random id of its file. Marks between the records say which bytes were
  // durable when each mark was written. So the Journal can distinguish three things: whole records,
  // an end that a power cut has torn, and committed records that are damaged. docs/durability.md
  // has the format, `sluice journal 2`.
  length_crc32c,
};

// How a Journal keeps its records.
struct JournalOptions {
  // How the Journal tells where a record begins and ends.
  Framing framing = Framing::length_crc32c;
  // The number of appended bytes that the Journal holds unwritten before append() has to wait, 1 to
  // 1 GiB. The Journal reserves 2 * buffer_bytes of address space, and takes memory there only as
  // it needs it.
  std::size_t buffer_bytes = 1024 * 1024;
  // Permission bits of a file that is created, before the process's umask; at most 07777. Windows
  // does not use them.
  unsigned permissions = 0666;
};

}  // namespace sluice
