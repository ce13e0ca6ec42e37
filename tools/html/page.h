// A report as one HTML file that needs no other file.
#pragma once

#include <string>
#include <string_view>

namespace sluice::html {

enum class Kind { trace, bench };

// In a build without charts, throws std::runtime_error. Its text says how to get charts.
void expect_charts();

// Makes the page. `report_json` is the text of --json, in UTF-8; the title is plain text. The page
// shows both as text, so they can neither end the page's scripts nor add markup.
std::string page(std::string_view title, std::string_view report_json, Kind kind);

}  // namespace sluice::html
