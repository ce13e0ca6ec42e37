// Writes three lines to an object, reads them back, and prints them. The object is a file here: a
// store is not at hand where this program is built.
#include <sluice/object.h>

#include <iostream>
#include <string>
#include <string_view>

int main(int, char** argv) {
  const std::string uri = std::string("file://") + argv[1];
  sluice::Writer refused;
  if (sluice::open_object(refused, "s3://").ok()) return 2;
  sluice::Writer writer;
  if (!sluice::open_object(writer, uri).ok()) return 3;
  writer.write("alpha\nbeta\ngamma\n");
  if (!writer.close().ok()) return 4;
  sluice::Reader reader;
  if (!sluice::open_object(reader, uri).ok()) return 5;
  const char* between = "";
  for (std::string_view line : reader.lines()) {
    std::cout << between << line;
    between = " ";
  }
  std::cout << '\n';
  return reader.close().ok() ? 0 : 6;
}
