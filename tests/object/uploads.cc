// Writes objects one after another and ends each of them in another way.
//
// usage: uploads URI OPTIONS COUNT SEED MIN_BYTES MAX_BYTES ENDINGS
//
// The objects are URI0, URI1, ... with OPTIONS behind them. Their sizes are random. ENDINGS has a
// letter for each way that may be chosen: c(lose), d(iscard), e(xception), l(eave: the Writer is
// destroyed), f(ork: a child that has the Writer too destroys it, and then the parent discards).
// Before an object is closed, a line says "closing NUMBER BYTES"; then "closed NUMBER" or "failed
// NUMBER MESSAGE".
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include "sluice/lost_error.h"
#include "sluice/object.h"

namespace {

using sluice::Status;
using sluice::Writer;

constexpr std::size_t piece_bytes = 100'000;

// Every byte of an object is the low byte of its number and position.
void write_bytes(Writer& writer, std::uint64_t bytes, unsigned number) {
  std::string piece(piece_bytes, '\0');
  for (std::uint64_t done = 0; done < bytes; done += piece_bytes) {
    const std::size_t count = std::min<std::uint64_t>(piece_bytes, bytes - done);
    for (std::size_t i = 0; i < count; ++i) piece[i] = static_cast<char>((done + i) / 7 + number);
    writer.write(piece.data(), count);
  }
}

void leave_to_parent(Writer& writer) {
  const pid_t child = ::fork();
  if (child == 0) {
    writer = Writer();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0) throw std::runtime_error("the child ended with " + std::to_string(status));
}

Status end(Writer& writer, char ending) {
  switch (ending) {
    case 'c': return writer.close();
    case 'd': return writer.discard();
    case 'e': throw std::runtime_error("the program has failed");
    case 'f': leave_to_parent(writer); return writer.discard();
    default: return {};
  }
}

void write_object(const std::string& uri, unsigned number, std::uint64_t bytes, char ending) {
  Writer writer;
  Status status = sluice::open_object(writer, uri);
  if (status.ok()) write_bytes(writer, bytes, number);
  if (ending == 'c') std::cout << "closing " << number << ' ' << bytes << std::endl;
  if (status.ok()) status = end(writer, ending);
  if (!status.ok()) {
    std::cout << "failed " << number << ' ' << status << std::endl;
  } else if (ending == 'c') {
    std::cout << "closed " << number << std::endl;
  }
}

}  // namespace

int main(int /*count*/, char** words) {
  const std::string uri = words[1];
  const std::string options = words[2];
  const unsigned objects = static_cast<unsigned>(std::stoul(words[3]));
  std::mt19937_64 random(std::stoull(words[4]));
  const std::uint64_t min_bytes = std::stoull(words[5]);
  const std::uint64_t max_bytes = std::stoull(words[6]);
  const std::string endings = words[7];
  sluice::set_lost_error_handler([](const Status&, void*) {}, nullptr);  // a Writer is left
  for (unsigned number = 0; number < objects; ++number) {
    const std::uint64_t bytes = min_bytes + random() % (max_bytes - min_bytes + 1);
    const char ending = endings[random() % endings.size()];
    try {
      write_object(uri + std::to_string(number) + options, number, bytes, ending);
    } catch (const std::runtime_error& error) {
      if (ending != 'e') return 1;
    }
  }
  return 0;
}
