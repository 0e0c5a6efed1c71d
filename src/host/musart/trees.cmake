# See ../trees/trees.cmake.
set(TORCHADA_HOST_TREE_3.1_musart 1.0.0 1.0)
set(TORCHADA_HOST_TREE_4.3_musart 4.3.5 4)
set(TORCHADA_HOST_TREE_5.1_musart 5.1.0 5)
set(TORCHADA_HOST_TREE_5.2_musart 5.2.0 5)
