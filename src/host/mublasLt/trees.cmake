# See ../trees/trees.cmake.
set(TORCHADA_HOST_TREE_4.3_mublasLt 1.10.6 1)
set(TORCHADA_HOST_TREE_5.1_mublasLt 1.10.6 1)
set(TORCHADA_HOST_TREE_5.2_mublasLt 1.13.0 1)
