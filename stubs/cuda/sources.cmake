list(APPEND LIBRARY_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/adapting/outcome.cpp)
include(${CMAKE_CURRENT_SOURCE_DIR}/kernels/sources.cmake)
