# What makes compiling quicker and changes nothing in what is built: precompiled headers, and ccache
# where it is installed. Both can be turned off: -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON, which the
# Debian package does so that every file names the headers it needs, and -DTORCHADA_CCACHE=OFF.
option(TORCHADA_CCACHE "Compile through ccache where it is installed" ON)

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

# Compiles TARGET with -O1: a third less compile time, for code in which nobody waits for a loop.
function(torchada_optimize_little target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
endfunction()

# Precompiles GoogleTest for each test program below this folder that has enough files to gain by it:
# reading the header takes as long as compiling a short test.
function(torchada_precompile_googletest folder)
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    torchada_precompile_googletest(${subfolder})
  endforeach()
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    if(NOT "${libraries}" MATCHES "GTest::|gtest")
      continue()
    endif()
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    list(LENGTH sources count)
    if(count GREATER 2)
      target_precompile_headers(${target} PRIVATE
        "$<$<COMPILE_LANGUAGE:CXX>:<gtest/gtest.h$<ANGLE-R>>"
        "$<$<COMPILE_LANGUAGE:CXX>:<string$<ANGLE-R>>"
        "$<$<COMPILE_LANGUAGE:CXX>:<vector$<ANGLE-R>>")
    endif()
  endforeach()
endfunction()
