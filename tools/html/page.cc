#include "html/page.h"

#include <stdexcept>

#include "html/parts.h"

namespace sluice::html {
namespace {

struct Replacement {
  std::string_view found;
  std::string_view put;
};

template <std::size_t count>
std::string replaced(std::string_view text, const Replacement (&replacements)[count]) {
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  while (!text.empty()) {
    Replacement here{text.substr(0, 1), text.substr(0, 1)};
    for (const Replacement& each : replacements) {
      if (text.starts_with(each.found)) here = each;
    }
    result += here.put;
    text.remove_prefix(here.found.size());
  }
  return result;
}

std::string as_markup(std::string_view text) {
  return replaced(text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

// JSON has these characters only inside its strings. In older JavaScript the last two end a line.
std::string as_json_in_a_script(std::string_view json) {
  return replaced(json, {{"<", "\\u003c"},
                         {">", "\\u003e"},
                         {"&", "\\u0026"},
                         {"\u2028", "\\u2028"},
                         {"\u2029", "\\u2029"}});
}

std::string script_of(Kind kind) {
  if (kind == Kind::bench) return std::string(parts::bench_js);
  return std::string(parts::flames_js) + std::string(parts::trace_js);
}

}  // namespace

void expect_charts() {
  if (!parts::uplot_js.empty()) return;
  throw std::runtime_error(
      "this build has no charts: uPlot was missing when it was configured; ./dev build fetches "
      "it");
}

std::string page(std::string_view title, std::string_view report_json, Kind kind) {
  const std::string title_markup = as_markup(title);
  const std::string license_markup = as_markup(parts::uplot_license);
  const std::string report = as_json_in_a_script(report_json);
  const std::string script = script_of(kind);
  return replaced(parts::page_html, {{"{{title}}", title_markup},
                                     {"{{page.css}}", parts::page_css},
                                     {"{{uplot.css}}", parts::uplot_css},
                                     {"{{uplot.license}}", license_markup},
                                     {"{{report}}", report},
                                     {"{{uplot.js}}", parts::uplot_js},
                                     {"{{elements.js}}", parts::elements_js},
                                     {"{{charts.js}}", parts::charts_js},
                                     {"{{kind.js}}", script}});
}

}  // namespace sluice::html
