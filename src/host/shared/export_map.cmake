# What the trees export.
#
# Each line of an exports.list is a name, followed by the SDKs that have it: nothing for all, ">=4.3",
# "<5.0", both, or "assumed" for a name that no SDK was seen to have. "#" starts a comment.

# host_exported_names(LIST file TREE tree PRESENT out ABSENT out): the names that the tree exports,
# and the others.
function(host_exported_names)
  cmake_parse_arguments(PARSE_ARGV 0 MAP "" "LIST;TREE;PRESENT;ABSENT" "")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${MAP_LIST})
  set(version ${TORCHADA_HOST_TREE_${MAP_TREE}_version})
  set(names "")
  set(absent "")
  file(STRINGS ${MAP_LIST} lines)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "#.*" "" line "${line}")
    string(STRIP "${line}" line)
    if(line STREQUAL "")
      continue()
    endif()
    if(NOT line MATCHES "^([A-Za-z_][A-Za-z0-9_]*)(( +(>=|<)[0-9]+\\.[0-9]+)*| +assumed)$")
      message(FATAL_ERROR "${MAP_LIST}: not a name with its SDKs: ${line}")
    endif()
    set(name ${CMAKE_MATCH_1})
    set(range "${CMAKE_MATCH_2}")
    set(present TRUE)
    if(range MATCHES "assumed" AND NOT MAP_TREE STREQUAL "assumed")
      set(present FALSE)
    endif()
    if(range MATCHES ">=([0-9.]+)" AND version VERSION_LESS CMAKE_MATCH_1)
      set(present FALSE)
    endif()
    if(range MATCHES "<([0-9.]+)" AND NOT version VERSION_LESS CMAKE_MATCH_1)
      set(present FALSE)
    endif()
    if(present)
      list(APPEND names ${name})
    else()
      list(APPEND absent ${name})
    endif()
  endforeach()
  set(${MAP_PRESENT} ${names} PARENT_SCOPE)
  set(${MAP_ABSENT} ${absent} PARENT_SCOPE)
endfunction()

# host_write_if_changed(file text)
function(host_write_if_changed file text)
  set(before "")
  if(EXISTS ${file})
    file(READ ${file} before)
  endif()
  if(NOT before STREQUAL text)
    file(WRITE ${file} "${text}")
  endif()
endfunction()

# host_export_map(LIST file TREE tree OUT file [PRIVATE node pattern]): writes the version script of
# one tree from a library's exports.list.
#
# PRIVATE: C++ names that only other libraries of the stand-in use are exported too, under a version
# node of their own. Names without a version cannot be listed beside a node: whatever is visible and
# not hidden here is exported.
function(host_export_map)
  cmake_parse_arguments(PARSE_ARGV 0 MAP "" "LIST;TREE;OUT" "PRIVATE")
  host_exported_names(LIST ${MAP_LIST} TREE ${MAP_TREE} PRESENT names ABSENT absent)
  # Without "local", the templates of the C++ library instantiated here would be exported too:
  # namespace std declares default visibility, which overrides the compiler's option.
  if(MAP_PRIVATE)
    list(GET MAP_PRIVATE 0 node)
    list(GET MAP_PRIVATE 1 pattern)
    list(JOIN absent "; " absent)
    set(text "${node} {\n  global:\n    ${pattern};\n  local:\n    ${absent};\n    _Z*;\n};\n")
    string(REPLACE "    ;\n" "" text "${text}")
  else()
    list(JOIN names ";\n    " names)
    set(text "{\n  global:\n    ${names};\n  local:\n    *;\n};\n")
  endif()
  host_write_if_changed(${MAP_OUT} "${text}")
endfunction()
