#include "trace/places/runtime.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

// A process of one second whose one call site is in the code of this module.
Profile of_code(const std::string& module) {
  Profile profile = one_second(module);
  profile.files.push_back({.name = "/f/file", .opens = 1, .size_bytes = 1 << 20, .kind = S_IFREG});
  return profile;
}

Use& add(Profile& profile, Call call, std::uint64_t calls, std::uint64_t bytes) {
  Use& use = profile.uses.emplace_back(Use{.call = call, .threads = {{1, 0}}});
  use.amount.calls = use.amount.system_calls = calls;
  use.amount.bytes = use.amount.system_bytes = bytes;
  use.amount.time.system_s = 0.2;
  return use;
}

Advice first_advice(const Profile& profile) {
  const std::vector<Advice> advice = advice_by_rules(profile);
  return advice.empty() ? Advice{} : advice.front();
}

// The runtime of many small writes by this code.
std::string runtime_of(const std::string& module, const std::string& source = "") {
  Profile profile = of_code(module);
  profile.sites[0].frames[0].source = source;
  add(profile, Call::write, 100'000, 1'000'000);
  return first_advice(profile).runtime;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Runtime, IsFoundByItsLibrariesAndExecutables) {
  EXPECT_EQ(runtime_of("/usr/lib/libpython3.11.so.1.0"), "Python");
  EXPECT_EQ(runtime_of("/usr/bin/python3.11"), "Python");
  EXPECT_EQ(runtime_of("/usr/lib/python3.11/lib-dynload/mmap.cpython-311.so"), "Python");
  EXPECT_EQ(runtime_of("/usr/bin/perl"), "Perl");
  EXPECT_EQ(runtime_of("/usr/lib/x86_64-linux-gnu/perl-base/auto/IO/IO.so"), "Perl");
  EXPECT_EQ(runtime_of("/usr/bin/node"), "Node");
  EXPECT_EQ(runtime_of("/usr/bin/dash"), "shell");
  for (const std::string name : {"gawk", "mawk", "original-awk"}) {
    EXPECT_EQ(runtime_of("/usr/bin/" + name), "awk");
  }
  EXPECT_EQ(runtime_of("/usr/lib/libruby-3.1.so.3.1"), "Ruby");
  EXPECT_EQ(runtime_of("/usr/bin/ruby3.1"), "Ruby");
  EXPECT_EQ(runtime_of("/usr/lib/x86_64-linux-gnu/ruby/3.1.0/stringio.so"), "Ruby");
  for (const std::string name : {"libjava.so", "libnio.so", "libzip.so", "server/libjvm.so"}) {
    EXPECT_EQ(runtime_of("/usr/lib/jvm/java-17-openjdk-amd64/lib/" + name), "Java");
  }
  EXPECT_EQ(runtime_of("/opt/jdk/lib/libjava.so"), "Java");
  EXPECT_EQ(runtime_of("/usr/lib/libtcl8.6.so"), "Tcl");
  EXPECT_EQ(runtime_of("/usr/lib/R/lib/libR.so"), "R");
  EXPECT_EQ(runtime_of("/usr/lib/R/bin/exec/R"), "R");
  EXPECT_EQ(runtime_of("/usr/lib/R/library/utils/libs/utils.so"), "R");
  for (const std::string name : {"lua", "lua5.4", "luajit-2.1.0", "libluajit-5.1.so.2"}) {
    EXPECT_EQ(runtime_of("/usr/bin/" + name), "Lua");
  }
  EXPECT_EQ(runtime_of("/usr/lib/liblua5.4.so.0"), "Lua");
  EXPECT_EQ(runtime_of("/usr/lib/x86_64-linux-gnu/libguile-3.0.so.1"), "Guile");
  EXPECT_EQ(runtime_of("/usr/bin/guile-3.0"), "Guile");
  EXPECT_EQ(runtime_of("/usr/bin/ocamlrun"), "OCaml");
  EXPECT_EQ(runtime_of("/usr/lib/ocaml/stublibs/dllunix.so"), "OCaml");
  EXPECT_EQ(runtime_of("/usr/lib/postgresql/15/bin/postgres"), "PostgreSQL");
}

TEST(Runtime, IsADatabaseByItsLibrariesAndTools) {
  EXPECT_EQ(runtime_of("/usr/lib/libsqlite3.so.0.8.6"), "SQLite");
  EXPECT_EQ(runtime_of("/usr/lib/libdb-5.3.so"), "Berkeley DB");
  EXPECT_EQ(runtime_of("/usr/bin/db5.3_load"), "Berkeley DB");
  EXPECT_EQ(runtime_of("/usr/lib/liblmdb.so.0"), "LMDB");
  EXPECT_EQ(runtime_of("/usr/bin/mdb_load"), "LMDB");
  EXPECT_EQ(runtime_of("/usr/lib/libgdbm.so.6"), "gdbm");
  EXPECT_EQ(runtime_of("/usr/lib/libgdbm_compat.so.4"), "gdbm");
  EXPECT_EQ(runtime_of("/usr/bin/gdbmtool"), "gdbm");
  EXPECT_EQ(runtime_of("/usr/lib/x86_64-linux-gnu/perl/5.36/auto/SDBM_File/SDBM_File.so"), "SDBM");
}

// The runtime of many small writes by code of the program itself, innermost function first.
std::string runtime_of_functions(const std::vector<std::string>& functions) {
  Profile profile = of_code("/usr/bin/program");
  profile.sites[0].frames.clear();
  for (const std::string& function : functions) {
    profile.sites[0].frames.push_back({function, "", "/usr/bin/program"});
  }
  add(profile, Call::write, 100'000, 1'000'000);
  return first_advice(profile).runtime;
}

TEST(Runtime, IsFoundByItsFunctionsInTheProgram) {
  EXPECT_EQ(runtime_of_functions({"caml_write_fd", "caml_ml_flush", "camlP__entry"}), "OCaml");
  EXPECT_EQ(runtime_of_functions({"unix_write", "camlUnix__write_605", "camlP__entry"}), "OCaml");
  EXPECT_EQ(runtime_of_functions({"mdb_page_flush", "mdb_txn_commit", "main"}), "LMDB");
  EXPECT_EQ(runtime_of_functions({"_gdbm_full_write", "gdbm_store", "main"}), "gdbm");
}

TEST(Runtime, IsACompiledLanguageByItsLibraryOrFunctions) {
  EXPECT_EQ(runtime_of("/usr/lib/x86_64-linux-gnu/libgfortran.so.5"), "Fortran");
  EXPECT_EQ(runtime_of_functions({"_gfortran_st_open", "MAIN__", "main"}), "Fortran");
  EXPECT_EQ(runtime_of("/usr/lib/x86_64-linux-gnu/libgnat-12.so"), "Ada");
  EXPECT_EQ(runtime_of_functions({"ada__text_io__getc", "_ada_inverse", "main"}), "Ada");
  EXPECT_EQ(runtime_of("/usr/lib/x86_64-linux-gnu/libcob.so.4"), "COBOL");
  EXPECT_EQ(runtime_of_functions({"_RNvXsb_NtCsjrHSEGnQ3l9_3std2fs4File5write"}), "Rust");
  EXPECT_EQ(runtime_of_functions({"std::fs::File::open::h0123456789abcdef"}), "Rust");
  EXPECT_EQ(runtime_of_functions({"std::fs::File::open()"}), "C");
}

TEST(Runtime, IsAnInterpreterWhoseUsersWriteNoC) {
  EXPECT_EQ(runtime_of("/usr/bin/newlisp"), "newLISP");
  EXPECT_EQ(runtime_of("/usr/bin/gp-2.15"), "PARI/GP");
  EXPECT_EQ(runtime_of("/usr/lib/x86_64-linux-gnu/libpari-gmp-tls.so.8"), "PARI/GP");
  EXPECT_EQ(runtime_of("/usr/lib/x86_64-linux-gnu/librrd.so.8"), "RRDtool");
}

TEST(Runtime, IsCForTheFunctionsOfOthers) {
  EXPECT_EQ(runtime_of_functions({"unix_write", "main"}), "C");
  EXPECT_EQ(runtime_of_functions({"write_image", "camlP__entry", "caml_program"}), "C");
  EXPECT_EQ(runtime_of_functions({"mdb_read_pg", "main"}), "C");  // of a library for Access
}

TEST(Runtime, IsLmdbForAFileWhoseLocksAreMapped) {
  const auto of_files = [](const std::string& file, const std::string& locks, Call call) {
    Profile profile = of_code("/usr/bin/program");
    profile.files[0].name = file;
    add(profile, Call::pwrite, 100'000, 1'000'000);
    profile.files.push_back({.name = locks, .opens = 1, .kind = S_IFREG});
    add(profile, call, 1, 8192).file = 1;
    return first_advice(profile).runtime;
  };
  EXPECT_EQ(of_files("/f/t.mdb", "/f/t.mdb-lock", Call::mmap), "LMDB");
  EXPECT_EQ(of_files("/f/data.mdb", "/f/lock.mdb", Call::mmap), "LMDB");
  EXPECT_EQ(of_files("/f/t.mdb", "/f/t.mdb-lock", Call::read), "C");
  EXPECT_EQ(of_files("/f/data.mdb", "/g/lock.mdb", Call::mmap), "C");
}

TEST(Runtime, IsCForAllOtherCode) {
  EXPECT_EQ(runtime_of("/usr/bin/program"), "C");
  EXPECT_EQ(runtime_of(""), "C");
  for (const char* const path : {"/usr/lib/libdbus-1.so.3", "/usr/bin/nodemon", "/usr/bin/Rack",
                                 "/usr/bin/luatex", "/usr/bin/db5", "/home/perl/program"})
    EXPECT_EQ(runtime_of(path), "C") << path;
  EXPECT_EQ(runtime_of("/home/user/bin/node", "/home/user/node.c:4"), "C");
  EXPECT_EQ(runtime_of("/home/user/bin/node"), "Node");
  EXPECT_EQ(runtime_of("/usr/bin/node", "/build/node.cc:4"), "Node");
  Profile unknown = of_code("");
  unknown.sites[0].frames.clear();
  add(unknown, Call::write, 100'000, 1'000'000);
  EXPECT_EQ(first_advice(unknown).runtime, "C");
}

TEST(Runtime, IsThatOfTheInnermostCode) {
  Profile profile = of_code("/usr/lib/libsqlite3.so.0");
  profile.sites[0].frames.push_back({"run", "", "/usr/lib/libpython3.11.so.1.0"});
  add(profile, Call::write, 100'000, 1'000'000);
  EXPECT_EQ(first_advice(profile).runtime, "SQLite");
}

TEST(Runtime, IsIostreamsBelowTheCplusplusLibrary) {
  Profile profile = of_code("/usr/bin/program");
  add(profile, Call::write, 100'000, 1'000'000);
  EXPECT_FALSE(has(first_advice(profile).fix, "std::endl"));
  profile.sites[0].by_iostream = true;
  EXPECT_EQ(first_advice(profile).runtime, "C++ iostreams");
  EXPECT_TRUE(has(first_advice(profile).fix, "std::endl"));
}

TEST(Runtime, IsIostreamsThatAreTiedIfAReadWrites) {
  for (const Call call : {Call::fflush, Call::write, Call::writev}) {
    Profile profile = of_code("/usr/bin/program");
    add(profile, call, 100'000, 1'000'000);
    profile.sites[0].by_iostream = profile.sites[0].by_istream = true;
    const Advice advice = first_advice(profile);
    EXPECT_EQ(advice.runtime, "C++ iostreams");
    EXPECT_TRUE(advice.fix.starts_with("Call `std::cin.tie(nullptr)`")) << advice.fix;
    EXPECT_FALSE(has(advice.fix, "std::endl"));
  }
}

TEST(Runtime, IsNoTiedStreamIfTheProgramReadsTheFileThatItWrites) {
  Profile profile = of_code("/usr/bin/program");
  add(profile, Call::write, 100'000, 1'000'000);
  profile.sites[0].by_iostream = profile.sites[0].by_istream = true;
  add(profile, Call::read, 1, 100);
  const Advice advice = first_advice(profile);
  EXPECT_FALSE(has(advice.fix, "tie")) << advice.fix;
  EXPECT_TRUE(has(advice.fix, "whenever the program reads or seeks")) << advice.fix;
}

TEST(Runtime, IsSqliteForAFileBesideItsJournal) {
  for (const std::string journal : {"-journal", "-wal"}) {
    Profile profile = of_code("/usr/bin/program");
    add(profile, Call::write, 100'000, 1'000'000);
    profile.files.push_back({.name = "/f/file" + journal, .opens = 1, .kind = S_IFREG});
    EXPECT_EQ(first_advice(profile).runtime, "SQLite");
    profile.uses[0].file = 1;
    EXPECT_EQ(first_advice(profile).runtime, "SQLite");
    profile.files[0].name = "/f/other";
    EXPECT_EQ(first_advice(profile).runtime, "C");
  }
}

TEST(Runtime, HasWordsOfItsOwnForEachAdvice) {
  const std::vector<std::string> all = {
      "tiny-stdio-writes", "tiny-stdio-reads", "char-at-a-time",    "tiny-writes",
      "tiny-reads",        "flush-after-each", "unbuffered-stream", "small-buffer",
      "seek-before-read",  "read-again",       "sync-after-each",   "synchronous-writes",
      "reopened",          "overlap",          "cold-mapping",      "looked-up-again",
      "locked-for-each",   "listed-again",     "asked-again",       "asked-in-a-row"};
  for (const Runtime& runtime : runtimes()) {
    if (runtime.kind == Runtime::Kind::of_rules) continue;
    if (runtime.kind == Runtime::Kind::library) continue;  // the rules' words suit it
    for (const std::string& id : all) {
      const std::string cure = cure_in(runtime, id);
      EXPECT_TRUE(cure.starts_with(runtime.intro)) << runtime.name << " " << id;
      EXPECT_TRUE(cure.ends_with(".") || cure.ends_with(".)")) << runtime.name << " " << id;
      if (has(cure, "`fflush()`") || has(cure, "`setvbuf(\"")) continue;  // of awk, of Lua
      for (const char* of_c : {"sluice", "setvbuf", "fwrite", "fread", "fflush", "std::", "FILE"}) {
        if (runtime.name == "Rust" && std::string(of_c) == "std::") continue;
        EXPECT_FALSE(has(cure, of_c)) << runtime.name << " " << id << ": " << cure;
      }
    }
  }
}

// The words of C come before sluice's.
void expect_c_first(const Advice& advice) {
  const std::size_t sluice = advice.fix.find("sluice");
  std::size_t first = std::string::npos;
  for (const char* word : {"fwrite", "fread", "getline", "FILE", "fclose", "setvbuf", "pread",
                           "for read", "for write", "fsync", "Sync once"}) {
    first = std::min(first, advice.fix.find(word));
  }
  EXPECT_LT(first, sluice) << advice.kind.id << ": " << advice.fix;
}

TEST(OwnTerms, OfCComeBeforeTheLibrary) {
  struct Pattern {
    Call call;
    std::uint64_t calls;
    std::uint64_t bytes;
    std::uint64_t copies = 0;
    std::uint32_t flags = 0;
  };
  const std::vector<std::pair<std::string, Pattern>> patterns = {
      {"tiny-stdio-writes", {Call::fwrite, 100'000, 1'000'000, 99'900}},
      {"tiny-stdio-reads", {Call::fread, 100'000, 1'000'000, 99'900}},
      {"tiny-stdio-reads", {Call::fgets, 100'000, 1'000'000, 99'900}},
      {"char-at-a-time", {Call::fgetc, 100'000, 100'000, 99'900}},
      {"tiny-writes", {Call::write, 100'000, 1'000'000}},
      {"tiny-reads", {Call::read, 100'000, 1'000'000}},
      {"flush-after-each", {Call::fflush, 100'000, 1'000'000}},
      {"unbuffered-stream", {Call::fputs, 100'000, 1'000'000}},
      {"small-buffer", {Call::write, 1'000, 4'096'000}},
      {"read-again", {Call::read, 24, 4 << 20}},
      {"sync-after-each", {Call::fsync, 100, 0}},
      {"synchronous-writes", {Call::write, 1'000, 30'000, 0, O_DSYNC}},
      {"reopened", {Call::fopen, 1'000, 0}},
  };
  for (const auto& [id, pattern] : patterns) {
    Profile profile = of_code("/usr/bin/program");
    profile.files[0].flags = pattern.flags;
    Amount& amount = add(profile, pattern.call, pattern.calls, pattern.bytes).amount;
    amount.time.sleep_s = 0.1;
    amount.copies = pattern.copies;
    if (pattern.copies > 0) {
      amount.system_calls = pattern.calls - pattern.copies;
      amount.time.copying_s = 0.5;
      amount.copying_by_run_s = 0.1;
    }
    const Advice advice = first_advice(profile);
    ASSERT_EQ(advice.kind.id, id);
    expect_c_first(advice);
  }
}

TEST(OwnTerms, LeaveTheWayWithoutAChange) {
  Profile profile = of_code("/usr/bin/perl");
  add(profile, Call::write, 100'000, 1'000'000);
  const Advice advice = first_advice(profile);
  EXPECT_TRUE(advice.fix.starts_with("In Perl, leave out `$| = 1`")) << advice.fix;
  EXPECT_EQ(advice.by, "run --coalesce");
}

TEST(OwnTerms, NameTheWaysOfTheLanguage) {
  struct Pattern {
    std::string module;
    Call call;
    std::string words;
  };
  const std::vector<Pattern> patterns = {
      {"libruby-3.1.so", Call::writev, "In Ruby, leave out `$stdout.sync = true`"},
      {"libjava.so", Call::write, "In Java, put a `BufferedOutputStream` around"},
      {"libjava.so", Call::write, "`RandomAccessFile` has no buffer: put many values"},
      {"libjava.so", Call::read, "read a block, `file.readFully(block)`"},
      {"libtcl8.6.so", Call::write, "fconfigure $channel -buffering full -buffersize 65536"},
      {"libR.so", Call::fflush, "In R, `cat(..., file = con)` flushes after each call"},
      {"ocamlrun", Call::write, "In OCaml, leave out `%!`"},
      {"lua5.4", Call::fputs, "`setvbuf(\"no\")`"},
      {"lua5.4", Call::fflush, "In Lua, leave out `file:flush()`"},
  };
  for (const Pattern& pattern : patterns) {
    Profile profile = of_code("/usr/lib/" + pattern.module);
    add(profile, pattern.call, 100'000, 1'000'000);
    EXPECT_TRUE(has(first_advice(profile).fix, pattern.words)) << first_advice(profile).fix;
  }
}

TEST(OwnTerms, NameTheCausesThatAreCommonInTheLanguage) {
  struct Pattern {
    std::string module;
    Call call;
    std::string words;
  };
  const std::vector<Pattern> patterns = {
      {"python3.11", Call::write, "`input()` flushes what `print` has gathered"},
      {"node", Call::write, "`console.log`, `process.stdout.write`"},
      {"php8.2", Call::write, "`ob_start(null, 65536)`"},
      {"gawk", Call::open, "In awk, leave out `close(file)`"},
      {"libgfortran.so.5", Call::open, "In Fortran, keep the unit open"},
      {"newlisp", Call::open, "`append-file` opens and closes it each time"},
      {"librrd.so.8", Call::open, "Put many values into one update"},
  };
  for (const Pattern& pattern : patterns) {
    Profile profile = of_code("/usr/lib/" + pattern.module);
    add(profile, pattern.call, 100'000, 1'000'000);
    EXPECT_TRUE(has(first_advice(profile).fix, pattern.words)) << first_advice(profile).fix;
  }
}

// A change that does not help is no advice: Ruby's `read` costs as much as its `sysread`, and a
// standard error has no buffer that could be switched on.
TEST(OwnTerms, NameOnlyWhatHelpsInTheLanguage) {
  struct Pattern {
    std::string module;
    Call call;
    std::vector<std::string> words;
  };
  const std::vector<Pattern> patterns = {
      {"libruby-3.1.so", Call::read, {"block = file.read(65536)", "unpack", "`each_line`"}},
      {"libruby-3.1.so", Call::fwrite, {"`warn`", "$stderr.write(lines.join)"}},
      {"libruby-3.1.so", Call::write, {"`warn`", "$stderr.write(lines.join)"}},
      {"php8.2", Call::open, {"`error_log($text, 3, $path)`"}},
      {"php8.2", Call::write, {"`fputcsv`", "`php://memory`"}},
  };
  for (const Pattern& pattern : patterns) {
    Profile profile = of_code("/usr/lib/" + pattern.module);
    add(profile, pattern.call, 100'000, 1'000'000);
    const std::string fix = first_advice(profile).fix;
    for (const std::string& words : pattern.words) EXPECT_TRUE(has(fix, words)) << fix;
  }
}

TEST(OwnTerms, NameLoggingOnlyIfTheProgramHasLoadedIt) {
  Profile profile = of_code("/usr/bin/python3.11");
  add(profile, Call::write, 100'000, 1'000'000);
  EXPECT_FALSE(has(first_advice(profile).fix, "logging"));
  profile.files.push_back({.name = "/usr/lib/python3.11/logging/__pycache__/__init__.x.pyc"});
  EXPECT_TRUE(has(first_advice(profile).fix, "`logging` flushes each record"));
}

TEST(OwnTerms, NameHandlersOfLoggingThatAskForTheirFile) {
  Profile profile = of_code("/usr/bin/python3.11");
  profile.files.push_back({.name = "/usr/lib/python3.11/logging/__pycache__/handlers.x.pyc"});
  add(profile, Call::stat, 100'000, 0).amount.repeated = 99'900;
  const std::string handler = "`RotatingFileHandler`";
  EXPECT_FALSE(has(first_advice(profile).fix, handler)) << "the file is not written";
  add(profile, Call::write, 10, 1'000).amount.time.system_s = 0;
  EXPECT_TRUE(has(first_advice(profile).fix, handler)) << first_advice(profile).fix;
  profile.files.pop_back();
  EXPECT_FALSE(has(first_advice(profile).fix, handler)) << "the module is not loaded";
}

TEST(OwnTerms, IncludeATemplateOnce) {
  EXPECT_TRUE(has(cure_in(runtime_of_code("/usr/bin/php8.2"), "read-again"), "include a template"));
}

TEST(OwnTerms, KeepTheEntriesOfSdbmInAHash) {
  Profile profile = of_code("/usr/lib/perl/5.36/auto/SDBM_File/SDBM_File.so");
  add(profile, Call::read, 1'000, 32 << 20).amount.work_before_s = 0.3;
  const Advice advice = first_advice(profile);
  EXPECT_EQ(advice.kind.id, "read-again");
  EXPECT_TRUE(has(advice.fix, "copy them into that of SDBM once")) << advice.fix;
  EXPECT_GT(advice.saved_s, 0.4) << "and the work of SDBM";
}

TEST(OwnTerms, ListFoldersOnce) {
  for (const std::string words : {"python3:`os.listdir`", "node:`fs.readdirSync`",
                                  "libruby-3.1.so:`Dir.glob`", "php8.2:`glob` or `scandir`"}) {
    const std::size_t end = words.find(':');
    Profile profile = of_code("/usr/lib/" + words.substr(0, end));
    add(profile, Call::opendir, 1'000, 0).amount.repeated = 999;
    EXPECT_TRUE(has(first_advice(profile).fix, words.substr(end + 1))) << words;
  }
}

TEST(OwnTerms, OfRustAreItsBuffers) {
  Profile profile = of_code("/usr/bin/program");
  profile.sites[0].frames[0].function = "std::fs::File::write::h0123456789abcdef";
  add(profile, Call::write, 100'000, 1'000'000);
  EXPECT_TRUE(has(first_advice(profile).fix, "In Rust, put a `BufWriter` around the `File`"));
  EXPECT_TRUE(has(first_advice(profile).fix, "`std::io::stderr().lock()`"));
  EXPECT_FALSE(has(first_advice(profile).why, "work of Rust itself")) << "nobody has measured it";
}

TEST(OwnTerms, OfZlibNameItsFlushIfTheProgramCallsIt) {
  Profile profile = of_code("/usr/lib/libz.so.1");
  add(profile, Call::write, 100'000, 1'000'000);
  EXPECT_TRUE(has(first_advice(profile).fix, "`gzbuffer(file, 1 << 18)`"));
  profile.sites[0].frames.push_back({"gzflush", "", "/usr/lib/libz.so.1"});
  EXPECT_TRUE(has(first_advice(profile).fix, "Leave out `gzflush` after each record"));
  const double calls_s = first_advice(profile).saved_s;
  profile.uses[0].amount.work_before_s = 0.3;
  EXPECT_GT(first_advice(profile).saved_s, calls_s + 0.29) << "the compression for each flush";
}

// The advice about many small writes of busybox.
Advice advice_for_busybox(const std::string& program) {
  Profile profile = of_code("/usr/bin/busybox");
  profile.processes[0].program = program;
  profile.files[0].flags = O_APPEND;
  add(profile, Call::write, 100'000, 1'000'000);
  return first_advice(profile);
}

TEST(OwnTerms, OfBusyboxAreOfTheProgramThatItIs) {
  EXPECT_EQ(advice_for_busybox("awk").runtime, "awk");
  EXPECT_TRUE(advice_for_busybox("awk").fix.starts_with("In awk,"));
  EXPECT_EQ(advice_for_busybox("ash").runtime, "shell");
  for (const std::string program : {"busybox", "tee", "sqlite3"}) {
    const Advice advice = advice_for_busybox(program);
    EXPECT_EQ(advice.runtime, "busybox") << program;
    EXPECT_EQ(advice.fix,
              "busybox makes these calls, and you cannot change them. Another program for the "
              "same work may make fewer calls.");
    EXPECT_FALSE(has(advice.check, "the same command"));
  }
}

TEST(OwnTerms, LetNobodyHoldBackTheBytesOfADatabase) {
  Profile profile = of_code("/usr/lib/libsqlite3.so.0");
  add(profile, Call::write, 100'000, 1'000'000);
  const Advice advice = first_advice(profile);
  EXPECT_TRUE(
      has(advice.fix, "Change how programs use SQLite. Put many rows into one transaction"));
  EXPECT_EQ(advice.by, "");
  EXPECT_FALSE(has(advice.fix + advice.check, "sluice run"));
}

// A journal, a file and its folder at places that have nothing in common.
Profile three_syncs(const std::string& module) {
  Profile profile = of_code(module);
  for (std::size_t i = 0; i < 3; ++i) {
    profile.sites.push_back(profile.sites[0]);
    profile.files.push_back(profile.files[0]);
    profile.files.back().name = "/f/" + std::to_string(i) + "-journal";
    Use& use = add(profile, Call::fdatasync, 100, 0);
    use.site = use.file = i + 1;
  }
  return profile;
}

TEST(OwnTerms, GiveADatabaseOneAdviceForTheSyncsOfAllItsFiles) {
  const std::vector<Advice> together = advice_by_rules(three_syncs("/usr/lib/libsqlite3.so.0"));
  ASSERT_EQ(together.size(), 1U);
  EXPECT_EQ(together[0].files, 3U);
  EXPECT_EQ(advice_by_rules(three_syncs("/usr/bin/program")).size(), 3U);
}

TEST(OwnTerms, GiveADatabaseOneAdviceForAllThatOneTransactionSaves) {
  Profile profile = three_syncs("/usr/lib/libsqlite3.so.0");
  add(profile, Call::open, 1'000, 0).file = 1;
  add(profile, Call::pwrite, 100'000, 1'000'000);
  EXPECT_EQ(advice_by_rules(profile).size(), 1U);
  add(profile, Call::pread, 100'000, 1'000'000);  // more memory saves these
  EXPECT_EQ(advice_by_rules(profile).size(), 2U);
  EXPECT_EQ(advice_by_rules(profile)[0].files, 4U);
}

// bash reads a block for each line, and seeks back to the end of the line.
Profile lines_read_by(const std::string& module, std::uint64_t file_bytes) {
  Profile profile = of_code(module);
  profile.files[0].size_bytes = file_bytes;
  add(profile, Call::lseek, 500'000, 0);
  add(profile, Call::read, 500'000, 3 * file_bytes);
  return profile;
}

// std::cerr in step with stdio hands each piece to the C library, which has no buffer for it.
TEST(OwnTerms, KnowStandardStreamsWithoutABuffer) {
  Profile profile = of_code("/usr/bin/program");
  profile.sites[0].by_iostream = true;
  add(profile, Call::fwrite, 100'000, 1'000'000);
  EXPECT_TRUE(first_advice(profile).fix.starts_with("`std::cerr` has no buffer"));
  profile.uses[0].amount.system_calls = 80'000;
  EXPECT_FALSE(first_advice(profile).fix.starts_with("`std::cerr` has no buffer"));
}

TEST(OwnTerms, GiveTheFlushesOfReadsAnAdviceOfTheirOwn) {
  Profile profile = of_code("/usr/bin/program");
  profile.sites[0].by_iostream = true;
  profile.sites.push_back(profile.sites[0]);
  profile.sites[1].by_istream = true;
  add(profile, Call::fflush, 100'000, 1'000'000);
  add(profile, Call::fflush, 100'000, 1'000'000).site = 1;
  EXPECT_EQ(advice_by_rules(profile).size(), 2U);
}

TEST(OwnTerms, GiveAShellOneAdviceForItsReadsAndSeeks) {
  for (const std::uint64_t file_bytes : {std::uint64_t{1} << 20, std::uint64_t{1} << 30}) {
    const std::vector<Advice> advice = advice_by_rules(lines_read_by("/usr/bin/bash", file_bytes));
    ASSERT_EQ(advice.size(), 1U);
    EXPECT_EQ(advice[0].kind.id, "seek-before-read");
    EXPECT_TRUE(has(advice[0].fix, "In the shell, `read` makes system calls")) << advice[0].fix;
    EXPECT_TRUE(has(advice[0].fix, "let one command such as awk")) << advice[0].fix;
    EXPECT_FALSE(has(advice[0].check, "the same bytes"));
  }
  const Profile large = lines_read_by("/usr/bin/program", std::uint64_t{1} << 30);
  EXPECT_EQ(ids_of(large), std::vector<std::string>{"seek-before-read"})
      << "a file of 1 GiB is not to be kept in memory";
}

TEST(OwnTerms, KnowThatAwkIsFasterThanALoopOfAShell) {
  Profile profile = lines_read_by("/usr/bin/bash", 1 << 20);
  profile.processes[0].user_s = 0.5;
  profile.uses[0].amount.work_before_s = profile.uses[1].amount.work_before_s = 0.25;
  const Advice advice = first_advice(profile);
  EXPECT_TRUE(has(advice.why, "awk does such work")) << advice.why;
  const double of_shell_s = advice.saved_s - advice.least_s();
  EXPECT_NEAR(advice.by_runtime_s, of_shell_s, 1e-9);
  for (int i = 0; i < 5'000; ++i) add_process(profile);
  const Advice starts = first_advice(profile);
  EXPECT_FALSE(has(starts.why, "awk does such work")) << "commands that awk would start too";
  EXPECT_NEAR(starts.saved_s, advice.saved_s, 1e-9);
  EXPECT_NEAR(starts.saved_s - starts.least_s(), of_shell_s / 0.4, 1e-9);
}

TEST(OwnTerms, OfAShellThatReadsAFileAgainKeepItsText) {
  Profile profile = of_code("/usr/bin/bash");
  add(profile, Call::read, 2'000, std::uint64_t{100} << 20);
  EXPECT_EQ(first_advice(profile).kind.id, "read-again");
  EXPECT_TRUE(has(first_advice(profile).fix, "`text=$(<file)`")) << first_advice(profile).fix;
}

TEST(OwnTerms, KeepTheChangesOfTwoRuntimesApart) {
  Profile profile = of_code("/usr/bin/perl");
  profile.sites.push_back({.frames = {{"function", "", "/usr/bin/python3"}}});
  add(profile, Call::write, 100'000, 1'000'000);
  add(profile, Call::write, 100'000, 1'000'000).site = 1;
  EXPECT_EQ(advice_by_rules(profile).size(), 2U);
}

}  // namespace
}  // namespace sluice::trace
