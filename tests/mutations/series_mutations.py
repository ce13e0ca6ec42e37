"""Mutations of series: of the filter, its choice, the frames and the checksums."""
import dataclasses

from mutation import Mutation

SERIES = "src/compression/series.cc"
CHOICE = "src/compression/series_choice.cc"
FRAME = "src/compression/series_frame.cc"
FILTER = "src/compression/series_filter.cc"
ADLER = "src/compression/adler32.cc"

ON_SERIES = "Series*"

SERIES_MUTATIONS = [
    dataclasses.replace(mutation, program="sluice_series_tests") for mutation in [
        Mutation("a Reader takes a series of no type", "src/compression/decompressing_source.cc",
                 " || !codec->mistake().empty()", "", ON_SERIES),
        Mutation("a Writer takes a series of no type", "src/compression/compressing_sink.cc",
                 "  if (!codec.mistake().empty()) return refused(path, codec.mistake());\n", "",
                 ON_SERIES),
        Mutation("a difference from another lag", FILTER,
                 "to[i] = static_cast<U>(from[i + lag] - from[i]);",
                 "to[i] = static_cast<U>(from[i + 1] - from[i]);", ON_SERIES),
        Mutation("the numbers before a step are forgotten", FILTER,
                 "const std::size_t known = std::min(history, begin);",
                 "const std::size_t known = std::min(history, begin % 1024);", ON_SERIES),
        Mutation("the last numbers of a step are not kept", FILTER,
                 "    std::memcpy(last, numbers + count - lag, lag * sizeof(U));\n", "", ON_SERIES),
        Mutation("what an earlier frame has left counts", FILTER,
                 "    scratch.last.fill(std::byte{0});\n", "", ON_SERIES),
        Mutation("signs are not unfolded", FILTER,
                 "    unfold_signs(numbers, count);\n", "", ON_SERIES),
        Mutation("bits are turned back as other bits", FILTER,
                 "changed = (bits ^ bits >> 14) & 0x0000'CCCC'0000'CCCC;",
                 "changed = (bits ^ bits >> 14) & 0x0000'CCC8'0000'CCCC;", ON_SERIES),
        Mutation("every frame takes differences of neighbours", CHOICE,
                 "    best = lag;\n", "", ON_SERIES),
        Mutation("differences are taken once", CHOICE, "    best = order;\n", "", ON_SERIES),
        Mutation("numbers always begin with the frame", CHOICE,
                 "fewest > all_bits * 3 / 4 ? number_bytes_ : 1", "1", ON_SERIES),
        Mutation("a short frame gets the head of the frame before", CHOICE,
                 "  if (frame.size() < (min_numbers + 1) * number_bytes_) return {};\n", "",
                 ON_SERIES),
        Mutation("a filter is kept although the numbers have changed", CHOICE,
                 "if (is_similar(look_at(frame))) return last_;", "return last_;", ON_SERIES),
        Mutation("a filter is kept although the numbers could be compressed better", CHOICE,
                 " && looks_.bits <= looks.bits + looks.bits / 4", "", ON_SERIES),
        Mutation("the tail is not stored", SERIES,
                 "    std::ranges::copy(plain.subspan(end), to.subspan(end).begin());\n", "",
                 ON_SERIES),
        Mutation("the head is not given back", SERIES,
                 "    std::ranges::copy(filtered.first(begin), plain.begin());\n", "", ON_SERIES),
        Mutation("a damaged payload is decompressed", SERIES,
                 "frame_.payload_checksum != adler32(payload_)", "false", ON_SERIES),
        Mutation("a damaged header counts", FRAME,
                 "if (!is_whole(header)) {", "if (false) {", ON_SERIES),
        Mutation("a header that makes no sense counts", FRAME,
                 "if (is_possible(*this)) return 0;", "return 0;", ON_SERIES),
        Mutation("a later version is read", FRAME, "if (from[4] != version) {", "if (false) {",
                 ON_SERIES),
        Mutation("a frame may be larger than its header says", SERIES,
                 "if (bytes != frame_.bytes) return fail(", "if (false) return fail(", ON_SERIES),
        Mutation("a header may ask for any memory", SERIES,
                 "if (frame_.payload_bytes > ZSTD_compressBound(frame_.bytes)) {", "if (false) {",
                 ON_SERIES),
        Mutation("a header that comes in parts is taken for ever", SERIES,
                 "    if (have >= wanted) return 0;  // the first part of a header may have come "
                 "earlier\n", "", ON_SERIES),
        Mutation("a file of another type opens", SERIES,
                 "if (!type_ || !find_series_type(beginning, type) || type == *type_) return {};",
                 "if (true) return {};", ON_SERIES),
        Mutation("a later frame of another type is read", SERIES,
                 "if (type_ && frame_.type != *type_) return fail(EINVAL, other_type());", "",
                 ON_SERIES),
        Mutation("a file without numbers is taken for other bytes", SERIES,
                 "return begins_with_skippable_frame(beginning) || find_series",
                 "return find_series", ON_SERIES),
        Mutation("a series of no type is read", SERIES, "return series_of_no_type;",
                 "return series_of_any_type;", ON_SERIES),
        Mutation("a column's place has no weight in the checksum", ADLER,
                 " - std::uint64_t{sums[i]} * i", "", ON_SERIES),
        Mutation("the sums of the checksum overflow", ADLER, "max_rows = 4096", "max_rows = 400000",
                 ON_SERIES),
    ]
]
