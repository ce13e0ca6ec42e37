#include "trace/places/runtime.h"

#include <fcntl.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "trace/places/command_cures.h"
#include "trace/places/cures.h"
#include "trace/places/database_cures.h"
#include "trace/places/other_cures.h"
#include "trace/places/shown_function.h"

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
constexpr std::string_view java[] = {"libjava", "libnio", "libjvm", "libjli", "java"};
constexpr std::string_view tcl[] = {"libtcl", "tclsh"};
constexpr std::string_view r[] = {"libR", "R"};
constexpr std::string_view ocaml[] = {"ocamlrun", "ocaml", "libcamlrun", "libasmrun", "dllunix"};
constexpr std::string_view functions_of_ocaml[] = {"caml_", "camlStdlib", "camlCamlinternal",
                                                   "camlUnix"};
constexpr std::string_view callers_of_ocaml[] = {"camlUnix"};
constexpr std::string_view guile[] = {"libguile", "guile"};
constexpr std::string_view lua[] = {"liblua", "lua", "luajit", "libluajit"};
constexpr std::string_view newlisp[] = {"newlisp"};
constexpr std::string_view pari[] = {"gp", "libpari", "libpari-gmp"};
constexpr std::string_view prolog[] = {"swipl", "libswipl"};
constexpr std::string_view fortran[] = {"libgfortran"};
constexpr std::string_view functions_of_fortran[] = {"_gfortran_", "_gfortrani_"};
constexpr std::string_view ada[] = {"libgnat", "libgnarl"};
constexpr std::string_view functions_of_ada[] = {"ada__", "system__", "gnat__", "interfaces__",
                                                 "__gnat_"};
constexpr std::string_view cobol[] = {"libcob"};
constexpr std::string_view zlib[] = {"libz"};
constexpr std::string_view rrdtool[] = {"librrd", "rrdtool"};
constexpr std::string_view sqlite[] = {"libsqlite3", "sqlite3"};
constexpr std::string_view berkeley_db[] = {"libdb",   "libdb_cxx",  "db_load",
                                            "db_dump", "db5.3_load", "db5.3_dump"};
constexpr std::string_view lmdb[] = {"liblmdb", "mdb_load", "mdb_dump", "mdb_copy", "mdb_stat"};
constexpr std::string_view functions_of_lmdb[] = {"mdb_env_", "mdb_page_", "mdb_txn_"};
constexpr std::string_view gdbm[] = {"libgdbm", "libgdbm_compat", "gdbmtool", "gdbm_load",
                                     "gdbm_dump"};
constexpr std::string_view functions_of_gdbm[] = {"gdbm_", "_gdbm_"};
constexpr std::string_view sdbm[] = {"SDBM_File", "sdbm"};
constexpr std::string_view postgresql[] = {"postgres"};
constexpr std::string_view mysql[] = {"mysqld", "mariadbd"};
constexpr std::string_view rocksdb[] = {"librocksdb", "libleveldb"};

