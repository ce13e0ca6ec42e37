#include "trace/comparison/traced_result.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <type_traits>

#include "command_line/output.h"
#include "sluice/files.h"
#include "trace/report/report.h"

namespace sluice::trace {
namespace {

using Json = nlohmann::json;

// The mistake in a text that should be a result.
class NoResult : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

const Json& at(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (found == object.end()) throw NoResult(fmt::format("it has no \"{}\"", key));
  return *found;
}

[[noreturn]] void refuse(const char* key, const char* kind) {
  throw NoResult(fmt::format("\"{}\" is not {}", key, kind));
}

std::uint64_t count_at(const Json& object, const char* key) {
  const Json& value = at(object, key);
  if (!value.is_number_unsigned()) refuse(key, "a count");
  return value.get<std::uint64_t>();
}

double number_at(const Json& object, const char* key) {
  const Json& value = at(object, key);
  if (!value.is_number()) refuse(key, "a number");
  return value.get<double>();
}

std::string text_at(const Json& object, const char* key) {
  const Json& value = at(object, key);
  if (!value.is_string()) refuse(key, "a text");
  return value.get<std::string>();
}

const Json& list_at(const Json& object, const char* key) {
  const Json& value = at(object, key);
  if (!value.is_array()) refuse(key, "a list");
  return value;
}

template <typename Value>
std::vector<Value> values_at(const Json& object, const char* key,
                             bool (Json::*is_one)() const noexcept, const char* kind) {
  std::vector<Value> values;
  for (const Json& each : list_at(object, key)) {
    if (!(each.*is_one)()) refuse(key, kind);
    values.push_back(each.get<Value>());
  }
  return values;
}

std::vector<std::string> texts_at(const Json& object, const char* key) {
  return values_at<std::string>(object, key, &Json::is_string, "a list of texts");
}

std::vector<std::size_t> indexes_at(const Json& object, const char* key) {
  return values_at<std::size_t>(object, key, &Json::is_number_unsigned, "a list of indexes");
}

double io_s_of(const Json& object) {
  const Json& time = at(object, "time");
  return number_at(time, "copying_s") + number_at(time, "system_s") + number_at(time, "sleep_s");
}

// A function without a name has the form "program+0x4a". The number is the function's place in the
// program.
void split_address(TracedSite& site) {
  const std::size_t plus = site.function.rfind("+0x");
  if (plus == std::string::npos || plus == 0 || !site.line.empty()) return;
  if (site.function.find_first_not_of("0123456789abcdef", plus + 3) != std::string::npos) return;
  site.line = site.function.substr(plus);
  site.function.resize(plus);
}

const Json& stack_at(const Json& stacks, const Json& site) {
  const std::uint64_t index = count_at(site, "stack");
  if (index >= stacks.size()) throw NoResult(fmt::format("it has no stacks[{}]", index));
  if (!stacks[index].is_array()) refuse("stacks", "a list of lists");
  return stacks[index];
}

TracedSite site_of(const Json& stacks, const Json& json) {
  TracedSite site{text_at(json, "call"), "(unknown)", "", text_at(json, "file")};
  site.cost = {.calls = count_at(json, "calls"),
               .system_calls = count_at(json, "system_calls"),
               .system_bytes = count_at(json, "system_bytes"),
               .cold_bytes = count_at(json, "cold_bytes"),
               .io_s = io_s_of(json)};
  const Json& stack = stack_at(stacks, json);
  if (stack.empty()) return site;
  site.function = text_at(stack.front(), "function");
  site.line = std::filesystem::path(text_at(stack.front(), "source")).filename().string();
  split_address(site);
  return site;
}

TracedAdvice advice_of(const Json& json) {
  TracedAdvice advice{.id = text_at(json, "id"),
                      .place = text_at(json, "place"),
                      .file = text_at(json, "file"),
                      .places = count_at(json, "places"),
                      .files = count_at(json, "files"),
                      .call_sites = indexes_at(json, "call_sites"),
                      .saved_s = number_at(json, "saved_s"),
                      .least_saved_s = number_at(json, "least_saved_s"),
                      .at_once = number_at(json, "at_once")};
  if (advice.at_once < 1) refuse("at_once", "a number of threads");
  return advice;
}

Disturbance disturbance_of(const Json& json) {
  const Json& disturbance = at(json, "disturbance");
  return {.others = number_at(disturbance, "others"), .host = number_at(disturbance, "host")};
}

std::string end_of(const Json& json) {
  const bool signalled = !at(json, "signal").is_null();
  if (!signalled && at(json, "exit_code").is_null()) return "still running";
  return signalled ? fmt::format("signal {}", count_at(json, "signal"))
                   : fmt::format("exit code {}", count_at(json, "exit_code"));
}

// Refuses a trace that saw nothing, because in a comparison all time would look saved.
void expect_seen(const Json& json) {
  if (!at(json, "not_covered").is_null()) {
    throw NoResult("nothing was seen in that run: " + text_at(json, "not_covered"));
  }
  if (list_at(json, "processes").empty()) throw NoResult("nothing was seen in that run");
}

void expect_schema(const Json& json) {
  const std::uint64_t found = count_at(json, "schema");
  at(json, "timeline");  // no other report of the command has it
  if (found != schema) {
    throw NoResult(fmt::format("it has schema {}, and this sluice reads schema {}", found, schema));
  }
}

// Reads each element of a list. A failure names the element.
template <typename Read>
auto all_at(const Json& json, const char* key, Read read) {
  std::vector<std::invoke_result_t<Read, const Json&>> all;
  for (const Json& each : list_at(json, key)) {
    try {
      all.push_back(read(each));
    } catch (const NoResult& error) {
      throw NoResult(fmt::format("{} in {}[{}]", error.what(), key, all.size()));
    }
  }
  return all;
}

void expect_indexes(const TracedResult& result) {
  for (const TracedAdvice& advice : result.advice) {
    for (const std::size_t index : advice.call_sites) {
      if (index >= result.sites.size())
        throw NoResult(fmt::format("it has no call_sites[{}]", index));
    }
  }
}

TracedResult result_of(const std::string& path, const Json& json) {
  expect_schema(json);
  expect_seen(json);
  const Json& stacks = list_at(json, "stacks");
  const auto read_site = [&](const Json& site) { return site_of(stacks, site); };
  TracedResult result{.path = path,
                      .command = texts_at(json, "command"),
                      .end = end_of(json),
                      .wall_s = number_at(json, "wall_s"),
                      .sites = all_at(json, "call_sites", read_site),
                      .advice = all_at(json, "advice", advice_of),
                      .problems = texts_at(json, "problems"),
                      .disturbance = disturbance_of(json)};
  if (result.command.empty()) refuse("command", "a program and its arguments");
  expect_indexes(result);
  for (const TracedSite& site : result.sites) result.total += site.cost;
  return result;
}

}  // namespace

Cost& Cost::operator+=(const Cost& other) {
  calls += other.calls;
  system_calls += other.system_calls;
  system_bytes += other.system_bytes;
  cold_bytes += other.cold_bytes;
  io_s += other.io_s;
  return *this;
}

std::string place_of(const TracedSite& site) {
  const bool is_address = site.line.starts_with('+');
  if (site.line.empty() || is_address) return site.function + site.line;
  return fmt::format("{} at {}", site.function, site.line);
}

TracedResult traced_result_of(const std::string& path, std::string_view json) {
  std::string problem;
  try {
    return result_of(path, Json::parse(json));
  } catch (const Json::parse_error& error) {
    problem = fmt::format("it is not valid JSON at byte {}", error.byte);
  } catch (const Json::exception& error) {  // a number that is too large
    problem = error.what();
  } catch (const NoResult& error) {
    problem = error.what();
  }
  throw std::runtime_error(fmt::format(
      "{}: cannot be compared, because {}. Make a result with: sluice trace --json FILE -- CMD",
      path, problem));
}

TracedResult read_traced_result(const std::string& path) {
  expect_readable(path);
  std::string json;
  if (const Status status = read_file(path, json); !status.ok()) {
    throw std::runtime_error(status.message());
  }
  return traced_result_of(path, json);
}

}  // namespace sluice::trace
