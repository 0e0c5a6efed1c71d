# See ../trees/trees.cmake.
set(TORCHADA_HOST_TREE_3.1_mublas none none)
set(TORCHADA_HOST_TREE_4.3_mublas 1.10.6 1)
set(TORCHADA_HOST_TREE_5.1_mublas 1.10.6 1)
set(TORCHADA_HOST_TREE_5.2_mublas 1.13.0 1)