constexpr Runtime all[] = {
    {.name = "C"},
    {.name = "C++ iostreams", .cures = cures::iostreams},
    {.name = "SQLite",
     .kind = database,
     .intro = "SQLite makes these calls. Change how programs use SQLite.",
     .objects = sqlite,
     .cures = cures::sqlite},
    {.name = "LMDB",
     .kind = database,
     .intro = "LMDB makes these calls. Change how programs use LMDB.",
     .objects = lmdb,
     .functions = functions_of_lmdb,
     .cures = cures::lmdb},
    {.name = "gdbm",
     .kind = database,
     .intro = "gdbm makes these calls. Change how programs use gdbm.",
     .objects = gdbm,
     .functions = functions_of_gdbm,
     .cures = cures::gdbm},
    {.name = "Berkeley DB",
     .kind = database,
     .intro = "Berkeley DB makes these calls. Change how programs use Berkeley DB.",
     .objects = berkeley_db,
     .cures = cures::berkeley_db},
    {.name = "SDBM",  // whose work ends too when a hash of the language has the entries
     .kind = language,
     .intro = "SDBM makes these calls.",
     .objects = sdbm,
     .cures = cures::sdbm},
    {.name = "PostgreSQL",
     .kind = database,
     .intro = "PostgreSQL makes these calls. Change how programs use PostgreSQL.",
     .objects = postgresql,
     .cures = cures::postgresql},
    {.name = "MySQL",
     .kind = database,
     .intro = "The database makes these calls. Change how programs use the database.",
     .objects = mysql,
     .cures = cures::mysql},
    {.name = "RocksDB",
     .kind = database,
     .intro = "The database makes these calls. Change how programs use the database.",
     .objects = rocksdb,
     .cures = cures::rocksdb},
    {.name = "Python",
     .kind = language,
     .intro = "In Python,",
     .objects = python,
     .folder = "/lib-dynload/",
     .cures = cures::python,
     .profiler = "`python3 -m cProfile`"},
    {.name = "Perl",
     .kind = language,
     .intro = "In Perl,",
     .objects = perl,
     .folder = "/perl",
     .cures = cures::perl,
     .profiler = "`perl -d:NYTProf` (a module that is to be installed)"},
    {.name = "Node",
     .kind = language,
     .intro = "In Node,",
     .objects = node,
     .cures = cures::node,
     .profiler = "`node --cpu-prof`"},
    {.name = "shell",
     .kind = language,
     .intro = "In the shell,",
     .objects = shell,
     .cures = cures::shell,
     .seeks_back = true},
    {.name = "awk", .kind = language, .intro = "In awk,", .objects = awk, .cures = cures::awk},
    {.name = "Ruby",
     .kind = language,
     .intro = "In Ruby,",
     .objects = ruby,
     .folder = "/ruby/",
     .cures = cures::ruby,
     .profiler = "`stackprof` (a gem that is to be installed)"},
    {.name = "PHP",
     .kind = language,
     .intro = "In PHP,",
     .objects = php,
     .cures = cures::php,
     .profiler = "Xdebug (an extension)"},
    {.name = "Java",
     .kind = language,
     .intro = "In Java,",
     .objects = java,
     .folder = "/jvm/",
     .cures = cures::java},
    {.name = "Tcl",
     .kind = language,
     .intro = "In Tcl,",
     .objects = tcl,
     .cures = cures::tcl,
     .profiler = "`time` around its parts"},
    {.name = "R",
     .kind = language,
     .intro = "In R,",
     .objects = r,
     .folder = "/lib/R/",
     .cures = cures::r},
    {.name = "OCaml",
     .kind = language,
     .intro = "In OCaml,",
     .objects = ocaml,
     .functions = functions_of_ocaml,
     .callers = callers_of_ocaml,
     .cures = cures::ocaml},
    {.name = "Lua", .kind = language, .intro = "In Lua,", .objects = lua, .cures = cures::lua},
    {.name = "Guile", .kind = language, .intro = "In Guile,", .objects = guile},
    {.name = "Rust", .kind = other_language, .intro = "In Rust,", .cures = cures::rust},
    {.name = "Fortran",
     .kind = other_language,
     .intro = "In Fortran,",
     .objects = fortran,
     .functions = functions_of_fortran,
     .cures = cures::fortran,
     .profiler = "`perf record`"},
    {.name = "Ada",
     .kind = other_language,
     .intro = "In Ada,",
     .objects = ada,
     .functions = functions_of_ada,
     .cures = cures::ada},
    {.name = "COBOL", .kind = other_language, .intro = "In COBOL,", .objects = cobol},
    {.name = "newLISP",
     .kind = other_language,
     .intro = "In newLISP,",
     .objects = newlisp,
     .cures = cures::newlisp},
    {.name = "PARI/GP",
     .kind = other_language,
     .intro = "In GP,",
     .objects = pari,
     .cures = cures::pari},
    {.name = "Prolog", .kind = other_language, .intro = "In Prolog,", .objects = prolog},
    {.name = "zlib", .kind = library, .objects = zlib, .cures = cures::zlib},
    {.name = "RRDtool",
     .kind = database,
     .intro = "RRDtool makes these calls. Change how programs use RRDtool.",
     .objects = rrdtool,
     .cures = cures::rrdtool},
    {.name = "busybox",
     .kind = tool,
     .intro = "busybox makes these calls, and you cannot change them.",
     .objects = busybox,
     .cures = cures::busybox},
};
constexpr const Runtime& of_c = all[0];
constexpr const Runtime& of_iostreams = all[1];
constexpr const Runtime& of_sqlite = all[2];
constexpr const Runtime& of_lmdb = all[3];
constexpr const Runtime& of_rust = *std::ranges::find(all, "Rust", &Runtime::name);

constexpr Runtime of_tied_iostreams = {.name = "C++ iostreams", .cures = cures::tied_iostreams};
constexpr Runtime of_unbuffered_iostreams = {.name = "C++ iostreams",
                                             .cures = cures::unbuffered_iostreams};
constexpr Runtime of_read_and_written_iostreams = {.name = "C++ iostreams",
                                                   .cures = cures::read_and_written_iostreams};
