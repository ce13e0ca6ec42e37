// Why a frame cannot be decompressed, in the words that a Reader says to its user. The libraries of
// the formats have names of their own for each kind of damage, which say nothing to the user.
#pragma once

namespace sluice {

inline constexpr const char* damaged_problem = "the frame is damaged";
inline constexpr const char* damaged_header_problem =
    "the frame is damaged: its header makes no sense";
inline constexpr const char* damaged_or_later_problem =
    "the frame is damaged, or of a later version of the format";
inline constexpr const char* checksum_problem =
    "the frame is damaged: its checksum does not fit its bytes";
inline constexpr const char* dictionary_problem = "the frame is damaged, or needs a dictionary";
inline constexpr const char* no_memory_problem = "no memory";

}  // namespace sluice
