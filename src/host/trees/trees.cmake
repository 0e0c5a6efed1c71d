# The SDKs that the stand-in imitates, in one table: a row says what each of them has. Only the names that a library
# exports have a table of their own, exports.list beside its sources. Code reads the rows in capitals from internal/sdk.h,
# which every tree has among its headers.
#
# File versions and SONAMEs seen in public (mappings/libraries.yaml has the sources):
#   3.1.0  libmusa.so.1.0.0 with SONAME libmusa.so.1.0, libmusart.so.1.0.0 with SONAME libmusart.so.1.0, libmublas.so,
#          libmufft.so and libmurand.so without a version, libmccl.so.2 of 2.11, no libmublasLt: ZhaoShanBiounite/musapy
#          docs/sdk-3.1.0-musax-coverage.md, torch_musa issue 118
#   4.3.5  libmusa.so.1, libmusart.so.4, libmublas.so.1, libmccl.so.2: torch_musa issue 137
#   5.1.0  libmusa.so.1, libmusart.so.5, libmublas.so.1, libmublasLt.so.1: onnxruntime-musa
#          musa/ep/python/build_wheel.py
#   5.2.0  libmusa.so.5.2.0, libmusart.so.5.2.0, libmtrtc.so.5.2.0: MooreThreads/julia-musa
#          doc/src/devdocs/musa-s1-metadata-inventory.md; muBLAS and muBLASLt 1.13.0: docs.mthreads.com,
#          version-5.2.0/docker_guide; libmtrtc is new in it: docs.mthreads.com, version-5.2.0/releasenote
#   libmufft.so.1 is named, without the SDK, in siliconflow/FlagGems src/flag_gems/utils/stft_fft.py. libmtml.so.2:
#   mthreads-ml-py 2.4.3 on PyPI; it comes with the driver, and no source ties it to an SDK.
# Assumed: libmusa.so.5.1.0 as the file of 5.1, the version in file names of 4.3 beyond the SONAME, muBLAS 1.10.6 in 4.3,
# libmufft.so.1 from 4.3 on, libmurand.so.1 by analogy, the SONAME libmtrtc.so.5 as libmusart's, and that each SDK's driver
# has libmtml in the version whose header is known.
#
# What the libraries report:
#   MUSART_VERSION  major*10000 + minor*100 + patch (zml/xla:xla/stream_executor/musa/MUSA_ABI.md at 33497f8;
#                   MooreThreads/tensorflow_musa_extension:musa_ext/mu/device/musa_se_callbacks.cc at 0515c58 tests 50000;
#                   50200: julia-musa's file above at df891bd). The file of 3.1.0 is libmusart.so.1.0.0
#                   (b1tg/tinygrad:extra/musa/musa_probe.md at 134e84a). Assumed: before 5.0 the runtime answers the
#                   version of its file, as that of 4.0.1 does (MUSA_ABI.md). Nobody has shown the answer of 4.3.
#   MUBLAS_VERSION  1.6.0: MooreThreads/torch_musa issue 101. 1.10.6: flagos-ai/KernelGenBench:docs/mublas.md at a65c13e,
#                   assumed for 4.3. 1.13.0: the package of 5.2.0; assumed: the library reports the same
#   MCCL            2.11.4: torch_musa issue 101, assumed for 4.3. 2.28.9: flagos-ai/Torch-FL pull request 105, assumed
#                   for 5.2, whose package is 2.4.0, no number of NCCL's kind
#
# What they are and do; 0 is no, 1 is yes:
#   MUSA_GETS_PROPERTIES_BY_V2      musaDeviceProp has 1,032 bytes and not 728, and musaGetDeviceProperties is a macro for
#                                   the _v2 call: objects of mcc 4.3.1 and 4.3.5
#                                   (InfiniTensor/Learning-CUDA:tester/tester_moore.o)
#   MUSA_RESERVED_OF_POINTERS       the words behind the pointers of musaPointerAttributes: 88 bytes in 5.2.0
#                                   (mooncake-transfer-engine-musa 0.3.13.post1 on PyPI)
#   MUSA_TAKES_UPDATE_RESULTS       musaGraphExecUpdate gives one struct, and musaGraphInstantiate takes flags, no buffer
#                                   for errors: since 5.0
#   MUSA_HAS_FABRIC_HANDLES         a number for handles for other hosts, and the attribute: the same wheel
#   MUSA_SET_DEVICE_MAKES_CURRENT   musaSetDevice makes the primary context current: since 5.0
#   MUSA_GRID_LIMIT_YZ              the blocks in y and z: 2^31-1 in the output of musaInfo for an MTT S5000 with SDK 5.2.0
#                                   (docs.mthreads.com, version-5.2.0/install_guide). Assumed before: CUDA's 65,535, with
#                                   which what runs there runs on both
#   MUSA_CHANGES_EXECUTABLE_GRAPHS  not seen of SDKs since 4.0; assumed, because their runtime documents the functions