constexpr Runtime of_logging = {
    .name = "Python", .kind = language, .intro = "In Python,", .cures = cures::python_logging};
constexpr Runtime of_tie_file = {.name = "Perl",
                                 .kind = language,
                                 .intro = "In Perl,",
                                 .cures = cures::tie_file,
                                 .works_for_each_seek = true};
constexpr Runtime of_awaited_node = {.name = "Node",
                                     .kind = language,
                                     .intro = "In Node,",
                                     .cures = cures::awaited_node,
                                     .hands_over = true};
constexpr Runtime of_flushed_zlib = {
    .name = "zlib", .kind = library, .cures = cures::flushed_zlib, .compresses = true};

constexpr Runtime commands[] = {
    {.name = "dd", .kind = command, .cures = cures::dd},
    {.name = "sed", .kind = command, .cures = cures::sed},
    {.name = "grep", .kind = command, .cures = cures::grep},
    {.name = "sort", .kind = command, .cures = cures::sort},
    {.name = "split", .kind = command, .cures = cures::split},
    {.name = "tar", .kind = command, .cures = cures::tar},
    {.name = "cpio", .kind = command, .cures = cures::cpio},
    {.name = "jq", .kind = command, .cures = cures::jq},
    {.name = "openssl", .kind = command, .cures = cures::openssl},
    {.name = "tcpdump", .kind = command, .cures = cures::tcpdump},
};
constexpr Runtime of_stdbuf = {.name = "stdbuf", .kind = command, .cures = cures::stdbuf};

// "libdb" begins "libdb-5.3.so", and not "libdbus-1.so".
bool begins(std::string_view name, std::string_view object) {
  return name.starts_with(object) &&
         (name.size() == object.size() ||
          std::isalpha(static_cast<unsigned char>(name[object.size()])) == 0);
}

// A program that lies elsewhere, and was compiled with its lines, is the user's own, whatever its
// name is.
bool is_of_user(const Frame& frame) {
  constexpr std::string_view folders[] = {"/usr/", "/opt/", "/nix/", "/snap/", "/bin/", "/sbin/"};
  return !frame.source.empty() && frame.module.find(".so") == std::string::npos &&
         std::ranges::none_of(
             folders, [&](std::string_view folder) { return frame.module.starts_with(folder); });
}

bool is_of_object(const Runtime& runtime, std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const bool is_beside = !runtime.folder.empty() && name.find(".so") != std::string_view::npos &&
                         path.find(runtime.folder) != std::string_view::npos;
  return is_beside || std::ranges::any_of(runtime.objects, [&](std::string_view object) {
           return begins(name, object);
         });
}

bool begins_with_one(const std::string& function, std::span<const std::string_view> beginnings) {
  return std::ranges::any_of(
      beginnings, [&](std::string_view beginning) { return function.starts_with(beginning); });
}

// The Rust library's own code, which is a part of each program.
bool is_of_rust_library(const Frame& frame) {
  const std::string crate = rust_crate_of(frame.function);
  if (!crate.empty()) return crate == "std" || crate == "core" || crate == "alloc";
  constexpr std::string_view sources[] = {"library/std/src/", "library/core/src/",
                                          "library/alloc/src/"};
  return std::ranges::any_of(sources, [&](std::string_view folder) {
    return frame.source.find(folder) != std::string::npos;
  });
}

bool is_of_rust(const Frame& frame) {
  return frame.source.find(".rs:") != std::string::npos || !rust_crate_of(frame.function).empty();
}

// gzflush() ends a block of the compressed file each time.
bool flushes_zlib(std::span<const Frame> frames) {
  return std::ranges::find(frames, "gzflush", &Frame::function) != frames.end();
}

bool writes(preload::Call call) {
  using enum preload::Call;
  return call == fflush || call == write || call == writev || call == fwrite || call == fputc ||
         call == pwrite;
}

bool reads(preload::Call call) {
  using enum preload::Call;
  return call == read || call == readv || call == fread || call == fgetc || call == pread;
}

// The C++ library calls a stream of the C library for a standard stream only.
bool is_of_unbuffered_stream(const Use& use) {
  const bool is_call = use.call == preload::Call::fwrite || use.call == preload::Call::fputc;
  return is_call && use.amount.system_calls >= use.amount.calls / 10 * 9;
}

std::string_view text_in(std::span<const Cure> cures, std::string_view id) {
  const auto found = std::ranges::find(cures, id, &Cure::id);
  return found == cures.end() ? "" : found->text;
}

}  // namespace

