# For libraries that take device code from kernel libraries.
file(GLOB KERNEL_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/kernels/*.cpp)
list(APPEND LIBRARY_SOURCES ${KERNEL_SOURCES} ${TORCHADA_NVCC_NAMES})
