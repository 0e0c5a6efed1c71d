# For libraries that take device code from kernel libraries.
file(GLOB KERNEL_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/kernels/*.cpp)
list(APPEND LIBRARY_SOURCES ${KERNEL_SOURCES} ${PROJECT_SOURCE_DIR}/src/shared/mangled_name.cpp
  ${PROJECT_SOURCE_DIR}/src/shared/nvcc_name.cpp)
