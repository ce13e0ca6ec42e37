# Runs the programs of GoogleTest by ctest.
include(GoogleTest)

# run_unit_tests(TARGET PARTS): runs each test in a process of its own. With the address sanitizer,
# starting a process costs as much as a test, so the tests run in PARTS processes; a test then also
# meets the state that earlier tests have left. The thread sanitizer cannot do that: it ends the
# children of a process that has had threads, once they start their own. The sanitizer keeps freed
# memory for later reports; less of it makes each fork of such a process twice as fast.
function(run_unit_tests target parts)
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
