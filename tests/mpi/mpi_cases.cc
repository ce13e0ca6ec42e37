// What mpi_test.py runs under mpirun: one case on every rank. Each rank prints the results of its
// collective calls, a line each: `RANK WORD: FAILED_RANK MESSAGE`.
//
// usage: mpi_cases CASE PATH [NAME=VALUE]...
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#include <unistd.h>
#include <csignal>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "sluice/files.h"
#include "sluice/lost_error.h"
#include "sluice/mpi.h"

namespace {

int my_rank = 0;
int rank_count = 1;
std::map<std::string, std::string> settings;

std::uint64_t number(const std::string& name, std::uint64_t otherwise) {
  const auto found = settings.find(name);
  return found == settings.end() ? otherwise : std::strtoull(found->second.c_str(), nullptr, 10);
}

// NAME may have a value for one rank: `NAME.2=...`.
std::uint64_t mine(const std::string& name, std::uint64_t otherwise) {
  return number(name + "." + std::to_string(my_rank), number(name, otherwise));
}

void say(const char* word, const std::string& what) {
  const std::string line = std::to_string(my_rank) + " " + word + ": " + what + "\n";
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
}

template <typename File>
void say(const char* word, const sluice::Status& status, const File& file) {
  say(word, std::to_string(file.failed_rank()) + " " + status.message());
}

// Counts the calls that change a file's size.
int resizes = 0;

// Counts the calls that make a file durable.
std::atomic<int> syncs = 0;

bool is_on_nfs = false;

// Counts the copies of communicators that were not freed yet.
int communicators = 0;

// This rank learns that its exchanges have failed.
bool is_exchange_broken = false;

// Each write of this rank to a file takes so much longer.
std::chrono::milliseconds delay{0};

// Each write of this rank to a file writes only half of its bytes, but at least one.
bool are_writes_short = false;

// Writes of this rank write nothing. What they were asked to write is said, counted from here, and
// the thread that asked.
const std::byte* unwritten = nullptr;
std::thread::id thread_of_rank;

// Counts the files that MPI has closed.
int closes = 0;

// The ranks cannot agree any more.
bool is_cut_off = false;

// Calls of new for at least so many bytes find no memory.
std::size_t refused_bytes = SIZE_MAX;

// After so many calls of new in this thread, one call finds no memory, or all later ones.
thread_local std::uint64_t granted_calls = UINT64_MAX;
bool all_are_refused = false;
bool was_refused = false;

bool is_refused(std::size_t bytes) {
  if (granted_calls == UINT64_MAX) return bytes >= refused_bytes;
  was_refused = granted_calls == 0;
  if (!was_refused) --granted_calls;
  if (was_refused && !all_are_refused) granted_calls = UINT64_MAX;
  return was_refused;
}

// Ends after MPI_Finalize.
std::unique_ptr<sluice::MpiWriter> outliving;
std::unique_ptr<sluice::MpiReader> outliving_reader;

// mpi_test.py computes the same bytes.
std::string bytes_of(int rank, std::uint64_t from, std::uint64_t count) {
  std::string bytes(count, '\0');
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = from + i;
    bytes[i] =
        static_cast<char>((static_cast<std::uint64_t>(rank) * 131 + at * 7 + at / 251) % 256);
  }
  return bytes;
}

sluice::MpiWriterOptions chosen_options() {
  sluice::MpiWriterOptions options;
  options.layout = static_cast<sluice::MpiLayout>(mine("layout", 0));
  options.rank_bytes = mine("rank_bytes", 0);
  options.record_bytes = mine("record_bytes", 0);
  options.create = static_cast<sluice::CreateMode>(mine("create", 0));
  options.durability = static_cast<sluice::Durability>(mine("durability", 0));
  options.write_behind = static_cast<sluice::WriteBehind>(mine("write_behind", 2));
  options.block_bytes = mine("block_bytes", options.block_bytes);
  options.held_bytes = mine("held_bytes", options.held_bytes);
  options.blocks_in_flight = mine("blocks_in_flight", options.blocks_in_flight);
  return options;
}

