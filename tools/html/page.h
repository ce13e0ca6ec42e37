// A report as one HTML file that needs nothing beside it.
#pragma once

#include <string>
#include <string_view>

namespace sluice::html {

enum class Kind { trace, bench };

// Throws std::runtime_error, with what to do about it, in a build that has no charts.
void expect_charts();

// The page. `report_json` is what --json writes, in UTF-8; the title is plain text. Whatever the
// two hold is shown as text: it can neither end the page's scripts nor add to its markup.
std::string page(std::string_view title, std::string_view report_json, Kind kind);

}  // namespace sluice::html
