#include "put/command_line.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

#include "command_line/offers.h"
#include "command_line/options.h"

namespace sluice::put {
namespace {

constexpr std::string_view formats[] = {"zstd",          "lz4",           "series:double",
                                        "series:float",  "series:int8",   "series:int16",
                                        "series:int32",  "series:int64",  "series:uint8",
                                        "series:uint16", "series:uint32", "series:uint64"};

std::string all_formats() {
  std::string all;
  for (const std::string_view format : formats) {
    all += all.empty() ? "" : ", ";
    all += format;
  }
  return all;
}

// Takes "zstd", and "zstd:19" with a level. CLI11 calls a flag without a value "true".
std::string take_format(std::string& text, Request& request) {
  if (text == "true") text = "zstd";
  request.level.reset();
  if (std::ranges::find(formats, text) != std::end(formats)) return "";
  const std::size_t colon = std::min(text.rfind(':'), text.size());
  const std::string_view format = std::string_view(text).substr(0, colon);
  if (std::ranges::find(formats, format) == std::end(formats)) {
    return "'" + text + "' is no format that sluice writes. Formats: " + all_formats();
  }
  int level = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, level);
  if (error == std::errc::result_out_of_range) {
    return "the level " + text.substr(colon + 1) + " is too large";
  }
  if (error != std::errc() || stop != end) {
    return "'" + text.substr(colon + 1) +
           "' is no level. A level is a whole number: --compress=" + text.substr(0, colon) + ":3";
  }
  request.level = level;
  text.resize(colon);
  return "";
}

}  // namespace

CLI::App* add_command(CLI::App& app, Request& request) {
  CLI::App* const command =
      app.add_subcommand("put",
                         "Write standard input to a file, safely: put --atomic FILE. Or to "
                         "an object: put s3://BUCKET/NAME");
  command
      ->add_option("FILE", request.file,
                   "The file to write, or the URI of an object, such as s3://BUCKET/NAME")
      ->required()
      ->check(refuse_empty_name)
      ->type_name("FILE");
  command->add_flag(
      "--atomic", request.atomic,
      "Put the new file in the old file's place in one step, after standard input has "
      "ended and the new bytes are on the disk. Until then, and after an error or a "
      "signal, the old file stays as it is");
  command->add_flag("--durable", request.durable,
                    "End only when the bytes and the file's name survive a power cut; --atomic "
                    "includes this");
  command->footer(
      "A FILE whose name begins with '-' comes after '--': sluice put -- -x\n\n"
      "Without --atomic the file is emptied when the command starts, as by a shell's '>'. With\n"
      "--atomic a program may still read the file that its output replaces:\n"
      "sort f | sluice put --atomic f");
  return command;
}

void add_compression(CLI::App& command, Request& request) {
  CLI::Option* const compress = command.add_flag(
      "--compress", request.compression,
      "Compress the bytes, so that the zstd command reads the file. --compress=lz4 "
      "compresses faster and less well. --compress=series:double is for numbers. A level may "
      "follow: --compress=zstd:LEVEL, -7 to 22 (lz4: -10 to 12), without it 1. sluice cat reads "
      "all of them");
  compress
      ->transform(
          CLI::Validator([&request](std::string& text) { return take_format(text, request); }, ""))
      ->take_last();
  // Behind a blank stands the file, not the format.
  command.get_option("FILE")->check([compress](const std::string& file) -> std::string {
    if (compress->count() == 0 || std::ranges::find(formats, file) == std::end(formats)) return "";
    return "for the format, write '--compress=" + file + "'. For a file of this name, write './" +
           file + "'";
  });
  offer_words(*compress, {std::begin(formats), std::end(formats)});
}

}  // namespace sluice::put
