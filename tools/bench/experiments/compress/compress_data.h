// The data that `compress` writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sluice::bench {

// What the elements of the data are, for codecs that have to know.
enum class Element : std::uint8_t { byte, unsigned_64, integer_64, float_64 };

// One kind of data.
struct DataKind {
  const char* name;
  Element element;
  // Fills the memory. `text` is a text of the user's, or "".
  void (*make)(std::span<std::byte> into, const std::string& text);
};

std::span<const DataKind> data_kinds();

// The data of one kind, and its hash. make() fills in both.
struct Data {
  const DataKind* kind = nullptr;
  std::size_t wanted_bytes = 0;
  std::vector<std::byte> bytes = {};
  std::uint64_t hash = 0;

  void make(const std::string& text);
};

}  // namespace sluice::bench
