// A Journal and a list of records: appended, committed, closed, torn and opened again.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "input.h"
#include "sluice/journal.h"
#include "testing/journal_bytes.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"

namespace sluice::fuzz {
namespace {

class Run {
 public:
  explicit Run(Input& input) : input_(input) {
    framed_ = input.below(2) == 0;
    options_.framing = framed_ ? Framing::length_crc32c : Framing::raw;
    options_.buffer_bytes = 1 + input.below(2000);
  }

  void run() {
    remove_all();
    open();
    while (!input_.is_empty()) operate();
    close();
    remove_all();
  }

 private:
  static void remove_all() {
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
      std::filesystem::remove(entry.path());
    }
  }

  void open() {
    journal_ = std::make_unique<Journal>();
    Recovered recovered;
    require(journal_->open(path_, options_, &recovered).ok(), "a Journal opens");
    if (framed_) {
      require(recovered.records == records_.size(), "what was written is recovered");
    } else {
      require(recovered.whole_bytes == end(), "what was written is recovered");
    }
  }

  void operate() {
    switch (input_.below(8)) {
      case 0:
      case 1: append(input_.below(100)); break;
      case 2: append(input_.below(9000)); break;
      case 3: commit(); break;
      case 4: refuse(); break;
      case 5: ask(); break;
      case 6:
        close();
        if (framed_) tear();
        open();
        break;
      default:
        journal_.reset();  // closes it
        open();
    }
  }

  std::size_t end() const { return tickets_.empty() ? 0 : tickets_.back(); }

  void append(std::size_t bytes) {
    const std::string record = testing::pattern(end(), bytes);
    Journal::Ticket ticket = 0;
    require(journal_->append(record, ticket).ok(), "a record is accepted");
    require(framed_ ? ticket > end() : ticket == end() + bytes, "the ticket is a later position");
    records_.push_back(record);
    tickets_.push_back(ticket);
  }

  void commit() {
    if (tickets_.empty()) return;
    const std::size_t ticket = tickets_[input_.below(tickets_.size())];
    require(journal_->commit(ticket).ok(), "a commit succeeds");
    expect_held(ticket);
  }

  // Checks that the records are in the file, each where its ticket says, at least those up to
  // `ticket`.
  void expect_held(std::size_t ticket) {
    const std::string contents = testing::contents_of(path_);
    if (!framed_) {
      std::string bytes;
      for (const std::string& record : records_) bytes += record;
      require(bytes.starts_with(contents) && contents.size() >= ticket, "the file has the bytes");
      return;
    }
    const auto found = testing::journal_bytes::find_records(contents);
    require(found.whole_bytes >= ticket && !found.is_damaged, "the file is whole up to there");
    require(found.records.size() <= records_.size(), "nothing but the records");
    for (std::size_t i = 0; i < found.records.size(); ++i) {
      require(found.records[i] == records_[i], "a record is whole");
      require(found.ends[i] == tickets_[i], "and ends where its ticket says");
    }
  }

  void refuse() {
    const Status status = journal_->commit(UINT64_MAX - input_.below(100));
    require(status.code().value() == EINVAL, "a ticket that was never given is refused");
    require(journal_->status().ok(), "and the Journal goes on");
  }

  void ask() {
    Journal::Ticket ticket = 0;
    require(journal_->durable_up_to(ticket).ok(), "the question is answered");
    require(ticket <= std::max<std::size_t>(end(), std::filesystem::file_size(path_)),
            "no more is durable than was appended");
  }

  void close() {
    require(journal_->close().ok() && journal_->close().ok(), "close succeeds");
    expect_held(end());
  }

  // Tears the end between two lives, as a power cut would: bytes that were appended after the last
  // sync that a mark covers.
  void tear() {
    namespace bytes = testing::journal_bytes;
    std::string contents = testing::contents_of(path_);
    const std::size_t marked = std::max(bytes::find_records(contents).marked, bytes::header_bytes);
    contents += bytes::record(bytes::id_of(contents), contents.size(), "was never committed");
    contents.resize(contents.size() - input_.below(contents.size() - marked + 1));
    testing::make_file(path_, contents + std::string(input_.below(20), '\0'));
    const bytes::Found found = bytes::find_records(contents);
    records_ = found.records;
    tickets_ = found.ends;
  }

  Input& input_;
  static const testing::ScratchDirectory directory_;
  const std::string path_ = directory_.file("journal");
  JournalOptions options_;
  bool framed_ = false;
  std::unique_ptr<Journal> journal_;
  std::vector<std::string> records_;
  std::vector<std::size_t> tickets_;
};

const testing::ScratchDirectory Run::directory_;

}  // namespace
}  // namespace sluice::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  sluice::fuzz::Input input(bytes, count);
  sluice::fuzz::Run(input).run();
  return 0;
}