const Runtime& runtime_of_code(const std::string& path) {
  const auto* const found = std::ranges::find_if(
      all, [&](const Runtime& runtime) { return is_of_object(runtime, path); });
  return found == std::end(all) ? of_c : *found;
}

bool is_system_command(const std::string& path) {
  constexpr std::string_view folders[] = {"/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/",
                                          "/usr/libexec/"};
  const auto is_there = [&](std::string_view folder) { return path.starts_with(folder); };
  if (std::ranges::any_of(folders, is_there)) return true;
  // Programs that other programs start, as those of git and of compilers.
  return path.starts_with("/usr/lib/") && path.find(".so") == std::string::npos;
}

const Runtime& runtime_of_module(const Frame& frame) {
  return is_of_user(frame) ? of_c : runtime_of_code(frame.module);
}

bool is_system_library(const std::string& path) {
  const bool is_there = path.starts_with("/usr/lib") || path.starts_with("/lib");
  return path.empty() || (is_there && !is_system_command(path));
}

const Runtime& runtime_of_stack(std::span<const Frame> frames) {
  // A language calls functions of C by libffi: for such a call the language has the cure.
  while (frames.size() > 1 && frames[0].module.find("/libffi.") != std::string::npos) {
    frames = frames.subspan(1);
  }
  if (frames.empty()) return of_c;
  if (is_of_rust(frames[0])) return of_rust;
  const auto calls = [&](const Runtime& runtime) {
    if (begins_with_one(frames[0].function, runtime.functions)) return true;
    return frames.size() > 1 && begins_with_one(frames[1].function, runtime.callers);
  };
  const auto* const known = std::ranges::find_if(all, calls);
  const Runtime& found = known == std::end(all) ? runtime_of_module(frames[0]) : *known;
  const bool is_flush = found.name == of_flushed_zlib.name && flushes_zlib(frames);
  return is_flush ? of_flushed_zlib : found;
}

bool is_code_of(const Runtime& runtime, const Frame& frame) {
  if (&runtime == &of_rust) return is_of_rust_library(frame);
  return is_of_object(runtime, frame.module) || begins_with_one(frame.function, runtime.functions);
}

std::span<const Runtime> runtimes() { return all; }

bool has_own_cure(const Runtime& runtime, std::string_view id) {
  return !text_in(runtime.cures, id).empty();
}

std::string cure_in(const Runtime& runtime, std::string_view id) {
  std::string_view text = text_in(runtime.cures, id);
  const bool is_language = runtime.kind == language || runtime.kind == other_language;
  if (text.empty()) text = text_in(runtime.cures, cures::otherwise);
  if (text.empty() && is_language) text = text_in(cures::any_language, id);
  if (text.empty() || runtime.intro.empty()) return std::string(text);
  return std::string(runtime.intro) + " " + std::string(text);
}

Runtimes::Runtimes(const Profile& profile)
    : profile_(profile), read_(profile.files.size()), written_(profile.files.size()) {
  for (const Site& site : profile.sites) by_stack_.push_back(&runtime_of_stack(site.frames));
  for (std::size_t i = 0; i < profile.uses.size(); ++i) {
    const Use& use = profile.uses[i];
    if (profile.files[use.file].name == waking_file) wakes_.push_back(i);
    if (use.call == preload::Call::mmap) mapped_.insert(profile.files[use.file].name);
    if (reads(use.call)) read_[use.file] = true;
    if (writes(use.call)) written_[use.file] = true;
  }
  has_logging_ = has_loaded("/logging/__pycache__/__init__.");
  has_log_handlers_ = has_loaded("/logging/__pycache__/handlers.");
  for (const Use& use : profile.uses) {
    if (!profile.files[use.file].name.ends_with("/Tie/File.pm")) continue;
    for (const auto& [process, thread] : use.threads) with_tie_file_.insert(process);
  }
  find_files_of_sqlite();
  for (const Process& process : profile.processes) {
    if (process.program == of_stdbuf.name) begun_by_stdbuf_.insert(process.number);
  }
}

// True if a Python program has loaded this module.
bool Runtimes::has_loaded(std::string_view module) const {
  return std::ranges::any_of(profile_.files, [&](const File& file) {
    return file.name.find(module) != std::string::npos;
  });
}

// True if Perl's Tie::File may seek so. It opens its files to read and write them.
bool Runtimes::is_of_tie_file(const Use& use) const {
  if (use.call != preload::Call::lseek) return false;
  const bool may_be_written = (profile_.files[use.file].flags & O_ACCMODE) == O_RDWR;
  return may_be_written && std::ranges::any_of(use.threads, [&](const auto& thread) {
           return with_tie_file_.contains(thread.first);
         });
}

