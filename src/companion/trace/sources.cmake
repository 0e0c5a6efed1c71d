# Tracing, as part of the companion.
file(GLOB TRACE_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/trace/*.cpp)
set(PROTOTYPES ${PROJECT_BINARY_DIR}/generated/prototypes.cpp)
set_source_files_properties(${PROTOTYPES} PROPERTIES GENERATED TRUE)
target_sources(torchada_companion PRIVATE prototypes.cpp ${TRACE_SOURCES} ${PROTOTYPES})
add_dependencies(torchada_companion torchada_emitted)
# spdlog's CMake package links the shared fmt, which nothing here needs.
target_link_options(torchada_companion PRIVATE -Wl,--as-needed)
