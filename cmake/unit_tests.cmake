# Runs the programs of GoogleTest by ctest.
include(GoogleTest)

# The checks of clang-tidy that take longest. A test that runs shows most of what these find.
set(slow_checks
  bugprone-assert-side-effect bugprone-dangling-handle bugprone-infinite-loop
  bugprone-misplaced-widening-cast bugprone-not-null-terminated-result
  bugprone-sizeof-expression bugprone-suspicious-string-compare bugprone-undelegated-constructor
  bugprone-unused-raii bugprone-unused-return-value bugprone-use-after-move
  misc-definitions-in-headers misc-redundant-expression modernize-use-nullptr
  performance-move-const-arg performance-unnecessary-copy-initialization
  readability-redundant-control-flow readability-redundant-declaration)
list(TRANSFORM slow_checks PREPEND "-")
list(JOIN slow_checks "," without_slow_checks)

# build_quickly(TARGET): a test runs once, so it needs little optimization. -O1 takes half of the
# time of -O3. With -O1 the sanitizers' checks take twice as long as with -Og. With -O0 the tests
# would run twice as long. The library is optimized as its preset says.
function(build_quickly target)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    target_compile_options(${target} PRIVATE -Og)
  else()
    target_compile_options(${target} PRIVATE -O1)
  endif()
  if(CMAKE_CXX_CLANG_TIDY)
    set_property(TARGET ${target} APPEND PROPERTY CXX_CLANG_TIDY "--checks=${without_slow_checks}")
  endif()
endfunction()

# These tests get a process of their own. They fork, end the process, change what all of it shares
# (signals, limits, the environment), or measure its memory.
set(tests_of_own_processes
  *Child* *DeathTest* *Fork*
  *BoundedMemory* *ExceedsTheMemory* *LittleMemory* *MemoryRunsOut* *MissingMemory* *WithoutMemory*
  CFailures* Codecs* Compression.EndsWith* CompressionThreads* JobOf* JournalRecovery* JournalTest*
  LostError* Measure* OutOfMemory* PrintPlain.LeavesTheComma* RanksMeet*
  Reader.FailsAfterTheTimeout* ReplaceKeeping* ReplaceRaces* RunningProcess* SeekTable* Standard*
  StdioCalls* UnreadableDirectory* Writer.FallsBack* Writer.MakesDo* WriterCost* WriterReserve*
  WriterTarget*)

# With a sanitizer these tests take long. They write hundreds of megabytes and look at the page
# cache, make the same calls as their neighbours do in halves, in pieces of one byte or with
# interruptions, fail at each of hundreds of calls, flip each of thousands of bytes, or make many
# thousands of random calls. `./dev test` runs those of them that need a process of their own, in
# the release build. `./dev test --slow` runs all, but for the thread sanitizer, with which only
# `./dev nightly` does.
set(tests_of_many_calls
  CacheDrop*64Mebibytes* *FailedInTurn*OneByteEach* *FailedInTurn*Interrupted* *FailedInTurn*Halved*
  CacheDrop.EverySystemCallFailsInTurn *CompressionFormat.NeverGivesADamagedByte*
  Compression.SurvivesOrReportsEveryCallThatFails StdioModel.RandomCalls*
  OutOfMemory.WhileAJournalIsRecovered OutOfMemory.WhileWholeFilesAreReadAndWritten)
# One thread runs the library's code in these tests, so they show the thread sanitizer nothing. Only
# `./dev nightly` runs them there.
set(tests_of_one_thread
  *OneThread* OutOfMemory* JournalRecovery* JournalDamage*
  ReaderLines* ReaderModel* ReaderNumbers* Reader/ReaderFailures*
  WriterNumbers* Newlines* Bytes* Status* Result* Print* StdioModel* ScanBytes* ScanPlain*
  *StdioHandles* Compression.GivesBack* Compression.NeverGives* Compression.ReadsACut*
  Compression.ReadsFrames* *CompressionFormat* Series.GivesBack* Series.NeverGives* SeriesFormat*
  ShrinkGuess* EverySink/SinkContract* EverySource/SourceContract*
  MemoryAndDisk/CopyFile.EveryCall* MemoryAndDisk/CopyFile.ReadsAndWrites* StdioOffset*
  SeriesFilter* ReaderRecords* IStreamReaderTest* OStreamWriterTest*)
