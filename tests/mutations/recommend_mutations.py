"""Mutations of the rules by which `sluice recommend` chooses values, and of how the command line is
read."""
import dataclasses

from mutation import Mutation

SEARCH = "tools/recommend/search.cc"
SETTINGS = "tools/recommend/settings.cc"
REPORT = "tools/recommend/report.cc"

ON_SEARCHES = "RecommendSearch.*"
ON_REPORTS = "RecommendReport.*"

RECOMMENDATIONS = [dataclasses.replace(mutation, program="sluice_bench_test") for mutation in (
    Mutation("a gain of five percent is enough", SEARCH,
             "return share >= enough_gain && share - clear_errors * error >= least_gain &&",
             "return share >= least_gain &&", ON_SEARCHES),
    Mutation("a gain need not surely be five percent", SEARCH,
             " && share - clear_errors * error >= least_gain &&", " &&", ON_SEARCHES),
    Mutation("a gain counts although chance alone would show it", SEARCH,
             "share > errors * error && static_cast<double>(rounds_faster) >= by_chance;",
             "true;", ON_SEARCHES),
    Mutation("a gain that is barely enough is not measured again", SEARCH,
             "return is_enough() ? distance > clear_errors * error : -distance",
             "return is_enough() || -distance", ON_SEARCHES),
    Mutation("a gain that is barely too small is not measured again", SEARCH,
             "distance > clear_errors * error : -distance > clear_errors * error;",
             "distance > clear_errors * error : true;", ON_SEARCHES),
    Mutation("a value that cannot win is measured on", SEARCH,
             "hopeless.insert(i);", "continue;", ON_SEARCHES),
    Mutation("a value that adds too little to another one is kept", SEARCH,
             "if (is_too_little || added.share <= 0) found_.choice = without;",
             "if (added.share <= 0) found_.choice = without;", ON_SEARCHES),
    Mutation("the findings come in the order of the search", SEARCH,
             "    std::ranges::sort(found_.findings, {}, &Finding::setting);\n", "", ON_SEARCHES),
    Mutation("cache is tried before write-back", SETTINGS,
             "{first + 1, first}", "{first, first + 1}", ON_SEARCHES),
    Mutation("a gain that is small counts as chance", REPORT,
             "return finding.gain_share < enough_gain ?", "return false ?", ON_REPORTS),
    Mutation("a word in brackets is taken apart", "tools/command_line/whole_words.cc",
             "if (is_list(word)) word.insert(0, 1, mark);", "", "WholeWords.*"),
    Mutation("a word that was kept whole keeps its mark", "tools/command_line/whole_words.cc",
             "if (word.starts_with(mark)) word.erase(0, 1);", "", "WholeWords.*"),
)]
