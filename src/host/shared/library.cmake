# Builds one library of the CPU stand-in the way a MUSA SDK ships it: its SONAME, only its API
# exported, nothing needed beyond libc, libm, the loader and libmusart.
#
#   host_musa_library(NAME mccl FILE_VERSION 2.28.9 SOVERSION 2 SOURCES a.cpp b.cpp)
#
# The target is host_<name>; <name>.map beside the calling CMakeLists.txt lists what is exported.
function(host_musa_library)
  cmake_parse_arguments(PARSE_ARGV 0 LIB "" "NAME;FILE_VERSION;SOVERSION" "SOURCES")
  set(target host_${LIB_NAME})
  set(map ${CMAKE_CURRENT_SOURCE_DIR}/${LIB_NAME}.map)

  add_library(${target} SHARED ${LIB_SOURCES})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${LIB_NAME}
    VERSION ${LIB_FILE_VERSION}
    SOVERSION ${LIB_SOVERSION}
    LIBRARY_OUTPUT_DIRECTORY ${TORCHADA_HOST_PREFIX}/lib
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    BUILD_WITH_INSTALL_RPATH ON
    INSTALL_RPATH "$ORIGIN"
    LINK_DEPENDS ${map})
  target_include_directories(${target}
    PUBLIC ${TORCHADA_HOST_INCLUDE}
    PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
  target_link_libraries(${target} PRIVATE host_musart m)
  target_link_options(${target} PRIVATE
    -static-libstdc++ -static-libgcc
    -Wl,--version-script,${map} -Wl,--exclude-libs,ALL -Wl,--enable-new-dtags
    -Wl,--gc-sections -Wl,--as-needed -Wl,-z,defs -Wl,-z,now -Wl,-z,relro -Wl,-z,nodelete)
  add_dependencies(${target} host_headers)

  install(TARGETS ${target} LIBRARY DESTINATION host/${TORCHADA_HOST_SDK}/lib)
endfunction()
