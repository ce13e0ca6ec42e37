// A program that something ends, and a second run that checks the files afterwards.
//
// usage: crash_workload run SCENARIO FOLDER [NAME=VALUE...]
//        crash_workload check SCENARIO FOLDER <what the run has printed
//        crash_workload list
//
// NAME=VALUE: seed=N steps=N threads=N end=cut|kill at=acknowledgement|call|write|flush nth=N
//             early_every=N disk=ORDERS (of a disk that forgets, see forgetful_disk.cc)
//             without=file_sync|directory_sync|write_through
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "scenario.h"

namespace sluice::crash {

void expect(bool holds, const std::string& promise) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", promise.c_str());
  std::exit(1);
}

std::uint64_t largest(const Told& told) {
  std::uint64_t most = 0;
  for (const Acknowledged& each : told) most = std::max(most, each.value);
  return most;
}

namespace {

[[noreturn]] void usage(const std::string& problem) {
  std::fprintf(stderr, "crash_workload: %s (see tests/crash/workload.cc)\n", problem.c_str());
  std::exit(2);
}

std::vector<Scenario> all_scenarios() {
  std::vector<Scenario> all;
  for (const auto some :
       {writer_scenarios(), position_scenarios(), replace_scenarios(), journal_scenarios()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
#ifdef SLUICE_WITH_ZSTD
  all.insert(all.end(), series_scenarios().begin(), series_scenarios().end());
#endif
  return all;
}

Scenario scenario_named(std::string_view name) {
  for (const Scenario& each : all_scenarios()) {
    if (each.name == name) return each;
  }
  usage("no scenario " + std::string(name));
}

void set_option(RunOptions& options, const std::string& argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos) usage("NAME=VALUE is expected: " + argument);
  const std::string name = argument.substr(0, equals);
  const std::string value = argument.substr(equals + 1);
  static const std::map<std::string, End> ends = {{"cut", End::cut}, {"kill", End::kill}};
  static const std::map<std::string, Moment> moments = {
      {"acknowledgement", Moment::acknowledgement},
      {"call", Moment::call},
      {"write", Moment::write},
      {"flush", Moment::flush}};
  static const std::map<std::string, Without> withouts = {
      {"file_sync", Without::file_sync},
      {"directory_sync", Without::directory_sync},
      {"write_through", Without::write_through}};
  if (name == "seed") {
    options.seed = std::stoull(value);
  } else if (name == "steps") {
    options.steps = std::stoull(value);
  } else if (name == "nth") {
    options.nth = std::stoull(value);
  } else if (name == "threads") {
    options.threads = std::stoull(value);
  } else if (name == "early_every") {
    options.early_every = std::stoull(value);
  } else if (name == "disk") {
    options.disk = value;
  } else if (name == "end") {
    options.end = ends.at(value);
  } else if (name == "at") {
    options.moment = moments.at(value);
  } else if (name == "without") {
    options.without = withouts.at(value);
  } else {
    usage("no option " + name);
  }
}

// Standard input may hold other lines too.
Told read_told() {
  Told told;
  for (std::string line; std::getline(std::cin, line);) {
    Acknowledged each{};
    char* end = nullptr;
    each.value = std::strtoull(line.c_str(), &end, 10);
    if (end == line.c_str()) continue;
    each.detail = std::strtoull(end, nullptr, 10);
    told.push_back(each);
  }
  return told;
}

int main(const std::vector<std::string>& arguments) {
  if (arguments == std::vector<std::string>{"list"}) {
    for (const Scenario& each : all_scenarios()) std::puts(std::string(each.name).c_str());
    return 0;
  }
  if (arguments.size() < 3) usage("too few arguments");
  const Scenario scenario = scenario_named(arguments[1]);
  if (arguments[0] == "check") {
    scenario.check(arguments[2], read_told());
    return 0;
  }
  if (arguments[0] != "run") usage("no command " + arguments[0]);
  RunOptions options{.folder = arguments[2]};
  for (std::size_t i = 3; i < arguments.size(); ++i) set_option(options, arguments[i]);
  Run run(options);
  scenario.run(run);
  std::puts("finished");
  return 0;
}

}  // namespace
}  // namespace sluice::crash

int main(int count, char** arguments) {
  return sluice::crash::main({arguments + 1, arguments + count});
}
