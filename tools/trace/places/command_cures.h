// How advice is followed by the options of a command of the system.
#pragma once

#include "trace/places/runtime.h"

namespace sluice::trace::cures {

inline constexpr std::string_view larger_blocks_of_dd =
    "Give dd larger blocks, such as `bs=64K`. (`count`, `skip` and `seek` count blocks.)";
inline constexpr Cure dd[] = {
    {"tiny-reads", larger_blocks_of_dd},
    {"tiny-writes", larger_blocks_of_dd},
    {"small-buffer", larger_blocks_of_dd},
    {"synchronous-writes",
     "Leave out dd's `oflag=sync` and `oflag=dsync`, and let dd sync once, at the end, by "
     "`conv=fsync`; or give dd larger blocks, such as `bs=1M`. That changes what survives a power "
     "cut in between."},
};

inline constexpr std::string_view buffered_sed =
    "Leave out sed's `-u` (`--unbuffered`) where nobody waits for each line.";
inline constexpr Cure sed[] = {
    {"unbuffered-stream", buffered_sed},
    {"flush-after-each", buffered_sed},
};

inline constexpr Cure jq[] = {
    {"flush-after-each", "Leave out jq's `--unbuffered` where nobody waits for each result."},
};

inline constexpr std::string_view larger_blocks_of_openssl =
    "Give openssl larger blocks, `-bufsize 65536`, or leave `-bufsize` out.";
inline constexpr Cure openssl[] = {
    {"tiny-stdio-reads", larger_blocks_of_openssl},
    {"tiny-stdio-writes", larger_blocks_of_openssl},
};

inline constexpr Cure grep[] = {
    {"flush-after-each", "Leave out grep's `--line-buffered` where nobody waits for each line."},
};

inline constexpr std::string_view memory_for_sort =
    "Give sort more memory, such as `-S 64M`: it then writes fewer temporary files.";
inline constexpr Cure sort[] = {
    {"read-back", memory_for_sort},
    {"temporary-files", memory_for_sort},
};

inline constexpr std::string_view larger_blocks_of_tar =
    "Give tar larger blocks, such as `-b 512` (256 KiB; `-b 20` without it). The archive then ends "
    "with zeros up to a whole block.";
inline constexpr Cure tar[] = {
    {"tiny-writes", larger_blocks_of_tar},
    {"tiny-reads", larger_blocks_of_tar},
    {"small-buffer", larger_blocks_of_tar},
};

inline constexpr std::string_view larger_blocks_of_cpio =
    "Give cpio larger blocks, `-C 65536`: without `-C` or `-B` it moves 512 bytes in one call. The "
    "archive then ends with zeros up to a whole block.";
inline constexpr Cure cpio[] = {
    {"tiny-writes", larger_blocks_of_cpio},
    {"tiny-reads", larger_blocks_of_cpio},
};

inline constexpr std::string_view buffered_split =
    "Leave out split's `-u` where nobody waits for each line.";
inline constexpr Cure split[] = {
    {"tiny-writes", buffered_split},
    {"unbuffered-stream", buffered_split},
    {"flush-after-each", buffered_split},
};

inline constexpr std::string_view buffered_tcpdump =
    "Leave out tcpdump's `-l` and `-U` where nobody waits for each packet.";
inline constexpr Cure tcpdump[] = {
    {"unbuffered-stream", buffered_tcpdump},
    {"flush-after-each", buffered_tcpdump},
};

inline constexpr std::string_view without_stdbuf =
    "Leave `stdbuf` out, or let it give the stream a size: `stdbuf -o64K`, or `-i64K` for standard "
    "input.";
inline constexpr Cure stdbuf[] = {
    {"unbuffered-stream", without_stdbuf},
};

}  // namespace sluice::trace::cures
