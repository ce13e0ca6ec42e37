#include "trace/comparison/traced_result.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "testing/scratch_directory.h"
#include "trace/advice/advice.h"
#include "trace/report/report.h"

namespace sluice::trace {
namespace {

using Json = nlohmann::json;

// What a trace of one call site, with one piece of advice, writes.
Json written() {
  Profile profile;
  profile.command = {"program", "word"};
  profile.wall_s = 2;
  profile.disturbance = {.others = 0.5, .host = 0.25};
  profile.processes.push_back({.program = "program", .wall_s = 2, .threads = 1, .ended = true});
  profile.sites.push_back({{{"f()", "/src/a.cc:12", "/bin/program"}}});
  profile.files.push_back({.name = "/x", .opens = 1, .kind = S_IFREG});
  Use& use = profile.uses.emplace_back(Use{.call = preload::Call::write});
  use.amount.calls = use.amount.system_calls = 1'000;
  use.amount.time = {.copying_s = 0.25, .system_s = 0.5, .sleep_s = 1};
  Advice advice;
  advice.kind = kinds::tiny_writes;
  advice.saved_s = 0.5;
  advice.uses = {0};
  advice.at_once = 2;
  return Json::parse(json_of(profile, {advice}));
}

std::string refusal_of_text(const std::string& text) {
  try {
    traced_result_of("FILE", text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

std::string refusal_of(const Json& json) { return refusal_of_text(json.dump()); }

void expect_refusal(const std::string& why, const std::string& refusal) {
  EXPECT_EQ(refusal, "FILE: cannot be compared, because " + why +
                         ". Make a result with: sluice trace --json FILE -- CMD");
}

TEST(TracedResult, HasWhatTheTraceHasWritten) {
  const TracedResult result = traced_result_of("FILE", written().dump());
  EXPECT_EQ(result.path, "FILE");
  EXPECT_EQ(result.command, (std::vector<std::string>{"program", "word"}));
  EXPECT_EQ(result.end, "exit code 0");
  EXPECT_EQ(result.wall_s, 2);
  EXPECT_EQ(result.disturbance.others, 0.5);
  EXPECT_EQ(result.disturbance.host, 0.25);
  ASSERT_EQ(result.sites.size(), 1u);
  EXPECT_EQ(result.sites[0].function, "f()");
  EXPECT_EQ(result.sites[0].line, "a.cc:12");
  EXPECT_EQ(result.sites[0].cost.calls, 1'000u);
  EXPECT_EQ(result.total.io_s, 1.75);
  ASSERT_EQ(result.advice.size(), 1u);
  EXPECT_EQ(result.advice[0].at_once, 2);
  EXPECT_EQ(result.advice[0].place, place_of(result.sites[0]));
  EXPECT_EQ(result.advice[0].call_sites, std::vector<std::size_t>{0});
}

TEST(TracedResult, TakesTheAddressOfANamelessFunctionForItsLine) {
  Json json = written();
  Json& frame = json["stacks"][0][0];
  frame["source"] = "";
  frame["function"] = "program+0x4a1b";
  const TracedResult result = traced_result_of("FILE", json.dump());
  EXPECT_EQ(result.sites[0].function, "program");
  EXPECT_EQ(result.sites[0].line, "+0x4a1b");
  EXPECT_EQ(place_of(result.sites[0]), "program+0x4a1b");
}

TEST(TracedResult, IsFoundToBeNone) {
  expect_refusal("it is not valid JSON at byte 1", refusal_of_text(""));
  expect_refusal("it is not valid JSON at byte 1", refusal_of_text("#!/bin/sh"));
  expect_refusal("it has no \"schema\"", refusal_of_text("[]"));
  expect_refusal("it has no \"schema\"", refusal_of_text("{\"a\":1}"));
  expect_refusal("it has no \"timeline\"", refusal_of_text("{\"schema\":4}"));
}

TEST(TracedResult, IsRefusedWithAnotherSchema) {
  Json json = written();
  json["schema"] = 1;
  json["advice"][0].erase("call_sites");  // results with this schema may lack it
  expect_refusal("it has schema 1, and this sluice reads schema 4", refusal_of(json));
  json["schema"] = "3";
  expect_refusal("\"schema\" is not a count", refusal_of(json));
}

TEST(TracedResult, IsRefusedIfNothingWasSeen) {
  Json json = written();
  json["not_covered"] = "it is a static program";
  expect_refusal("nothing was seen in that run: it is a static program", refusal_of(json));
  json["not_covered"] = nullptr;
  json["processes"] = Json::array();
  expect_refusal("nothing was seen in that run", refusal_of(json));
}

TEST(TracedResult, NamesTheElementThatIsWrong) {
  Json json = written();
  json["call_sites"][0]["calls"] = -1;
  expect_refusal("\"calls\" is not a count in call_sites[0]", refusal_of(json));
  json = written();
  json["advice"][0].erase("at_once");
  expect_refusal("it has no \"at_once\" in advice[0]", refusal_of(json));
}

TEST(TracedResult, HasNoSiteWithAStackThatItLacks) {
  Json json = written();
  json["call_sites"][0]["stack"] = 1;
  expect_refusal("it has no stacks[1] in call_sites[0]", refusal_of(json));
}

TEST(TracedResult, HasNoAdviceAboutSitesThatItLacks) {
  Json json = written();
  json["advice"][0]["call_sites"] = {1};
  expect_refusal("it has no call_sites[1]", refusal_of(json));
}

// Without any of the parts that are read, and with another type in their place.
TEST(TracedResult, IsRefusedWithoutAnyOfItsParts) {
  const Json flat = written().flatten();
  std::size_t refused = 0;
  for (const auto& [pointer, value] : flat.items()) {
    Json json = written();
    json[Json::json_pointer(pointer)] = {{"another", "type"}};
    if (refusal_of(json) != "accepted") ++refused;
  }
  EXPECT_GE(refused, 20u);
  const Json whole = written();
  for (const auto& [key, value] : whole.items()) {
    Json json = whole;
    json.erase(key);
    const bool is_read = key != "files" && key != "ranks" && key != "time";
    EXPECT_EQ(refusal_of(json) == "accepted", !is_read) << key;
  }
}

TEST(TracedResult, IsRefusedWhereverItsTextIsCut) {
  const std::string text = written().dump();
  for (std::size_t bytes = 0; bytes < text.size(); ++bytes) {
    ASSERT_NE(refusal_of_text(text.substr(0, bytes)), "accepted") << bytes;
  }
}

TEST(TracedResult, IsNoNumberOutOfRange) {
  std::string text = written().dump();
  text.replace(text.find("\"wall_s\":2.0"), 12, "\"wall_s\":1e999");
  EXPECT_NE(refusal_of_text(text), "accepted");
}

TEST(TracedResult, SaysHowItsProgramEnded) {
  Json json = written();
  json["exit_code"] = nullptr;
  json["signal"] = 9;
  EXPECT_EQ(traced_result_of("FILE", json.dump()).end, "signal 9");
  json["signal"] = nullptr;
  EXPECT_EQ(traced_result_of("FILE", json.dump()).end, "still running");
}

TEST(TracedResult, NamesAFileThatIsNotThere) {
  const testing::ScratchDirectory directory;
  EXPECT_THROW(read_traced_result(directory.file("nothing")), std::runtime_error);
}

}  // namespace
}  // namespace sluice::trace
