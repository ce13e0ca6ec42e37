#include "bench/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "bench/fakes.h"

namespace sluice::bench {
namespace {

using nlohmann::json;

Report report() {
  GroupResult group{"write",
                    "",
                    {fake_row("raw write", Kind::limit, 1000, {1.0, 2.0}),
                     fake_row("fwrite", Kind::baseline, 1000, {8.0, 8.0}),
                     fake_row("write", Kind::peer, 10, {5.0, 5.0}),
                     fake_row("sluice put", Kind::sluice, 1000, {2.0, 2.0})}};
  group.rows[2].error = "write /x: No space left on device";
  group.rows[3].buffer_bytes = 65536;
  group.disturbance = {.others = 0.5, .host = 0.25};
  compute_figures(group);
  Report result;
  result.machine = {.cpu = "a processor",
                    .cores = 2,
                    .memory_bytes = 1 << 30,
                    .kernel = "Linux 6",
                    .libc = "glibc 2.36",
                    .compiler = "gcc 12",
                    .transparent_huge_pages = "madvise",
                    .date = "2024-05-17T12:34:56Z"};
  result.directory = "/scratch";
  result.filesystem = "ext4";
  result.rounds = 2;
  result.libraries_left_out = {"a library"};
  result.experiments.push_back({"bytes", "one byte a call", 1000, {group}, ""});
  result.experiments.push_back({"sync", "what a flush costs", 10, {}, "no input"});
  return result;
}

TEST(JsonOutput, HoldsTheMachineAndTheFolder) {
  const json parsed = json::parse(json_of(report()));
  EXPECT_EQ(parsed["schema"], 1);
  EXPECT_EQ(parsed["directory"], "/scratch");
  EXPECT_EQ(parsed["filesystem"], "ext4");
  EXPECT_EQ(parsed["runs"], 2);
  EXPECT_EQ(parsed["interrupted"], false);
  EXPECT_EQ(parsed["libraries_left_out"], json::parse(R"(["a library"])"));
  EXPECT_EQ(parsed["machine"]["cpu"], "a processor");
  EXPECT_EQ(parsed["machine"]["cores"], 2);
  EXPECT_EQ(parsed["machine"]["memory_bytes"], 1 << 30);
  EXPECT_EQ(parsed["machine"]["transparent_huge_pages"], "madvise");
  EXPECT_EQ(parsed["machine"]["date"], "2024-05-17T12:34:56Z");
}

TEST(JsonOutput, SaysHowMuchOthersUsedTheProcessors) {
  const json parsed = json::parse(json_of(report()));
  EXPECT_EQ(parsed["experiments"][0]["disturbances"],
            json::parse(R"([{"group": "write", "others": 0.5, "host": 0.25}])"));
}

TEST(JsonOutput, HoldsEveryFigureOfARow) {
  const json parsed = json::parse(json_of(report()));
  EXPECT_EQ(parsed["experiments"][0]["id"], "bytes");
  EXPECT_EQ(parsed["experiments"][0]["title"], "one byte a call");
  EXPECT_EQ(parsed["experiments"][0]["bytes"], 1000);
  const json& row = parsed["experiments"][0]["rows"][3];
  EXPECT_EQ(row["strategy"], "sluice put");
  EXPECT_EQ(row["kind"], "sluice");
  EXPECT_EQ(row["group"], "write");
  EXPECT_EQ(row["buffer_bytes"], 65536);
  EXPECT_EQ(row["operations"], 10);
  EXPECT_EQ(row["bytes"], 1000);
  EXPECT_EQ(row["scaled"], false);
  EXPECT_EQ(row["verified"], true);
  EXPECT_EQ(row["wall_s"], (json{{"min", 2.0}, {"median", 2.0}, {"max", 2.0}}));
  EXPECT_EQ(row["user_s"]["median"], 1.0);
  EXPECT_EQ(row["sys_s"]["median"], 0.0);
  EXPECT_EQ(row["sleep_s"]["median"], 0.0);
  EXPECT_EQ(row["syscalls"], 7);
  EXPECT_EQ(row["voluntary_switches"], 3);
  EXPECT_EQ(row["involuntary_switches"], 2);
  EXPECT_EQ(row["peak_rss_bytes"], 1 << 20);
  EXPECT_EQ(row["ratio_to_limit"], 1.5);
  EXPECT_EQ(row["ratio_to_baseline"], 4.0);
  EXPECT_EQ(row["cpu_ratio_to_limit"], 1.5);
  EXPECT_FALSE(row.contains("error"));
}

TEST(JsonOutput, KeepsEveryRound) {
  const json parsed = json::parse(json_of(report()));
  const json& rounds = parsed["experiments"][0]["rows"][0]["rounds"];
  ASSERT_EQ(rounds.size(), 2u);
  EXPECT_EQ(rounds[0]["wall_s"], 1.0);
  EXPECT_EQ(rounds[1]["wall_s"], 2.0);
  EXPECT_EQ(rounds[1]["user_s"], 1.0);
  EXPECT_EQ(rounds[1]["syscalls"], 7);
  EXPECT_EQ(rounds[1]["voluntary_switches"], 3);
  EXPECT_EQ(rounds[1]["involuntary_switches"], 2);
}

TEST(JsonOutput, GivesARowThatFailedNoFigures) {
  const json parsed = json::parse(json_of(report()));
  const json& row = parsed["experiments"][0]["rows"][2];
  EXPECT_EQ(row["verified"], false);
  EXPECT_EQ(row["error"], "write /x: No space left on device");
  EXPECT_FALSE(row.contains("wall_s"));
  EXPECT_FALSE(row.contains("ratio_to_limit"));
  EXPECT_EQ(parsed["experiments"][1]["error"], "no input");
  EXPECT_TRUE(parsed["experiments"][1]["rows"].empty());
}

TEST(JsonOutput, SaysNullForUnknownFigures) {
  Report unknown = report();
  unknown.experiments[0].groups[0].rows[3].syscalls.reset();
  unknown.experiments[0].groups[0].rows[3].ratio_to_limit.reset();
  const json row = json::parse(json_of(unknown))["experiments"][0]["rows"][3];
  EXPECT_TRUE(row["syscalls"].is_null());
  EXPECT_TRUE(row["ratio_to_limit"].is_null());
}

TEST(JsonOutput, AcceptsBytesThatAreNotText) {
  Report odd = report();
  odd.directory = "/scratch/\xff\xfe";
  EXPECT_EQ(json::parse(json_of(odd))["experiments"].size(), 2u);
}

}  // namespace
}  // namespace sluice::bench
