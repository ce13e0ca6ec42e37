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

# run_unit_tests(TARGET PARTS): runs each test in a process of its own. With the address sanitizer,
# starting a process costs as much as a test, so the tests run in PARTS processes; a test then also
# meets the state that earlier tests have left. The thread sanitizer cannot do that: it ends the
# children of a process that has had threads, once they start their own. The sanitizer keeps freed
# memory for later reports; less of it makes each fork of such a process twice as fast.
function(run_unit_tests target parts)
  build_quickly(${target})
  if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize=address")
    gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 120)
    return()
  endif()
  foreach(part RANGE 1 ${parts})
    math(EXPR index "${part} - 1")
    set(test "${target}.part_${part}_of_${parts}")
    add_test(NAME ${test} COMMAND ${target} --gtest_brief=1)
    set_tests_properties(${test} PROPERTIES TIMEOUT 900
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${index};\
ASAN_OPTIONS=quarantine_size_mb=16")
  endforeach()
endfunction()
