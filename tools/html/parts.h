// The files that a page consists of, embedded when the command is built.
#pragma once

#include <string_view>

namespace sluice::html::parts {

extern const std::string_view page_html;
extern const std::string_view page_css;
extern const std::string_view elements_js;
extern const std::string_view charts_js;
extern const std::string_view flames_js;
extern const std::string_view trace_js;
extern const std::string_view bench_js;

// uPlot's files; empty in a build without charts.
extern const std::string_view uplot_js;
extern const std::string_view uplot_css;
extern const std::string_view uplot_license;

}  // namespace sluice::html::parts
