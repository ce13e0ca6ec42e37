// Compression: a Sink that compresses what a Writer writes, and a Source that decompresses what a
// Reader reads.
//
//   sluice::Writer writer;
//   if (Status status = sluice::open_compressed(writer, "run.zst", sluice::zstd()); !status.ok())
//     return status;
//   for (double value : values) writer.write_value(value);
//   return writer.close();
//
// A Reader gets the bytes back:
//
//   sluice::Reader reader;
//   const Status status = sluice::open_decompressed(reader, "run.zst", {&sluice::zstd()});
//   if (!status.ok()) return status;
//   for (double value = 0; reader.read_value(value);) sum += value;
//   return reader.close();
//
// The file is a sequence of frames, each compressed on its own. zstd() and lz4() store a frame as
// it is if compression would make it smaller by less than 3 %. The zstd command decompresses files
// of zstd(), and the lz4 command files of lz4(). At the end of the file stands a seek table in
// zstd's seekable format, which both commands skip. The same calls of a Writer make the same file
// each time, if the options are the same and frames_at_a_time is not 0. With 0 the file depends on
// the number of processors.
//
// sluice/codecs.h has the list of all formats, for a program that reads whichever file it is given.
//
// Durability: a flush to storage makes a frame of the buffered bytes, and makes all frames durable.
// The seek table is written by close() alone. Without it a Reader reads every byte, and finds
// positions by decompressing from the beginning. A file of more than 16,777,216 frames has no seek
// table.
//
// Threads: threads of the library compress, at most one for each processor that the process may
// use. All compressing Sinks of the process share these threads, which are other threads than the
// engine of WriteBehind. If no thread is idle, the thread that writes compresses.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sluice/options.h"
#include "sluice/reader.h"
#include "sluice/sink.h"
#include "sluice/source.h"
#include "sluice/status.h"
#include "sluice/writer.h"

