#include "command_line/options.h"

#include "command_line/quantity.h"
#include "sluice/object.h"

namespace sluice {

std::string refuse_empty_name(const std::string& name) {
  if (name == "-") return "for a file named '-', write './-'";
  return name.empty() ? "the name is empty" : "";
}

std::string refuse_no_name(const std::string& name) {
  if (name.empty()) return "the name is empty";
  if (name.front() != '-') return "";
  return "the name is missing. For a file named '" + name + "', write './" + name + "'";
}

std::string refuse_uri(const std::string& name) {
  if (!is_object_uri(name)) return "";
  return name.substr(0, name.find("://")) + "://... is a URI, and a file or folder is needed";
}

CLI::Option* add_name(CLI::App& command, const std::string& option, std::string& value,
                      const std::string& kind, const std::string& description) {
  return command.add_option(option, value, description)
      ->check(refuse_no_name)
      ->check(refuse_uri)
      ->type_name(kind)
      ->take_last();
}

namespace {

// `examples` are the numbers that the message about a wrong value shows.
CLI::Option* add_number(CLI::App& command, const std::string& name, std::uint64_t& value,
                        const std::string& examples, const std::string& description) {
  return command
      .add_option_function<std::string>(
          name,
          [name, examples, &value](const std::string& text) {
            const auto quantity = parse_quantity(text);
            if (!quantity) {
              throw CLI::ValidationError(
                  name, "'" + text + "' is not a positive whole number, such as " + examples);
            }
            value = *quantity;
          },
          description)
      ->type_name("NUMBER")
      ->take_last();
}

}  // namespace

CLI::Option* add_quantity(CLI::App& command, const std::string& name, std::uint64_t& value,
                          const std::string& description) {
  return add_number(command, name, value, "1000, 64K, 2M, 1G or 1T", description);
}

CLI::Option* add_count(CLI::App& command, const std::string& name, std::uint64_t& value,
                       const std::string& example, const std::string& description) {
  return add_number(command, name, value, example, description);
}

}  // namespace sluice
