#include "trace/profile/own_code.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::trace {
namespace {

const Frame of_main = {"main", "/home/program.cc:7", "/usr/bin/program"};
const Frame of_start = {"__libc_start_main", "", "/lib/libc.so.6"};

Frame of_cplusplus(const std::string& function) {
  return {function, "", "/usr/lib/libstdc++.so.6"};
}

TEST(OwnCode, BeginsOutsideOfTheLibraries) {
  const Site site = site_in_own_code({{"_IO_puts", "", "/lib/libc.so.6"}, of_main, of_start});
  EXPECT_EQ(site.frames, std::vector{of_main});
  EXPECT_FALSE(site.by_iostream);
}

TEST(OwnCode, BeginsOutsideOfSystemHeaders) {
  const std::string program = "/usr/bin/program";
  const Frame putchar = {"putchar", "/usr/include/x86_64-linux-gnu/bits/stdio.h:84", program};
  const Frame print = {"print", "/usr/local/include/format.h:12", program};
  EXPECT_EQ(site_in_own_code({putchar, print, of_main}).frames, std::vector{of_main});
  const Frame own_header = {"put", "/home/include/put.h:3", program};
  EXPECT_EQ(site_in_own_code({own_header, of_main}).frames.front(), own_header);
}

TEST(OwnCode, IsAllThatThereIsIfNothingElseIsThere) {
  const Frame putchar = {"putchar", "/usr/include/bits/stdio.h:84", "/usr/bin/program"};
  EXPECT_EQ(site_in_own_code({putchar}).frames, std::vector{putchar});
  EXPECT_TRUE(site_in_own_code({}).frames.empty());
}

TEST(OwnCode, CallsTheCplusplusLibraryIfItsFramesComeFirst) {
  EXPECT_TRUE(site_in_own_code({of_cplusplus("std::ostream::flush()"), of_main}).by_iostream);
  const Frame inlined = {"operator<<", "/usr/include/c++/12/ostream:611", "/usr/bin/program"};
  EXPECT_TRUE(site_in_own_code({inlined, of_main}).by_iostream);
  EXPECT_FALSE(site_in_own_code({of_main, of_cplusplus("std::ostream::flush()")}).by_iostream);
}

TEST(OwnCode, TakesWordsOutOfAStreamByExtractionAlone) {
  const Frame fills = of_cplusplus("std::basic_filebuf<char>::underflow()");
  const Frame word = of_cplusplus("std::basic_istream<char>& std::operator>> <char>(...)");
  const Frame number = of_cplusplus("std::istream& std::istream::_M_extract<long>(long&)");
  const Frame line = of_cplusplus("std::basic_istream<char>& std::getline<char>(...)");
  EXPECT_TRUE(site_in_own_code({fills, word, of_main}).by_extraction);
  EXPECT_TRUE(site_in_own_code({fills, number, of_main}).by_extraction);
  EXPECT_FALSE(site_in_own_code({fills, line, of_main}).by_extraction);
  EXPECT_FALSE(site_in_own_code({fills, of_main, word}).by_extraction) << "who called main";
}

// std::istreambuf_iterator is inlined, and calls the library only for the next buffer.
TEST(OwnCode, TakesSingleBytesIfItMakesAStringOfIterators) {
  const Frame fills = of_cplusplus("std::basic_filebuf<char>::underflow()");
  const Frame takes = of_cplusplus("std::basic_streambuf<char>::uflow()");
  const Frame inlined = {"sbumpc", "/usr/include/c++/12/streambuf:325", "/usr/bin/program"};
  const Frame makes = {
      "void std::basic_string<char>::_M_construct<std::istreambuf_iterator<char>>()", "",
      "/usr/bin/program"};
  const Frame makes_inlined = {"_M_construct<std::istreambuf_iterator<char> >",
                               "/usr/include/c++/12/bits/basic_string.tcc:163", "/usr/bin/program"};
  EXPECT_TRUE(site_in_own_code({fills, makes, of_main}).by_bytes);
  EXPECT_TRUE(site_in_own_code({fills, takes, inlined, makes_inlined, of_main}).by_bytes);
  const Site loop = site_in_own_code({fills, takes, inlined, of_main});
  EXPECT_FALSE(loop.by_bytes) << "a loop over iterators is fast";
  EXPECT_TRUE(loop.by_refills);
  const Frame line = of_cplusplus("std::basic_istream<char>& std::getline<char>(...)");
  EXPECT_FALSE(site_in_own_code({fills, line, of_main}).by_refills);
  EXPECT_FALSE(site_in_own_code({{"underflow()", "", "/lib/libc.so.6"}, of_main}).by_refills);
  EXPECT_FALSE(site_in_own_code({fills, of_main, makes}).by_bytes) << "a caller of main";
  EXPECT_FALSE(site_in_own_code({makes, of_main}).by_bytes) << "no stream is read";
}

TEST(OwnCode, CopiesBuffersOfStreams) {
  const Frame fills = of_cplusplus("std::basic_filebuf<char>::underflow()");
  const Frame copies = of_cplusplus("std::__copy_streambufs_eof<char>(...)");
  EXPECT_TRUE(site_in_own_code({fills, copies, of_main}).by_rdbuf);
  EXPECT_FALSE(site_in_own_code({fills, of_main, copies}).by_rdbuf);
  EXPECT_FALSE(site_in_own_code({{"copy_streambufs", "", "/lib/libc.so.6"}, of_main}).by_rdbuf);
}

TEST(OwnCode, TakesSingleBytesByGetAndPutAlone) {
  const Frame fills = of_cplusplus("std::basic_filebuf<char>::underflow()");
  for (const char* name :
       {"std::istream::get()", "std::istream::get(char&)", "std::ostream::put(char)",
        "std::basic_istream<char>::get()", "std::istream::peek()",
        "std::basic_istream<char>::peek()", "std::istream::ignore()"}) {
    EXPECT_TRUE(site_in_own_code({fills, of_cplusplus(name), of_main}).by_bytes) << name;
    EXPECT_FALSE(site_in_own_code({fills, of_main, of_cplusplus(name)}).by_bytes) << name;
  }
  for (const char* name :
       {"std::istream::get(char*, long)", "std::ostream::write(char const*, long)",
        "std::num_put<char>::put(std::ostreambuf_iterator<char>, char)"}) {
    EXPECT_FALSE(site_in_own_code({fills, of_cplusplus(name), of_main}).by_bytes) << name;
  }
  EXPECT_TRUE(reads_pieces(of_cplusplus("std::istream::read(char*, long)")));
  EXPECT_FALSE(reads_pieces(of_cplusplus("std::istream::readsome(char*, long)")));
  EXPECT_FALSE(reads_pieces(of_cplusplus("std::filebuf::read(char*, long)")));
  for (const char* name :
       {"std::ostream& std::ostream::_M_insert<double>(double)",
        "std::num_put<char>::_M_insert_float<long double>(std::ostreambuf_iterator<char>)"}) {
    EXPECT_TRUE(site_in_own_code({fills, of_cplusplus(name), of_main}).by_fractions) << name;
  }
  const Frame of_long = of_cplusplus("std::ostream& std::ostream::_M_insert<long>(long)");
  EXPECT_FALSE(site_in_own_code({fills, of_long, of_main}).by_fractions);
  EXPECT_TRUE(site_in_own_code({fills, of_long, of_main}).by_integers);
  EXPECT_FALSE(site_in_own_code({fills, of_long, of_main}).by_texts);
  for (const char* name :
       {"std::ostream& std::__ostream_insert<char, std::char_traits<char> >(std::ostream&)",
        "std::ostream::write(char const*, long)"}) {
    EXPECT_TRUE(site_in_own_code({fills, of_cplusplus(name), of_main}).by_texts) << name;
    EXPECT_FALSE(site_in_own_code({fills, of_cplusplus(name), of_main}).by_integers) << name;
  }
  const Frame looks = of_cplusplus("std::istream::peek()");
  EXPECT_TRUE(site_in_own_code({fills, looks, of_main}).by_peek);
  EXPECT_FALSE(site_in_own_code({fills, of_cplusplus("std::istream::get()"), of_main}).by_peek);
}

TEST(OwnCode, CallsNoStreamIfAHeaderMakesTheCall) {
  const Frame write = {"write_all", "/usr/include/library.h:5", "/usr/bin/program"};
  const Frame for_each = {"for_each", "/usr/include/c++/12/bits/stl_algo.h:3818",
                          "/usr/bin/program"};
  const Site site = site_in_own_code({write, for_each, of_main});
  EXPECT_EQ(site.frames, std::vector{of_main});
  EXPECT_FALSE(site.by_iostream);
}

TEST(OwnCode, ReadsFromAStreamAlsoWhereTheReadFlushesAnotherStream) {
  const std::string sync = "__gnu_cxx::stdio_sync_filebuf<char, std::char_traits<char> >::sync()";
  const std::string sentry = "std::istream::sentry::sentry(std::istream&, bool)";
  const std::vector<std::string> inner = {sync, "std::ostream::flush()", sentry};
  for (const std::string module : {"/usr/lib/libstdc++.so.6", "/usr/bin/program"}) {
    std::vector<Frame> frames;
    for (const std::string& function : inner) frames.push_back({function, "", module});
    frames.push_back({"std::istream& std::istream::_M_extract<double>(double&)", "", module});
    frames.push_back(of_main);
    const Site site = site_in_own_code(frames);
    EXPECT_EQ(site.frames, std::vector{of_main}) << module;
    EXPECT_TRUE(site.by_istream) << module;
  }
}

TEST(OwnCode, DoesNotReadWhereItOnlyWrites) {
  const Site site = site_in_own_code({of_cplusplus("std::ostream::flush()"), of_main});
  EXPECT_FALSE(site.by_istream);
  const Frame own = {"operator>>(std::istream&, Point&)", "", "/usr/bin/program"};
  EXPECT_FALSE(site_in_own_code({of_cplusplus("std::ostream::flush()"), own}).by_istream);
}

}  // namespace
}  // namespace sluice::trace
