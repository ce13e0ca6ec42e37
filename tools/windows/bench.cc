#include "windows/bench.h"

#include <windows.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/statistics.h"
#include "command_line/options.h"
#include "command_line/quantity.h"
#include "sluice/files.h"
#include "windows/row.h"

namespace sluice::bench {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

// Empty on a real Windows.
std::string wine_version() {
  using Version = const char*(CDECL*)();
  const HMODULE module = ::GetModuleHandleA("ntdll.dll");
  const FARPROC found = ::GetProcAddress(module, "wine_get_version");
  if (found == nullptr) return "";
  return reinterpret_cast<Version>(reinterpret_cast<void*>(found))();
}

std::uint64_t size_of(const WindowsRequest& request, std::uint64_t quick, std::uint64_t usual) {
  if (request.size_bytes != 0) return request.size_bytes;
  return (request.quick ? quick : usual) * mebibyte;
}

// Words after `replay` are files.
std::vector<WindowsExperiment> experiments_of(const WindowsRequest& request) {
  std::vector<WindowsExperiment> chosen;
  const auto add = [&](const std::string& id) {
    if (id == "bytes") {
      chosen.push_back(bytes_on_windows(size_of(request, 4, 64), request.quick));
    } else if (id == "mixed") {
      chosen.push_back(mixed_on_windows(size_of(request, 16, 256)));
    } else {
      throw std::runtime_error("unknown experiment '" + id +
                               "'. On Windows there are: bytes, mixed, replay FILE");
    }
  };
  bool are_files = false;
  for (const std::string& word : request.words) {
    if (are_files) {
      chosen.push_back(replay_on_windows(word, size_of(request, 4, 64)));
    } else if (word == "replay") {
      are_files = true;
    } else {
      add(word);
    }
  }
  if (request.words.empty()) add("bytes"), add("mixed");
  return chosen;
}

// The median over the rounds of (other's time per byte / this row's time per byte).
double speed_beside(const WindowsResult& row, const WindowsResult& other) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < row.seconds.size(); ++i) {
    ratios.push_back(other.seconds[i] / static_cast<double>(other.bytes) /
                     (row.seconds[i] / static_cast<double>(row.bytes)));
  }
  return median_of(ratios);
}

void print_table(const std::string& title, const std::vector<WindowsResult>& results) {
  std::printf("\n%s\n%-30s %10s %10s %15s %12s\n", title.c_str(), "", "median", "MB/s",
              "speed/baseline", "calls");
  for (const WindowsResult& row : results) {
    const double seconds = median_of(row.seconds);
    const std::string calls = row.calls != 0 ? format_count(row.calls) : "-";
    std::printf("%-30s %7.1f ms %10.1f %15.2f %12s\n", row.name.c_str(), seconds * 1e3,
                static_cast<double>(row.bytes) / seconds / 1e6, speed_beside(row, results[1]),
                calls.c_str());
  }
}

nlohmann::json json_of(const std::vector<WindowsResult>& results) {
  nlohmann::json rows = nlohmann::json::array();
  for (const WindowsResult& row : results) {
    rows.push_back({{"strategy", row.name},
                    {"bytes", row.bytes},
                    {"calls", row.calls},
                    {"seconds", row.seconds}});
  }
  return rows;
}

// A folder for the files of the experiments, which is removed at the end.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& parent)
      : path_(parent + "/sluice-bench-" + std::to_string(::GetCurrentProcessId())) {
    std::filesystem::create_directory(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string file() const { return path_ + "/output"; }

 private:
  std::string path_;
};

}  // namespace

CLI::App* add_windows_command(CLI::App& app, WindowsRequest& request) {
  CLI::App* const command =
      app.add_subcommand("bench", "Measure common ways to write files on this machine");
  command->add_option("EXPERIMENT", request.words,
                      "bytes, mixed, or `replay FILE...`; by default bytes and mixed");
  add_name(*command, "--dir", request.directory, "DIR", "The folder whose file system is measured")
      ->capture_default_str();
  add_quantity(*command, "--size", request.size_bytes,
               "Bytes that each strategy moves, such as 64M");
  add_count(*command, "--rounds", request.rounds, "5",
            "Counted rounds after the warm-up round; by default 5, with --quick 3");
  command->add_flag("--quick", request.quick, "Use smaller sizes");
  add_name(*command, "--json", request.json_file, "FILE", "Also write all figures to FILE as JSON");
  return command;
}

int run_on_windows(const WindowsRequest& request) {
  const std::string wine = wine_version();
  const std::uint64_t rounds = request.rounds != 0 ? request.rounds : request.quick ? 3 : 5;
  std::printf("%s; %llu rounds\n",
              wine.empty() ? "Windows" : ("Wine " + wine + ", not Windows").c_str(),
              static_cast<unsigned long long>(rounds));
  nlohmann::json json = {{"wine", wine}, {"experiments", nlohmann::json::array()}};
  const ScratchFolder folder(request.directory);
  for (const WindowsExperiment& experiment : experiments_of(request)) {
    const std::vector<WindowsResult> results = run_rows(experiment, rounds, folder.file());
    print_table(experiment.title, results);
    json["experiments"].push_back({{"title", experiment.title}, {"rows", json_of(results)}});
  }
  if (!request.json_file.empty()) {
    write_file(request.json_file, json.dump(2) + "\n").throw_if_error();
  }
  return 0;
}

}  // namespace sluice::bench
