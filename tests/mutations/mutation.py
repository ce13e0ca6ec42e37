"""One mutation, the files that mutations are in, and the tests that should notice them."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Mutation:
    name: str
    file: str
    text: str
    replacement: str
    tests: str  # a filter of GoogleTest, or names of Python tests with spaces between them
    quick: bool = False
    needs_root: bool = False  # the test that bites is skipped for everybody else
    program: str = "sluice_tests"  # of the tests; or a file of Python tests, below tests/
    test_file: str = ""  # of a public header: the file of tests that is compiled with it


def noticed_by(test_file, *mutations):
    """The same mutations, with this file of Python tests below tests/preload."""
    return [dataclasses.replace(mutation, program=f"preload/{test_file}")
            for mutation in mutations]


SINK = "src/backend/file_sink.cc"
REPLACING = "src/backend/replacing_sink.cc"
TARGET = "src/backend/target.cc"
ABANDONED = "src/backend/abandoned_replacements.cc"
WRITE_BACK = "src/backend/write_back.h"
SINK_WRITE = "src/core/sink_write.h"
WRITER = "src/core/writer_core.cc"
WRITER_END = "src/core/writer_end.cc"
IN_FLIGHT = "src/core/blocks_in_flight.cc"
CHOICE = "src/core/write_behind_choice.cc"
JOURNAL = "src/core/journal.cc"
COMMIT = "src/core/group_commit.cc"
ENGINE = "src/core/engine.cc"
RECORDS = "src/core/journal_records.cc"
FORMAT = "src/core/journal_format.cc"
RECOVERY = "src/core/journal_recovery.cc"
FILE = "src/os/file.cc"
FILE_DURABILITY = "src/os/file_durability.cc"
CANCELLATION = "src/os/cancellation.h"
GUARDED = "src/os/guarded.h"
LOST_ERROR = "src/core/lost_error.cc"
STATUS = "src/os/status.cc"
DIRECTORY = "src/os/directory.cc"
ATTRIBUTES = "src/os/linux/attributes.cc"
CALLS = "src/os/linux/system_calls.cc"

ON_MEMORY = "OutOfMemory.*:Status.*"
ON_WRITERS = "WriterDurability.*:WriterSync.*:DurabilityModes.*:DurableName.*:UnreadableDir*"
ON_REPLACING = "Replace.*:ReplaceKeeping.*:StagedSink.*"
ON_JOURNALS = "Journal*"
ON_READERS = "Reader*:AReader*:*SourceContract.*"
ON_INTERLEAVINGS = "*Interleavings.*"
ON_REFUSALS = "Writer.*"
ON_LOST_ERRORS = "LostError.*"
ON_WRITE_BEHIND = "WriteBehind*.*:StalledSink.*:WriterModel.*"
ON_FAILURES = "*Failures*:Writer.*:WriterReserve.*:WriteBehind.*:WriterTarget.*:RefusedTarget.*"
