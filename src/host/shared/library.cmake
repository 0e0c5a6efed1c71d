# Builds one library of the CPU stand-in for every tree that has it, as a MUSA SDK ships it: with
# its SONAME, exporting only its API, and needing only libc, libm, the loader and libmusart, which
# alone needs libmusa.
#
#   host_musa_library(NAME mccl [DRIVER] [ONE_BY_ONE] [PRIVATE node pattern] [TREE_SOURCES version.cpp]
#                     [MORE_SOURCES ...] [LIBRARIES ...] [INCLUDES ...] [SYSTEM_INCLUDES ...])
#
# DRIVER: a library of the driver. It lies beside the SDKs, in host/driver/<tree>, as a real driver lies in a
# system folder. Each tree's libmusart leads to the driver of its tree, or to one in its own folder.
# PRIVATE: names that only other libraries of the stand-in use; see export_map.cmake.
# ONE_BY_ONE: each source defines macros of its own and cannot be compiled together with others.
# The sources in the calling folder, and MORE_SOURCES are compiled once. TREE_SOURCES differ from SDK
# to SDK and are compiled for each tree with its headers. These and exports.list beside the calling
# CMakeLists.txt say which tree exports what (export_map.cmake). A header that no other library includes
# lies in the folder include beside them. The targets are host_<name> for the newest tree and host_<name>_<tree> for the others.
include(${CMAKE_CURRENT_LIST_DIR}/export_map.cmake)

function(host_tree_target out name tree)
  if(tree STREQUAL TORCHADA_HOST_CURRENT)
    set(${out} host_${name} PARENT_SCOPE)
  else()
    set(${out} host_${name}_${tree} PARENT_SCOPE)
  endif()
endfunction()

function(host_musa_library)
  cmake_parse_arguments(PARSE_ARGV 0 LIB "DRIVER;ONE_BY_ONE" "NAME" "PRIVATE;MORE_SOURCES;TREE_SOURCES;LIBRARIES;INCLUDES;SYSTEM_INCLUDES")
  set(objects host_${LIB_NAME}_objects)
  set(own_include "")
  if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/include)
    set(own_include ${CMAKE_CURRENT_SOURCE_DIR}/include)
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp)
  list(REMOVE_ITEM sources ${LIB_TREE_SOURCES} "")
  add_library(${objects} OBJECT ${sources} ${LIB_MORE_SOURCES})
  set_target_properties(${objects} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${objects} PRIVATE -ffunction-sections -fdata-sections)
  target_include_directories(${objects} PRIVATE
    ${TORCHADA_HOST_INCLUDE} ${TORCHADA_HOST_TREE_FOLDER}/${TORCHADA_HOST_CURRENT} ${own_include}
    ${LIB_INCLUDES})
  target_link_libraries(${objects} PRIVATE ${LIB_LIBRARIES})  # For their flags.
  target_include_directories(${objects} SYSTEM PRIVATE ${LIB_SYSTEM_INCLUDES})
  if(NOT LIB_ONE_BY_ONE)
    torchada_compile_together(${objects})
  endif()

  foreach(tree IN LISTS TORCHADA_HOST_TREES)
    if(NOT TORCHADA_HOST_TREE_${tree}_${LIB_NAME})
      # An earlier build of the same folder may have put one there.
      file(GLOB earlier ${TORCHADA_STAGE}/host/${tree}/lib/lib${LIB_NAME}.so*)
      if(earlier)
        file(REMOVE ${earlier})
      endif()
      continue()
    endif()
    list(GET TORCHADA_HOST_TREE_${tree}_${LIB_NAME} 0 file_version)
    list(GET TORCHADA_HOST_TREE_${tree}_${LIB_NAME} 1 soname_version)
    host_tree_target(target ${LIB_NAME} ${tree})
    set(map ${CMAKE_CURRENT_BINARY_DIR}/${tree}.map)
    set(runpath $ORIGIN)
    host_export_map(LIBRARY ${LIB_NAME} TREE ${tree} OUT ${map} PRIVATE ${LIB_PRIVATE})
    if(LIB_DRIVER)
      set(folder host/driver/${tree})
    else()
      set(folder host/${tree}/lib)
    endif()
    if(LIB_NAME STREQUAL "musart")
      string(APPEND runpath ":$ORIGIN/../../driver/${tree}")
    endif()

    # A target without sources needs a language by name.
    add_library(${target} SHARED $<TARGET_OBJECTS:${objects}> ${LIB_TREE_SOURCES})
    set_target_properties(${target} PROPERTIES
      LINKER_LANGUAGE CXX
      OUTPUT_NAME ${LIB_NAME}
      LIBRARY_OUTPUT_DIRECTORY ${TORCHADA_STAGE}/${folder}
      CXX_VISIBILITY_PRESET hidden
      VISIBILITY_INLINES_HIDDEN ON
      BUILD_WITH_INSTALL_RPATH ON
      INSTALL_RPATH "${runpath}"
      LINK_DEPENDS ${map})
    if(NOT file_version STREQUAL "none")
      set_target_properties(${target} PROPERTIES VERSION ${file_version} SOVERSION ${soname_version})
    endif()
    target_include_directories(${target}
      PUBLIC ${TORCHADA_HOST_INCLUDE} ${TORCHADA_HOST_TREE_FOLDER}/${tree} ${own_include}
      PRIVATE ${LIB_INCLUDES})
    target_include_directories(${target} SYSTEM PRIVATE ${LIB_SYSTEM_INCLUDES})
    target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
    if(LIB_NAME STREQUAL "musart")
      host_tree_target(below musa ${tree})
      target_link_libraries(${target} PRIVATE ${below})
    elseif(NOT LIB_DRIVER)
      host_tree_target(below musart ${tree})
      target_link_libraries(${target} PRIVATE ${below})
    endif()
    target_link_libraries(${target} PRIVATE ${LIB_LIBRARIES} m)
    target_link_options(${target} PRIVATE
      -static-libstdc++ -static-libgcc
      -Wl,--version-script,${map} -Wl,--exclude-libs,ALL -Wl,--enable-new-dtags
      -Wl,--gc-sections -Wl,--as-needed -Wl,-z,defs -Wl,-z,now -Wl,-z,relro -Wl,-z,nodelete)
    if(LIB_DRIVER)
      # Calls within the library go to the library itself, whatever the program exports.
      target_link_options(${target} PRIVATE -Wl,-Bsymbolic)
    endif()
    add_dependencies(${target} host_headers)
    install(TARGETS ${target} LIBRARY DESTINATION ${folder})
  endforeach()
endfunction()
