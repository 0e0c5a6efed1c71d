# See ../trees/trees.cmake.
set(TORCHADA_HOST_TREE_3.1_musa 1.0.0 1.0)
set(TORCHADA_HOST_TREE_4.3_musa 4.3.5 1)
set(TORCHADA_HOST_TREE_5.1_musa 5.1.0 1)
set(TORCHADA_HOST_TREE_5.2_musa 5.2.0 1)
