#include "html/page.h"

#include <gtest/gtest.h>

#include <string>

#include "html/parts.h"

namespace sluice::html {
namespace {

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(Page, EscapesTheCharactersThatEndAScript) {
  const std::string text = page("t", R"({"name":"</script><!-- & >"})", Kind::trace);
  EXPECT_NE(std::string::npos,
            text.find(R"({"name":"\u003c/script\u003e\u003c!-- \u0026 \u003e"})"));
}

TEST(Page, EscapesTheLineEndsThatOnlySomeScriptsHave) {
  const std::string text = page("t", "\"\u2028\u2029\u2030\"", Kind::trace);
  EXPECT_NE(std::string::npos, text.find("\"\\u2028\\u2029\u2030\""));
}

TEST(Page, ShowsItsTitleAsText) {
  const std::string text = page("</title><b>&\"", "{}", Kind::trace);
  EXPECT_NE(std::string::npos, text.find("<title>&lt;/title&gt;&lt;b&gt;&amp;&quot;</title>"));
}

TEST(Page, KeepsReportTextThatLooksLikeAPart) {
  const std::string text = page("{{report}}", R"("{{title}} {{kind.js}}")", Kind::bench);
  EXPECT_EQ(1U, count(text, "<title>{{report}}</title>"));
  EXPECT_EQ(1U, count(text, R"("{{title}} {{kind.js}}")"));
}

TEST(Page, HasOnlyTheScriptOfItsKind) {
  EXPECT_EQ(1U, count(page("t", "{}", Kind::trace), "// The page of `sluice trace`."));
  EXPECT_EQ(0U, count(page("t", "{}", Kind::trace), "// The page of `sluice bench`."));
  EXPECT_EQ(1U, count(page("t", "{}", Kind::trace), "// The flame graph: a bar"));
  EXPECT_EQ(0U, count(page("t", "{}", Kind::bench), "// The flame graph: a bar"));
  EXPECT_EQ(1U, count(page("t", "{}", Kind::bench), "// The page of `sluice bench`."));
}

TEST(Page, AllowsNothingFromOutside) {
  EXPECT_NE(std::string_view::npos, parts::page_html.find("default-src 'none'"));
  EXPECT_EQ(0U, count(page("t", "{}", Kind::trace), " src="));
}

// A script that contained its own end tag would be cut off there.
TEST(Page, EndsEachScriptOnce) { EXPECT_EQ(3U, count(page("t", "{}", Kind::trace), "</script")); }

}  // namespace
}  // namespace sluice::html
