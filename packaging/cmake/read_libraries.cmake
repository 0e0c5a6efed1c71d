# Reads mappings/libraries.yaml when the build is configured, because targets must be known then. Only
# what CMake needs, and only as that file is written: `sonames` and `needs` on one line, `sonames` before
# `offered` and `folder`. torchada-gen
# emit reads the file as YAML and refuses to run if it finds other SONAMEs than were found here.
#
#   TORCHADA_LIBRARY_NAMES         cudart cublas ...
#   TORCHADA_LIBRARIES             "cudart-12|libcudart.so.12" ...: the newest major of each SONAME
#   TORCHADA_ABIS                  every CUDA major that a library serves, oldest first
#   TORCHADA_STEM_NAME             libcudart
#   TORCHADA_NEEDS_NAME            names of libraries that the library NAME brings with it
#   TORCHADA_MAJORS_FILE           the CUDA majors that have the SONAME FILE
#   TORCHADA_FILES_MAJOR           the SONAMEs of a CUDA major, in the order of the libraries
#   TORCHADA_FOLDER_FILE           where the SONAME FILE is installed: lib, or lib/driver
#   TORCHADA_FOLDERS               every such folder
#   TORCHADA_ON_REQUEST            the SONAMEs that are offered on request only
set(TORCHADA_REGISTRY ${PROJECT_SOURCE_DIR}/mappings/libraries.yaml)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${TORCHADA_REGISTRY})

set(TORCHADA_LIBRARY_NAMES "")
set(TORCHADA_LIBRARIES "")
set(TORCHADA_ABIS "")
set(TORCHADA_FOLDERS lib)
set(TORCHADA_ON_REQUEST "")
set(SECTION "")
# file(STRINGS) takes brackets for parts of a list.
file(READ ${TORCHADA_REGISTRY} TEXT)
string(REPLACE "[" "(" TEXT "${TEXT}")
string(REPLACE "]" ")" TEXT "${TEXT}")
string(REPLACE ";" "," TEXT "${TEXT}")
string(REPLACE "\n" ";" LINES "${TEXT}")
foreach(LINE IN LISTS LINES)
  if(LINE MATCHES "^([a-z]+):$")
    set(SECTION ${CMAKE_MATCH_1})
  elseif(NOT SECTION STREQUAL "libraries")
    continue()
  elseif(LINE MATCHES "^  ([A-Za-z0-9_-]+):$")
    set(NAME ${CMAKE_MATCH_1})
    list(APPEND TORCHADA_LIBRARY_NAMES ${NAME})
    set(TORCHADA_NEEDS_${NAME} "")
  elseif(LINE MATCHES "^    stem: (.*)$")
    set(TORCHADA_STEM_${NAME} ${CMAKE_MATCH_1})
  elseif(LINE MATCHES "^    needs: \\((.*)\\)$")
    string(REPLACE ", " ";" TORCHADA_NEEDS_${NAME} "${CMAKE_MATCH_1}")
  elseif(LINE STREQUAL "    offered: on request")
    list(APPEND TORCHADA_ON_REQUEST ${FILE})
  elseif(LINE MATCHES "^    folder: (.*)$")
    set(TORCHADA_FOLDER_${FILE} lib/${CMAKE_MATCH_1})
    list(APPEND TORCHADA_FOLDERS lib/${CMAKE_MATCH_1})
  elseif(LINE MATCHES "^    sonames: {(.*)}$")
    string(REPLACE "), " ");" ENTRIES "${CMAKE_MATCH_1}")
    foreach(ENTRY IN LISTS ENTRIES)
      if(NOT ENTRY MATCHES "^([^ :]+): \\(([0-9, ]+)\\)$")
        message(FATAL_ERROR "${TORCHADA_REGISTRY}: '${ENTRY}' in the sonames of ${NAME}: expected "
          "SONAME: [MAJOR, ...]")
      endif()
      set(FILE ${CMAKE_MATCH_1})
      string(REPLACE ", " ";" MAJORS "${CMAKE_MATCH_2}")
      set(TORCHADA_MAJORS_${FILE} ${MAJORS})
      set(TORCHADA_FOLDER_${FILE} lib)
      foreach(MAJOR IN LISTS MAJORS)
        list(APPEND TORCHADA_FILES_${MAJOR} ${FILE})
      endforeach()
      list(APPEND TORCHADA_ABIS ${MAJORS})
      list(GET MAJORS -1 NEWEST)
      list(APPEND TORCHADA_LIBRARIES "${NAME}-${NEWEST}|${FILE}")
    endforeach()
  endif()
endforeach()
list(REMOVE_DUPLICATES TORCHADA_FOLDERS)
list(REMOVE_DUPLICATES TORCHADA_ABIS)
list(SORT TORCHADA_ABIS COMPARE NATURAL)