# These try thousands of power cuts of a modelled disk. Their threads are those of other tests, and
# only `./dev nightly` runs them under the thread sanitizer.
set(tests_of_power_cuts
  CrashOfACopy* CrashOfAWriter* CrashOfPositions*
  CrashOfAJournal.LosesNoCommittedOrRecoveredRecord)
list(JOIN tests_of_own_processes ":" tests_of_own_processes)
list(JOIN tests_of_power_cuts ":" tests_of_power_cuts)
list(JOIN tests_of_many_calls ":" tests_of_many_calls)
list(JOIN tests_of_one_thread ":" tests_of_one_thread)

# run_in_parts(TARGET PARTS NAME FILTER [PROPERTY...]): runs the tests that the filter lets through
# in PARTS processes.
function(run_in_parts target parts name filter)
  foreach(part RANGE 1 ${parts})
    math(EXPR index "${part} - 1")
    set(test "${target}.${name}_${part}_of_${parts}")
    add_test(NAME ${test} COMMAND ${target} --gtest_brief=1 --gtest_filter=${filter})
    set_tests_properties(${test} PROPERTIES TIMEOUT 900 ${ARGN}
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${index};\
ASAN_OPTIONS=quarantine_size_mb=16")
  endforeach()
endfunction()

# run_one_by_one(TARGET FILTER [PROPERTY...]): runs each of these tests in a process of its own.
function(run_one_by_one target filter)
  gtest_discover_tests(${target} TEST_FILTER "${filter}" DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT 120 ${ARGN})
endfunction()

# run_unit_tests(TARGET PARTS [HAS_TESTS_OF_MANY_CALLS]): starting a process costs as much as most
# tests, and ten times as much with a sanitizer. So the tests run in PARTS processes; a test then
# also meets the state that earlier tests have left. Some run in a process of their own, and in a
# debug build all do, so that `ctest -R` finds each.
#
# With the address sanitizer all tests run in parts. It keeps freed memory for later reports; less
# of it makes each fork of a process twice as fast. The thread sanitizer ends the children of a
# process that has had threads, once they start their own: a test that forks needs its own process.
#
# With HAS_TESTS_OF_MANY_CALLS, the target has some of these tests.
function(run_unit_tests target parts)
  build_quickly(${target})
  precompile_headers(${target}
    <gtest/gtest.h> <algorithm> <array> <filesystem> <functional> <memory> <optional> <random>
    <string> <string_view> <thread> <vector>)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=address")
    run_in_parts(${target} ${parts} part "-${tests_of_many_calls}")
    if(ARGN)
      run_in_parts(${target} 1 many_calls "${tests_of_many_calls}" LABELS slow)
    endif()
  elseif(CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread")
    set(left_out "${tests_of_many_calls}:${tests_of_one_thread}:${tests_of_power_cuts}")
    run_in_parts(${target} ${parts} part "-${tests_of_own_processes}:${left_out}")
    run_one_by_one(${target} "${tests_of_own_processes}:-${left_out}")
    run_one_by_one(${target} "${left_out}" LABELS long)
  elseif(CMAKE_BUILD_TYPE STREQUAL "Debug")
    run_one_by_one(${target} "*")
  else()
    run_in_parts(${target} ${parts} part "-${tests_of_own_processes}:${tests_of_many_calls}")
    if(ARGN)
      run_in_parts(${target} 1 many_calls
        "${tests_of_many_calls}:-${tests_of_own_processes}" LABELS slow)
    endif()
    run_one_by_one(${target} "${tests_of_own_processes}")
  endif()
endfunction()