set(TORCHADA_HOST_SDKS              3.1        4.3       5.1       5.2)
set(TORCHADA_HOST_TABLE
  "version                          3.1.0      4.3.5     5.1.0     5.2.0"

  # Libraries, the folders with an exports.list: the version in the file's name and that in the SONAME, "none" for neither,
  # "-" where the SDK has no such library.
  "musa                             1.0.0/1.0  4.3.5/1   5.1.0/1   5.2.0/1"
  "musart                           1.0.0/1.0  4.3.5/4   5.1.0/5   5.2.0/5"
  "mccl                             2.11.4/2   2.11.4/2  2.28.9/2  2.28.9/2"
  "mtml                             2.2.0/2    2.2.0/2   2.2.0/2   2.2.0/2"
  "mtrtc                            -          -         -         5.2.0/5"
  "mublas                           none/none  1.10.6/1  1.10.6/1  1.13.0/1"
  "mublasLt                         -          1.10.6/1  1.10.6/1  1.13.0/1"
  "mufft                            none/none  1/1       1/1       1/1"
  "murand                           none/none  1/1       1/1       1/1"

  # A version in three parts makes three macros: MCCL_MAJOR, MCCL_MINOR, MCCL_PATCH.
  "MUSART_VERSION                   10000      40305     50100     50200"
  "MUBLAS_VERSION                   1.6.0      1.10.6    1.10.6    1.13.0"
  "MCCL                             2.11.4     2.11.4    2.28.9    2.28.9"

  "MUSA_GETS_PROPERTIES_BY_V2       0          1         1         1"
  "MUSA_RESERVED_OF_POINTERS        0          0         0         8"
  "MUSA_TAKES_UPDATE_RESULTS        0          0         1         1"
  "MUSA_HAS_FABRIC_HANDLES          0          1         1         1"
  "MUSA_SET_DEVICE_MAKES_CURRENT    0          0         1         1"
  "MUSA_GRID_LIMIT_YZ               65535      65535     65535     2147483647"
  "MUSA_CHANGES_EXECUTABLE_GRAPHS   0          1         1         1")

# The newest, to which host/current leads. "assumed" is the newest plus the names that only a mechanical rename suggests.
set(TORCHADA_HOST_CURRENT 5.2)
set(TORCHADA_HOST_TREES 5.2 5.1 4.3 3.1 assumed)

# Sets TORCHADA_HOST_TREE_<tree>_<row>, and TORCHADA_HOST_LIBRARIES.
file(GLOB lists CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_LIST_DIR}/.. ${CMAKE_CURRENT_LIST_DIR}/../*/exports.list)
list(TRANSFORM lists REPLACE "/exports.list" "" OUTPUT_VARIABLE TORCHADA_HOST_LIBRARIES)
list(LENGTH TORCHADA_HOST_SDKS sdks)
foreach(line IN LISTS TORCHADA_HOST_TABLE)
  string(REGEX REPLACE " +" ";" cells "${line}")
  list(POP_FRONT cells row)
  list(LENGTH cells count)
  if(NOT count EQUAL sdks)
    message(FATAL_ERROR "${CMAKE_CURRENT_LIST_FILE}: expected ${sdks} cells, one for each SDK: ${line}")
  endif()
  foreach(tree cell IN ZIP_LISTS TORCHADA_HOST_SDKS cells)
    string(REPLACE "/" ";" cell "${cell}")
    if(cell STREQUAL "-")
      set(cell "")
    endif()
    set(TORCHADA_HOST_TREE_${tree}_${row} ${cell})
  endforeach()
  set(TORCHADA_HOST_TREE_assumed_${row} ${TORCHADA_HOST_TREE_${TORCHADA_HOST_CURRENT}_${row}})
endforeach()

# host_tree_macros(out tree): the text of internal/sdk.h.
function(host_tree_macros out tree)
  set(text "// Versions of this SDK and what it has. Made from src/host/trees/trees.cmake.\n#pragma once\n\n")
  foreach(line IN LISTS TORCHADA_HOST_TABLE)
    if(line MATCHES "^([A-Z0-9_]+) ")
      set(row ${CMAKE_MATCH_1})
      set(cell ${TORCHADA_HOST_TREE_${tree}_${row}})
      if(cell MATCHES "^([0-9]+)[.]([0-9]+)[.]([0-9]+)$")
        string(APPEND text "#define ${row}_MAJOR ${CMAKE_MATCH_1}\n" "#define ${row}_MINOR ${CMAKE_MATCH_2}\n"
                           "#define ${row}_PATCH ${CMAKE_MATCH_3}\n")
      else()
        string(APPEND text "#define ${row} ${cell}\n")
      endif()
    endif()
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()
