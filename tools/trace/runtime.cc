#include "trace/runtime.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "trace/cures.h"

namespace sluice::trace {
namespace {

using enum Runtime::Kind;

constexpr std::string_view python[] = {"libpython", "python"};
constexpr std::string_view perl[] = {"libperl", "perl"};
constexpr std::string_view node[] = {"libnode", "node", "nodejs"};
constexpr std::string_view shell[] = {"bash", "dash", "sh", "zsh", "ksh", "mksh", "ash", "hush"};
constexpr std::string_view busybox[] = {"busybox"};
constexpr std::string_view awk[] = {"awk", "gawk", "mawk", "original-awk", "nawk"};
constexpr std::string_view ruby[] = {"libruby", "ruby"};
constexpr std::string_view php[] = {"libphp", "php", "php-cli", "php-fpm"};
constexpr std::string_view java[] = {"libjava", "libnio", "libjvm"};
constexpr std::string_view tcl[] = {"libtcl", "tclsh"};
constexpr std::string_view lua[] = {"liblua", "lua", "luajit"};
constexpr std::string_view sqlite[] = {"libsqlite3", "sqlite3"};
constexpr std::string_view berkeley_db[] = {"libdb", "libdb_cxx"};
constexpr std::string_view lmdb[] = {"liblmdb"};
constexpr std::string_view postgresql[] = {"postgres"};
constexpr std::string_view mysql[] = {"mysqld", "mariadbd"};
constexpr std::string_view rocksdb[] = {"librocksdb", "libleveldb"};

constexpr Runtime all[] = {
    {.name = "C"},
    {.name = "C++ iostreams", .cures = cures::iostreams},
    {"SQLite", database, "SQLite makes these calls. Change how programs use SQLite.", sqlite, "",
     cures::sqlite},
    {"Python", language, "In Python,", python, "/lib-dynload/", cures::python},
    {"Perl", language, "In Perl,", perl, "/perl", cures::perl},
    {"Node", language, "In Node,", node, "", cures::node},
    {"shell", language, "In the shell,", shell, "", cures::shell, true},
    {"awk", language, "In awk,", awk, "", cures::awk},
    {"Ruby", language, "In Ruby,", ruby, "", {}},
    {"PHP", language, "In PHP,", php, "", {}},
    {"Java", language, "In Java,", java, "", {}},
    {"Tcl", language, "In Tcl,", tcl, "", {}},
    {"Lua", language, "In Lua,", lua, "", {}},
    {"Berkeley DB", database, "Berkeley DB makes these calls. Change how programs use Berkeley DB.",
     berkeley_db, "", cures::berkeley_db},
    {"LMDB", database, "LMDB makes these calls. Change how programs use LMDB.", lmdb, "",
     cures::lmdb},
    {"PostgreSQL", database, "PostgreSQL makes these calls. Change how programs use PostgreSQL.",
     postgresql, "", cures::postgresql},
    {"MySQL", database, "The database makes these calls. Change how programs use the database.",
     mysql, "", cures::mysql},
    {"RocksDB", database, "The database makes these calls. Change how programs use the database.",
     rocksdb, "", cures::rocksdb},
    {"busybox", tool, "busybox makes these calls, and you cannot change them.", busybox, "",
     cures::busybox},
};
constexpr const Runtime& of_c = all[0];
constexpr const Runtime& of_iostreams = all[1];
constexpr const Runtime& of_sqlite = all[2];

// "libdb" begins "libdb-5.3.so", and not "libdbus-1.so".
bool begins(std::string_view name, std::string_view object) {
  return name.starts_with(object) &&
         (name.size() == object.size() ||
          std::isalpha(static_cast<unsigned char>(name[object.size()])) == 0);
}

const Runtime& runtime_of_code(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename();
  const auto is_its = [&](const Runtime& runtime) {
    const bool is_beside = !runtime.folder.empty() && name.find(".so") != std::string::npos &&
                           path.find(runtime.folder) != std::string::npos;
    return is_beside || std::ranges::any_of(runtime.objects, [&](std::string_view object) {
             return begins(name, object);
           });
  };
  const auto* const found = std::ranges::find_if(all, is_its);
  return found == std::end(all) ? of_c : *found;
}

std::string_view text_in(std::span<const Cure> cures, std::string_view id) {
  const auto found = std::ranges::find(cures, id, &Cure::id);
  return found == cures.end() ? "" : found->text;
}

}  // namespace

std::span<const Runtime> runtimes() { return all; }

std::string cure_in(const Runtime& runtime, std::string_view id) {
  std::string_view text = text_in(runtime.cures, id);
  if (text.empty() && runtime.kind == language) text = text_in(cures::any_language, id);
  if (text.empty()) text = text_in(runtime.cures, cures::otherwise);
  if (text.empty() || runtime.intro.empty()) return std::string(text);
  return std::string(runtime.intro) + " " + std::string(text);
}

Runtimes::Runtimes(const Profile& profile) : profile_(profile) {
  for (const File& file : profile.files) files_.insert(file.name);
}

// A file is a part of a database if its journal lies beside it, and the journal is if it lies
// beside such a file. This tells when SQLite's code is a part of the program.
bool Runtimes::is_of_sqlite(const std::string& file) const {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"-journal", "-wal"}, [&](std::string_view end) {
        if (files_.contains(file + std::string(end))) return true;
        return file.ends_with(end) && files_.contains(file.substr(0, file.size() - end.size()));
      });
}

// busybox is many programs. The process has the name of the one that it is.
const Runtime& Runtimes::runtime_of_process(const Runtime& of_code, const Use& use) const {
  if (of_code.kind != tool) return of_code;
  for (const Process& process : profile_.processes) {
    if (use.threads.empty() || process.number != use.threads.begin()->first) continue;
    const Runtime& found = runtime_of_code(process.program);
    if (found.kind == language) return found;
  }
  return of_code;
}

const Runtime& Runtimes::of(const Use& use) const {
  const Site& site = profile_.sites[use.site];
  const std::string code = site.frames.empty() ? "" : site.frames.front().module;
  const Runtime& runtime = runtime_of_process(runtime_of_code(code), use);
  if (runtime.kind == database) return runtime;
  if (is_of_sqlite(profile_.files[use.file].name)) return of_sqlite;
  return &runtime == &of_c && site.by_iostream ? of_iostreams : runtime;
}

}  // namespace sluice::trace
