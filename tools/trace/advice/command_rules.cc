// What users of a command can do for the files that it works on.
#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"

namespace sluice::trace {

using preload::Call;

namespace {

// ".git/objects/3f/" and 38 digits, or more for a longer hash.
bool is_loose_object(std::string_view name) {
  constexpr std::string_view folder = "/objects/";
  constexpr std::size_t digits_of_folder = 2;
  constexpr std::size_t least_digits_of_name = 38;
  const std::size_t place = name.rfind(folder);
  if (place == std::string_view::npos) return false;
  const std::string_view object = name.substr(place + folder.size());
  const std::size_t slash = object.find('/');
  return slash == digits_of_folder && object.size() > slash + least_digits_of_name;
}

struct LooseObjects {
  std::set<std::size_t> files{};
  std::vector<std::size_t> uses{};
  std::size_t first_opening = 0;  // the first use by which such a file is opened
  std::uint64_t openings = 0;
  std::uint64_t maps = 0;
  double calls_s = 0;
  double maps_s = 0;
};

LooseObjects loose_objects_of(const Profile& profile) {
  LooseObjects found;
  for (std::size_t i = 0; i < profile.uses.size(); ++i) {
    const Use& use = profile.uses[i];
    if (!is_loose_object(profile.files[use.file].name)) continue;
    found.files.insert(use.file);
    found.uses.push_back(i);
    found.calls_s += use.amount.time.total_s();
    if (use.call == Call::open && found.openings == 0) found.first_opening = i;
    if (use.call == Call::open) found.openings += use.amount.calls;
    if (use.call != Call::mmap) continue;
    found.maps += use.amount.calls;
    found.maps_s += use.amount.time.total_s();
  }
  return found;
}

}  // namespace

// git opens and maps an object for each use, and each mapping has page faults of its own
// (docs/measured/amd-zen4-git-objects.txt).
std::optional<Advice> loose_objects(const Profile& profile) {
  const LooseObjects found = loose_objects_of(profile);
  if (found.maps < many_opens) return std::nullopt;
  const double faults_s = (most_for_a_mapping - 1) * found.maps_s;
  return Advice{
      .kind = {"loose-objects"},
      .saved_s = found.calls_s + faults_s,
      .use = found.first_opening,
      .seen = fmt::format("{} openings of {} objects of git, each in a file of its own",
                          format_count(found.openings), format_count(found.files.size())),
      .why =
          "git opens, maps and closes the file of a loose object each time that it needs the "
          "object. A pack has all objects in one file. The upper end of the prediction includes "
          "the page faults of the mappings.",
      .fix =
          "Put the objects into a pack, by `git gc` in this repository. It takes a while once, and "
          "changes no history.",
      .check = "the same command under sluice trace: hardly an object is opened",
      .runtime = "git",
      .is_of_options = true,
      .least_saved_s = found.calls_s,
      .by_runtime_s = faults_s,
      .files = found.files.size(),
      .uses = found.uses,
  };
}

}  // namespace sluice::trace
