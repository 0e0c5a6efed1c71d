# The libraries that the command and its readers need, as targets torchada_NAME. They are the
# distribution's shared libraries, or, with TORCHADA_STATIC_DEPS, linked statically, so that the
# installed command needs only libc.
find_package(PkgConfig REQUIRED)
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

if(TORCHADA_STATIC_DEPS)
  torchada_link_archives(torchada_libelf elf z)
  torchada_link_archives(torchada_libarchive archive nettle lzma zstd bz2 z)
  target_link_libraries(torchada_gflags INTERFACE gflags_static)
  # The compiled spdlog and fmt are shared libraries, and spdlog's target refers to fmt's. Use both
  # header-only instead.
  target_compile_definitions(torchada_spdlog INTERFACE FMT_HEADER_ONLY=1)
  target_link_libraries(torchada_spdlog INTERFACE spdlog::spdlog_header_only)
  target_link_options(torchada_spdlog INTERFACE -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL -Wl,-z,relro -Wl,-z,now
    -Wl,--as-needed)
else()
  pkg_check_modules(LIBELF REQUIRED IMPORTED_TARGET libelf)
  target_link_libraries(torchada_libelf INTERFACE PkgConfig::LIBELF)
  pkg_check_modules(LIBARCHIVE REQUIRED IMPORTED_TARGET libarchive)
  target_link_libraries(torchada_libarchive INTERFACE PkgConfig::LIBARCHIVE)
  target_link_libraries(torchada_gflags INTERFACE gflags)
  target_link_libraries(torchada_spdlog INTERFACE spdlog::spdlog)
endif()
