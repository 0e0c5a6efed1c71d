# host_library_test(NAME mccl SOURCES a_test.cpp ...): the tests of src/host/<name>.
find_package(GTest REQUIRED)
include(GoogleTest)

function(host_library_test)
  cmake_parse_arguments(PARSE_ARGV 0 TEST "" "NAME" "SOURCES")
  set(target host_${TEST_NAME}_test)
  set(library host_${TEST_NAME}_assumed)
  set(shared ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  set(in_c ${TEST_SOURCES})
  list(FILTER in_c INCLUDE REGEX "\\.c$")
  list(FILTER TEST_SOURCES EXCLUDE REGEX "\\.c$")
  add_executable(${target} ${TEST_SOURCES} ${shared}/library.cpp)
  target_include_directories(${target} PRIVATE ${shared})
  if(in_c)
    # Apart, because a program with C in it cannot share GoogleTest's precompiled header.
    add_library(${target}_in_c OBJECT ${in_c})
    target_link_libraries(${target}_in_c PRIVATE ${library})
    target_link_libraries(${target} PRIVATE ${target}_in_c)
  endif()
  target_compile_definitions(${target} PRIVATE
    LIBRARY_FILE="$<TARGET_FILE:${library}>"
    HEADER_FILE="${TORCHADA_STAGE}/host/assumed/include/${TEST_NAME}.h")
  target_link_libraries(${target} PRIVATE ${library} host_musart_assumed GTest::gtest_main)
  gtest_discover_tests(${target} PROPERTIES LABELS host)
endfunction()
