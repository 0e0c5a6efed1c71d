# Guards save no vector registers on the way to MUSA's function, so the files they call must not use
# any: see guard.S.
list(APPEND LIBRARY_SOURCES ${TORCHADA_ARCH}/guard.S)
set_source_files_properties(cudart/code_index.cpp cudart/code_memory.cpp cudart/guard.cpp
  cudart/recent_kernels.cpp cudart/registered_code.cpp kernels/loaded.cpp kernels/names.cpp
  PROPERTIES COMPILE_OPTIONS ${TORCHADA_GENERAL_REGISTERS_ONLY})
include(${CMAKE_CURRENT_SOURCE_DIR}/kernels/sources.cmake)
