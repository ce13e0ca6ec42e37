#include "trace/profile/own_code.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

namespace sluice::trace {
namespace {

bool is_one_of(const std::string& module, std::initializer_list<std::string_view> libraries) {
  const std::string name = std::filesystem::path(module).filename();
  return std::ranges::any_of(libraries,
                             [&](std::string_view library) { return name.starts_with(library); });
}

// Code of a header of the C++ library.
bool is_inlined(const Frame& frame) {
  return frame.source.find("/include/c++/") != std::string::npos;
}

// Code of the C++ library, also where its headers were inlined into the program, or where the
// program has the library's streams in itself.
bool is_of_cplusplus(const Frame& frame) {
  constexpr std::string_view of_streams[] = {"std::__basic_file<", "std::basic_",   "std::ostream",
                                             "std::istream",       "std::num_get<", "std::num_put<",
                                             "__gnu_cxx::stdio_"};
  return is_inlined(frame) || is_one_of(frame.module, {"libstdc++", "libc++"}) ||
         std::ranges::any_of(of_streams, [&](std::string_view beginning) {
           return frame.function.starts_with(beginning);
         });
}

// True for code of the C and C++ libraries.
bool is_library_between(const Frame& frame) {
  return is_of_cplusplus(frame) || is_of_c(frame.module);
}

// For example putchar(), which is a function of a header that calls putc().
bool is_in_system_header(const Frame& frame) {
  return frame.source.starts_with("/usr/include/") ||
         frame.source.starts_with("/usr/local/include/");
}

// operator>>, std::getline and the functions that they call.
bool reads_from_istream(const Frame& frame) {
  return is_of_cplusplus(frame) && frame.function.find("istream") != std::string::npos;
}

bool extracts(const Frame& frame) {
  return is_of_cplusplus(frame) && (frame.function.find("operator>>") != std::string::npos ||
                                    frame.function.find("_M_extract") != std::string::npos);
}

bool writes_fractions(const Frame& frame) {
  return is_of_cplusplus(frame) && (frame.function.find("_M_insert<double>") != std::string::npos ||
                                    frame.function.find("_M_insert_float") != std::string::npos);
}

bool writes_integers(const Frame& frame) {
  constexpr std::string_view functions[] = {"_M_insert<long>", "_M_insert<unsigned long>",
                                            "_M_insert<long long>",
                                            "_M_insert<unsigned long long>"};
  return is_of_cplusplus(frame) && std::ranges::any_of(functions, [&](std::string_view name) {
           return frame.function.find(name) != std::string::npos;
         });
}

bool writes_texts(const Frame& frame) {
  return is_of_cplusplus(frame) && (frame.function.find("__ostream_insert<") != std::string::npos ||
                                    frame.function.ends_with("ostream::write(char const*, long)"));
}

// `stream << file.rdbuf()`
bool copies_buffers(const Frame& frame) {
  return is_of_cplusplus(frame) && frame.function.find("copy_streambufs") != std::string::npos;
}

// A look at a byte, which a call that takes it follows.
bool looks_at_bytes(const Frame& frame) {
  return is_of_cplusplus(frame) && frame.function.find("istream") != std::string::npos &&
         frame.function.ends_with("::peek()");
}

// A call for each byte. std::num_put::put() has other parameters.
bool takes_bytes(const Frame& frame) {
  if (looks_at_bytes(frame)) return true;
  constexpr std::string_view calls[] = {"istream::get()", "istream::get(char&)",
                                        "istream::ignore()", "ostream::put(char)"};
  constexpr std::string_view of_templates[] = {">::get()", ">::get(char&)", ">::put(char)"};
  const auto ends = [&](std::string_view end) { return frame.function.ends_with(end); };
  const bool is_template = frame.function.find("std::basic_istream<") != std::string::npos ||
                           frame.function.find("std::basic_ostream<") != std::string::npos;
  return is_of_cplusplus(frame) && (std::ranges::any_of(calls, ends) ||
                                    (is_template && std::ranges::any_of(of_templates, ends)));
}

// A stream's buffer is empty.
bool fills_buffer(const Frame& frame) {
  return frame.function.ends_with("::underflow()") || frame.function.ends_with("::uflow()");
}

// True if a string or vector is made of a pair of std::istreambuf_iterator: it then grows byte by
// byte. The iterators are inlined, and call the library when the buffer is empty. (A loop over them
// that makes no string is as fast as one over an array.) The frames end with the first one of the
// program, which may be the function that makes the string: it is a template.
bool makes_string_of_bytes(std::span<const Frame> frames) {
  constexpr std::string_view growing[] = {"_M_construct", "_M_range_init", "_M_assign",
                                          "_M_replace", "_M_range_insert"};
  const bool grows = std::ranges::any_of(frames, [&](const Frame& frame) {
    return std::ranges::any_of(growing, [&](std::string_view name) {
      return frame.function.find(name) != std::string::npos;
    });
  });
  return grows && std::ranges::any_of(frames, fills_buffer);
}

// True if the program's own code takes the bytes out of the buffer, by std::istreambuf_iterator or
// by sbumpc(), which are inlined, and calls the library when the buffer is empty.
bool asks_for_next_buffer(std::span<const Frame> library_frames) {
  while (!library_frames.empty() && is_inlined(library_frames.back())) {
    library_frames = library_frames.first(library_frames.size() - 1);
  }
  return !library_frames.empty() && is_of_cplusplus(library_frames.back()) &&
         fills_buffer(library_frames.back());
}

}  // namespace

bool is_of_c(const std::string& module) {
  return is_one_of(module, {"libc.so", "libc-", "libgcc_s", "ld-"});
}

bool reads_pieces(const Frame& frame) {
  return is_of_cplusplus(frame) && frame.function.find("istream") != std::string::npos &&
         frame.function.ends_with("::read(char*, long)");
}

Site site_in_own_code(std::vector<Frame> frames) {
  const auto caller = std::ranges::find_if_not(frames, is_library_between);
  const auto passes = [&](auto function) { return std::any_of(frames.begin(), caller, function); };
  Site site{
      .frames = {},
      .by_iostream = passes(is_of_cplusplus),
      .by_istream = passes(reads_from_istream),
      .by_extraction = passes(extracts),
      .by_bytes =
          passes(takes_bytes) ||
          makes_string_of_bytes({frames.begin(), caller + (caller == frames.end() ? 0 : 1)}),
      .by_refills = asks_for_next_buffer({frames.begin(), caller}),
      .by_peek = passes(looks_at_bytes),
      .by_fractions = passes(writes_fractions),
      .by_integers = passes(writes_integers),
      .by_texts = passes(writes_texts),
      .by_rdbuf = passes(copies_buffers),
  };
  const auto own = std::find_if_not(caller, frames.end(), [](const Frame& frame) {
    return is_library_between(frame) || is_in_system_header(frame);
  });
  if (own != frames.end()) {
    frames.erase(frames.begin(), own);
    // The C library calls main() and the functions of threads.
    while (is_of_c(frames.back().module)) frames.pop_back();
  }
  site.frames = std::move(frames);
  return site;
}

}  // namespace sluice::trace