// All ranks; with `alone` this rank; with `reversed` all but the last one in the reverse order, and
// MPI_COMM_NULL on the last one.
MPI_Comm chosen_communicator() {
  MPI_Comm communicator = number("alone", 0) != 0 ? MPI_COMM_SELF : MPI_COMM_WORLD;
  if (number("reversed", 0) == 0) return communicator;
  const int color = my_rank + 1 == rank_count ? MPI_UNDEFINED : 0;
  MPI_Comm_split(MPI_COMM_WORLD, color, rank_count - my_rank, &communicator);
  return communicator;
}

// With `renamed` another file than `path`.
std::string path_of_rank(const std::string& path) {
  return mine("renamed", 0) != 0 ? path + ".renamed" : path;
}

// From here on files of this process end at the given byte.
void limit_file_size() {
  const std::uint64_t bytes = mine("limit", 0);
  if (bytes == 0) return;
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

// Each rank writes its bytes in `steps` equal steps, with a collective call after each.
void write_file(const std::string& path) {
  outliving = std::make_unique<sluice::MpiWriter>();
  sluice::MpiWriter& file = *outliving;
  sluice::MpiWriterOptions options = chosen_options();
  if (settings.contains("hint")) {
    MPI_Info_create(&options.hints);
    MPI_Info_set(options.hints, "striping_factor", settings["hint"].c_str());
  }
  MPI_Comm communicator = chosen_communicator();
  if (communicator == MPI_COMM_NULL) return;
  are_writes_short = mine("short", 0) != 0;
  const std::string named = path_of_rank(path);
  refused_bytes = mine("refused_bytes", SIZE_MAX);
  const sluice::Status opened = file.open(communicator, named, options);
  refused_bytes = SIZE_MAX;
  if (number("reversed", 0) != 0) PMPI_Comm_free(&communicator);
  if (options.hints != MPI_INFO_NULL) MPI_Info_free(&options.hints);
  is_exchange_broken = mine("broken_exchange", 0) != 0;
  say("open", opened, file);
  say("helper", file.helper_status().message());
  limit_file_size();
  is_cut_off = number("cut_off", 0) != 0;
  delay = std::chrono::milliseconds(mine("delay", 0));
  const std::uint64_t begin = file->position();
  const std::uint64_t skipped = mine("skipped", 0);
  if (skipped != 0) static_cast<void>(file->seek(file->position() + skipped));
  const std::uint64_t steps = number("steps", 1);
  const std::uint64_t bytes = mine("bytes", 0);
  const std::uint64_t piece = number("piece", 1000);
  for (std::uint64_t step = 0; step < steps; ++step) {
    const std::uint64_t end = bytes * (step + 1) / steps;
    for (std::uint64_t at = bytes * step / steps; at < end; at += piece) {
      file->write(bytes_of(my_rank, at, std::min(piece, end - at)));
    }
    if (mine("killed_in_step", steps) == step) std::raise(SIGKILL);
    if (number("place", 0) != 0) say("place", file.place(), file);
    if (number("flush", 0) != 0) {
      say("flush", file.flush(static_cast<sluice::FlushTo>(number("flush", 0) - 1)), file);
    }
  }
  if (const std::uint64_t patched = mine("patched", 0); patched != 0) {
    static_cast<void>(file->write_at(begin + patched, "patch"));
  }
  say("writer", file->status().message());
  if (mine("finalised", 0) != 0) return;
  if (mine("destroyed", 0) != 0) return outliving.reset();
  say("close", file.close(), file);
  say("again", file.close(), file);
  say("late", file.flush().message());
  say("resizes", std::to_string(resizes));
  say("syncs", std::to_string(syncs));
  say("communicators", std::to_string(communicators));
}

// Each rank writes the bytes of its part into a file of its own, PATH.RANK.
void read_file(const std::string& path) {
  sluice::MpiReaderOptions options;
  options.partition = static_cast<sluice::MpiPartition>(mine("partition", 0));
  options.record_bytes = mine("record_bytes", 0);
  options.block_bytes = mine("block_bytes", options.block_bytes);
  sluice::MpiReader file;
  say("open", file.open(chosen_communicator(), path_of_rank(path), options), file);
  say("reader", file->status().message());
  say("part", std::to_string(file.first_byte()) + " " + std::to_string(file.bytes()));
  if (const std::uint64_t bytes = number("shortened", 0); bytes != 0) {
    if (my_rank == 0 && truncate(path.c_str(), static_cast<off_t>(bytes)) != 0) std::abort();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  sluice::Writer part;
  if (!part.open(path + "." + std::to_string(my_rank)).ok()) std::abort();
  std::string block(10'000, '\0');
  for (;;) {
    const std::size_t got = file->read(std::as_writable_bytes(std::span(block)));
    if (got == 0) break;
    part.write(block.data(), got);
  }
  if (!part.close().ok()) std::abort();
  say("close", file.close(), file);
  say("communicators", std::to_string(communicators));
}

void misuse_reader(const std::string& path) {
  sluice::MpiReader file;
  say("unread", file.close(), file);
  say("read", file.open(MPI_COMM_WORLD, path), file);
  say("reread", file.open(MPI_COMM_WORLD, path).message());
  sluice::MpiReader moved(std::move(file));
  file = std::move(moved);
  say("read", file.close(), file);
  say("read", file.open(MPI_COMM_WORLD, path), file);
  say("read", file.close(), file);
}

void misuse(const std::string& path) {
  sluice::MpiWriter file;
  say("before", file.close(), file);
  say("before", file.flush().message());
  say("open", file.open(MPI_COMM_WORLD, path, {.rank_bytes = 1}), file);
  say("twice", file.open(MPI_COMM_WORLD, path, {.rank_bytes = 1}).message());
  sluice::MpiWriter moved(std::move(file));
  moved->write("x");
  say("close", moved.close(), moved);
  file = std::move(moved);
  say("open", file.open(MPI_COMM_WORLD, path, {.rank_bytes = 2}), file);
  file->write("yz");
  say("close", file.close(), file);
  misuse_reader(path);
}

// Opens, writes and closes a file, and reads it: the codes of the failures, the failed rank, and 1
// if a file that was not opened accepts bytes. Needs no memory itself.
std::array<int, 7> use_files(const std::string& path, const sluice::MpiWriterOptions& options,
                             std::string_view bytes) {
  sluice::MpiWriter written;
  const sluice::Status opened = written.open(MPI_COMM_WORLD, path, options);
  const bool accepts = written->status().ok();
  written->write(bytes.substr(0, bytes.size() / 2));
  const sluice::Status flushed = written.flush();
  written->write(bytes.substr(bytes.size() / 2));
  const sluice::Status closed = written.close();
  sluice::MpiReader read;
  const sluice::Status found =
      read.open(MPI_COMM_WORLD, path, {.partition = sluice::MpiPartition::lines});
  for (std::string_view line; read->next_line(line);) {
  }
  const sluice::Status read_all = read.close();
  return {opened.code().value(),  flushed.code().value(),  closed.code().value(),
          found.code().value(),   read_all.code().value(), written.failed_rank(),
          accepts && !opened.ok()};
}

// Refuses the first call of new on one rank (or all from there on), then the second one, and so on,
// until none is refused.
void use_files_without_memory(const std::string& path) {
  const int victim = static_cast<int>(number("victim", 0));
  const sluice::MpiWriterOptions options = chosen_options();
  const std::string bytes = bytes_of(my_rank, 0, mine("bytes", 0));
  all_are_refused = number("all", 0) != 0;
  int refused = 1;
  for (std::uint64_t granted = 0; refused != 0; ++granted) {
    was_refused = false;
    try {
      if (my_rank == victim) granted_calls = granted;
      const std::array<int, 7> codes = use_files(path, options, bytes);
      granted_calls = UINT64_MAX;
      refused = was_refused ? 1 : 0;
      std::string all;
      for (const int code : codes) all += std::to_string(code) + " ";
      say("codes", all);
    } catch (const std::bad_alloc&) {
      granted_calls = UINT64_MAX;
      say("threw", std::to_string(granted));
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Bcast(&refused, 1, MPI_INT, victim, MPI_COMM_WORLD);
  }
}

// What a file says that cannot be opened. It had another one before.
template <typename File>
void say_refusals(File& file, MPI_Comm communicator, const std::string& path) {
  const sluice::Status opened = file.open(communicator, path);
  refused_bytes = SIZE_MAX;
  say("refused", opened.message());
  say("refused", file.status().message());
  say("refused", file.close().message());
}

void reopen(const std::string& path) {
  outliving = std::make_unique<sluice::MpiWriter>();
  outliving_reader = std::make_unique<sluice::MpiReader>();
  say("open", outliving->open(MPI_COMM_WORLD, path), *outliving);
  say("close", outliving->close(), *outliving);
  say("open", outliving_reader->open(MPI_COMM_WORLD, path), *outliving_reader);
  say("close", outliving_reader->close(), *outliving_reader);
  refused_bytes = mine("refused_bytes", SIZE_MAX);
  say_refusals(*outliving, MPI_COMM_WORLD, path);
  say("helper", outliving->helper_status().message());
  refused_bytes = mine("refused_bytes", SIZE_MAX);
  say_refusals(*outliving_reader, MPI_COMM_WORLD, path);
  say_refusals(*outliving, MPI_COMM_NULL, path);
  say_refusals(*outliving_reader, MPI_COMM_NULL, path);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm both = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, my_rank, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - my_rank, 0, &both);
  say_refusals(*outliving, both, path);
  say_refusals(*outliving_reader, both, path);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
  for (const std::string& name : {std::string("s3://KEY:SECRET@bucket/name"), path + '\0' + "x"}) {
    say_refusals(*outliving, MPI_COMM_WORLD, name);
    say_refusals(*outliving_reader, MPI_COMM_WORLD, name);
  }
}

void reopen_without_mpi(const std::string& path) {
  say_refusals(*outliving, MPI_COMM_WORLD, path);
  say_refusals(*outliving_reader, MPI_COMM_WORLD, path);
}

// A forked child destroys the files of its parent, which goes on.
void fork_with_files(const std::string& path) {
  std::optional<sluice::MpiWriter> written(std::in_place);
  std::optional<sluice::MpiReader> read(std::in_place);
  say("open", written->open(MPI_COMM_WORLD, path, chosen_options()), *written);
  (*written)->write(bytes_of(my_rank, 0, mine("bytes", 0)));
  say("open", read->open(MPI_COMM_WORLD, path + ".old"), *read);
  const pid_t child = fork();
  if (child == 0) {
    written.reset();
    read.reset();
    say("child", std::to_string(closes));
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  say("close", written->close(), *written);
  say("close", read->close(), *read);
  say("closes", std::to_string(closes));
}

// A write of so many bytes, at once or in pieces, of memory that takes no room because nobody reads
// it.
void write_much(const std::string& path) {
  const sluice::MpiWriterOptions options = chosen_options();
  sluice::MpiWriter file;
  say("open", file.open(MPI_COMM_WORLD, path, options), file);
  void* const memory = mmap(nullptr, options.rank_bytes, PROT_READ,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  unwritten = static_cast<const std::byte*>(memory);
  thread_of_rank = std::this_thread::get_id();
  const std::uint64_t piece = number("piece", options.rank_bytes);
  for (std::uint64_t at = 0; at < options.rank_bytes; at += piece) {
    file->write(sluice::BytesView(unwritten + at, std::min(piece, options.rank_bytes - at)));
  }
  unwritten = nullptr;
  say("close", file.close(), file);
}

void run(const std::string& name, const std::string& path) {
  if (name == "write") return write_file(path);
  if (name == "read") return read_file(path);
  if (name == "misuse") return misuse(path);
  if (name == "reopen") return reopen(path);
  if (name == "fork") return fork_with_files(path);
  if (name == "write_much") return write_much(path);
  if (name == "no_memory") return use_files_without_memory(path);
  std::abort();
}

}  // namespace

// In the places of MPI's own, which MPI keeps under the names PMPI_...
extern "C" int MPI_File_set_size(MPI_File file, MPI_Offset bytes) {
  ++resizes;
  return PMPI_File_set_size(file, bytes);
}

// A file of the tests lies on NFS.
extern "C" int statfs(const char* path, struct statfs* system) noexcept {
  const long result = syscall(SYS_statfs, path, system);
  if (result == 0 && is_on_nfs) system->f_type = NFS_SUPER_MAGIC;
  return static_cast<int>(result);
}

extern "C" int MPI_Comm_dup(MPI_Comm communicator, MPI_Comm* copy) {
  ++communicators;
  return PMPI_Comm_dup(communicator, copy);
}

extern "C" int MPI_Comm_free(MPI_Comm* communicator) {
  --communicators;
  return PMPI_Comm_free(communicator);
}

extern "C" int MPI_File_close(MPI_File* file) {
  ++closes;
  return PMPI_File_close(file);
}

extern "C" int MPI_File_sync(MPI_File file) {
  ++syncs;
  return PMPI_File_sync(file);
}

extern "C" int MPI_File_open(MPI_Comm communicator, const char* path, int mode, MPI_Info hints,
                             MPI_File* file) {
  if (settings.contains("hint")) {
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int is_there = 0;
    if (hints != MPI_INFO_NULL) {
      MPI_Info_get(hints, "striping_factor", MPI_MAX_INFO_VAL, value, &is_there);
    }
    say("hint", value);
  }
  return PMPI_File_open(communicator, path, mode, hints, file);
}

extern "C" int MPI_Alltoallv(const void* from, const int sent[], const int sent_at[],
                             MPI_Datatype sent_type, void* into, const int received[],
                             const int received_at[], MPI_Datatype received_type,
                             MPI_Comm communicator) {
  const int code = PMPI_Alltoallv(from, sent, sent_at, sent_type, into, received, received_at,
                                  received_type, communicator);
  return is_exchange_broken ? MPI_ERR_OTHER : code;
}

extern "C" int MPI_Exscan(const void* from, void* into, int count, MPI_Datatype type,
                          MPI_Op operation, MPI_Comm communicator) {
  const int code = PMPI_Exscan(from, into, count, type, operation, communicator);
  return is_exchange_broken ? MPI_ERR_OTHER : code;
}

extern "C" int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void* bytes, int count,
                                 MPI_Datatype type, MPI_Status* status) {
  std::this_thread::sleep_for(delay);
  if (unwritten != nullptr) {
    say("asked", std::to_string(offset) + " " + std::to_string(count) + " " +
                     std::to_string(static_cast<const std::byte*>(bytes) - unwritten) +
                     (std::this_thread::get_id() == thread_of_rank ? " own" : " other"));
    return MPI_Status_set_elements(status, type, count);
  }
  if (are_writes_short) count = std::max(count / 2, 1);
  return PMPI_File_write_at(file, offset, bytes, count, type, status);
}

extern "C" int MPI_Allreduce(const void* from, void* into, int count, MPI_Datatype type,
                             MPI_Op operation, MPI_Comm communicator) {
  if (is_cut_off) return MPI_ERR_OTHER;
  return PMPI_Allreduce(from, into, count, type, operation, communicator);
}

void* operator new(std::size_t bytes) {
  void* const memory = is_refused(bytes) ? nullptr : std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main(int argc, char** argv) {
  for (int i = 3; i < argc; ++i) {
    const std::string setting = argv[i];
    const std::size_t at = setting.find('=');
    settings[setting.substr(0, at)] = setting.substr(at + 1);
    is_on_nfs = is_on_nfs || setting == "nfs=1";
  }
  if (number("uninitialised", 0) != 0) run(argv[1], argv[2]);
  const int wanted = number("single", 0) != 0 ? MPI_THREAD_FUNNELED : MPI_THREAD_MULTIPLE;
  int level = 0;
  MPI_Init_thread(&argc, &argv, wanted, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  sluice::set_lost_error_handler(
      [](const sluice::Status& status, void*) { say("lost", status.message()); });
  run(argv[1], argv[2]);
  MPI_Finalize();
  if (number("finalised", 0) == 2) say("close", outliving->close(), *outliving);
  if (outliving_reader != nullptr) reopen_without_mpi(argv[2]);
  outliving.reset();
}