namespace sluice {

// A format of compressed bytes: zstd() in sluice/zstd.h, lz4() in sluice/lz4.h, gzip() in
// sluice/gzip.h. A Codec lives as long as the program.
class Codec;

// How a Sink compresses.
struct CompressionOptions {
  // The codec's level; without a value the codec's own default. A level that the codec does not
  // have is refused with EINVAL.
  std::optional<int> level = std::nullopt;
  // The largest number of bytes that one frame holds uncompressed, 4 KiB to 8 MiB. In a file with a
  // seek table, a Reader that seeks decompresses at most one frame. A smaller frame costs less to
  // seek to, and compresses less well.
  std::size_t frame_bytes = std::size_t{1} << 20;
  // The number of frames that are compressed at the same time, 1 to 16. With 0 it is the number of
  // processors, and at most 8. The Sink's memory is at most 2 * frame_bytes for each of these
  // frames, and the memory of the codec: at its default level at most 1 MiB for each of them. With
  // the blocks of open_compressed(), eight frames at a time take at most 48 MiB. The seek table
  // takes up to 12 bytes more for each frame of the file: 12 MB for a million frames.
  std::size_t frames_at_a_time = 0;
  // Whether each frame has a checksum. With it, a Reader never gives a damaged byte of a frame of
  // at most 8 MiB.
  bool checksums = true;
};

// The levels of a codec. A higher level is slower, and mostly compresses better.
struct CompressionLevels {
  int lowest;      // the lowest level that the codec has
  int highest;     // the highest level that the codec has
  int by_default;  // the level of CompressionOptions without a level
};

// The levels that the codec has; no value if it only decompresses.
std::optional<CompressionLevels> levels_of(const Codec& codec) noexcept;

// The number of bytes in all frames that are compressed at the same time: the least block_bytes of
// a Writer that gives a compressing Sink work for all its threads.
std::size_t block_bytes_of(const CompressionOptions& compression) noexcept;

// Makes a Sink that compresses by `codec` and writes to `to`. Each write() of the Sink makes one
// frame or more, so a block of the Writer should have at least block_bytes_of(compression) bytes.
// The Writer copies smaller writes into its block (Sink::wants_full_blocks).
//
// The Sink has no positions: seek() and write_at() fail with ESPIPE. Writer::position() counts
// uncompressed bytes, from 0 on. After a failure, every byte before the byte that the failure names
// can be read back. (The target may also have the beginning of a frame, which a Reader refuses.)
//
// Fails with EINVAL if the options make no sense, with ENOTSUP if the codec only decompresses, and
// with ENOMEM if `to` is null or if there is no memory.
Status make_compressing_sink(std::unique_ptr<Sink> to, const Codec& codec,
                             const CompressionOptions& compression, std::unique_ptr<Sink>& sink);

// Makes a Source that decompresses the bytes of `from`. The first bytes tell which of the `codecs`
// has made them. If no known format begins like them, the Source gives the bytes as they are. On a
// pipe, the call waits for these 4 bytes, and for the first 24 bytes of a series. If `from` is
// empty, and has grown at a later read, the first bytes of that read tell. Once it has grown,
// size() fails with ESPIPE until that read.
//
// A file of another known format fails with EINVAL: zstd, lz4, gzip, a series, and the old format
// of `lz4 -l`, which no codec reads. (To read such a file as it is, use Reader::open().) A file
// whose first 4 bytes differ in one bit from those of zstd, lz4 or a series fails with EBADMSG. So
// does a file of the first 2 or 3 bytes of a known format. One byte is too little to tell.
//
// Frames may follow one another, also frames of other programs and of several formats, as in files
// that were joined. (A member of a gzip file counts as a frame.) A frame of at most 8 MiB is given
// out only when all of it has been decompressed and its checksum is right. A larger frame is given
// out in pieces, before its checksum is known. In both cases memory is bounded: at most 20 MiB, and
// for zstd the window that the frame asks for. (sluice/series.h says what a series needs.) From the
// first seek() or size() on, the seek table takes up to 9 bytes more for each frame of the file.
//
// Damaged bytes, and bytes behind a frame that begin no frame, fail with EBADMSG. So does the end
// of a file that was cut after its seek table was read. A frame of zstd that needs a window above
// 128 MiB fails with ENOTSUP: nothing tells whether its header is damaged.
// The offset of the failure is the first byte that cannot be given: after a seek, no byte before
// the position that was sought. The message has the position in the file at which the damaged
// frame begins. If the file ends within a frame, all frames before that frame are given out, and
// then the read fails with EBADMSG. A file that ends between two frames is read without a failure,
// because nothing tells it from a file that has only these frames.
//
// seek() is fast if the file has a seek table that this library has written. A table that is
// damaged or does not fit the file counts as none. So does the table of another program, because
// nothing in it tells whether it is damaged. Without a table the Source decompresses all bytes up
// to the position, from one of the frames that it has seen: it remembers up to 1,024 of them.
// size() needs a seek table, and fails with ESPIPE without one. If `from` has no positions, seek()
// fails with ESPIPE.
//
// Fails with ENOMEM if `from` is null or if there is no memory, with EINVAL if one of the `codecs`
// is null, and with the failure of the first read.
Status make_decompressing_source(std::unique_ptr<Source> from,
                                 std::initializer_list<const Codec*> codecs,
                                 std::unique_ptr<Source>& source);
// The same for a list that is made at run time, such as a std::vector. The Source copies the list.
Status make_decompressing_source(std::unique_ptr<Source> from, std::span<const Codec* const> codecs,
                                 std::unique_ptr<Source>& source);

// Opens `path` for writing compressed bytes. Every option of `options` works as for other files,
// but CreateMode::append and existing are refused with EINVAL. options.block_bytes counts
// uncompressed bytes; if it is smaller than block_bytes_of(compression), the latter counts instead.
// At most 2 blocks wait for write-behind.
//
// With write-behind, a thread works for this Writer as long as a block is compressed and written.
// The process has two such threads, which work for compressing Writers alone. While both work for
// other Writers, this Writer's own thread writes. With options.direct, the pages in which a frame
// begins or ends go through the cache, and the pages between them are copied, because a frame can
// have any size.
Status open_compressed(Writer& writer, const std::string& path, const Codec& codec,
                       const CompressionOptions& compression = {},
                       const WriterOptions& options = {});

// Opens `path` for reading bytes that one of the `codecs` may have compressed.
Status open_decompressed(Reader& reader, const std::string& path,
                         std::initializer_list<const Codec*> codecs,
                         const ReaderOptions& options = {});
// The same for a list that is made at run time.
Status open_decompressed(Reader& reader, const std::string& path,
                         std::span<const Codec* const> codecs, const ReaderOptions& options = {});

}  // namespace sluice
