# The libraries that the command and its readers need, as targets torchada_NAME. They are linked
# statically, so that the installed command needs nothing of the system.
find_package(Threads REQUIRED)
find_package(gflags REQUIRED)
find_package(spdlog REQUIRED)
foreach(NAME libelf libarchive gflags spdlog)
  add_library(torchada_${NAME} INTERFACE)
endforeach()

# Links TARGET with the archives of the named libraries. pkg-config cannot list them: libarchive's
# own list includes what its other formats need.
function(torchada_link_archives TARGET)
  foreach(NAME ${ARGN})
    find_library(TORCHADA_ARCHIVE_${NAME} NAMES lib${NAME}.a REQUIRED)
    target_link_libraries(${TARGET} INTERFACE ${TORCHADA_ARCHIVE_${NAME}})
  endforeach()
endfunction()

torchada_link_archives(torchada_libelf elf z)
torchada_link_archives(torchada_libarchive archive nettle lzma zstd bz2 z)
target_link_libraries(torchada_gflags INTERFACE gflags_static)
# The compiled spdlog and fmt are shared libraries, and spdlog's target links fmt's. Use the headers
# alone.
target_compile_definitions(torchada_spdlog INTERFACE FMT_HEADER_ONLY=1
  $<TARGET_PROPERTY:spdlog::spdlog_header_only,INTERFACE_COMPILE_DEFINITIONS>)
target_include_directories(torchada_spdlog SYSTEM INTERFACE
  $<TARGET_PROPERTY:spdlog::spdlog_header_only,INTERFACE_INCLUDE_DIRECTORIES>)
