// A Journal and a list of records: appended, committed, closed, torn and opened again.
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "input.h"
#include "journal_file.h"
#include "sluice/journal.h"
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
    std::filesystem::remove(path_);
    open();
    while (!input_.is_empty()) operate();
    close();
    std::filesystem::remove(path_);
  }

 private:
  void open() {
    journal_ = std::make_unique<Journal>();
    Recovered recovered;
    require(journal_->open(path_, options_, &recovered).ok(), "a Journal opens");
    require(recovered.whole_bytes == expected_.size(), "what was written is recovered");
    if (framed_) require(recovered.records == tickets_.size(), "with all its records");
    if (framed_ && expected_.empty()) expected_ = header;
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

  void append(std::size_t bytes) {
    const std::string record = testing::pattern(expected_.size(), bytes);
    expected_ += framed_ ? framed(record) : record;
    Journal::Ticket ticket = 0;
    require(journal_->append(record, ticket).ok(), "a record is accepted");
    require(ticket == expected_.size(), "the ticket is the position behind the record");
    tickets_.push_back(ticket);
  }

  void commit() {
    if (tickets_.empty()) return;
    const std::size_t ticket = tickets_[input_.below(tickets_.size())];
    require(journal_->commit(ticket).ok(), "a commit succeeds");
    require(testing::contents_of(path_).starts_with(expected_.substr(0, ticket)),
            "what was committed is in the file");
  }

  void refuse() {
    const Status status = journal_->commit(expected_.size() + 1 + input_.below(100));
    require(status.code().value() == EINVAL, "a ticket that was never given is refused");
    require(journal_->status().ok(), "and the Journal goes on");
  }

  void ask() {
    Journal::Ticket ticket = 0;
    require(journal_->durable_up_to(ticket).ok(), "the question is answered");
    require(ticket <= expected_.size(), "no more is durable than was appended");
  }

  void close() {
    require(journal_->close().ok() && journal_->close().ok(), "close succeeds");
    require(testing::contents_of(path_) == expected_, "the file has what was appended");
  }

  // As a power cut would, between two lives: the header is durable before anything follows it.
  void tear() {
    expected_.resize(expected_.size() - input_.below(expected_.size() + 1));
    const std::size_t most =
        expected_.size() < header.size() ? header.size() - expected_.size() : 20;
    testing::make_file(path_, expected_ + std::string(input_.below(most), '\0'));
    const Found found = find_records(testing::contents_of(path_));
    expected_.resize(found.whole_bytes);
    tickets_.resize(found.records.size());
  }

  Input& input_;
  static const testing::ScratchDirectory directory_;
  const std::string path_ = directory_.file("journal");
  JournalOptions options_;
  bool framed_ = false;
  std::unique_ptr<Journal> journal_;
  std::string expected_;
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
