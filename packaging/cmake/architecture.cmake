# The one place that chooses the architecture. Everything that differs is in stubs/arch/NAME, where
# NAME is what CMake calls the processor.
set(TORCHADA_ARCH ${PROJECT_SOURCE_DIR}/stubs/arch/${CMAKE_SYSTEM_PROCESSOR})
if(NOT EXISTS ${TORCHADA_ARCH}/sources.cmake)
  file(GLOB KNOWN RELATIVE ${PROJECT_SOURCE_DIR}/stubs/arch ${PROJECT_SOURCE_DIR}/stubs/arch/*)
  message(FATAL_ERROR "torchada: no trampolines for ${CMAKE_SYSTEM_PROCESSOR}: expected a folder of "
    "that name in stubs/arch (there are: ${KNOWN}); see CONTRIBUTING.md, 'Adding an architecture'")
endif()
include(${TORCHADA_ARCH}/options.cmake)
