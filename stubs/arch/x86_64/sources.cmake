# What every replacement library contains of this architecture. Include it in each folder that
# compiles these sources, because CMake keeps the options of a source by folder.
set(TORCHADA_ARCH_SOURCES ${TORCHADA_ARCH}/cold.S ${TORCHADA_ARCH}/vector_state.cpp)
# The argument registers are not saved yet when this runs.
set_source_files_properties(${TORCHADA_ARCH}/vector_state.cpp PROPERTIES
  COMPILE_OPTIONS ${TORCHADA_GENERAL_REGISTERS_ONLY})
