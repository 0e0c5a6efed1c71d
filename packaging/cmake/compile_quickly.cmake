# What makes compiling quicker and changes nothing in what is built: precompiled headers, several
# sources compiled as one (unity builds), and ccache where it is installed.
#
# TORCHADA_QUICK_COMPILE=OFF compiles each source by itself and as it is. The Debian package is built
# that way, so that each file includes what it needs, and so is what clang-tidy reads.
option(TORCHADA_QUICK_COMPILE "Precompile headers and compile sources together" ON)
option(TORCHADA_CCACHE "Compile through ccache where it is installed" ON)

if(NOT TORCHADA_QUICK_COMPILE)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

if(TORCHADA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TORCHADA_CCACHE_PROGRAM ccache)
  if(TORCHADA_CCACHE_PROGRAM)
    # ccache refuses precompiled headers unless it may ignore these; see "PRECOMPILED HEADERS" in its manual.
    set(LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${TORCHADA_CCACHE_PROGRAM})
    set(CMAKE_C_COMPILER_LAUNCHER ${LAUNCHER})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${LAUNCHER})
  endif()
endif()

# The headers of the standard library that most files of the generator and the command include.
set(TORCHADA_STANDARD_HEADERS
  <algorithm> <cstdint> <filesystem> <fstream> <functional> <map> <optional> <set> <sstream>
  <stdexcept> <string> <string_view> <utility> <vector>)

# Compiles with -O1, which takes a third less time: for code whose loops nobody waits for.
function(torchada_optimize_little target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
endfunction()

# Compiles sources of TARGET sixteen at a time, so that headers and templates that they share are
# compiled once. Not for sources named after it. Names in anonymous namespaces must differ within a
# target then; the compiler says where they do not.
function(torchada_compile_together target)
  if(TORCHADA_QUICK_COMPILE)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
    # gcc gives this warning for types that only one source file names; it takes the others for headers.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# Precompiles GoogleTest once, for the test programs below FOLDER: reading that header takes as long as compiling a short
# test.
function(torchada_precompile_googletest folder)
  if(NOT TARGET torchada_precompiled_googletest)
    # A program, because a library's objects are compiled with another option (-fPIC).
    set(SOURCE ${PROJECT_BINARY_DIR}/precompiled_googletest.cpp)
    file(GENERATE OUTPUT ${SOURCE} CONTENT "int main() {}\n")
    add_executable(torchada_precompiled_googletest EXCLUDE_FROM_ALL ${SOURCE})
    target_link_libraries(torchada_precompiled_googletest PRIVATE GTest::gtest)
    target_precompile_headers(torchada_precompiled_googletest PRIVATE <gtest/gtest.h> <string> <vector>)
    torchada_compile_as_test(torchada_precompiled_googletest)
  endif()
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    torchada_precompile_googletest(${subfolder})
  endforeach()
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  list(REMOVE_ITEM targets torchada_precompiled_googletest)
  foreach(target IN LISTS targets)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    if(NOT "${libraries}" MATCHES "GTest::|gtest")
      continue()
    endif()
    get_target_property(sources ${target} SOURCES)
    set(in_cpp ${sources})
    list(FILTER in_cpp INCLUDE REGEX "\\.cpp$")
    list(LENGTH in_cpp count)
    if(count GREATER 2)
      torchada_compile_together(${target})
      # Tests have many short names in common.
      set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 8)
    endif()
    get_target_property(options ${target} COMPILE_OPTIONS)
    get_target_property(computes_much ${target} COMPUTES_MUCH)
    if("${sources}" MATCHES "\\.c(;|$)" OR "${options}" MATCHES "-m" OR computes_much)
      # CMake reuses headers for all languages of a program or for none, and gcc with the same machine options and
      # optimisation only.
      target_precompile_headers(${target} PRIVATE
        "$<$<COMPILE_LANGUAGE:CXX>:<gtest/gtest.h$<ANGLE-R>>"
        "$<$<COMPILE_LANGUAGE:CXX>:<string$<ANGLE-R>>"
        "$<$<COMPILE_LANGUAGE:CXX>:<vector$<ANGLE-R>>")
    else()
      target_precompile_headers(${target} REUSE_FROM torchada_precompiled_googletest)
    endif()
    torchada_compile_as_test(${target})
  endforeach()
endfunction()

# Without optimisation, which takes a fifth less time than -O1, unless the program has the property COMPUTES_MUCH; and
# without debug information, as much again: a failure of GoogleTest names its line by itself.
function(torchada_compile_as_test target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-g0>)
  get_target_property(computes_much ${target} COMPUTES_MUCH)
  if(NOT computes_much)
    target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0>)
  endif()
endfunction()
