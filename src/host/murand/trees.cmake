# See ../trees/trees.cmake.
set(TORCHADA_HOST_TREE_3.1_murand none none)
set(TORCHADA_HOST_TREE_4.3_murand 1 1)
set(TORCHADA_HOST_TREE_5.1_murand 1 1)
set(TORCHADA_HOST_TREE_5.2_murand 1 1)
