"""Mutations of compressed files: of the Sink that compresses and the Source that decompresses."""
import dataclasses

from mutation import Mutation

SINK = "src/compression/compressing_sink.cc"
SOURCE = "src/compression/decompressing_source.cc"
TABLE = "src/compression/seek_table.cc"
GUESS = "src/compression/shrink_guess.cc"

ON_COMPRESSION = "Compression.*:*Contract.*"
ON_TABLES = "SeekTable.*"
ON_SOURCE = "DecompressingSource.*:OutOfMemory.WhileADescriptor*"
ON_CODECS = "Codecs.*:*CompressionFormat.*:*WrittenFormat.*"
ON_GUESS = "ShrinkGuess.*:*CodecThatStores.*"

COMPRESSION = [
    dataclasses.replace(mutation, program="sluice_compression_tests") for mutation in [
        Mutation("a frame counts as written although its bytes are not", SINK,
                 "if (status.ok()) written += frame.bytes();", "written += frame.bytes();",
                 ON_COMPRESSION),
        Mutation("a frame begins in the memory of one that is not written yet", SINK,
                 "             running != frames_.size()) {",
                 "             running != frames_.size() + 1) {", ON_COMPRESSION),
        Mutation("a compressor is made for a frame without bytes", SINK,
                 "    if (frame.bytes() == 0) return {};\n", "",
                 ON_COMPRESSION),
        Mutation("a failure names a compressed position", SINK,
                 "return status.at(end_position_);  // the", "return status;  // the",
                 ON_COMPRESSION),
        Mutation("a failure to write the table names a compressed position", SINK,
                 "if (!status.ok()) return in_plain_bytes(status);",
                 "if (!status.ok()) return status;", ON_COMPRESSION),
        Mutation("blocks for a pipe are compressed in a thread of the shared Engine", SINK,
                 "return to_->allows_write_behind();", "return true;", ON_COMPRESSION),
        Mutation("a frame of 8 MiB is given out before its checksum is known", SOURCE,
                 "if (is_full && !progress.frame_ended && progress.consumed == 0) break;",
                 "if (is_full && !progress.frame_ended) break;", ON_COMPRESSION),
        Mutation("a level that the codec lacks is taken", SINK,
                 "*options.level > codec.max_level()", "false", ON_COMPRESSION),
        Mutation("a compressed file is appended to", SINK,
                 "options.create == CreateMode::append ||", "", ON_COMPRESSION),
        Mutation("one frame after another is compressed", SINK,
                 "bool wants_full_blocks() override { return true; }",
                 "bool wants_full_blocks() override { return false; }", ON_COMPRESSION),
        Mutation("damaged bytes are given out", SOURCE,
                 "if (progress.code != 0) return refused(progress.code, progress.problem);",
                 "if (progress.code != 0) break;", ON_COMPRESSION),
        Mutation("a file that ends within a frame is whole", SOURCE,
                 "if (is_in_frame_) return refused(", "if (false) return refused(",
                 ON_COMPRESSION),
        Mutation("a seek forgets the bytes between the frame and the position", SOURCE,
                 "skip_bytes_ = position - position_;", "skip_bytes_ = 0;", ON_COMPRESSION),
        Mutation("a seek goes on in the old frame", SOURCE,
                 "    is_in_frame_ = is_at_end_ = false;\n", "    is_at_end_ = false;\n",
                 ON_COMPRESSION),
        Mutation("a Reader goes on behind the seek table that it has read", SOURCE,
                 "is_elsewhere_ = true;  // whatever happens now", "", ON_SOURCE),
        Mutation("a frame is taken for one of the format of the frame before it", SOURCE,
                 "if (!codec_->recognises(beginning)) {", "if (false) {", ON_CODECS),
        Mutation("a frame goes on where the frame before it stopped", SOURCE,
                 "    decompressor_->begin_frame();\n    return {};\n", "    return {};\n",
                 ON_CODECS),
        Mutation("bytes that wait are lost when more are fetched", SOURCE,
                 "if (waiting != 0) std::memmove(fetched_.data(), "
                 "fetched_.data() + fetched_begin_, waiting);", "", ON_CODECS),
        Mutation("a frame is stored only if compression makes it larger",
                 "src/compression/stored_frame.h",
                 "compressed_bytes <= bytes - bytes * 3 / 100 && compressed_bytes < bytes",
                 "compressed_bytes < bytes", ON_CODECS),
        Mutation("a stored frame of lz4 has another checksum", "src/compression/lz4.cc",
                 "for (const BytesView piece : pieces) checksum.add(piece);", "", ON_CODECS),
        Mutation("a stored frame of zstd has another checksum", "src/compression/zstd.cc",
                 "for (const BytesView piece : pieces) checksum.add(piece);", "", ON_CODECS),
        Mutation("no block of a stored frame of zstd is the last one", "src/compression/zstd.cc",
                 "(is_last ? 1 : 0)", "0", ON_CODECS),
        Mutation("a stored frame of lz4 without checksums has one", "src/compression/lz4.cc",
                 "if (preferences_.frameInfo.contentChecksumFlag != LZ4F_contentChecksumEnabled) "
                 "return;", "", ON_CODECS),
        Mutation("frames that do not shrink are not tried again", GUESS,
                 "untried_ + 1 == pause_", "false", ON_GUESS),
        Mutation("a frame of random bytes is always tried", GUESS,
                 "untried_ = is_due || may_shrink(pieces) ? 0 : untried_ + 1;", "untried_ = 0;",
                 ON_GUESS),
        Mutation("a frame with frequent bytes is stored unseen", GUESS,
                 "squares > most_when_random", "false", ON_GUESS),
        Mutation("a frame with repetitions is stored unseen", GUESS,
                 "== 0 && at != 0) return true;", "== 0 && at != 0) return false;", ON_GUESS),
        Mutation("a frame behind one that shrank is stored unseen", GUESS,
                 "  has_shrunk_ = has_shrunk;\n", "  has_shrunk_ = false;\n", ON_GUESS),
        Mutation("the checksum forgets the bytes that wait", "src/compression/xxh.h",
                 "      add_stripes(waiting_);\n", "", ON_CODECS),
        Mutation("a raw Journal goes on behind compressed bytes", "src/core/journal.cc",
                 "if (!status.ok() || end != end_of_table) return status;", "return status;",
                 ON_CODECS),
        Mutation("gzip is told to compress", "src/compression/gzip.cc",
                 "bool compresses() const noexcept override { return false; }",
                 "bool compresses() const noexcept override { return true; }", ON_CODECS),
        Mutation("damaged bytes of gzip are taken for missing ones", "src/compression/gzip.cc",
                 "        return {consumed, produced, false, EBADMSG,\n",
                 "        return {consumed, produced, false, 0,\n", ON_CODECS),
        Mutation("a table that does not fit the file counts", TABLE,
                 "if (next.compressed_position + all.size() != file_bytes) return false;", "",
                 ON_COMPRESSION),
        Mutation("a damaged table counts", TABLE,
                 "if (number_at(all, 12) != crc.value()) return false;", "", ON_TABLES),
        Mutation("a table of too many frames is written", TABLE,
                 "if (frames_ > max_frames_) return {};", "", ON_TABLES),
        Mutation("a seek does not look behind a mark", TABLE,
                 "    if (next.position > position) break;\n", "    break;\n", ON_TABLES),
        Mutation("a file that begins with a skippable frame is not recognised",
                 "src/compression/magic.h", "0x184D2A50", "0x184D2A70", ON_COMPRESSION),
    ]
]
