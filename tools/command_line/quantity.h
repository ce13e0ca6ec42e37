// Numbers as people write them: 512M on the command line, "512 MiB" in a message.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

// Reads a positive whole number, optionally followed by K, M, G or T (each is 1024 times the letter
// before, in upper or lower case). Returns nothing for other text, for 0, signs and fractions, and
// for numbers of more than 63 bits.
std::optional<std::uint64_t> parse_quantity(std::string_view text);

// "512 MiB", "1.5 GiB", "100 bytes".
std::string format_bytes(std::uint64_t bytes);

// Short, for a table's cell: "256K", "1.5M", "100".
std::string format_bytes_short(std::uint64_t bytes);

// "1,234,567".
std::string format_count(std::uint64_t count);

// "1 call", "1,234 calls". `ending` is that of the plural.
std::string format_count(std::uint64_t count, std::string_view noun, std::string_view ending = "s");

}  // namespace sluice
