// Prints a table on standard output, formatted by {fmt}.
#include <sluice/print.h>

#include <cstdio>
#include <string_view>

struct Planet {
  std::string_view name;
  double distance_au;
};
constexpr Planet planets[] = {{"Mercury", 0.387}, {"Venus", 0.723}, {"Earth", 1.0}};

static sluice::Status print_table() {
  sluice::Writer writer;
  if (sluice::Status status = writer.attach(1, "standard output"); !status.ok()) return status;
  for (const Planet& planet : planets) {
    sluice::print(writer, "{:<10}{:>8.3f}\n", planet.name, planet.distance_au);
  }
  return writer.close();  // reports a full disk or a closed pipe at the latest
}

int main() {
  const sluice::Status status = print_table();
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.message().c_str());
  return status.ok() ? 0 : 1;
}
