// The words of a file, each with its length, through code that knows only std::istream and
// std::ostream.
#include <sluice/iostream.h>

#include <cstdio>
#include <string>

void list_words(std::istream& in, std::ostream& out) {
  for (std::string word; in >> word;) out << word << ' ' << word.size() << '\n';
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  sluice::IStreamReader in(argv[1]);
  sluice::OStreamWriter out(argv[2]);
  list_words(in, out);
  sluice::Status status = in.status();  // a read that failed, or an open
  if (status.ok()) status = out.close();
  if (!status.ok()) std::printf("%s\n", status.message().c_str());
  return status.ok() ? 0 : 1;
}
