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
#   5.2.0  libmusa.so.5.2.0, libmusart.so.5.2.0, libmtrtc.so.5.2.0: MooreThreads/julia-musa docs; muBLAS and muBLASLt 1.13.0:
#          docs.mthreads.com, version-5.2.0/docker_guide
# Assumed: libmusa.so.5.1.0 as the file of 5.1, the version in file names of 4.3 beyond the SONAME, MCCL 2.11.4 in 4.3 and
# 2.28.9 in 5.2, muBLAS 1.10.6 in 4.3, and libmurand.so.1 by analogy.

# Each SDK with its version. Its headers that differ from those of others are in the folder of its name.
set(TORCHADA_HOST_TREE_3.1_version 3.1.0)
set(TORCHADA_HOST_TREE_4.3_version 4.3.5)
set(TORCHADA_HOST_TREE_5.1_version 5.1.0)
set(TORCHADA_HOST_TREE_5.2_version 5.2.0)
# The newest, to which host/current leads.
set(TORCHADA_HOST_CURRENT 5.2)
# "assumed" is the newest plus the names that only a mechanical rename suggests.
set(TORCHADA_HOST_TREE_assumed_version ${TORCHADA_HOST_TREE_${TORCHADA_HOST_CURRENT}_version})
set(TORCHADA_HOST_TREES 5.2 5.1 4.3 3.1 assumed)
foreach(tree IN LISTS TORCHADA_HOST_TREES)
  set(TORCHADA_HOST_TREE_${tree}_headers ${tree})
endforeach()
set(TORCHADA_HOST_TREE_assumed_headers ${TORCHADA_HOST_CURRENT})

# The libraries are the folders with an exports.list. Each folder's trees.cmake says which SDKs have the
# library, with the version in the file name and the version in the SONAME ("none": neither).
file(GLOB lists CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_LIST_DIR}/.. ${CMAKE_CURRENT_LIST_DIR}/../*/exports.list)
set(TORCHADA_HOST_LIBRARIES "")
foreach(list IN LISTS lists)
  get_filename_component(library ${list} DIRECTORY)
  list(APPEND TORCHADA_HOST_LIBRARIES ${library})
  include(${CMAKE_CURRENT_LIST_DIR}/../${library}/trees.cmake)
  set(TORCHADA_HOST_TREE_assumed_${library} ${TORCHADA_HOST_TREE_${TORCHADA_HOST_CURRENT}_${library}})
endforeach()
