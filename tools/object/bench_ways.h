// The ways to write and to read an object, by sluice and by Arrow's own streams.
#pragma once

#include <csignal>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sluice::object {

// Has Arrow load its stores in this process: a way of Arrow alone needs it, and no way is to be
// timed with it. Begins an object at the URI and gives it up. Throws if that fails.
void load_stores(const std::string& uri);

struct BenchWay {
  std::string name;
  // Writes or reads the whole object, after load_stores(). Throws std::runtime_error.
  std::function<void(const std::string& uri, std::uint64_t bytes)> run;
  bool is_usual = false;  // sluice with the options that a program has if it names none
};

// After this signal a way throws, and gives its upload up. Without this call the signal would end
// the process, and the parts of the upload would stay in the store.
inline constexpr int end_signal = SIGTERM;
void end_by_exception_on_signals();

// The first way of each is the one that the others are compared with.
std::vector<BenchWay> writing_ways();
std::vector<BenchWay> reading_ways();

// Throws unless the object has the bytes that the writing ways write.
void verify_object(const std::string& uri, std::uint64_t bytes);

// The number of folders above the object that the store does not have: the next one above, and so
// on.
std::size_t missing_folders(const std::string& uri);

// Removes the object, if there is one, and those of the next `folders` folders above it that are
// empty.
void remove_object(const std::string& uri, std::size_t folders);

}  // namespace sluice::object
