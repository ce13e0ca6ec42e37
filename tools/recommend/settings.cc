#include "recommend/settings.h"

#include <algorithm>
#include <string_view>

namespace sluice::recommend {
namespace {

using C = Configuration;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

void nothing(C&) {}

#ifdef SLUICE_HAVE_ZSTD
Setting compression() {
  return {"compression",
          {{"none", "", nothing}, {usual_codec, "", [](C& c) { c.is_compressed = true; }}}};
}
#endif

Setting cache() {
  return {"cache", {{"keep", "", nothing}, {"drop", ".cache = sluice::Cache::drop", [](C& c) {
                                              c.options.cache = Cache::drop;
                                            }}}};
}

Setting write_back() {
  return {
      "write-back",
      {{"0", "", nothing},
       {"1M", ".write_back_bytes = 1 << 20", [](C& c) { c.options.write_back_bytes = mebibyte; }},
       {"8M", ".write_back_bytes = 8 << 20",
        [](C& c) { c.options.write_back_bytes = 8 * mebibyte; }},
       {"64M", ".write_back_bytes = 64 << 20",
        [](C& c) { c.options.write_back_bytes = 64 * mebibyte; }}},
      3};
}

Setting write_behind() {
  return {"write-behind",
          {{"automatic", "", nothing},
           {"off", ".write_behind = sluice::WriteBehind::off",
            [](C& c) { c.options.write_behind = WriteBehind::off; }},
           {"on", ".write_behind = sluice::WriteBehind::on",
            [](C& c) { c.options.write_behind = WriteBehind::on; }}},
          3};
}

Setting block_size() {
  return {"block size",
          {{"256K", "", nothing},
           {"1M", ".block_bytes = 1 << 20", [](C& c) { c.options.block_bytes = mebibyte; }},
           {"64K", ".block_bytes = 64 << 10", [](C& c) { c.options.block_bytes = mebibyte / 16; }},
           {"4M", ".block_bytes = 4 << 20", [](C& c) { c.options.block_bytes = 4 * mebibyte; }}}};
}

void add_choices(Choice& begin, std::vector<Choice>& all) {
  if (begin.size() == settings().size()) {
    if (is_distinct(begin)) all.push_back(begin);
    return;
  }
  for (std::size_t value = 0; value < settings()[begin.size()].values.size(); ++value) {
    begin.push_back(value);
    add_choices(begin, all);
    begin.pop_back();
  }
}

// The call that gives the codec: "sluice::series<double>()", "sluice::series<std::int32_t>()".
std::string code_of_codec(const std::string& name) {
  constexpr std::string_view series = "series:";
  if (!name.starts_with(series)) return "sluice::" + name + "()";
  const std::string type = name.substr(series.size());
  return "sluice::series<" + (type.starts_with("int") ? "std::" + type + "_t" : type) + ">()";
}

}  // namespace

const std::vector<Setting>& settings() {
  static const std::vector<Setting> all = {
#ifdef SLUICE_HAVE_ZSTD
      compression(),
#endif
      cache(), write_back(), write_behind(), block_size()};
  return all;
}

const std::string& name_of(std::size_t setting, std::size_t value, const std::string& codec) {
  return setting == compression_setting() && value != 0 ? codec
                                                        : settings()[setting].values[value].name;
}

std::optional<std::size_t> compression_setting() {
  const auto found = std::ranges::find(settings(), "compression", &Setting::name);
  if (found == settings().end()) return std::nullopt;
  return static_cast<std::size_t>(found - settings().begin());
}

std::vector<std::vector<std::size_t>> stages() {
  std::vector<std::vector<std::size_t>> all;
  const std::size_t first = settings().size() - 4;  // compression may be missing
  if (first != 0) all.push_back({0});
  all.push_back({first + 1, first});  // write-back was faster than cache on every disk so far
  all.push_back({first + 2, first + 3});
  return all;
}

Configuration configuration_of(const Choice& choice) {
  Configuration configuration;
  configuration.options.durability = Durability::on_close;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    settings()[i].values[choice[i]].apply(configuration);
  }
  return configuration;
}

bool is_distinct(const Choice& choice) {
  const Configuration found = configuration_of(choice);
  const WriterOptions defaults;
  if (found.options.cache == Cache::drop && found.options.write_back_bytes != 0) return false;
  return !found.is_compressed || found.options.block_bytes == defaults.block_bytes;
}

std::vector<Choice> every_choice() {
  std::vector<Choice> all;
  Choice begin;
  add_choices(begin, all);
  return all;
}

// C++ wants the options in the order in which WriterOptions declares them.
std::string code_of(const Choice& choice, const std::string& codec) {
  std::string options = "{.durability = sluice::Durability::on_close";
  for (const char* const name : {"write-behind", "block size", "write-back", "cache"}) {
    const auto setting = std::ranges::find(settings(), name, &Setting::name);
    const auto index = static_cast<std::size_t>(setting - settings().begin());
    const std::string& code = setting->values[choice[index]].code;
    if (!code.empty()) options += ", " + code;
  }
  options += "}";
  if (!configuration_of(choice).is_compressed) return "writer.open(path, " + options + ")";
  return "sluice::open_compressed(writer, path, " + code_of_codec(codec) + ", {}, " + options + ")";
}

}  // namespace sluice::recommend
