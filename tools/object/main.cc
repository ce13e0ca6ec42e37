// The executable of `sluice get`, and of `sluice put`, `sluice cat` and `sluice bench` with URIs of
// objects.
#include <memory>
#include <utility>

#include "cat/command.h"
#include "cat/command_line.h"
#include "command_line/commands.h"
#include "object/bench.h"
#include "object/get_command_line.h"
#include "put/command.h"
#include "put/command_line.h"
#include "put/compressed_file.h"
#include "sluice/codecs.h"
#include "sluice/object.h"

namespace sluice {
namespace {

Status open_compressed_object(Writer& writer, const put::Request& request, WriterOptions options) {
  const put::Compression compression = put::compression_of(request);
  std::unique_ptr<Sink> object;
  Status status = make_object_sink(request.file, {}, object);
  std::unique_ptr<Sink> sink;
  if (status.ok()) {
    status = make_compressing_sink(std::move(object), compression.codec, compression.options, sink);
  }
  options.block_bytes = block_bytes_of(compression.options);
  return status.ok() ? writer.open(std::move(sink), options) : status;
}

Status open_to_put(Writer& writer, const put::Request& request, const WriterOptions& options) {
  return request.compression.empty() ? open_object(writer, request.file, {}, options)
                                     : open_compressed_object(writer, request, options);
}

Status open_to_get(Reader& reader, const std::string& uri) { return open_object(reader, uri); }

Status open_to_cat(Reader& reader, const std::string& path) {
  if (!is_object_uri(path)) return cat::open_file(reader, path);
  std::unique_ptr<Source> object;
  Status status = make_object_source(path, {}, object);
  std::unique_ptr<Source> source;
  if (status.ok()) status = make_decompressing_source(std::move(object), all_codecs(), source);
  return status.ok() ? reader.open(std::move(source)) : status;
}

}  // namespace
}  // namespace sluice

int main(int argc, char** argv) {
  sluice::Commands commands;
  sluice::cat::Request get;
  commands.add(sluice::get::add_command(commands.app(), get),
               [&] { return sluice::cat::run(get, "sluice get", sluice::open_to_get); });
  sluice::cat::Request cat;
  commands.add(sluice::cat::add_command(commands.app(), cat),
               [&] { return sluice::cat::run(cat, "sluice cat", sluice::open_to_cat); });
  sluice::put::Request put;
  CLI::App* const put_command = sluice::put::add_command(commands.app(), put);
  sluice::put::add_compression(*put_command, put);
  commands.add(put_command, [&] {
    put.atomic = true;  // after an error or a signal the old object stays
    return sluice::put::run(put, sluice::open_to_put);
  });
  sluice::object::BenchRequest bench;
  commands.add(sluice::object::add_bench(commands.app(), bench),
               [&] { return sluice::object::run_bench(bench); });
  return commands.main(argc, argv);
}
