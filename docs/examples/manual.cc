// The example in C++ of sluice(3).
#include <sluice/writer.h>
#include <cstdio>

int main() {
  sluice::Writer writer;
  sluice::Status status = writer.open("numbers");
  for (int i = 0; i < 1000; ++i) writer.write_number(i), writer.put('\n');
  status = writer.close();  // gives the failure of open() again
  if (!status.ok()) std::puts(status.message().c_str());
  return status.ok() ? 0 : 1;
}