// True if the module `logging` may make these calls. Some of its handlers ask for their file before
// they write to it.
bool Runtimes::is_of_logging(const Use& use) const {
  if (looks_up(use.call)) return has_log_handlers_ && written_[use.file];
  return has_logging_ && writes(use.call);
}

bool Runtimes::is_handed_over(const Use& use) const {
  std::uint64_t wakes = 0;
  for (const std::size_t place : wakes_) {
    const Use& other = profile_.uses[place];
    const bool is_by_one_of_them = std::ranges::any_of(
        use.threads, [&](const auto& thread) { return other.threads.contains(thread); });
    if (!is_by_one_of_them) continue;
    if (reads(other.call)) return false;  // it waits itself
    wakes += other.amount.calls;
  }
  return wakes >= use.amount.calls * 9 / 10;
}

// A file is a part of a database if its journal lies beside it, and the journal is if it lies
// beside such a file. This tells when SQLite's code is a part of the program.
void Runtimes::find_files_of_sqlite() {
  std::vector<std::pair<std::string_view, std::string_view>> journals;  // and what they belong to
  for (const File& file : profile_.files) {
    const std::string_view name = file.name;
    for (const std::string_view end : {"-journal", "-wal"}) {
      if (name.ends_with(end))
        journals.emplace_back(name, name.substr(0, name.size() - end.size()));
    }
  }
  if (journals.empty()) return;
  std::unordered_set<std::string_view> names;
  for (const File& file : profile_.files) names.insert(file.name);
  for (const auto& [journal, file] : journals) {
    if (names.contains(file)) of_sqlite_.insert({journal, file});
  }
}

// The locks of a database lie beside it, in a file that each process maps. This tells when LMDB's
// code is a part of the program.
bool Runtimes::is_of_lmdb(const std::string& file) const {
  if (mapped_.empty()) return false;
  if (mapped_.contains(file + "-lock")) return true;
  const std::filesystem::path path(file);
  return path.filename() == "data.mdb" &&
         mapped_.contains((path.parent_path() / "lock.mdb").string());
}

// busybox is many programs. The process has the name of the one that it is.
const Runtime& Runtimes::runtime_of_process(const Runtime& of_code, const Use& use) const {
  if (of_code.kind != tool) return of_code;
  const Process* const process = first_process_of(profile_, use);
  if (process == nullptr) return of_code;
  const Runtime& found = runtime_of_code(process->program);
  return found.kind == language ? found : of_code;
}

// stdbuf becomes the command whose standard streams it has given other buffers. A program of the
// user's own may have the name of a command.
const Runtime& Runtimes::runtime_of_command(const Use& use) const {
  const Process* const process = first_process_of(profile_, use);
  const auto& frames = profile_.sites[use.site].frames;
  if (process == nullptr || frames.empty()) return of_c;
  if (use.amount.standard && begun_by_stdbuf_.contains(process->number)) return of_stdbuf;
  if (std::ranges::none_of(frames, is_system_command, &Frame::module)) return of_c;
  const auto* const found = std::ranges::find(commands, process->program, &Runtime::name);
  return found == std::end(commands) ? of_c : *found;
}

const Runtime& Runtimes::of(const Use& use) const {
  const Site& site = profile_.sites[use.site];
  const Runtime& runtime = runtime_of_process(*by_stack_[use.site], use);
  if (runtime.kind == database) return runtime;
  if (runtime.name == of_logging.name && is_of_logging(use)) return of_logging;
  if (runtime.name == of_tie_file.name && is_of_tie_file(use)) return of_tie_file;
  // A stream writes by writev what it has gathered: then nobody has waited for each write.
  const bool may_be_awaited =
      use.call != preload::Call::writev && (writes(use.call) || reads(use.call));
  if (runtime.name == of_awaited_node.name && may_be_awaited && is_handed_over(use)) {
    return of_awaited_node;
  }
  const std::string& file = profile_.files[use.file].name;
  if (of_sqlite_.contains(file)) return of_sqlite;
  if (is_of_lmdb(file)) return of_lmdb;
  if (&runtime != &of_c) return runtime;
  if (!site.by_iostream) return runtime_of_command(use);
  if (is_of_unbuffered_stream(use)) return of_unbuffered_iostreams;
  if (!site.by_istream || !writes(use.call)) return of_iostreams;
  return read_[use.file] ? of_read_and_written_iostreams : of_tied_iostreams;
}

}  // namespace sluice::trace
