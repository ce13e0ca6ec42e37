# How the programs of GoogleTest are run by ctest.
include(GoogleTest)

# run_unit_tests(TARGET PARTS): each test in a process of its own. With the address sanitizer, where
# starting a process costs as much as a test does, the tests in PARTS processes: what a test leaves
# in its process then meets the next test too. The thread sanitizer cannot do that: it ends the
# children of a process that has had threads, once they start their own.
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
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()
