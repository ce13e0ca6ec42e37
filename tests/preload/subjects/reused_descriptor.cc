// Writes files by std::ofstream, and other files by descriptors with the same numbers.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

namespace {

void write_lines(std::ostream& out, int count) {
  for (int i = 0; i < count; ++i) out << "line " << i << std::endl;
}

int next_descriptor() {
  const int descriptor = dup(STDOUT_FILENO);
  close(descriptor);
  return descriptor;
}

// Half of the streams are closed. The other half are only destroyed.
void write_stream(int number, int count) {
  std::ofstream out("stream" + std::to_string(number));
  write_lines(out, count);
  if (number % 2 == 0) {
    out.close();
    std::printf("closed: %d\n", out.good() ? 1 : 0);
  }
}

}  // namespace

int main() {
  for (int i = 0; i < 10; ++i) {
    const int expected = next_descriptor();
    write_stream(i, 100 * i + 1);
    const std::string name = "descriptor" + std::to_string(i);
    const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    std::printf("reused: %d\n", descriptor == expected ? 1 : 0);
    for (int line = 0; line < 50; ++line) {
      if (write(descriptor, "written\n", 8) != 8) return 1;
    }
    close(descriptor);
    std::FILE* const stream = std::fopen(("stdio" + std::to_string(i)).c_str(), "w");
    std::printf("reused: %d\n", fileno(stream) == expected ? 1 : 0);
    std::fputs("put\n", stream);
    std::fclose(stream);
  }
}
