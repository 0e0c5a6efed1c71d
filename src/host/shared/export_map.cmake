# What the trees export.
#
# Every tree exports what the headers of a library declare: those in the line "headers" of its
# exports.list, or <library>.h. Every other line says otherwise: a name, followed by the SDKs that have
# it: nothing for all, ">=4.3", "<5.0", both, "assumed" for a name that no SDK was seen to have, or
# "never" for a declaration that makes no such name. "#" starts a comment. What holds for a name also
# holds for the same name with _ptsz or _ptds.

# host_declared_names(out headers): the functions that these headers declare.
function(host_declared_names out headers)
  set(names "")
  foreach(header IN LISTS headers)
    set(file ${TORCHADA_HOST_INCLUDE}/${header})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    # A declaration starts its line, with the type or with the name. It ends with the name if it has the type
    # of another function.
    string(REGEX MATCHALL "\n[A-Za-z][A-Za-z0-9_ *]*[(]([A-Za-z0-9_]+[)][ \n]+[A-Za-z0-9_]+)?" starts "${text}")
    foreach(start IN LISTS starts)
      if(start MATCHES "([A-Za-z0-9_]+)[(]?$")
        list(APPEND names ${CMAKE_MATCH_1})
      endif()
    endforeach()
    # A line of muBLAS's header that declares a function for each of these types.
    string(REGEX MATCHALL "\nMUBLAS_[SDCZ]+(_R)?[(][a-zA-Z0-9_]+" families "${text}")
    foreach(family IN LISTS families)
      string(REGEX MATCH "(MUBLAS_([SDCZ]+)(_R)?)[(](.*)" family "${family}")
      set(name ${CMAKE_MATCH_4})
      list(REMOVE_ITEM names ${CMAKE_MATCH_1})
      string(REGEX MATCHALL "[SDCZ]" letters ${CMAKE_MATCH_2})
      list(TRANSFORM letters REPLACE "(.)" "mublas\\1${name}")
      list(APPEND names ${letters})
    endforeach()
  endforeach()
  set(${out} ${names} PARENT_SCOPE)
endfunction()

# host_exported_names(LIBRARY name TREE tree PRESENT out ABSENT out): the names that the tree exports,
# and the others.
function(host_exported_names)
  cmake_parse_arguments(PARSE_ARGV 0 MAP "" "LIBRARY;TREE;PRESENT;ABSENT" "")
  set(file ${CMAKE_CURRENT_SOURCE_DIR}/exports.list)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  set(version ${TORCHADA_HOST_TREE_${MAP_TREE}_version})
  file(STRINGS ${file} headers REGEX "^headers ")
  string(REPLACE "headers " "" headers "${headers}")
  string(REPLACE " " ";" headers "${headers}")
  if(NOT headers)
    set(headers ${MAP_LIBRARY}.h)
  endif()
  host_declared_names(names "${headers}")
  set(absent "")
  file(STRINGS ${file} lines)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "#.*" "" line "${line}")
    string(STRIP "${line}" line)
    if(line STREQUAL "" OR line MATCHES "^headers ")
      continue()
    endif()
    if(NOT line MATCHES "^([A-Za-z_][A-Za-z0-9_]*)(( +(>=|<)[0-9]+\\.[0-9]+)*| +assumed| +never)$")
      message(FATAL_ERROR "${file}: not a name with its SDKs: ${line}")
    endif()
    set(name ${CMAKE_MATCH_1})
    set(range "${CMAKE_MATCH_2}")
    set(present TRUE)
    if((range MATCHES "assumed" AND NOT MAP_TREE STREQUAL "assumed") OR range MATCHES "never")
      set(present FALSE)
    endif()
    if(range MATCHES ">=([0-9.]+)" AND version VERSION_LESS CMAKE_MATCH_1)
      set(present FALSE)
    endif()
    if(range MATCHES "<([0-9.]+)" AND NOT version VERSION_LESS CMAKE_MATCH_1)
      set(present FALSE)
    endif()
    list(REMOVE_ITEM names ${name})
    if(present)
      list(APPEND names ${name})
    else()
      list(APPEND absent ${name})
      foreach(suffix _ptsz _ptds)
        if("${name}${suffix}" IN_LIST names)
          list(REMOVE_ITEM names ${name}${suffix})
          list(APPEND absent ${name}${suffix})
        endif()
      endforeach()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(SORT names)
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

# host_export_map(LIBRARY name TREE tree OUT file [PRIVATE node pattern]): writes the version script of
# one tree.
#
# PRIVATE: C++ names that only other libraries of the stand-in use are exported too, under a version
# node of their own. Names without a version cannot be listed beside a node: whatever is visible and
# not hidden here is exported.
function(host_export_map)
  cmake_parse_arguments(PARSE_ARGV 0 MAP "" "LIBRARY;TREE;OUT" "PRIVATE")
  host_exported_names(LIBRARY ${MAP_LIBRARY} TREE ${MAP_TREE} PRESENT names ABSENT absent)
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
