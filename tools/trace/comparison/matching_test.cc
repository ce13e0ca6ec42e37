#include "trace/comparison/matching.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sluice::trace {
namespace {

TracedSite site(const std::string& function, const std::string& line, const std::string& file,
                double io_s) {
  return {"write", function, line, file, {.calls = 1, .io_s = io_s}};
}

// "0.3 > 0.1", "new 0.1", "0.3 gone", for each change, sorted.
std::vector<std::string> changes(const std::vector<TracedSite>& before,
                                 const std::vector<TracedSite>& after) {
  std::vector<std::string> texts;
  for (const SiteChange& change : matched(before, after)) {
    const auto text = [](double seconds) { return std::to_string(seconds).substr(0, 3); };
    const std::string was = text(change.before.cost.io_s);
    const std::string is = text(change.after.cost.io_s);
    if (change.before.is_there() && change.after.is_there()) {
      texts.push_back(was + " > " + is);
    } else {
      texts.push_back(change.after.is_there() ? "new " + is : was + " gone");
    }
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Matching, PairsSitesByTheirLines) {
  EXPECT_EQ(changes({site("f()", "a.cc:1", "/x", 0.1), site("f()", "a.cc:2", "/x", 0.2)},
                    {site("f()", "a.cc:2", "/x", 0.3), site("f()", "a.cc:1", "/x", 0.4)}),
            (Texts{"0.1 > 0.4", "0.2 > 0.3"}));
}

TEST(Matching, FindsTheOnlySiteOfAFunctionOnAnotherLine) {
  EXPECT_EQ(changes({site("f()", "a.cc:1", "/x", 0.1), site("g()", "a.cc:9", "/x", 0.2)},
                    {site("f()", "a.cc:9", "/x", 0.3), site("g()", "b.cc:1", "/x", 0.4)}),
            (Texts{"0.1 > 0.3", "0.2 > 0.4"}));
}

// The new line 2 may be the old line 2, or the old line 1 that has moved.
TEST(Matching, PutsSitesTogetherIfTheirLinesDoNotTellThemApart) {
  const std::vector<TracedSite> before = {site("f()", "a.cc:1", "/x", 0.1),
                                          site("f()", "a.cc:2", "/x", 0.2)};
  EXPECT_EQ(changes(before, {site("f()", "a.cc:2", "/x", 0.4), site("f()", "a.cc:3", "/x", 0.5)}),
            (Texts{"0.3 > 0.9"}));
  EXPECT_EQ(changes(before, {site("f()", "a.cc:2", "/x", 0.4)}), (Texts{"0.3 > 0.4"}));
}

TEST(Matching, KeepsFunctionsAndCallsApart) {
  EXPECT_EQ(changes({site("f()", "a.cc:1", "/x", 0.1)}, {site("g()", "a.cc:1", "/x", 0.2)}),
            (Texts{"0.1 gone", "new 0.2"}));
  TracedSite other = site("f()", "a.cc:1", "/x", 0.2);
  other.call = "writev";
  EXPECT_EQ(changes({site("f()", "a.cc:1", "/x", 0.1)}, {other}), (Texts{"0.1 gone", "new 0.2"}));
}

TEST(Matching, AddsTheStacksOfOnePlaceUp) {
  const TracedSite one = site("f()", "a.cc:1", "/x", 0.1);
  EXPECT_EQ(changes({one, one, one}, {one}), (Texts{"0.3 > 0.1"}));
}

TEST(Matching, TakesFilesWithOtherNumbersForTheSame) {
  EXPECT_EQ(changes({site("f()", "a.cc:1", "pipe:[17]", 0.1), site("f()", "a.cc:1", "/7/y2", 0.2)},
                    {site("f()", "a.cc:1", "pipe:[2]", 0.3), site("f()", "a.cc:1", "/10/y3", 0.4)}),
            (Texts{"0.1 > 0.3", "0.2 > 0.4"}));
  const std::vector<SiteChange> all = matched({site("f()", "", "/part-1", 0.1)}, {});
  EXPECT_EQ(all.at(0).files, "/part-*");
}

TEST(Matching, FindsAFileInAnotherFolderIfOnlyOneHasItsName) {
  EXPECT_EQ(changes({site("f()", "a.cc:1", "/a/x", 0.1), site("f()", "a.cc:1", "/a/y", 0.2)},
                    {site("f()", "a.cc:1", "/b/x", 0.3), site("f()", "a.cc:1", "/c/y", 0.4)}),
            (Texts{"0.1 > 0.3", "0.2 > 0.4"}));
  EXPECT_EQ(changes({site("f()", "a.cc:1", "/a/x", 0.1)},
                    {site("f()", "a.cc:1", "/b/x", 0.3), site("f()", "a.cc:1", "/c/x", 0.4)}),
            (Texts{"0.1 gone", "new 0.3", "new 0.4"}));
  EXPECT_EQ(changes({site("f()", "a.cc:1", "/a/x", 0.1), site("f()", "a.cc:1", "/d/x", 0.2)},
                    {site("f()", "a.cc:1", "/b/x", 0.3)}),
            (Texts{"0.1 gone", "0.2 gone", "new 0.3"}));
}

TEST(Matching, FindsFilesWithRandomNamesByTheirFolder) {
  EXPECT_EQ(changes({site("f()", "a.cc:1", "/tmp/axq", 0.1), site("f()", "a.cc:1", "/tmp/b", 0.2)},
                    {site("f()", "a.cc:1", "/tmp/kwe", 0.5)}),
            (Texts{"0.3 > 0.5"}));
  EXPECT_EQ(
      changes({site("f()", "a.cc:1", "/tmp/axq", 0.1)}, {site("f()", "a.cc:1", "/var/kwe", 0.5)}),
      (Texts{"0.1 gone", "new 0.5"}));
}

TEST(Matching, LeavesANewFileBesideAnOldOneNew) {
  EXPECT_EQ(changes({site("f()", "a.cc:1", "/d/x", 0.1)},
                    {site("f()", "a.cc:1", "/d/x", 0.2), site("f()", "a.cc:1", "/d/y", 0.3)}),
            (Texts{"0.1 > 0.2", "new 0.3"}));
}

TEST(Matching, DoesNotTakeUnknownPlacesForOneFunction) {
  EXPECT_EQ(changes({site("(unknown)", "", "/d/x", 0.1)}, {site("(unknown)", "", "/d/y", 0.2)}),
            (Texts{"0.1 gone", "new 0.2"}));
}

TEST(Matching, HasNothingForNothing) { EXPECT_TRUE(matched({}, {}).empty()); }

}  // namespace
}  // namespace sluice::trace
