# The C interface of clang. Debian keeps it in versioned directories:
# /usr/lib/llvm-14/include/clang-c and libclang-14.so. The newest comes first; LibClang_ROOT and
# CMAKE_PREFIX_PATH take precedence.
#
# Defines LibClang::LibClang, LibClang_FOUND, LibClang_VERSION, LibClang_LIBRARY,
# LibClang_INCLUDE_DIR and LibClang_RESOURCE_DIR (the directory whose include/ has clang's own
# stddef.h; its name is the version).
file(GLOB _libclang_roots /usr/lib/llvm-*)
list(SORT _libclang_roots COMPARE NATURAL ORDER DESCENDING)
set(_libclang_includes)
set(_libclang_libraries)
foreach(_root IN LISTS _libclang_roots)
  list(APPEND _libclang_includes ${_root}/include)
  list(APPEND _libclang_libraries ${_root}/lib)
endforeach()

find_path(LibClang_INCLUDE_DIR clang-c/Index.h HINTS ${_libclang_includes})
if(LibClang_INCLUDE_DIR)
  # Header and library must be of one version: a newer header may declare what an older library
  # lacks.
  get_filename_component(_libclang_prefix ${LibClang_INCLUDE_DIR} DIRECTORY)
  find_library(LibClang_LIBRARY NAMES clang libclang HINTS ${_libclang_prefix}/lib
               NO_DEFAULT_PATH)
  find_library(LibClang_LIBRARY NAMES clang libclang HINTS ${_libclang_libraries})
  file(GLOB _libclang_resources ${_libclang_prefix}/lib/clang/*)
  list(SORT _libclang_resources COMPARE NATURAL ORDER DESCENDING)
  foreach(_resource IN LISTS _libclang_resources)
    if(NOT LibClang_RESOURCE_DIR AND EXISTS ${_resource}/include/stddef.h)
      set(LibClang_RESOURCE_DIR ${_resource} CACHE PATH "Folder with clang's own headers")
    endif()
  endforeach()
endif()
get_filename_component(LibClang_VERSION "${LibClang_RESOURCE_DIR}" NAME)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibClang
  REQUIRED_VARS LibClang_LIBRARY LibClang_INCLUDE_DIR LibClang_RESOURCE_DIR
  VERSION_VAR LibClang_VERSION
  REASON_FAILURE_MESSAGE "install libclang-dev 13 or newer (Debian 11: libclang-13-dev)")

if(LibClang_FOUND AND NOT TARGET LibClang::LibClang)
  add_library(LibClang::LibClang UNKNOWN IMPORTED)
  set_target_properties(LibClang::LibClang PROPERTIES
    IMPORTED_LOCATION ${LibClang_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${LibClang_INCLUDE_DIR})
endif()
mark_as_advanced(LibClang_INCLUDE_DIR LibClang_LIBRARY LibClang_RESOURCE_DIR)
