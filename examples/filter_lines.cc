// Passes on the lines of standard input that contain a text. `filter_lines TEXT | head -1` ends as
// soon as head has its line.
#include <sluice/standard_streams.h>

#include <cerrno>
#include <cstdio>
#include <string_view>

static int fail(const sluice::Status& status) {
  return std::fprintf(stderr, "%s\n", status.message().c_str()), 1;
}

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: filter_lines TEXT\n"), 2;
  sluice::Reader in = sluice::standard_input();
  sluice::Writer out = sluice::standard_output();
  for (const std::string_view line : in.lines()) {
    if (line.find(argv[1]) == std::string_view::npos) continue;
    if (!out.write(line) || !out.put('\n')) break;
  }
  if (const sluice::Status read = in.close(); !read.ok()) return fail(read);
  const sluice::Status written = out.close();
  const bool is_enough = written.code().value() == EPIPE;  // no process reads the pipe any more
  return written.ok() || is_enough ? 0 : fail(written);
}
