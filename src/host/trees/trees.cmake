# The SDKs that the stand-in imitates: the names of their libraries and the versions that these
# report.
#
# File versions and SONAMEs seen in public (mappings/libraries.yaml has the sources):
#   3.1.0  libmusa.so.1.0.0 with SONAME libmusa.so.1.0, libmusart.so.1.0.0 with SONAME libmusart.so.1.0, libmublas.so
#          and libmurand.so without a version, libmccl.so.2 of 2.11, no libmublasLt: ZhaoShanBiounite/musapy
#          docs/sdk-3.1.0-musax-coverage.md, torch_musa issue 118
#   4.3.5  libmusa.so.1, libmusart.so.4, libmublas.so.1, libmccl.so.2: torch_musa issue 137
#   5.1.0  libmusa.so.1, libmusart.so.5, libmublas.so.1, libmublasLt.so.1: onnxruntime-musa
#          musa/ep/python/build_wheel.py; MCCL 2.28.9: flagos-ai/Torch-FL pull request 105
# Assumed: libmusa.so.5.1.0 as the file of 5.1, since 5.2 has libmusa.so.5.2.0 (MooreThreads/julia-musa docs),
# the version in file names of 4.3 beyond the SONAME, MCCL 2.11.4 in 4.3, muBLAS 1.10.6 in
# 4.3, and libmurand.so.1 by analogy.
#
# "assumed" is 5.1 plus the names that only a mechanical rename suggests.
set(TORCHADA_HOST_TREES 5.1 4.3 3.1 assumed)

# Directory of the headers that differ from SDK to SDK.
set(TORCHADA_HOST_TREE_3.1_headers 3.1)
set(TORCHADA_HOST_TREE_4.3_headers 4.3)
set(TORCHADA_HOST_TREE_5.1_headers 5.1)
set(TORCHADA_HOST_TREE_assumed_headers 5.1)

set(TORCHADA_HOST_TREE_3.1_version 3.1.0)
set(TORCHADA_HOST_TREE_4.3_version 4.3.5)
set(TORCHADA_HOST_TREE_5.1_version 5.1.0)
set(TORCHADA_HOST_TREE_assumed_version 5.1.0)

# The libraries are the folders with an exports.list. Each folder's trees.cmake says which SDKs have the
# library, with the version in the file name and the version in the SONAME ("none": neither).
file(GLOB lists CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_LIST_DIR}/.. ${CMAKE_CURRENT_LIST_DIR}/../*/exports.list)
set(TORCHADA_HOST_LIBRARIES "")
foreach(list IN LISTS lists)
  get_filename_component(library ${list} DIRECTORY)
  list(APPEND TORCHADA_HOST_LIBRARIES ${library})
  include(${CMAKE_CURRENT_LIST_DIR}/../${library}/trees.cmake)
  set(TORCHADA_HOST_TREE_assumed_${library} ${TORCHADA_HOST_TREE_5.1_${library}})
endforeach()
